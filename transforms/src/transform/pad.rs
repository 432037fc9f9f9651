//! `pad`: a dimension with padding on both sides.
//!
//! ```text
//!   upper  0 .. left | left .. left + low | .. left + low + right
//!            padding |       memory       |      padding
//!   lower            | 0 ..           low |
//!
//!   lower index: u0 - left       valid: left <= u0 < left + low_length
//!   CK Tile: make_pad_transform(low_length, left, right, skip_check)
//! ```
//!
//! An index in the padding has no place in memory: a coordinate there is
//! invalid, and its offset must not be used. A convolution's border is a pad.

use super::{Checked, Demand, Demands, Injective, Run, Unchecked, no_zero};
use crate::error::Error;
use crate::number::Length;

transform! {
    /// `left` indices of padding, then the dimension, then `right` of padding.
    ///
    /// ```
    /// use tiledesc_transforms::{Op, Plan};
    ///
    /// let pad = Op::Pad { low_length: 6, left: 2, right: 3, skip_check: false };
    /// let plan = Plan::packed(&[6]).unwrap().transform(&[pad], &[&[0]], &[&[0]]).unwrap();
    /// assert_eq!(plan.lengths(), [11]);
    /// assert_eq!(plan.offset(&[2]), Ok(0));
    /// assert!(plan.offset(&[1]).is_err());
    /// ```
    Pad::with_check { low_length: L is Length, left: B is Length, right: E is Length, skip_check: C is Check }
    upper [low_length + left + right]
    rule |up, low| {
        low[0] = up[0].sub(&up[0].constant(left));
    }
    valid interval unless skip_check |up| {
        up[0].sub(&up[0].constant(left)).below(low_length)
    }
}

impl<L: Length, B: Length, E: Length> Pad<L, B, E, Checked> {
    /// Padding of these lengths; indices in it are invalid.
    #[inline]
    #[must_use]
    pub const fn new(low_length: L, left: B, right: E) -> Self {
        Self::with_check(low_length, left, right, Checked)
    }

    /// The same, with indices in the padding reported as valid.
    #[inline]
    #[must_use]
    pub const fn skip_check(self) -> Pad<L, B, E, Unchecked> {
        Pad::with_check(self.low_length, self.left, self.right, Unchecked)
    }
}

pub(crate) const NAME: &str = "pad";
pub(crate) const AFFINE: bool = true;

pub(crate) const fn demands(low_length: u32, _: u32, _: u32, _: bool) -> Demands {
    Demands::one(Demand::Exactly(low_length as u64))
}

pub(crate) const fn check(
    low_length: u32,
    _: u32,
    _: u32,
    _: bool,
    _: &[u8],
) -> Result<(), Error> {
    no_zero(NAME, &[low_length])
}

pub(crate) const fn raise(
    _: u32,
    left: u32,
    _: u32,
    _: bool,
    low: &[u32],
    up: &mut [u32],
) -> bool {
    up[0] = low[0].wrapping_add(left);
    true
}

/// Padding reported as valid leaves the dimension, and may meet others below.
pub(crate) const fn injective(_: u32, left: u32, right: u32, skip_check: bool) -> Injective {
    if skip_check && (left > 0 || right > 0) { Injective::Unknown } else { Injective::Yes }
}

/// Walking above is walking below, `left` later; and a vector must not cross
/// from memory into padding.
pub(crate) const fn run(
    low_length: u32,
    left: u32,
    right: u32,
    skip_check: bool,
    low: &[Run],
    up: &mut [Run],
) {
    let shifted = if low[0].period == 0 { low[0] } else { low[0].broken_at(left as u64) };
    let (begin, end) = (left as u64, left as u64 + low_length as u64);
    let end = if right == 0 { 0 } else { end };
    up[0] = if skip_check { shifted } else { shifted.broken_at(begin).broken_at(end) };
}
