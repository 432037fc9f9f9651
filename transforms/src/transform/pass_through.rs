//! `pass_through`: the index as it is.
//!
//! ```text
//!   upper  u0            lower index: u0
//!          |             law: bijection of [0, length)
//!   lower  u0            CK Tile: make_pass_through_transform(length)
//! ```
//!
//! Keeps a dimension that other transforms of the stage leave alone. The
//! declared length must be the dimension's; CK accepts any.

use super::{Demand, Demands, Run, transform};

transform! {
    /// The index as it is: `PassThrough<Lit<8>>` keeps a dimension of length 8.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, PassThrough, Transform};
    ///
    /// let mut low = [0u32];
    /// PassThrough::new(Lit::<8>).lower(&[5], &mut low);
    /// assert_eq!(low, [5]);
    /// ```
    PassThrough::new { length: L is Length }
    upper [length]
    rule |up, low| {
        low[0] = up[0].clone();
    }
    always valid, injective
    nonzero [length]
}

impl Plain {
    pub(crate) const NAME: &'static str = "pass_through";
    pub(crate) const AFFINE: bool = true;

    pub(crate) const fn demands(self) -> Demands {
        Demands::One(Demand::Exactly(self.length as u64))
    }

    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        up[0] = low[0];
        true
    }

    /// Walking above is walking below.
    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        up[0] = low[0];
    }
}
