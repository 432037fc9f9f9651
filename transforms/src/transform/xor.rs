//! `xor`: one index xor-ed with another: the swizzle.
//!
//! ```text
//!            upper (row, chunk)             lower chunk, 4 rows of 4
//!   row 0    0  1  2  3                     0  1  2  3
//!   row 1    0  1  2  3       chunk ^ row   1  0  3  2
//!   row 2    0  1  2  3       ----------->  2  3  0  1
//!   row 3    0  1  2  3                     3  2  1  0
//!
//!   lower index: (u0, u1 xor (u0 mod L1))    law: bijection, its own inverse
//!   CK Tile: xor_t<Lengths, ApplyModulo = true>, make_xor_transform([L0, L1])
//! ```
//!
//! A column of the tile (one chunk index, many rows) is spread over all chunk
//! positions, so reading it meets every bank group once and not one bank eight
//! times; and no byte of LDS is spent, where padding spends a chunk a row.
//!
//! L1 must be a power of two: `5 xor 2 = 7` leaves a dimension of length 6. CK
//! checks nothing there. [`cyclic_shift`](super::CyclicShift) takes any length.
//! When L0 does not exceed L1 the `mod` does nothing for a key in range and is left
//! out, which is CK's `ApplyModulo = false`. Out of range that differs from CK's
//! `true`: xor[4, 8] at (9, 0) is 9 here and 1 there.

use super::{Demands, Run, no_zero, transform};
use crate::error::Error;
use crate::number::list::List;

transform! {
    /// Dimension 1 xor-ed with dimension 0; the length of 1 is a power of two.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Transform, Xor};
    ///
    /// let mut low = [0u32; 2];
    /// Xor::new(Lit::<128>, Lit::<8>).lower(&[10, 5], &mut low);
    /// assert_eq!(low, [10, 7]); // 5 xor (10 mod 8)
    /// ```
    #[doc(alias = "swizzle")]
    Xor::new { length0: L0 is Length, length1: L1 is Length }
    upper [length0, length1]
    rule |up, low| {
        low[0] = up[0].clone();
        if length0.value <= length1.value {
            low[1] = up[1].xor(&up[0]);
        } else {
            low[1] = up[1].xor(&up[0].low_bits(length1));
        }
    }
    always valid, injective
}

impl Plain {
    pub(crate) const NAME: &'static str = "xor";
    pub(crate) const AFFINE: bool = false;

    pub(crate) const fn demands(self) -> Demands {
        Demands::Each(List::pair(self.length0, self.length1))
    }

    pub(crate) const fn check(self, names: &List) -> Result<(), Error> {
        self.check_as(Self::NAME, names)
    }

    /// The check of the lengths, of a transform of that name.
    pub(super) const fn check_as(self, transform: &'static str, names: &List) -> Result<(), Error> {
        attempt!(no_zero(transform, &List::pair(self.length0, self.length1)));
        if self.length1.is_power_of_two() {
            return Ok(());
        }
        Err(Error::NotPowerOfTwo { transform, length: self.length1, dimension: names.at(1) })
    }

    /// Xor with the same key undoes itself.
    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        up[0] = low[0];
        up[1] = low[1] ^ (low[0] & (self.length1 - 1));
        true
    }

    /// A key other than 0 reorders neighbours, so a walk along dimension 1 may break
    /// at every step; and a walk along dimension 0 changes the key. CK claims the
    /// guarantees from below, which is false when dimension 1 is the contiguous one.
    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        up[0] = if self.length1 == 1 { low[0] } else { Run::BROKEN };
        up[1] = if self.length0 == 1 { low[1] } else { Run::BROKEN };
    }
}
