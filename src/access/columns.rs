//! Byte addresses as an xor of columns: what each bit of a lane's number flips.
//!
//! ```text
//!   128x64 fp16, packs of 8, xor; lane l reads row l % 16, pack l / 16 (MfmaRows<16>)
//!
//!   bit of the lane          1     2     4     8     16    32
//!   flips                  144   288   576  1024     16    32
//!   lane 21 = 1 + 4 + 16   144 ^ 576 ^ 16 = 704
//! ```
//!
//! Seven numbers say what 64 addresses say.

use crate::access::addresses::Addresses;
use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;

/// Bits of a byte, as a power of two.
pub(super) const BYTE: u32 = 3;

/// The lanes of the first instruction, where all others are alike.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "const, so without an allocator; asked and dropped")]
pub(crate) enum Alike {
    /// By columns.
    Columns(Columns),
    /// One by one; `disjoint` if it is known that no two lanes have a byte in common.
    Sums { addresses: Addresses, disjoint: bool },
}

/// A constant, and what each bit of the lane flips: both as they were found, in bytes or in elements, of
/// which a byte's address is made where it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    constant: u32,
    lanes: [u32; Self::BITS],
    /// How far up to bytes, or down of less than a byte.
    up: u32,
    down: u32,
    bits: usize,
    /// The bits that some address has, in bytes.
    mask: u32,
}

impl Columns {
    /// Bits of a lane's number.
    pub(crate) const BITS: usize = Phases::LANES.trailing_zeros() as usize;

    /// Of the first `lanes` addresses, if all are active and an xor of columns.
    #[inline]
    pub(crate) const fn of(addresses: &Addresses, lanes: usize) -> Option<Self> {
        let active = u64::MAX >> (Phases::LANES - lanes);
        if !lanes.is_power_of_two() || addresses.active & active != active {
            return None;
        }
        let bits = lanes.trailing_zeros() as usize;
        let (constant, mut columns, mut b) = (addresses.bytes[0], [0; Self::BITS], 0);
        let mut mask = constant;
        while b < bits {
            let column = addresses.bytes[1 << b] ^ constant;
            // Of a length that the compiler knows: a vector's work.
            let differs = match b {
                0 => 0,
                1 => differs::<2>(&addresses.bytes, column),
                2 => differs::<4>(&addresses.bytes, column),
                3 => differs::<8>(&addresses.bytes, column),
                4 => differs::<16>(&addresses.bytes, column),
                _ => differs::<32>(&addresses.bytes, column),
            };
            if differs != 0 {
                return None;
            }
            columns[b] = column;
            mask |= column;
            b += 1;
        }
        Some(Self { constant, lanes: columns, up: 0, down: 0, bits, mask })
    }

    /// Of lane 0 and of the lanes with one bit, 2^`bits` lanes in all, in elements of the given width in bits, a power
    /// of two; `None` if an address is within a byte, off the instruction's alignment, or so near the end
    /// of `limit` bytes that what is touched there is not.
    pub(crate) const fn of_elements(
        constant: u32,
        lanes: [u32; Self::BITS],
        bits: usize,
        element: u32,
        row: &Instruction,
        limit: u64,
    ) -> Option<Self> {
        let shift = element.trailing_zeros();
        let (up, down) = if shift < BYTE { (0, BYTE - shift) } else { (shift - BYTE, 0) };
        // Of the bits that there are not, 0.
        let [a, b, c, d, e, f] = lanes;
        let all = (constant | a | b | c | d | e | f) as u64;
        let mask = all << up >> down;
        // Whole bytes, if all bits together are.
        if mask << down != all << up
            || mask & (row.alignment() - 1) as u64 != 0
            || mask + row.reach() as u64 > limit
        {
            return None;
        }
        Some(Self { constant, lanes, up, down, bits, mask: mask as u32 })
    }

    /// Of consecutive lanes, counted over all instructions, which begin at element `origin` and are a power of two of
    /// elements apart: a tile in order is one long row, whatever its lengths. `None` where an instruction begins within
    /// the bits that lanes flip, or where instructions are not apart by whole dwords and by the alignment.
    pub(super) const fn in_sequence(
        origin: u32,
        apart: u64,
        lanes: u32,
        element: u32,
        row: &Instruction,
        limit: u64,
    ) -> Option<Self> {
        let (all, alignment) = (apart * lanes as u64, row.alignment());
        let unit = 8 * if alignment > 4 { alignment } else { 4 } as u64;
        if !all.is_power_of_two() || all > u32::MAX as u64 || !element.is_power_of_two() {
            return None;
        }
        if origin as u64 & (all - 1) != 0 || !(all * element as u64).is_multiple_of(unit) {
            return None;
        }
        let (mut flips, mut bits) = ([0; Self::BITS], 0);
        while 1 << bits < lanes {
            flips[bits] = (apart as u32) << bits;
            bits += 1;
        }
        Self::of_elements(origin, flips, bits, element, row, limit)
    }

    /// What a bit of the lane flips.
    pub(crate) const fn column(&self, bit: usize) -> u32 {
        self.lanes[bit] << self.up >> self.down
    }

    /// The bits of a lane's number.
    pub(crate) const fn bits(&self) -> usize {
        self.bits
    }

    /// What a set of lane bits flips together.
    pub(crate) const fn flips(&self, mask: u8) -> u32 {
        let mut flips = 0;
        let mut rest = mask;
        while rest != 0 {
            flips ^= self.lanes[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        flips << self.up >> self.down
    }

    /// The bits that some lane flips.
    pub(crate) const fn all_flips(&self) -> u32 {
        let [a, b, c, d, e, f] = self.lanes;
        (a | b | c | d | e | f) << self.up >> self.down
    }

    /// A lane's address.
    pub(crate) const fn address(&self, lane: u8) -> u32 {
        (self.constant << self.up >> self.down) ^ self.flips(lane)
    }

    /// The bits that some address has.
    pub(crate) const fn mask(&self) -> u32 {
        self.mask
    }

    /// The addresses of some lanes; the others are inactive.
    pub(crate) const fn of_lanes(&self, lanes: &[u8]) -> Addresses {
        let (mut addresses, mut i) = (Addresses::NONE, 0);
        while i < lanes.len() {
            addresses.set(lanes[i] as usize, self.address(lanes[i]));
            i += 1;
        }
        addresses
    }
}

/// The bits in which one of the lanes from `HALF` on is not the lane `HALF` before it, xor-ed
/// with a column.
#[inline]
const fn differs<const HALF: usize>(bytes: &[u32; Phases::LANES], column: u32) -> u32 {
    let (mut differs, mut lane) = (0, 0);
    while lane < HALF {
        differs |= bytes[HALF + lane] ^ bytes[lane] ^ column;
        lane += 1;
    }
    differs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of elements of any width, up to the last that an address names.
    #[test]
    fn of_elements() {
        let row = Instruction::read("u16", 2);
        let lanes = [1 << 3, 0, 1 << 20, 0, 0, 1 << 29];
        for (element, bytes) in [(4, 2), (8, 1), (16, 2), (32, 4)] {
            let limit = 1 << 32;
            let found = Columns::of_elements(1 << 5, lanes, 6, element, &row, limit).unwrap();
            let wanted =
                |elements: u32| if element == 4 { elements / bytes } else { elements * bytes };
            for (bit, lane) in lanes.into_iter().enumerate() {
                assert_eq!(found.column(bit), wanted(lane), "{element}");
            }
            assert_eq!(found.flips(0b10_0101), wanted(lanes[0] | lanes[2] | lanes[5]));
            assert_eq!(found.address(1), wanted(1 << 5 | lanes[0]));
        }
        // Half a byte, half an element's alignment, the end.
        assert!(Columns::of_elements(1, [0; 6], 6, 4, &row, 64).is_none());
        assert!(Columns::of_elements(2, [0; 6], 6, 4, &row, 64).is_none());
        assert!(Columns::of_elements(31, [0; 6], 6, 16, &row, 64).is_some());
        assert!(Columns::of_elements(32, [0; 6], 6, 16, &row, 64).is_none());
    }
}
