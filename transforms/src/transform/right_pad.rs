//! `right_pad`: a dimension with padding at its end.
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
//! Padding that makes a tensor of any size a whole number of tiles: a [`pad`](super::Pad) with nothing on the left. A move to -1
//! wraps around and is invalid; CK's signed check, u0 < low_length alone, calls it valid.

use super::{pad, transform};

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
    by as_pad: demands, check, raise, injective, run
    pads like "Dyn(6), Dyn(3)" to 9
}


impl Plain {
    pub(crate) const NAME: &'static str = "right_pad";
    pub(crate) const AFFINE: bool = true;

    const fn as_pad(self) -> pad::Plain {
        let Self { low_length, right, skip_check } = self;
        pad::Plain { low_length, left: 0, right, skip_check }
    }
}

