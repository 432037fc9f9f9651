//! An index that is not one number but all of them: bits.
//!
//! Evaluated over [`Bits`], a transform's index rule gives not the place of one coordinate but the bits that each bit of a
//! coordinate flips:
//!
//! ```text
//!   m in 0..128, k in 0..64      k / 8              m xor (k / 8)
//!   bits of k:  1 2 4 8 16 32    0 0 0 1 2 4        0 0 0 1 2 4
//!   bits of m:  1 2 4 8 .. 64                       1 2 4 8 16 32 64
//! ```
//!
//! Shifts, masks and xor keep that form, and so does a sum of numbers that have no bit
//! in common. Where a rule does anything else, such as adding with a carry, the result
//! is not [`known`](Bits::known).

use crate::number::extent::Extent;

/// The column of an input bit. A macro, not a function: calls are expensive in a constant (see DESIGN).
macro_rules! column {
    ($words:expr, $input:ident) => {
        ($words[$input >> 2] >> (($input & 3) << 5)) as u32
    };
}
pub(crate) use column;

/// A constant, and what each bit of the input flips in it.
///
/// Four of those columns are a word, since the compiler's work counts operations, however wide (see
/// DESIGN). Shifts and masks are kept beside them, and done where two values meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits {
    /// The flips of the bits of the input, before it is shifted and cut.
    pub(crate) words: [u128; Self::WORDS],
    /// The words before `from`, and those from `used` on, are of no account.
    from: u32,
    used: u32,
    /// The distances by which all columns are to be shifted, first right and then left.
    right: u32,
    left: u32,
    pub(crate) constant: u32,
    /// No value has a bit outside of these: what else is in the columns is cut off.
    mask: u32,
    /// 0 if it is known. No `bool`, so that there is no padding, which the compiler tracks in every
    /// copy.
    unknown: u32,
    /// 0 if it is settled: its columns need be neither shifted nor cut.
    pending: u32,
}

impl Bits {
    /// The most bits of a coordinate, over all its dimensions.
    pub(crate) const INPUTS: usize = 32;
    const WORDS: usize = Self::INPUTS / 4;
    /// A number in each column of a word is its product with this.
    const EACH: u128 = 1 | 1 << 32 | 1 << 64 | 1 << 96;
    pub(crate) const ZERO: Self = Self::number(0);
    const UNKNOWN: Self = Self { unknown: 1, ..Self::ZERO };
    /// All of the input.
    const INPUT: Self = {
        let (mut bits, mut i) = (Self::ZERO, 0);
        while i < Self::INPUTS {
            bits.words[i / 4] |= 1 << (i + i % 4 * 32);
            i += 1;
        }
        bits
    };

    pub(crate) const fn number(constant: u32) -> Self {
        Self {
            words: [0; Self::WORDS],
            from: Self::WORDS as u32,
            used: 0,
            right: 0,
            left: 0,
            constant,
            mask: constant,
            unknown: 0,
            pending: 0,
        }
    }

    /// An index of a dimension: `count` bits of the input from bit `first` on.
    pub(crate) const fn input(first: u32, count: u32) -> Self {
        if count == 0 {
            return Self::ZERO;
        }
        let mut bits = Self::INPUT;
        // Lower bits are shifted out, higher ones cut off.
        bits.from = first >> 2;
        bits.used = (first + count + 3) >> 2;
        bits.right = first;
        bits.pending = 1;
        bits.mask = u32::MAX >> (Self::INPUTS as u32 - count);
        bits
    }

    pub(crate) const fn known(&self) -> bool {
        self.unknown == 0
    }

    /// Returns the bits with their columns shifted and cut.
    pub(crate) const fn settled(&self) -> Self {
        if self.pending == 0 {
            return *self;
        }
        let mut bits = Self::ZERO;
        bits.join(self, 0);
        bits
    }

    /// Xor-s another, shifted left, with a settled value.
    const fn join(&mut self, other: &Self, by: u32) {
        let mask = other.mask << by;
        let each = mask as u128 * Self::EACH;
        let right = other.right;
        let left = other.left + by;
        let mut i = other.from as usize;
        let used = other.used as usize;
        while i < used {
            self.words[i] ^= other.words[i] >> right << left & each;
            i += 1;
        }
        if other.from < self.from {
            self.from = other.from;
        }
        if other.used > self.used {
            self.used = other.used;
        }
        self.constant ^= other.constant << by;
        self.mask |= mask;
        self.unknown |= other.unknown;
    }

    /// The flips of a bit of the input in a settled value.
    pub(crate) const fn column(&self, input: usize) -> u32 {
        column!(self.words, input)
    }

    /// Lets a bit of the input that a settled value has flip more of it.
    pub(crate) const fn flip(&mut self, input: usize, flips: u32) {
        self.words[input >> 2] ^= (flips as u128) << ((input & 3) << 5);
        self.mask |= flips;
    }

    /// Returns whether two settled values are the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.words, self.constant) == (other.words, other.constant)
    }

    /// Returns whether the input's `count` bits from `first` on are the value's lowest, and nothing else
    /// flips those; of a settled value.
    pub(crate) const fn counts(&self, first: usize, count: usize) -> bool {
        let low = !(u32::MAX << count);
        // They flip the low bits and no higher ones; of a vector's, all in one word, that is seen at once.
        if first == 0 && count <= 4 {
            let shift = 32 * (4 - count as u32);
            if count > 0 && (self.words[0] ^ Self::INPUT.words[0]) << shift != 0 {
                return false;
            }
        } else if self.flipped(first, count) != low {
            return false;
        }
        // Of the low bits each is flipped by its own, and by no other.
        let each = low as u128 * Self::EACH;
        let used = self.used as usize;
        let mut others = 0;
        let mut i = self.from as usize;
        while i < used {
            others |= (self.words[i] ^ Self::INPUT.words[i] >> first) & each;
            i += 1;
        }
        others == 0 && self.constant & low == 0
    }

    /// Returns whether the input's `count` bits from `first` on flip nothing of a settled value.
    pub(crate) const fn ignores(&self, first: usize, count: usize) -> bool {
        self.flipped(first, count) == 0
    }

    /// All that the input's `count` bits from `first` on flip of a settled value.
    const fn flipped(&self, first: usize, count: usize) -> u32 {
        let end = first + count;
        let mut all = 0;
        let mut input = first;
        while input < end {
            all |= column!(self.words, input);
            input += 1;
        }
        all
    }

    pub(crate) const fn clone(&self) -> Self {
        *self
    }

    /// Without a common bit there is no carry, and a sum is an xor.
    pub(crate) const fn add(&self, other: &Self) -> Self {
        if self.mask & other.mask == 0 { self.xor(other) } else { Self::UNKNOWN }
    }

    /// Adds the product of a known value and a number to a settled one; false, and nothing is done,
    /// where bits meet or the product is not known. As [`add`](Self::add) and [`mul`](Self::mul),
    /// without copies.
    pub(crate) const fn take(&mut self, other: &Self, by: u32) -> bool {
        if by == 0 || other.mask == 0 {
            return true;
        }
        let shift = by.trailing_zeros();
        if by & (by - 1) != 0
            || (other.mask as u64) << shift > u32::MAX as u64
            || self.mask & other.mask << shift != 0
        {
            return false;
        }
        self.join(other, shift);
        true
    }

    pub(crate) const fn sub(&self, other: &Self) -> Self {
        if other.mask | other.unknown == 0 { *self } else { Self::UNKNOWN }
    }

    pub(crate) const fn xor(&self, other: &Self) -> Self {
        // 0 above all.
        if self.used == 0 && self.constant | self.unknown == 0 {
            return *other;
        }
        let mut bits = self.settled();
        bits.join(other, 0);
        bits
    }

    pub(crate) const fn mul(&self, by: Extent) -> Self {
        let by = by.value;
        if by == 0 || self.mask | self.unknown == 0 {
            return Self::ZERO;
        }
        let shift = by.trailing_zeros();
        if by & (by - 1) != 0 || (self.mask as u64) << shift > u32::MAX as u64 {
            return Self::UNKNOWN;
        }
        let mut bits = *self;
        bits.pending = 1;
        bits.left += shift;
        bits.constant <<= shift;
        bits.mask <<= shift;
        bits
    }

    pub(crate) const fn div(&self, by: Extent) -> Self {
        let by = by.value;
        if by == 0 || by & (by - 1) != 0 {
            return if self.is_below(by) { Self::ZERO } else { Self::UNKNOWN };
        }
        let shift = by.trailing_zeros();
        let mut bits = *self;
        bits.pending = 1;
        bits.constant >>= shift;
        bits.mask >>= shift;
        if bits.mask == 0 {
            bits.from = Self::WORDS as u32;
            bits.used = 0;
        } else if shift > bits.left {
            bits.right += shift - bits.left;
            bits.left = 0;
        } else {
            bits.left -= shift;
        }
        bits
    }

    pub(crate) const fn rem(&self, by: Extent) -> Self {
        let by = by.value;
        if by == 0 || by & (by - 1) != 0 {
            return if self.is_below(by) { *self } else { Self::UNKNOWN };
        }
        let mut bits = *self;
        bits.pending = 1;
        bits.constant &= by - 1;
        bits.mask &= by - 1;
        bits
    }

    const fn is_below(&self, by: u32) -> bool {
        self.known() && self.mask < by
    }

    pub(crate) const fn constant(&self, value: Extent) -> Self {
        Self::number(value.value())
    }

    /// The value of a table at an index that no input moves, such as that of a dimension of one.
    pub(crate) const fn lookup(&self, table: &'static [u32]) -> Self {
        let is_one = self.known() && self.mask == self.constant && self.used == 0;
        if is_one && (self.constant as usize) < table.len() {
            return Self::number(table[self.constant as usize]);
        }
        Self::UNKNOWN
    }

    pub(crate) const fn low_bits(&self, length: Extent) -> Self {
        self.rem(length)
    }
}
