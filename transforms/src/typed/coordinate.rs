//! A coordinate that moves: only what a step changes is computed again.
//!
//! ```text
//!   step [0, 8] on (m, k) of the 128x64 xor tile: k changes, m does not
//!     merge of k             computed: it divides again
//!     pass of m, pass of k1  left alone: their difference is 0
//!     xor, then the base     computed: the pack moved
//! ```
//!
//! Transforms whose rule is affine add what the difference adds; the others
//! compute their rule at the new index. The result is that of a fresh
//! evaluation, always (CK's `indexing` drifts away; ours does not).

use crate::error::Error;
use crate::index::both;
use crate::number::list::List;
use crate::plan::{Hidden, Plan, gather};
use crate::typed::adaptor::Adaptor;

/// A coordinate of a typed descriptor, and all indices below it.
///
/// ```
/// use tiledesc_transforms::*;
///
/// // 10 rows of 40, padded to 64: known at run time.
/// let (m, k) = (10, 40);
/// let a = Naive::new([Dyn(m), Dyn(k)], [Dyn(k), Dyn(1)])?.transform(
///     (PassThrough::new(Dyn(m)), RightPad::new(Dyn(k), Dyn(24))),
///     lower![[0], [1]],
///     upper![[0], [1]],
/// )?;
/// let mut at = a.coordinate([3, 0]);
/// let mut packs = 0;
/// while at.is_valid() {
///     packs += 1;
///     at.step([0, 8]);
/// }
/// assert_eq!((packs, at.index()), (5, [3, 40]));
///
/// // Below the last row there is no padding to refuse it: only the range does.
/// let below = a.coordinate([10, 0]);
/// assert_eq!((below.is_valid(), below.is_valid_assuming_in_range()), (false, true));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Coordinate<D: Adaptor, const R: usize> {
    descriptor: D,
    index: [u32; R],
    moving: D::Moving,
}

impl<D: Adaptor, const R: usize> Coordinate<D, R> {
    #[inline(always)]
    pub(crate) fn new(descriptor: D, index: [u32; R]) -> Self {
        let moving = descriptor.start(&index);
        Self { descriptor, index, moving }
    }

    /// The top index.
    #[inline(always)]
    #[must_use]
    pub fn index(&self) -> [u32; R] {
        self.index
    }

    /// The offset, in elements; not to be used unless the coordinate is valid.
    #[inline(always)]
    #[must_use]
    pub fn offset(&self) -> u32 {
        D::bottom_of(&self.moving)
    }

    /// Moves by a step, which may be negative.
    #[inline(always)]
    pub fn step(&mut self, step: [i32; R]) {
        let diff = step.map(i32::cast_unsigned);
        for (index, diff) in self.index.iter_mut().zip(diff) {
            *index = index.wrapping_add(diff);
        }
        self.descriptor.advance(&mut self.moving, &self.index, &diff);
    }

    /// Returns whether every index is in range and none is in padding (CK `coordinate_has_valid_offset`).
    #[inline(always)]
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let accepted = self.descriptor.accepts(&self.moving, &self.index);
        both::<u32>(self.descriptor.in_range(&self.index), accepted).unwrap_or(true)
    }

    /// Returns whether no index is in padding, for a caller that knows the top index to be in range (CK
    /// `..._assuming_top_index_is_valid`).
    #[inline(always)]
    #[must_use]
    pub fn is_valid_assuming_in_range(&self) -> bool {
        self.descriptor.accepts(&self.moving, &self.index).unwrap_or(true)
    }
}

/// A coordinate of a [`Plan`]: every hidden index, as CK Tile keeps them.
///
/// ```
/// use tiledesc_transforms::{Plan, Position};
///
/// let plan = Plan::packed(&[3, 4]).unwrap();
/// let mut at = Position::new(&plan, &[1, 2]).unwrap();
/// at.step(&[1, -1]);
/// assert_eq!((at.offset(), at.hidden()), (9, &[9, 2, 1][..]));
/// // Row 3 is out of range, and in no padding.
/// at.step(&[1, 0]);
/// assert_eq!((at.is_valid(), at.is_valid_assuming_in_range()), (false, true));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Position<'p> {
    plan: &'p Plan,
    hidden: Hidden,
}

impl<'p> Position<'p> {
    /// The position at a top index, in range or not.
    ///
    /// # Errors
    ///
    /// A wrong number of indices.
    pub fn new(plan: &'p Plan, index: &[u32]) -> Result<Self, Error> {
        same_rank(plan, index.len())?;
        Ok(Self { plan, hidden: plan.evaluate(index) })
    }

    /// The top index.
    #[must_use]
    pub fn index(&self) -> List {
        List::new(&gather(&self.hidden, &self.plan.top())[..self.plan.rank()])
    }

    /// Every hidden index, by its id.
    #[must_use]
    pub fn hidden(&self) -> &[u32] {
        &self.hidden[..self.plan.hidden_count()]
    }

    /// Hidden index 0: the offset of a descriptor, in elements.
    #[must_use]
    pub fn offset(&self) -> u32 {
        self.hidden[0]
    }

    /// Moves by a step; missing differences are 0.
    pub fn step(&mut self, step: &[i32]) {
        let mut diff: Hidden = [0; Plan::MOST_HIDDEN];
        for (id, step) in self.plan.top().as_slice().iter().zip(step) {
            diff[*id as usize] = step.cast_unsigned();
            self.add(*id, step.cast_unsigned());
        }
        for node in self.plan.nodes().iter().rev() {
            let moved = gather(&diff, &node.upper);
            if moved.iter().all(|d| *d == 0) {
                continue;
            }
            let change = node.op.shift(&moved[..node.upper.len()]);
            let fresh = node.op.apply(&gather(&self.hidden, &node.upper)[..node.upper.len()]);
            for (i, id) in node.lower.as_slice().iter().enumerate() {
                let old = self.hidden[*id as usize];
                diff[*id as usize] = change.map_or(fresh[i].wrapping_sub(old), |c| c[i]);
                self.add(*id, diff[*id as usize]);
            }
        }
    }

    fn add(&mut self, id: u32, diff: u32) {
        self.hidden[id as usize] = self.hidden[id as usize].wrapping_add(diff);
    }

    /// Returns whether every index is in range and none is in padding.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.plan.check_range(self.index().as_slice()).is_ok() && self.is_valid_assuming_in_range()
    }

    /// Returns whether no index is in padding, for a caller that knows the top index to be in range.
    #[must_use]
    pub fn is_valid_assuming_in_range(&self) -> bool {
        self.plan.accepts(&self.hidden)
    }
}

fn same_rank(plan: &Plan, given: usize) -> Result<(), Error> {
    if plan.rank() == given {
        return Ok(());
    }
    Err(Error::Rank { wanted: plan.rank() as u32, given: given as u32 })
}
