//! `offset`: a dimension that starts later.
//!
//! ```text
//!   lower  0 .. offset .. offset + length
//!               |         |
//!   upper       0 .. length              lower index: u0 + offset
//!
//!   CK Tile: make_offset_transform(length, offset)
//! ```
//!
//! Places a buffer behind others in LDS (FMHA's second K buffer).

use super::{Demand, Demands, Run, no_zero};
use crate::error::Error;

transform! {
    /// A dimension of `length` that begins at index `offset` of the one below.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Offset, Transform};
    ///
    /// let mut low = [0u32];
    /// Offset::new(Lit::<5>, Lit::<3>).lower(&[4], &mut low);
    /// assert_eq!(low, [7]);
    /// ```
    Offset::new { length: L is Length, offset: O is Length }
    upper [length]
    rule |up, low| {
        low[0] = up[0].add(&up[0].constant(offset));
    }
    always valid, injective
}

pub(crate) const NAME: &str = "offset";
pub(crate) const AFFINE: bool = true;

pub(crate) const fn demands(length: u32, offset: u32) -> Demands {
    Demands::one(Demand::AtLeast(length as u64 + offset as u64))
}

pub(crate) const fn check(length: u32, _: u32, _: &[u8]) -> Result<(), Error> {
    no_zero(NAME, &[length])
}

pub(crate) const fn raise(_: u32, offset: u32, low: &[u32], up: &mut [u32]) -> bool {
    up[0] = low[0].wrapping_sub(offset);
    low[0] >= offset
}

/// Breaks below move down by `offset`, so only common divisors remain.
pub(crate) const fn run(_: u32, offset: u32, low: &[Run], up: &mut [Run]) {
    up[0] = if low[0].period == 0 { low[0] } else { low[0].broken_at(offset as u64) };
}
