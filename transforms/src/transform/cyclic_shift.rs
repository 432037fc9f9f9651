//! `cyclic_shift`: one index rotated by another: the swizzle for any length.
//!
//! ```text
//!            upper (row, chunk)             lower chunk, rows of 3
//!   row 0    0  1  2                        0  1  2
//!   row 1    0  1  2      chunk + row       1  2  0
//!   row 2    0  1  2      ----------->      2  0  1
//!
//!   lower index: (u0, (u1 + u0) mod L1)      law: bijection
//!   CK Tile (2026): cyclic_shift_t<[L0, L1]>
//! ```
//!
//! Spreads a column over any number of chunks, where [`xor`](super::Xor) needs a power of two; it costs a `mod` by L1. It is not
//! a drop-in: a rotation keeps neighbouring rows side by side, and on gfx942 a 128x64 fp16 tile that is free with xor reads 2-way
//! with it. Check the verdict.

use super::{Op, raise_by, transform, xor};

transform! {
    /// Dimension 1 rotated by dimension 0.
    ///
    /// ```
    /// use tiledesc_transforms::{CyclicShift, Lit, Transform};
    ///
    /// let mut low = [0u32; 2];
    /// CyclicShift::new(Lit::<64>, Lit::<12>).lower(&[10, 5], &mut low);
    /// assert_eq!(low, [10, 3]);
    /// ```
    CyclicShift::new { length0: L0 is Length, length1: L1 is Length }
    upper [length0, length1]
    rule |up, low| {
        low[0] = up[0].clone();
        low[1] = up[1].add(&up[0]).rem(length1);
    }
    always valid, injective
    nonzero [length0, length1]
    by as_xor: demands, run
}

impl Plain {
    pub(crate) const NAME: &'static str = "cyclic_shift";
    pub(crate) const AFFINE: bool = false;

    /// The xor of the same lengths: as for [`Xor`](super::Xor), every row starts elsewhere.
    const fn as_xor(self) -> xor::Plain {
        xor::Plain { length0: self.length0, length1: self.length1 }
    }

    /// The inverse is [`inverse_cyclic_shift`](super::InverseCyclicShift)'s rule.
    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        let Self { length0, length1 } = self;
        raise_by(Op::InverseCyclicShift { length0, length1 }, low, up)
    }
}

