//! The sums of a few numbers, xor for `+`: what a phase touches, and what of it is in one bank.
//!
//! A phase of 8 lanes that read 16 bytes each touches 32 dwords. Where addresses are linear those are the
//! sums of five numbers, and counting them needs no list of 32:
//!
//! ```text
//!   128x64 halves row by row on gfx942, read by 16 rows, in dwords
//!
//!   numbers      32, 64, 132, 1, 2
//!   sums         2^5 = 32, since none of them is a sum of the others
//!   in bank 0    0, 32, 64, 96: the sums that 32 divides, so 4 dwords of each bank that is met
//! ```
//!
//! An echelon basis: the lowest bits of its numbers differ, so the lowest bit of a sum is the lowest among its
//! numbers, and the sums that a power of two divides are the sums of the numbers that it divides.

use crate::access::columns::Columns;
use crate::chip::cosets::Cosets;
use tiledesc_transforms::range;

/// Adds a number to a basis, where bit i of `lowest` is set if the basis has a number with lowest bit i; false if it is a sum of
/// those. A macro, not a function: a search adds numbers often, and calls are expensive in a constant (see DESIGN).
macro_rules! add {
    ($basis:expr, $lowest:expr, $number:expr) => {{
        let mut number: u32 = $number;
        loop {
            if number == 0 {
                break false;
            }
            let place = number.trailing_zeros();
            if $lowest >> place & 1 == 0 {
                $basis[place as usize] = number;
                $lowest |= 1 << place;
                break true;
            }
            number ^= $basis[place as usize];
        }
    }};
}
pub(crate) use add;

/// Sums of numbers, up to 32 of which are not sums of the others.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The numbers of the basis, each at the index of its lowest bit.
    basis: [u32; Self::BITS as usize],
    /// The lowest bits that there are.
    lowest: u32,
}

impl Span {
    /// Bits of a number.
    pub const BITS: u32 = u32::BITS;

    /// 0 alone.
    pub const NONE: Self = Self { basis: [0; Self::BITS as usize], lowest: 0 };

    /// The dwords, but for a constant, that a phase of lanes touches with
    /// `bytes` each, a power of two.
    #[inline]
    pub(crate) const fn touched(columns: &Columns, cosets: &Cosets, bytes: u32) -> Self {
        let (mut span, mut dword) = (Self::NONE, 1);
        while dword < bytes / 4 {
            span.add(dword);
            dword *= 2;
        }
        span.and_first(columns, cosets)
    }

    /// With the first dword, but for a constant, of each lane of a phase.
    #[inline]
    pub(crate) const fn and_first(mut self, columns: &Columns, cosets: &Cosets) -> Self {
        let count = cosets.count();
        range!(i, 0..count, {
            self.add(columns.flips(cosets.mask(i)) >> 2);
        });
        self
    }

    /// Adds a number; false if it is a sum of those before.
    #[inline]
    #[doc(hidden)]
    pub const fn add(&mut self, number: u32) -> bool {
        add!(self.basis, self.lowest, number)
    }

    /// Returns whether a number is a sum.
    #[doc(hidden)]
    #[must_use]
    pub const fn holds(&self, mut number: u32) -> bool {
        while number != 0 && self.basis[number.trailing_zeros() as usize] != 0 {
            number ^= self.basis[number.trailing_zeros() as usize];
        }
        number == 0
    }

    /// The numbers of the basis, whose sums they all are.
    #[doc(hidden)]
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.basis.iter().copied().filter(|number| *number != 0)
    }

    /// The sums, as far as they have other bits than these.
    pub(crate) const fn without(&self, bits: u32) -> Self {
        let (mut span, mut rest) = (Self::NONE, self.lowest);
        while rest != 0 {
            span.add(self.basis[rest.trailing_zeros() as usize] & !bits);
            rest &= rest - 1;
        }
        span
    }

    /// The numbers, by their lowest bits.
    pub(crate) const fn basis(&self) -> &[u32; Self::BITS as usize] {
        &self.basis
    }

    /// The lowest bits of the numbers.
    pub(crate) const fn lowest(&self) -> u32 {
        self.lowest
    }

    /// The number of those that are not sums of the ones before.
    pub(crate) const fn dimension(&self) -> u32 {
        self.lowest.count_ones()
    }

    /// The number of sums that are multiples of `unit`, a power of two.
    pub(crate) const fn size_within(&self, unit: u32) -> u32 {
        1 << (self.lowest >> unit.trailing_zeros()).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Against all sums, listed.
    #[test]
    fn sums_are_counted() {
        for numbers in [&[32u32, 64, 132, 1, 2][..], &[3, 5, 6, 0, 48], &[u32::MAX, 1 << 31, 7]] {
            let mut sums = vec![0u32];
            let mut span = Span::NONE;
            for &number in numbers {
                let is_new = !sums.contains(&number);
                assert_eq!(span.add(number), is_new, "{number} of {numbers:?}");
                if is_new {
                    sums.extend(sums.clone().iter().map(|sum| sum ^ number));
                }
            }
            let mut left: Vec<u32> = sums.iter().map(|sum| sum & !6).collect();
            left.sort_unstable();
            left.dedup();
            assert_eq!(1 << span.without(6).dimension(), left.len(), "{numbers:?}");
            for number in (0..256).chain(sums.iter().copied()) {
                assert_eq!(span.holds(number), sums.contains(&number), "{number} of {numbers:?}");
            }
            for unit in [1u32, 2, 4, 32, 64] {
                let within = sums.iter().filter(|sum| sum.is_multiple_of(unit)).count();
                assert_eq!(span.size_within(unit) as usize, within, "{numbers:?} by {unit}");
            }
        }
    }
}
