//! `slice`: a part of a dimension.
//!
//! ```text
//!   lower  0 .. begin .. end .. low_length
//!               |     |
//!   upper       0 .. end - begin         lower index: u0 + begin
//!
//!   CK Tile: make_slice_transform(low_length, begin, end)
//! ```
//!
//! The end must lie in the dimension; CK accepts slice(8, 4, 20).

use super::{Demand, Demands, Run, offset};
use crate::error::Error;

transform! {
    /// Indices `begin` to `end` (exclusive) of a dimension of `low_length`.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Slice, Transform};
    ///
    /// let mut low = [0u32];
    /// Slice::new(Lit::<10>, Lit::<2>, Lit::<7>).lower(&[3], &mut low);
    /// assert_eq!(low, [5]);
    /// ```
    Slice::new { low_length: L is Length, begin: B is Length, end: E is Length }
    upper [end.saturating_sub(begin)]
    rule |up, low| {
        low[0] = up[0].add(&up[0].constant(begin));
    }
    always valid, injective
}

pub(crate) const NAME: &str = "slice";
pub(crate) const AFFINE: bool = true;

pub(crate) const fn demands(low_length: u32, _: u32, end: u32) -> Demands {
    let reach = Demand::AtLeast(end as u64);
    Demands::one(if end > low_length { reach } else { Demand::Exactly(low_length as u64) })
}

pub(crate) const fn check(_: u32, begin: u32, end: u32, _: &[u8]) -> Result<(), Error> {
    if end <= begin { Err(Error::EmptySlice { begin, end }) } else { Ok(()) }
}

pub(crate) const fn raise(_: u32, begin: u32, end: u32, low: &[u32], up: &mut [u32]) -> bool {
    offset::raise(end - begin, begin, low, up)
}

pub(crate) const fn run(_: u32, begin: u32, end: u32, low: &[Run], up: &mut [Run]) {
    offset::run(end - begin, begin, low, up);
}
