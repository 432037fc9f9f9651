//! The sums of a few numbers, xor for `+`: what a phase touches, and what its banks leave of it.
//!
//! ```text
//!   numbers      32, 64, 132, 1, 2
//!   sums         2^5, since none is a sum of those before
//!   in bank 0    1, 32, 64, 96, ...: what 32 divides
//! ```
//!
//! An echelon basis: the lowest bits of its numbers differ, so the lowest bit of a sum is the
//! lowest among its numbers, and what a power of two divides are the sums of what it divides.

use crate::access::columns::Columns;

/// Sums of numbers, of which at most `MOST` are no sums of the others. 32 always suffice.
#[derive(Clone, Copy)]
pub(crate) struct Span<const MOST: usize> {
    basis: [u32; MOST],
    len: usize,
}

impl<const MOST: usize> Span<MOST> {
    /// 0 alone.
    pub(crate) const NONE: Self = Self { basis: [0; MOST], len: 0 };

    /// The dwords, but for a constant, that the lanes which are sums of `masks` touch with
    /// `bytes` each, a power of two.
    #[inline]
    pub(crate) const fn touched(columns: &Columns, masks: &[u8], bytes: u32) -> Self {
        let (mut span, mut dword) = (Self::NONE, 1);
        while dword < bytes / 4 {
            span.add(dword);
            dword *= 2;
        }
        let mut i = 0;
        while i < masks.len() {
            span.add(columns.flips(masks[i]) / 4);
            i += 1;
        }
        span
    }

    /// Adds a number; false if it is a sum of those before.
    #[inline]
    pub(crate) const fn add(&mut self, mut number: u32) -> bool {
        let mut i = 0;
        while i < self.len {
            let lowest = self.basis[i] & self.basis[i].wrapping_neg();
            if number & lowest != 0 {
                number ^= self.basis[i];
            }
            i += 1;
        }
        if number == 0 {
            return false;
        }
        self.basis[self.len] = number;
        self.len += 1;
        true
    }

    /// How many sums are multiples of `unit`, a power of two.
    pub(crate) const fn size_within(&self, unit: u32) -> u32 {
        let (mut size, mut i) = (1, 0);
        while i < self.len {
            if self.basis[i].is_multiple_of(unit) {
                size *= 2;
            }
            i += 1;
        }
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Against all sums, listed.
    #[test]
    fn sums_are_counted() {
        for numbers in [&[32u32, 64, 132, 1, 2][..], &[3, 5, 6, 0, 48], &[u32::MAX, 1 << 31, 7]] {
            let mut sums = vec![0u32];
            let mut span = Span::<32>::NONE;
            for &number in numbers {
                let is_new = !sums.contains(&number);
                assert_eq!(span.add(number), is_new, "{number} of {numbers:?}");
                if is_new {
                    sums.extend(sums.clone().iter().map(|sum| sum ^ number));
                }
            }
            for unit in [1u32, 2, 4, 32, 64] {
                let within = sums.iter().filter(|sum| sum.is_multiple_of(unit)).count();
                assert_eq!(span.size_within(unit) as usize, within, "{numbers:?} by {unit}");
            }
        }
    }
}
