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

use super::{Demand, Demands, Run, transform};

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
    nonzero [low_length]
    pads like "Dyn(6), Dyn(2), Dyn(3)" to 11
}


impl Plain {
    pub(crate) const NAME: &'static str = "pad";
    pub(crate) const AFFINE: bool = true;

    pub(crate) const fn demands(self) -> Demands {
        Demands::One(Demand::Exactly(self.low_length as u64))
    }

    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        up[0] = low[0].wrapping_add(self.left);
        true
    }

    /// Padding reported as valid leaves the dimension, and may meet others below.
    pub(crate) const fn injective(self) -> bool {
        !(self.skip_check && (self.left > 0 || self.right > 0))
    }

    /// Walking above is walking below, `left` later; and a vector must not cross
    /// from memory into padding.
    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        let begin = self.left as u64;
        let end = if self.right == 0 { 0 } else { begin + self.low_length as u64 };
        let shifted = low[0].moved_by(begin);
        up[0] = if self.skip_check { shifted } else { shifted.broken_at(begin).broken_at(end) };
    }
}
