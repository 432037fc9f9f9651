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
//! Seven numbers replace 64 addresses, for all steps. Where each bit of a lane's number, and of a step's, flips
//! bits of its own, the 16 reads of this tile differ from the first by an xor with a constant, a multiple of a dword and of the
//! alignment. It moves all dwords of a phase from banks to other banks and keeps their number, so counting one step
//! suffices.
//!
//! Without columns each step of a linear access is counted: see DESIGN, "What the compiler pays for".

use crate::access::addresses::{Addresses, first_lanes};
use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;
use tiledesc_transforms::{ones, range};

/// Bits of a byte, as a power of two.
const BYTE: u32 = 3;

/// A constant, and what each bit of the lane flips, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    constant: u32,
    lanes: [u32; Self::BITS],
    bits: usize,
    /// The bits that some address has.
    mask: u32,
}

impl Columns {
    /// Bits of a lane's number.
    pub(crate) const BITS: usize = Phases::LANES.trailing_zeros() as usize;

    /// Returns the columns of the first `lanes` addresses; `None` unless all are active and an xor of columns.
    #[inline]
    pub(crate) const fn from_addresses(addresses: &Addresses, lanes: usize) -> Option<Self> {
        let active = first_lanes(lanes);
        if !lanes.is_power_of_two() || addresses.active & active != active {
            return None;
        }
        let bits = lanes.trailing_zeros() as usize;
        let (constant, mut columns) = (addresses.bytes[0], [0; Self::BITS]);
        let mut mask = constant;
        range!(b, 0..bits, {
            let column = addresses.bytes[1 << b] ^ constant;
            range!(lane, 0..1 << b, {
                if addresses.bytes[(1 << b) + lane] != addresses.bytes[lane] ^ column {
                    return None;
                }
            });
            columns[b] = column;
            mask |= column;
        });
        Some(Self { constant, lanes: columns, bits, mask })
    }

    /// Returns columns from the elements of lane 0 and of the lanes with one bit, 2^`bits` lanes in all. The width of an element
    /// in bits is a power of two. `None` if an address is within a byte, off the instruction's alignment, or so near the end of
    /// `limit` bytes that the access goes beyond it.
    pub(crate) const fn of_elements(
        constant: u32,
        mut lanes: [u32; Self::BITS],
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
            || mask + row.bytes_to_end() as u64 > limit
        {
            return None;
        }
        range!(bit, 0..bits, { lanes[bit] = lanes[bit] << up >> down });
        Some(Self { constant: constant << up >> down, lanes, bits, mask: mask as u32 })
    }

    /// The bits that a bit of the lane flips.
    pub(crate) const fn column(&self, bit: usize) -> u32 {
        self.lanes[bit]
    }

    /// The bits of a lane's number.
    pub(crate) const fn bits(&self) -> usize {
        self.bits
    }

    /// The bits that a set of lane bits flips together.
    pub(crate) const fn flips(&self, mask: u8) -> u32 {
        let mut flips = 0;
        ones!(bit, mask, { flips ^= self.lanes[bit] });
        flips
    }

    /// The bits that some lane flips.
    pub(crate) const fn all_flips(&self) -> u32 {
        let [a, b, c, d, e, f] = self.lanes;
        a | b | c | d | e | f
    }

    /// A lane's address.
    pub(crate) const fn address(&self, lane: u8) -> u32 {
        self.constant ^ self.flips(lane)
    }

    /// Returns whether lanes agree in pairs, those that differ in bit 0 or in bit 1, so that an instruction serves them by its
    /// [merged](Instruction::merged) phases.
    pub(crate) const fn are_merged(&self, instruction: &Instruction) -> bool {
        instruction.merged().is_some() && (self.lanes[0] == 0 || self.lanes[1] == 0)
    }

    /// The bits that some address has.
    pub(crate) const fn mask(&self) -> u32 {
        self.mask
    }

    /// The addresses of some lanes; the others are inactive.
    pub(crate) const fn of_lanes(&self, lanes: &[u8]) -> Addresses {
        let mut addresses = Addresses::NONE;
        range!(i, 0..lanes.len(), {
            addresses.set(lanes[i] as usize, self.address(lanes[i]));
        });
        addresses
    }
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
