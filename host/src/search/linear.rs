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
use core::cell::Cell;
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
    /// Units that all searches together may still place.
    left: Cell<usize>,
}

/// The units of a phase by their bytes in order, as xors of the first.
#[derive(Debug)]
pub(super) struct Units {
    pub(super) banks: Banks,
    pub(super) times: u64,
    pub(super) bytes: Vec<u32>,
}

/// Units that all searches of a question place before they give up: some 60 ms. Of 18,000 random questions none takes as
/// many.
const MOST_PLACED: usize = 10_000_000;

/// The units that one search may still place, of those that are left to all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work<'a> {
    left: &'a Cell<usize>,
    end: usize,
}

impl Work<'_> {
    pub(super) fn spend(&self, units: usize) {
        self.left.set(self.left.get().saturating_sub(units));
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left.get() <= self.end
    }
}

impl Linear {
    pub(super) fn new(phases: Vec<Units>, floor: u64, pack_bits: u32, end: u32, used: u32) -> Self {
        Self { phases, floor, pack_bits, end, used, left: Cell::new(MOST_PLACED) }
    }

    /// The work of a search that places so many units at most.
    pub(super) fn work(&self, most: usize) -> Work<'_> {
        Work { left: &self.left, end: self.left.get().saturating_sub(most) }
    }

    /// Each bit where it is.
    pub(super) fn in_order(&self) -> Vec<u32> {
        (0..self.end).map(|bit| 1 << bit).collect()
    }

    /// The cycles of all accesses, or some number from `below` on if they are not less.
    pub(super) fn cycles(&self, columns: &[u32], below: u64) -> u64 {
        let in_order = self.phases.iter().map(|units| &units.bytes);
        self.cycles_moved(in_order, &Moved::new(&self.in_order(), columns), below)
    }

    /// The same where the units of each phase were at some places before others columns moved them.
    pub(super) fn cycles_moved<'a>(
        &self,
        places: impl Iterator<Item = &'a Vec<u32>>,
        moved: &Moved,
        below: u64,
    ) -> u64 {
        let mut cycles = self.floor;
        for (Units { banks, times, bytes }, places) in self.phases.iter().zip(places) {
            if cycles >= below {
                break;
            }
            let places = places.iter().zip(bytes).map(|(place, byte)| place ^ moved.by(*byte));
            cycles += times * (banks.fullest(places.map(|place| place >> banks.shift)) - 1);
        }
        cycles
    }
}

/// What columns flip that others did not: a step changes one or two, and a byte is placed by these alone.
#[derive(Debug)]
pub(super) struct Moved {
    flips: Vec<u32>,
    bits: u32,
}

impl Moved {
    pub(super) fn new(from: &[u32], to: &[u32]) -> Self {
        let flips: Vec<u32> = from.iter().zip(to).map(|(from, to)| from ^ to).collect();
        let bits = (0..).zip(&flips).filter(|(_, flip)| **flip != 0);
        let bits = bits.fold(0, |bits, (bit, _)| bits | 1 << bit);
        Self { flips, bits }
    }

    /// What moves a byte, by xor.
    pub(super) fn by(&self, byte: u32) -> u32 {
        place(&self.flips, byte & self.bits)
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
