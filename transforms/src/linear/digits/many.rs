//! The offsets of many coordinates at once, and from which index on an offset only goes on.
//!
//! 64 lanes cost the compiler 64 coordinates and as many sums of columns. But bits that follow each other mostly flip
//! neighbours, and then a mask and a shift of all indices have what each bit of each index would:
//!
//! ```text
//!   CuTe's Sw<3,3,3> of 128x96 halves, by the number of an element
//!
//!   bits of the number    0 to 5    6             7              8              9 to 13
//!   flip                  1 to 32   64 and 8      128 and 16     256 and 32     512 to 8192
//! ```

use super::Digits;
use crate::number::list::List;

impl Digits {
    /// The offsets of `N` coordinates within the tile; each dimension has a list of indices of its own.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// let padded = Plan::naive(&[128, 64], &[72, 1]).unwrap().digits().unwrap();
    /// let mut indices = [[0; 3]; 12];
    /// (indices[0], indices[1]) = ([0, 3, 127], [63, 17, 0]);
    /// assert_eq!(padded.offsets(&indices), [63, 3 * 72 + 17, 127 * 72]);
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub const fn offsets<const N: usize>(&self, indices: &[[u32; N]; List::CAPACITY]) -> [u32; N] {
        let mut offsets = [self.origin; N];
        range!(digit, 0..self.digit_count, {
            let mut values = [self.constant(digit); N];
            range!(d, 0..self.rank, {
                self.flip_all(&mut values, &indices[d], digit, d);
            });
            let stride = self.strides[digit];
            range!(i, 0..N, {
                offsets[i] = offsets[i].wrapping_add(values[i].wrapping_mul(stride));
            });
        });
        offsets
    }

    /// Flips in each value what an index of a dimension flips of a digit.
    const fn flip_all<const N: usize>(
        &self,
        values: &mut [u32; N],
        indices: &[u32; N],
        digit: usize,
        dimension: usize,
    ) {
        let (bits, mut bit) = (self.bits(dimension), 0);
        while bit < bits {
            let (flips, first) = (self.column(digit, dimension, bit), bit);
            bit += 1;
            if flips == 0 {
                continue;
            }
            // A run of bits that flip neighbouring bits.
            while flips.is_power_of_two()
                && bit < bits
                && self.column(digit, dimension, bit) as u64 == (flips as u64) << (bit - first)
            {
                bit += 1;
            }
            let mask = u32::MAX >> (u32::BITS as usize - (bit - first));
            range!(i, 0..N, {
                values[i] ^= (indices[i] >> first & mask).wrapping_mul(flips);
            });
        }
    }

    /// The bit of a dimension's index from which on an index adds to the offset as a number does, and what that bit adds: each
    /// further one twice what the one below it does. One past the last bit if none does.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// // CuTe's Sw<3,3,3>: bits 6 to 8 flip bits 3 to 5.
    /// let swizzled = Plan::packed(&[1 << 12]).unwrap().xor_fields(6, 3, 3).unwrap();
    /// assert_eq!(swizzled.digits().unwrap().period(0), (9, 512));
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub const fn period(&self, dimension: usize) -> (u32, u32) {
        let (mut first, mut adds) = (0, 0u32);
        range!(digit, 0..self.digit_count, {
            let of_digit = self.period_in(digit, dimension);
            first = if of_digit > first { of_digit } else { first };
        });
        range!(digit, 0..self.digit_count, {
            let column = self.column(digit, dimension, first);
            adds = adds.wrapping_add(column.wrapping_mul(self.strides[digit]));
        });
        (first as u32, adds)
    }

    /// The bit of an index from which on it adds to a digit as a number does: each flips twice what the one below it does,
    /// and nothing else flips that.
    const fn period_in(&self, digit: usize, dimension: usize) -> usize {
        let shared = self.flipped_twice(digit);
        let mut first = self.bits(dimension);
        let mut above = 0;
        while first > 0 {
            let flips = self.column(digit, dimension, first - 1);
            let goes_on = first == self.bits(dimension) || flips as u64 * 2 == above as u64;
            if !goes_on || flips & shared != 0 {
                break;
            }
            (first, above) = (first - 1, flips);
        }
        first
    }

    /// The bits of a digit that more than one bit of the indices flips, or that are set at coordinate 0 and flipped.
    const fn flipped_twice(&self, digit: usize) -> u32 {
        let (mut flipped, mut twice) = (self.constant(digit), 0);
        range!(input, 0..self.inputs as usize, {
            let flips = self.digits[digit].column(input);
            twice |= flipped & flips;
            flipped |= flips;
        });
        twice
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::transform::Op;

    /// Each coordinate as it is alone, of rows that are padded, swizzled, and both, and of their number.
    #[test]
    fn as_each_alone() {
        let xor = |plan: Plan| {
            let xor = Op::XorBits { length0: 32, length1: 64, masks: List::new(&[8, 24, 1, 32]) };
            plan.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).unwrap()
        };
        let rows = |stride| Plan::naive(&[32, 64], &[stride, 1]).unwrap();
        let number = Plan::packed(&[2048]).unwrap().xor_fields(6, 3, 3).unwrap();
        for plan in [rows(64), rows(72), xor(rows(64)), xor(rows(72)), number] {
            let digits = plan.digits().unwrap();
            let mut indices = [[0; 2048]; List::CAPACITY];
            for id in 0..plan.elements() {
                for (d, index) in plan.nth(id).as_slice().iter().enumerate() {
                    indices[d][id as usize] = *index;
                }
            }
            let found = digits.offsets(&indices);
            for id in 0..plan.elements() {
                assert_eq!(Some(found[id as usize]), digits.offset(&plan.nth(id)));
            }
        }
    }

    /// For each index: a period adds the same to the offset, whatever the other index, and no shorter length does.
    #[test]
    fn periods() {
        let flips = |m: u32, masks: &[u32]| {
            let xor = Op::XorBits { length0: m, length1: 64, masks: List::new(masks) };
            let rows = Plan::naive(&[m, 64], &[72, 1]).unwrap();
            rows.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).unwrap()
        };
        let goes_on = |plan: &Plan, d: usize, period: u32, adds: u32| {
            (0..plan.elements()).all(|id| {
                let at = plan.nth(id);
                let next = at.with(d, at.at(d) + period);
                let offset = |at: &List| plan.offset(at.as_slice());
                next.at(d) >= plan.lengths().at(d)
                    || offset(&next).unwrap() == offset(&at).unwrap() + adds
            })
        };
        let mut shorter = 0;
        for plan in [flips(32, &[8, 16, 32]), flips(48, &[8, 0, 16, 0, 32]), flips(32, &[])] {
            let digits = plan.digits().unwrap();
            for d in 0..2 {
                let (bit, adds) = digits.period(d);
                assert!(goes_on(&plan, d, 1 << bit, adds), "{plan:?} {d}");
                if bit > 0 {
                    assert!((0..9999).all(|adds| !goes_on(&plan, d, 1 << (bit - 1), adds)));
                    shorter += 1;
                }
            }
        }
        assert!(shorter > 1, "{shorter}");
    }
}
