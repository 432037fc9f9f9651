//! `linear_bits`: an index whose bits are placed one by one: every linear permutation.
//!
//! ```text
//!   columns [1, 6, 4]      bit 0 stays, bit 1 flips bits 1 and 2, bit 2 stays
//!
//!   upper   0  1  2  3  4  5  6  7        8 chunks in a line
//!   lower   0  1  6  7  4  5  2  3        3 is bits 0 and 1: 1 ^ 6
//!
//!   lower index: xor of columns[b] over the bits b of u0            law: bijection
//!   CK Tile: none; of (row, chunk) as one index, columns [1, 2, 4, 9, 18, 36] are xor_t of 8 x 8
//! ```
//!
//! [`xor_bits`](super::XorBits) is the case in which high bits flip low ones. gfx950 has 64 banks for a
//! wide read and 32 for a narrow one, and the bit between the two may have to be flipped and flip others.
//!
//! The length is a power of two. A bit without a column stays. No column is an xor of others, and each is
//! less than the length, so that no two indices meet.

use super::{Demand, Demands, Run, no_zero, transform};
use crate::error::Error;
use crate::number::extent::Extent;
use crate::number::list::List;

transform! {
    /// Dimension 0 with its bits placed by columns; its length is a power of two.
    ///
    /// ```
    /// use tiledesc_transforms::{LinearBits, Lit, Transform, seq};
    ///
    /// let mut low = [0u32];
    /// LinearBits::new(Lit::<64>, seq![1, 2, 4, 9, 18, 36]).lower(&[26], &mut low);
    /// assert_eq!(low, [2 ^ 9 ^ 18]); // 26 is bits 1, 3 and 4
    /// ```
    #[doc(alias = "swizzle")]
    LinearBits::new { length: L is Length, columns: S is Lengths }
    upper [length]
    rule |up, low| {
        let stays = 1 << columns.len();
        let mut place = up[0].div(Extent::constant(stays)).mul(Extent::constant(stays));
        let mut b = 0;
        while b < columns.len() {
            let bit = up[0].div(Extent::constant(1 << b)).low_bits(Extent::constant(2));
            // Bit by bit, for an index over bits multiplies by powers of two only.
            let mut column = columns.at(b).value();
            while column != 0 {
                place = place.xor(&bit.mul(Extent::constant(1 << column.trailing_zeros())));
                column &= column - 1;
            }
            b += 1;
        }
        low[0] = place;
    }
    always valid, injective
}

impl Plain {
    pub(crate) const NAME: &'static str = "linear_bits";
    pub(crate) const AFFINE: bool = false;

    pub(crate) const fn demands(self) -> Demands {
        Demands::One(Demand::Exactly(self.length as u64))
    }

    pub(crate) const fn check(self, names: &List) -> Result<(), Error> {
        attempt!(no_zero(Self::NAME, &List::one(self.length)));
        if !self.length.is_power_of_two() {
            return Err(Error::NotLinear { length: Some((names.at(0), self.length)) });
        }
        let (columns, length) = (self.columns.len() as u32, self.length);
        if columns > length.trailing_zeros() {
            return Err(Error::Columns { columns, length });
        }
        let mut b = 0;
        while b < self.columns.len() {
            if self.columns.at(b) >= self.length {
                return Err(Error::ColumnBeyond { column: self.columns.at(b), length });
            }
            b += 1;
        }
        match self.apart() {
            Ok(_) => Ok(()),
            Err(index) => Err(Error::Dependent { index }),
        }
    }

    /// The bits that a bit flips.
    const fn column(self, bit: u32) -> u32 {
        if (bit as usize) < self.columns.len() { self.columns.at(bit as usize) } else { 1 << bit }
    }

    /// For each bit of a place an index whose place it is the lowest of, with that place; or an index
    /// other than 0 whose place is 0.
    const fn apart(self) -> Result<[[u32; 2]; 32], u32> {
        let (mut known, mut bit) = ([[0; 2]; 32], 0);
        while bit < self.length.trailing_zeros() {
            let [mut index, mut place] = [1 << bit, self.column(bit)];
            while place != 0 && known[place.trailing_zeros() as usize][0] != 0 {
                let [other, its_place] = known[place.trailing_zeros() as usize];
                (index, place) = (index ^ other, place ^ its_place);
            }
            if place == 0 {
                return Err(index);
            }
            known[place.trailing_zeros() as usize] = [index, place];
            bit += 1;
        }
        Ok(known)
    }

    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        let Ok(known) = self.apart() else { return false };
        let (mut place, mut index) = (low[0], 0);
        while place != 0 {
            let [other, its_place] = known[place.trailing_zeros() as usize];
            if other == 0 {
                return false;
            }
            (index, place) = (index ^ other, place ^ its_place);
        }
        up[0] = index;
        true
    }

    /// Low bits that stay, and that no other flips, keep neighbours together.
    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        let (mut moved, mut b) = (0, 0);
        while b < self.columns.len() {
            moved |= self.columns.at(b) ^ 1 << b;
            b += 1;
        }
        // The lowest bit that is flipped, or that flips another.
        let mut first = moved.trailing_zeros();
        let mut b = 0;
        while b < self.columns.len() {
            if self.columns.at(b) != 1 << b && (b as u32) < first {
                first = b as u32;
            }
            b += 1;
        }
        up[0] = if moved == 0 { low[0] } else { low[0].broken_at(1 << first) };
    }
}
