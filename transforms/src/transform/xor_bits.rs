//! `xor_bits`: one index xor-ed with a mask for each bit of another: every swizzle that is
//! linear.
//!
//! ```text
//!   seq![3, 2]     bit 0 of the row flips bits 0 and 1 of the chunk, bit 1 flips bit 1
//!
//!            upper (row, chunk)             lower chunk, 4 rows of 4
//!   row 0    0  1  2  3                     0  1  2  3
//!   row 1    0  1  2  3    chunk ^ 3        3  2  1  0
//!   row 2    0  1  2  3    chunk ^ 2        2  3  0  1
//!   row 3    0  1  2  3    chunk ^ 3 ^ 2    1  0  3  2
//!
//!   lower index: (u0, u1 xor masks[b] for each bit b of u0)    law: bijection, its own inverse
//!   CK Tile: none; seq![1, 2, 4] of 8 chunks is xor_t, make_xor_transform([L0, 8])
//! ```
//!
//! [`xor`](super::Xor) is the case in which bit b flips bit b. Where a chip serves lanes 0 to
//! 3 and 20 to 23 together, that is not enough: of a 128x32 fp16 tile on gfx950, rows of 64
//! bytes, no layer of `xor` frees 16-row and 32-row reads both; `seq![3, 2]` does.
//!
//! Masks are less than L1, a power of two. A bit of the row without a mask flips nothing.

use super::{Run, gcd, transform, xor};
use crate::error::Error;
use crate::number::list::List;
use crate::number::extent::Extent;

transform! {
    /// Dimension 1 xor-ed with a mask for each bit of dimension 0; the length of 1 is a power
    /// of two.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Transform, XorBits, seq};
    ///
    /// let mut low = [0u32; 2];
    /// XorBits::new(Lit::<128>, Lit::<8>, seq![3, 2, 4]).lower(&[13, 5], &mut low);
    /// assert_eq!(low, [13, 2]); // 13 is bits 0, 2 and 3: 5 xor 3 xor 4
    /// ```
    #[doc(alias = "swizzle")]
    XorBits::new { length0: L0 is Length, length1: L1 is Length, masks: S is Lengths }
    upper [length0, length1]
    rule |up, low| {
        low[0] = up[0].clone();
        let mut chunk = up[1].clone();
        let mut b = 0;
        while b < masks.len() {
            let bit = up[0].div(Extent::constant(1 << b)).low_bits(Extent::constant(2));
            // Bit by bit, for an index over bits multiplies by powers of two only.
            let mut mask = masks.at(b).value();
            while mask != 0 {
                chunk = chunk.xor(&bit.mul(Extent::constant(1 << mask.trailing_zeros())));
                mask &= mask - 1;
            }
            b += 1;
        }
        low[1] = chunk;
    }
    always valid, injective
    by as_xor: demands
}

impl Plain {
    pub(crate) const NAME: &'static str = "xor_bits";
    pub(crate) const AFFINE: bool = false;

    const fn as_xor(self) -> xor::Plain {
        xor::Plain { length0: self.length0, length1: self.length1 }
    }

    pub(crate) const fn check(self, names: &List) -> Result<(), Error> {
        attempt!(self.as_xor().check_as(Self::NAME, names));
        let mut b = 0;
        while b < self.masks.len() {
            if self.masks.at(b) >= self.length1 {
                return Err(Error::MaskBeyond { mask: self.masks.at(b), length: self.length1 });
            }
            b += 1;
        }
        Ok(())
    }

    /// The bits that a row flips.
    const fn key(self, row: u32) -> u32 {
        let (mut key, mut b) = (0, 0);
        while b < self.masks.len() {
            key ^= (row >> b & 1) * self.masks.at(b);
            b += 1;
        }
        key
    }

    /// Xor with the same key undoes itself.
    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        up[0] = low[0];
        up[1] = low[1] ^ self.key(low[0]);
        true
    }

    /// Low bits of the chunk that no mask flips keep neighbours together; low bits of the
    /// row that flip nothing keep the key.
    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        let (mut flipped, mut first, mut b) = (0, 32, 0);
        while b < self.masks.len() {
            if self.length0 > 1 << b && self.masks.at(b) != 0 {
                first = if flipped == 0 { b as u32 } else { first };
                flipped |= self.masks.at(b);
            }
            b += 1;
        }
        up[0] = until(low[0], flipped, first);
        up[1] = until(low[1], flipped, flipped.trailing_zeros());
    }
}

/// A run that is broken at multiples of 2^bits too, if anything is flipped.
const fn until(run: Run, flipped: u32, bits: u32) -> Run {
    match (flipped, run.period) {
        (0, _) => run,
        (_, 0) => Run { period: 1 << bits, stride: run.stride },
        (_, period) => Run { period: gcd(period, 1 << bits), stride: run.stride },
    }
}

