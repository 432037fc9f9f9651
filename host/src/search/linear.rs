//! Layouts that are linear in the bits of a byte's number, and what accesses cost on them.
//!
//! Such a layout has a column for each bit of a byte's number in order: where that bit goes, with the bits that it
//! flips. Two units of a phase share a bank exactly if the columns of the bits in which they differ add up, by xor, to
//! no bank bit. So phases whose units differ by an xor are alike, for any lanes and rows of any length:
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

/// The phases of a question, as units.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) phases: Vec<Units>,
    pub(super) floor: u64,
    /// Packs of `1 << pack_bits` bytes stay whole.
    pub(super) pack_bits: u32,
    /// The bits of a byte's number within the tile end here.
    pub(super) end: u32,
    /// The bits in which two units of a phase differ.
    pub(super) used: u32,
    /// The place of each bit, for all units.
    pub(super) columns: Vec<u32>,
    /// Units that all searches together may still place.
    pub(super) left: Cell<usize>,
}

/// The units of a phase.
#[derive(Clone, Debug)]
pub(super) struct Units {
    pub(super) banks: Banks,
    pub(super) times: u64,
    /// The units' bytes in order, as xors of the first.
    pub(super) bytes: Vec<u32>,
    /// The places of these bytes.
    pub(super) places: Vec<u32>,
}

/// Units that the searches of one order of memory place before they give up: some 60 ms. None of 18,000 random
/// questions takes as many.
pub(super) const MOST_PLACED: usize = 10_000_000;

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
    /// The work of a search that places so many units at most.
    pub(super) fn work(&self, most: usize) -> Work<'_> {
        Work { left: &self.left, end: self.left.get().saturating_sub(most) }
    }

    /// The cycles of all accesses by other columns, or some number from `below` on if they are not less.
    pub(super) fn cycles(&self, columns: &[u32], below: u64) -> u64 {
        let (moved, mut cycles) = (moved(&self.columns, columns), self.floor);
        for Units { banks, times, bytes, places } in &self.phases {
            if cycles >= below {
                break;
            }
            let units = places.iter().zip(bytes).map(|(place, byte)| place ^ moved(*byte));
            cycles += times * (banks.fullest(units.map(|place| place >> banks.shift)) - 1);
        }
        cycles
    }

    /// Places all units by other columns.
    pub(super) fn go(&mut self, columns: Vec<u32>) {
        let moved = moved(&self.columns, &columns);
        for Units { bytes, places, .. } in &mut self.phases {
            places.iter_mut().zip(bytes).for_each(|(place, byte)| *place ^= moved(*byte));
        }
        self.columns = columns;
    }
}

/// The distance by xor by which other columns move a byte: most differ in one or two, and nothing else counts.
fn moved(from: &[u32], to: &[u32]) -> impl Fn(u32) -> u32 + use<> {
    let flips: Vec<u32> = from.iter().zip(to).map(|(from, to)| from ^ to).collect();
    let differ = (0..).zip(&flips).filter(|(_, flips)| **flips != 0);
    let bits = differ.fold(0, |bits, (bit, _)| bits | 1 << bit);
    move |byte| place(&flips, byte & bits)
}

/// The place of a byte of the tile in order.
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
