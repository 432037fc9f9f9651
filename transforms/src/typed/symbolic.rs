//! A plan over any index: what prints a layout that only the run time knows.
//!
//! A type computes with any [`Index`]; so does a plan, by the same rules, though nothing
//! is resolved by the compiler:
//!
//! ```text
//!   staged   every transform's rule, one after the other
//!   fused    the terms of the digits, as `fused.rs` adds them up for a type
//! ```
//!
//! It is not for kernels, as no evaluation of a plan is: it is for expressions from which a kernel is then made.

use crate::error::Error;
use crate::index::Index;
use crate::linear::terms::Terms;
use crate::number::list::List;
use crate::plan::Plan;
use crate::typed::fused::{number_of, up_to_16};
use core::array;

impl Plan {
    /// The offset of a coordinate by the fused form, or by stages where there is none, in
    /// elements. `context` is any index: constants are made in it. Nothing is checked but
    /// the rank; of a coordinate out of range or in padding the offset is meaningless.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// let rows = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    /// assert_eq!(rows.fused(&[3u64, 17], &0), Ok(233));
    /// assert!(rows.fused(&[3u64], &0).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Rank`]; [`Error::NoMemory`] of an adaptor.
    pub fn fused<I: Index>(&self, index: &[I], context: &I) -> Result<I, Error> {
        self.takes(index.len())?;
        let all: [I; List::CAPACITY] = array::from_fn(|i| index.get(i).unwrap_or(context).clone());
        let digits = self.digits();
        if let Some(terms) = digits.as_ref().and_then(Terms::new) {
            return Ok(up_to_16(&terms, all, 1));
        }
        let numbered = if digits.is_none() { self.numbered() } else { None };
        match numbered.and_then(|one| Some((Terms::new(one.digits())?, one.strides()))) {
            Some((terms, strides)) => Ok(up_to_16(&terms, number_of(all, &strides), 1)),
            None => self.staged(index, context),
        }
    }

    /// Evaluates the plan transform by transform, as it was composed.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// let rows = Plan::naive(&[128, 64], &[72, 1])?;
    /// assert_eq!(rows.staged(&[3u64, 17], &0), rows.fused(&[3u64, 17], &0));
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`fused`](Self::fused).
    pub fn staged<I: Index>(&self, index: &[I], context: &I) -> Result<I, Error> {
        self.takes(index.len())?;
        let mut hidden: [I; Self::MOST_HIDDEN] = array::from_fn(|_| context.clone());
        for (top, index) in self.top().as_slice().iter().zip(index) {
            hidden[*top as usize] = index.clone();
        }
        for node in self.nodes().iter().rev() {
            let pick = |ids: &List, i| ids.get(i).map_or(context, |id| &hidden[id as usize]);
            let up: [I; List::CAPACITY] = array::from_fn(|i| pick(&node.upper, i).clone());
            let mut low: [I; List::CAPACITY] = array::from_fn(|_| context.clone());
            node.op.lower_any(&up, &mut low);
            for (id, index) in node.lower.as_slice().iter().zip(low) {
                hidden[*id as usize] = index;
            }
        }
        Ok(hidden[0].clone())
    }

    fn takes(&self, rank: usize) -> Result<(), Error> {
        self.has_memory()?;
        if rank == self.rank() {
            return Ok(());
        }
        Err(Error::Rank { wanted: self.rank() as u32, given: rank as u32 })
    }
}
