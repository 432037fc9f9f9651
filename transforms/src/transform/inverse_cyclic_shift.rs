//! `inverse_cyclic_shift`: one index rotated back by another.
//!
//! ```text
//!   lower index: (u0, (u1 + L1 - u0 mod L1) mod L1)
//!   law: bijection; undoes cyclic_shift, coordinate by coordinate
//!   CK Tile (2026): inverse_cyclic_shift_t<[L0, L1]>
//! ```

use super::{Op, cyclic_shift, raise_by, transform};

transform! {
    /// Dimension 1 rotated back by dimension 0.
    ///
    /// ```
    /// use tiledesc_transforms::{InverseCyclicShift, Lit, Transform};
    ///
    /// let mut low = [0u32; 2];
    /// InverseCyclicShift::new(Lit::<64>, Lit::<12>).lower(&[10, 3], &mut low);
    /// assert_eq!(low, [10, 5]);
    /// ```
    InverseCyclicShift::new { length0: L0 is Length, length1: L1 is Length }
    upper [length0, length1]
    rule |up, low| {
        low[0] = up[0].clone();
        let back = up[0].constant(length1).sub(&up[0].rem(length1));
        low[1] = up[1].add(&back).rem(length1);
    }
    always valid, injective
    nonzero [length0, length1]
    by as_cyclic_shift: demands, run
}

impl Plain {
    pub(crate) const NAME: &'static str = "inverse_cyclic_shift";
    pub(crate) const AFFINE: bool = false;

    const fn as_cyclic_shift(self) -> cyclic_shift::Plain {
        cyclic_shift::Plain { length0: self.length0, length1: self.length1 }
    }

    /// The inverse is [`cyclic_shift`]'s rule.
    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        let Self { length0, length1 } = self;
        raise_by(Op::CyclicShift { length0, length1 }, low, up)
    }
}

