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
//! CK's own cannot be used in any descriptor (it lacks a base class); this one can, and moves. It is a [`pad`](super::Pad) with
//! nothing on the right; so an index past the end is invalid too, where CK checks only left <= u0.

use super::{pad, transform};

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
    by as_pad: demands, check, raise, injective, run
    pads like "Dyn(6), Dyn(2)" to 8
}


impl Plain {
    pub(crate) const NAME: &'static str = "left_pad";
    pub(crate) const AFFINE: bool = true;

    const fn as_pad(self) -> pad::Plain {
        let Self { low_length, left, skip_check } = self;
        pad::Plain { low_length, left, right: 0, skip_check }
    }
}

