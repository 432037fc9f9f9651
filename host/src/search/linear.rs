//! Layouts that are linear in the bits of a byte's number, and what accesses cost on them.
//!
//! Such a layout has a column for each bit of a byte's number in order: where that bit goes, with the bits that it flips.
//! Two units of a phase share a bank exactly if the columns of the bits in which they differ add up, by xor, to no bank
//! bit. So phases whose units differ by an xor are alike, whatever the lanes do and however long the rows are:
//!
//! ```text
//!   128x64 halves, packs of 16 bytes, lines of 128    bit      4    5    6      7      8       9   10 ..
//!   GemmXor                                           column  16   32   64  128^16 256^32  512^64  1024 ..
//!
//!   read by 16 rows, a phase: units 0 128 256 384 528 656 784 912 are at 0 144 288 432 576 720 864 1008, each in a
//!   different one of the 8 groups of banks
//! ```

use super::phase::Banks;
use core::ops::Range;

/// The phases of a question, as units in order.
#[derive(Debug)]
pub(super) struct Linear {
    pub(super) phases: Vec<Units>,
    pub(super) floor: u64,
    /// Packs of `1 << pack_bits` bytes stay whole.
    pub(super) pack_bits: u32,
    /// The bits of a byte's number within the tile end here.
    pub(super) end: u32,
    /// The bits in which two units of a phase differ.
    pub(super) used: u32,
}

/// The units of a phase by their bytes in order, as xors of the first.
#[derive(Debug)]
pub(super) struct Units {
    pub(super) banks: Banks,
    pub(super) times: u64,
    pub(super) bytes: Vec<u32>,
}

impl Linear {
    /// Each bit where it is.
    pub(super) fn in_order(&self) -> Vec<u32> {
        (0..self.end).map(|bit| 1 << bit).collect()
    }

    /// The cycles of all accesses, or some number from `below` on if they are not less.
    pub(super) fn cycles(&self, columns: &[u32], below: u64) -> u64 {
        let mut cycles = self.floor;
        for units in self.phases.iter() {
            if cycles >= below {
                break;
            }
            cycles += units.times * (units.banks.fullest_at(columns, &units.bytes) - 1);
        }
        cycles
    }
}

impl Banks {
    /// The most of some units in one group where columns place them, each by a byte in order.
    pub(super) fn fullest_at(self, columns: &[u32], bytes: &[u32]) -> u64 {
        self.fullest(bytes.iter().map(|byte| place(columns, *byte) >> self.shift))
    }
}

/// Where a byte of the tile in order goes.
pub(super) fn place(columns: &[u32], byte: u32) -> u32 {
    let (mut place, mut rest) = (0, byte);
    while rest != 0 {
        place ^= columns[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    place
}

/// Some bits as a number.
pub(super) fn mask_of(bits: Range<u32>) -> u32 {
    bits.fold(0, |mask, bit| mask | 1 << bit)
}

/// All sums of some bits, those of fewer first.
pub(super) fn sums_of(bits: u32) -> Vec<u32> {
    let mut all: Vec<u32> = (0..=bits).filter(|sum| sum & !bits == 0).collect();
    all.sort_by_key(|sum| sum.count_ones());
    all
}
