//! `unmerge`: one lower dimension seen as several.
//!
//! ```text
//!   upper   u0   u1   u2       lower index: (u0 * L1 + u1) * L2 + u2
//!             \   |   /
//!   lower       l0             law: bijection; the inverse of merge
//!
//!   CK Tile: make_unmerge_transform(lengths)
//! ```
//!
//! A packed descriptor is one unmerge over memory. The product of the lengths
//! must be the dimension's length; CK accepts unmerge(4, 5) of a length 16.

use super::{Demand, Demands, Op, Run, embed, no_zero, raise_by, transform};
use crate::error::Error;
use crate::number::list::{Fold, List};

transform! {
    /// One lower dimension seen as dimensions of `lengths`, slowest first.
    ///
    /// ```
    /// use tiledesc_transforms::{Transform, Unmerge, seq};
    ///
    /// let mut low = [0u32];
    /// Unmerge::new(seq![2, 3, 4]).lower(&[1, 2, 3], &mut low);
    /// assert_eq!(low, [23]);
    /// ```
    Unmerge::new { lengths: L is Lengths }
    upper each lengths
    rule |up, low| {
        let count = lengths.len();
        if count > 0 {
            let mut id = up[0].clone();
            let mut i = 1;
            while i < count {
                id = id.mul(lengths.at(i)).add(&up[i]);
                i += 1;
            }
            low[0] = id;
        }
    }
    always valid, injective
}

impl Plain {
    pub(crate) const NAME: &'static str = "unmerge";
    pub(crate) const AFFINE: bool = true;

    pub(crate) const fn demands(self) -> Demands {
        Demands::One(Demand::Exactly(self.lengths.elements()))
    }

    pub(crate) const fn check(self, _: &List) -> Result<(), Error> {
        let elements = self.lengths.elements();
        if elements > 1 << 32 {
            return Err(Error::SpaceTooLarge { elements });
        }
        if elements > 0 { Ok(()) } else { no_zero(Self::NAME, &self.lengths) }
    }

    /// The inverse is [`merge`](super::Merge)'s rule.
    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        raise_by(Op::Merge { lengths: self.lengths }, low, up)
    }

    /// An unmerge is an [`embed`] with packed strides.
    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        let lengths = self.lengths;
        // The product was checked when the transform was composed.
        if let Ok(strides) = lengths.reverse_exclusive_scan(Fold::Product) {
            embed::Plain { lengths, strides }.run(low, up);
        }
    }
}
