//! `freeze`: a lower dimension held at one index.
//!
//! ```text
//!   upper   (none)             lower index: index
//!   lower     l0               CK Tile: make_freeze_transform(index)
//! ```
//!
//! Takes one plane out of a tensor. The index must lie in the dimension.

use super::{Demand, Demands, Run};
use crate::error::Error;

transform! {
    /// A lower dimension held at `index`; no upper dimension.
    ///
    /// ```
    /// use tiledesc_transforms::{List, Op, Plan};
    ///
    /// let keep = Op::PassThrough { length: 8 };
    /// let plane = Plan::packed(&[6, 8])
    ///     .unwrap()
    ///     .transform(&[Op::Freeze { index: 3 }, keep], &[&[0], &[1]], &[&[], &[0]])
    ///     .unwrap();
    /// assert_eq!(plane.offset(&[5]), Ok(29));
    /// ```
    Freeze::new { index: L is Length }
    upper []
    rule |up, low| {
        low[0] = low[0].constant(index);
    }
    always valid, injective
}

pub(crate) const NAME: &str = "freeze";
pub(crate) const AFFINE: bool = true;

pub(crate) const fn demands(index: u32) -> Demands {
    Demands::one(Demand::AtLeast(index as u64 + 1))
}

pub(crate) const fn check(_: u32, _: &[u8]) -> Result<(), Error> {
    Ok(())
}

pub(crate) const fn raise(index: u32, low: &[u32], _: &mut [u32]) -> bool {
    low[0] == index
}

pub(crate) const fn run(_: u32, _: &[Run], _: &mut [Run]) {}
