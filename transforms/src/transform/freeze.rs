//! `freeze`: a lower dimension held at one index.
//!
//! ```text
//!   upper   (none)             lower index: index
//!   lower     l0               CK Tile: make_freeze_transform(index)
//! ```
//!
//! Takes one plane out of a tensor. The index must be in the dimension.

use super::{Demand, Demands, Run, transform};

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
    nonzero []
}

impl Plain {
    pub(crate) const NAME: &'static str = "freeze";
    pub(crate) const AFFINE: bool = true;

    pub(crate) const fn demands(self) -> Demands {
        Demands::One(Demand::AtLeast(self.index as u64 + 1))
    }

    pub(crate) const fn raise(self, low: &[u32], _: &mut [u32]) -> bool {
        low[0] == self.index
    }

    /// There is nothing to walk along.
    pub(crate) const fn run(self, _: &[Run], _: &mut [Run]) {}
}
