//! `right_pad`: a dimension with padding behind.
//!
//! ```text
//!   upper  0 ..   low | low .. low + right
//!              memory |     padding
//!   lower  0 ..   low |
//!
//!   lower index: u0              valid: u0 < low_length
//!   CK Tile: make_right_pad_transform(low_length, right, skip_check)
//! ```
//!
//! How a tensor of any size becomes a whole number of tiles. It is a
//! [`pad`](super::Pad) with nothing on the left.

use super::{Checked, Demands, Injective, Run, Unchecked, pad};
use crate::error::Error;
use crate::number::Length;

transform! {
    /// The dimension, then `right` indices of padding.
    ///
    /// ```
    /// use tiledesc_transforms::{Op, Plan};
    ///
    /// let pad = Op::RightPad { low_length: 40, right: 24, skip_check: false };
    /// let plan = Plan::packed(&[40]).unwrap().transform(&[pad], &[&[0]], &[&[0]]).unwrap();
    /// assert_eq!(plan.lengths(), [64]);
    /// assert_eq!(plan.offset(&[39]), Ok(39));
    /// assert!(plan.offset(&[40]).is_err());
    /// ```
    RightPad::with_check { low_length: L is Length, right: E is Length, skip_check: C is Check }
    upper [low_length + right]
    rule |up, low| {
        low[0] = up[0].clone();
    }
    valid prefix unless skip_check |up| {
        up[0].below(low_length)
    }
}

impl<L: Length, E: Length> RightPad<L, E, Checked> {
    /// Padding of these lengths; indices in it are invalid.
    #[inline]
    #[must_use]
    pub const fn new(low_length: L, right: E) -> Self {
        Self::with_check(low_length, right, Checked)
    }

    /// The same, with indices in the padding reported as valid.
    #[inline]
    #[must_use]
    pub const fn skip_check(self) -> RightPad<L, E, Unchecked> {
        RightPad::with_check(self.low_length, self.right, Unchecked)
    }
}

pub(crate) const NAME: &str = "right_pad";
pub(crate) const AFFINE: bool = true;

pub(crate) const fn demands(low: u32, right: u32, skip: bool) -> Demands {
    pad::demands(low, 0, right, skip)
}

pub(crate) const fn check(low: u32, right: u32, skip: bool, dims: &[u8]) -> Result<(), Error> {
    pad::check(low, 0, right, skip, dims)
}

pub(crate) const fn raise(len: u32, right: u32, skip: bool, low: &[u32], up: &mut [u32]) -> bool {
    pad::raise(len, 0, right, skip, low, up)
}

pub(crate) const fn injective(low: u32, right: u32, skip: bool) -> Injective {
    pad::injective(low, 0, right, skip)
}

pub(crate) const fn run(len: u32, right: u32, skip: bool, low: &[Run], up: &mut [Run]) {
    pad::run(len, 0, right, skip, low, up);
}
