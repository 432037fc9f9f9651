//! `left_pad`: a dimension with padding in front.
//!
//! ```text
//!   upper  0 .. left | left .. left + low
//!            padding |       memory
//!   lower            | 0 ..           low
//!
//!   lower index: u0 - left       valid: left <= u0 < left + low_length
//!   CK Tile: make_left_pad_transform(low_length, left, skip_check)
//! ```
//!
//! CK's own cannot be used in any descriptor (it lacks a base class); this one
//! can, and moves. It is a [`pad`](super::Pad) with nothing on the right.

use super::{Checked, Demands, Injective, Run, Unchecked, pad};
use crate::error::Error;
use crate::number::Length;

transform! {
    /// `left` indices of padding, then the dimension.
    ///
    /// ```
    /// use tiledesc_transforms::{Op, Plan};
    ///
    /// let pad = Op::LeftPad { low_length: 6, left: 2, skip_check: false };
    /// let plan = Plan::packed(&[6]).unwrap().transform(&[pad], &[&[0]], &[&[0]]).unwrap();
    /// assert_eq!(plan.lengths(), [8]);
    /// assert_eq!(plan.offset(&[7]), Ok(5));
    /// assert!(plan.offset(&[1]).is_err());
    /// ```
    LeftPad::with_check { low_length: L is Length, left: B is Length, skip_check: C is Check }
    upper [low_length + left]
    rule |up, low| {
        low[0] = up[0].sub(&up[0].constant(left));
    }
    valid interval unless skip_check |up| {
        up[0].sub(&up[0].constant(left)).below(low_length)
    }
}

impl<L: Length, B: Length> LeftPad<L, B, Checked> {
    /// Padding of these lengths; indices in it are invalid.
    #[inline]
    #[must_use]
    pub const fn new(low_length: L, left: B) -> Self {
        Self::with_check(low_length, left, Checked)
    }

    /// The same, with indices in the padding reported as valid.
    #[inline]
    #[must_use]
    pub const fn skip_check(self) -> LeftPad<L, B, Unchecked> {
        LeftPad::with_check(self.low_length, self.left, Unchecked)
    }
}

pub(crate) const NAME: &str = "left_pad";
pub(crate) const AFFINE: bool = true;

pub(crate) const fn demands(low: u32, left: u32, skip: bool) -> Demands {
    pad::demands(low, left, 0, skip)
}

pub(crate) const fn check(low: u32, left: u32, skip: bool, dims: &[u8]) -> Result<(), Error> {
    pad::check(low, left, 0, skip, dims)
}

pub(crate) const fn raise(len: u32, left: u32, skip: bool, low: &[u32], up: &mut [u32]) -> bool {
    pad::raise(len, left, 0, skip, low, up)
}

pub(crate) const fn injective(low: u32, left: u32, skip: bool) -> Injective {
    pad::injective(low, left, 0, skip)
}

pub(crate) const fn run(len: u32, left: u32, skip: bool, low: &[Run], up: &mut [Run]) {
    pad::run(len, left, 0, skip, low, up);
}
