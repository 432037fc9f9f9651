//! `modulo`: a dimension that starts over.
//!
//! ```text
//!   upper  0 1 2 3 4 5 6 7 8 ..          lower index: u0 mod modulus
//!   lower  0 1 2 3 0 1 2 3 0 ..          (modulus 4)
//!
//!   CK Tile: make_modulo_transform(modulus, length)
//! ```
//!
//! A ring of buffers. CK's cannot move (its update does not compile); this one
//! can. Injective only if it never starts over.

use super::{Demand, Demands, Run, transform};

transform! {
    /// A dimension of `length` over the first `modulus` indices of the one below.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Modulo, Transform};
    ///
    /// let mut low = [0u32];
    /// Modulo::new(Lit::<6>, Lit::<18>).lower(&[17], &mut low);
    /// assert_eq!(low, [5]);
    /// ```
    Modulo::new { modulus: N is Length, length: L is Length }
    upper [length]
    rule |up, low| {
        low[0] = up[0].rem(modulus);
    }
    always valid
    nonzero [modulus, length]
}

impl Plain {
    pub(crate) const NAME: &'static str = "modulo";
    pub(crate) const AFFINE: bool = false;

    pub(crate) const fn demands(self) -> Demands {
        let reach = if self.starts_over() { self.modulus } else { self.length };
        Demands::One(Demand::AtLeast(reach as u64))
    }

    const fn starts_over(self) -> bool {
        self.length > self.modulus
    }

    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        up[0] = low[0];
        true
    }

    pub(crate) const fn injective(self) -> bool {
        !self.starts_over()
    }

    /// Walking is walking below until it starts over.
    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        let below = low[0];
        up[0] = if self.starts_over() { below.broken_at(self.modulus as u64) } else { below };
    }
}
