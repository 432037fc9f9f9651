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
//! Spreads a column over any number of chunks, where [`xor`](super::Xor) needs a
//! power of two; it costs a `mod` by L1. It is no drop-in: a rotation keeps
//! neighbouring rows side by side, and on gfx942 a 128x64 fp16 tile that is free
//! with xor reads 2-way with it. Ask for the verdict.

use super::{Demands, Op, Run, no_zero, raise_by, xor};
use crate::error::Error;

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
}

pub(crate) const NAME: &str = "cyclic_shift";
pub(crate) const AFFINE: bool = false;

pub(crate) const fn demands(length0: u32, length1: u32) -> Demands {
    Demands::exactly(&[length0, length1])
}

pub(crate) const fn check(length0: u32, length1: u32, _: &[u8]) -> Result<(), Error> {
    no_zero(NAME, &[length0, length1])
}

/// The inverse is [`inverse_cyclic_shift`](super::InverseCyclicShift)'s rule.
pub(crate) const fn raise(length0: u32, length1: u32, low: &[u32], up: &mut [u32]) -> bool {
    raise_by(Op::InverseCyclicShift { length0, length1 }, low, up)
}

/// As for [`xor`]: every row starts elsewhere.
pub(crate) const fn run(length0: u32, length1: u32, low: &[Run], up: &mut [Run]) {
    xor::run(length0, length1, low, up);
}
