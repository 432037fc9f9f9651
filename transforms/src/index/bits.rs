//! An index that is not one number but all of them: bits.
//!
//! Evaluated over [`Bits`], a transform's index rule does not say where one
//! coordinate goes but which bits each bit of a coordinate flips:
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

/// A constant, and what each bit of the input flips in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits {
    /// What bit `b` of the input flips.
    pub(crate) columns: [u32; Self::INPUTS],
    /// The columns before `from`, and those from `used` on, are 0: what the compiler need not
    /// visit.
    from: u32,
    used: u32,
    pub(crate) constant: u32,
    /// No value has a bit outside of these.
    mask: u32,
    /// 0 if it is known. Not a `bool`, and nothing above is a `usize`: the compiler keeps account of
    /// the bytes of padding, in every copy.
    unknown: u32,
}

impl Bits {
    /// The most bits of a coordinate, over all its dimensions.
    pub(crate) const INPUTS: usize = 32;
    pub(crate) const ZERO: Self = Self::number(0);
    const UNKNOWN: Self = Self { unknown: 1, ..Self::ZERO };

    pub(crate) const fn number(constant: u32) -> Self {
        Self { columns: [0; Self::INPUTS], from: 0, used: 0, constant, mask: constant, unknown: 0 }
    }

    /// An index of a dimension: `count` bits of the input from bit `first` on.
    pub(crate) const fn input(first: usize, count: usize) -> Self {
        let used = first + count;
        let mut bits = Self { from: first as u32, used: used as u32, ..Self::ZERO };
        let (mut column, mut i) = (1u64, first);
        while i < used {
            bits.columns[i] = column as u32;
            column <<= 1;
            i += 1;
        }
        bits.mask = (column - 1) as u32;
        bits
    }

    pub(crate) const fn known(&self) -> bool {
        self.unknown == 0
    }

    /// Whether the input's `count` bits from `first` on are the value's lowest, and
    /// nothing else flips those.
    pub(crate) const fn counts(&self, first: usize, count: usize) -> bool {
        let mut own = 1;
        let mut i = first;
        while i < first + count {
            if self.columns[i] != own {
                return false;
            }
            own <<= 1;
            i += 1;
        }
        let low = own - 1;
        let mut others = self.constant;
        i = self.from as usize;
        while i < self.used as usize {
            if i >= first && i < first + count {
                i = first + count;
            } else {
                others |= self.columns[i];
                i += 1;
            }
        }
        others & low == 0
    }

    /// Whether the input's `count` bits from `first` on flip nothing.
    pub(crate) const fn ignores(&self, first: usize, count: usize) -> bool {
        let mut i = first;
        while i < first + count {
            if self.columns[i] != 0 {
                return false;
            }
            i += 1;
        }
        true
    }

    const fn shifted_right(&self, by: u32) -> Self {
        let mut bits = *self;
        if by == 0 {
            return bits;
        }
        let (mut i, used) = (bits.from as usize, bits.used as usize);
        while i < used {
            bits.columns[i] >>= by;
            i += 1;
        }
        bits.constant >>= by;
        bits.mask >>= by;
        bits
    }

    const fn masked(&self, mask: u32) -> Self {
        let mut bits = *self;
        // Nothing to cut off.
        if bits.mask & !mask == 0 {
            return bits;
        }
        let (mut i, used) = (bits.from as usize, bits.used as usize);
        while i < used {
            bits.columns[i] &= mask;
            i += 1;
        }
        bits.constant &= mask;
        bits.mask &= mask;
        bits
    }

    pub(crate) const fn clone(&self) -> Self {
        *self
    }

    /// Without a common bit there is no carry, and a sum is a xor.
    pub(crate) const fn add(&self, other: &Self) -> Self {
        if self.mask & other.mask == 0 { self.xor(other) } else { Self::UNKNOWN }
    }

    /// Adds the product of a known value and a number; false, and nothing is done, where bits meet
    /// or the product is not known. As [`add`](Self::add) and [`mul`](Self::mul), without copies.
    pub(crate) const fn take(&mut self, other: &Self, by: u32) -> bool {
        if by == 0 || other.mask == 0 {
            return true;
        }
        let shift = by.trailing_zeros();
        if !by.is_power_of_two()
            || shift > other.mask.leading_zeros()
            || self.mask & other.mask << shift != 0
        {
            return false;
        }
        if self.used == 0 {
            (self.from, self.used) = (other.from, other.used);
        } else if other.used > 0 {
            self.from = if self.from < other.from { self.from } else { other.from };
            self.used = if self.used > other.used { self.used } else { other.used };
        }
        let (mut i, used) = (other.from as usize, other.used as usize);
        while i < used {
            self.columns[i] |= other.columns[i] << shift;
            i += 1;
        }
        self.constant |= other.constant << shift;
        self.mask |= other.mask << shift;
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
        let mut bits = *self;
        if other.used > 0 {
            bits.from = if self.from < other.from { self.from } else { other.from };
            bits.used = if self.used > other.used { self.used } else { other.used };
        }
        let (mut i, used) = (other.from as usize, other.used as usize);
        while i < used {
            bits.columns[i] ^= other.columns[i];
            i += 1;
        }
        bits.constant ^= other.constant;
        bits.mask |= other.mask;
        bits.unknown |= other.unknown;
        bits
    }

    pub(crate) const fn mul(&self, by: Extent) -> Self {
        let by = by.value();
        if by == 0 || self.mask | self.unknown == 0 {
            return Self::ZERO;
        }
        let shift = by.trailing_zeros();
        if !by.is_power_of_two() || shift > self.mask.leading_zeros() {
            return Self::UNKNOWN;
        }
        let mut bits = *self;
        if shift == 0 {
            return bits;
        }
        let (mut i, used) = (bits.from as usize, bits.used as usize);
        while i < used {
            bits.columns[i] <<= shift;
            i += 1;
        }
        bits.constant <<= shift;
        bits.mask <<= shift;
        bits
    }

    pub(crate) const fn div(&self, by: Extent) -> Self {
        let by = by.value();
        if by.is_power_of_two() {
            self.shifted_right(by.trailing_zeros())
        } else if self.known() && self.mask < by {
            Self::ZERO
        } else {
            Self::UNKNOWN
        }
    }

    pub(crate) const fn rem(&self, by: Extent) -> Self {
        let by = by.value();
        if by.is_power_of_two() {
            self.masked(by - 1)
        } else if self.known() && self.mask < by {
            *self
        } else {
            Self::UNKNOWN
        }
    }

    pub(crate) const fn constant(&self, value: Extent) -> Self {
        Self::number(value.value())
    }

    pub(crate) const fn lookup(&self, _: &'static [u32]) -> Self {
        Self::UNKNOWN
    }

    pub(crate) const fn low_bits(&self, length: Extent) -> Self {
        self.rem(length)
    }
}
