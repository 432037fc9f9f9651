//! The rule itself: how many different dwords of each bank the lanes of one phase touch, slow and obvious.
//!
//! ```text
//!   4 lanes of a phase read a dword each, of 32 banks
//!
//!   lane     0    1    2    3
//!   byte     0  128    4  128       128 bytes are all banks once
//!   dword    0   32    1   32
//!   bank     0    0    1    0       two different dwords in bank 0: degree 2
//! ```
//!
//! All other judgements of banks in the library are this, sooner: [`conflicts`](super::conflicts()) counts pieces of an access
//! and not dwords, a [`Verdict`](super::Verdict) uses a rank in place of lanes, or one instruction of each kind. All of them are
//! held to these functions by a test. Use them in tests of your own, and to see what a verdict is about.

use super::conflicts::Conflicts;
use crate::access::addresses::Addresses;
use crate::chip::instruction::{Access, Instruction};
use tiledesc_transforms::{any, range};

/// The bytes that a lane touches: from an address to an end.
#[derive(Clone, Copy)]
struct Bytes {
    lane: usize,
    first: u64,
    end: u64,
}

impl Bytes {
    /// Returns the bytes of a lane in one of the instruction's addresses; `None` for an inactive lane.
    const fn new(
        addresses: &Addresses,
        row: &Instruction,
        part: usize,
        lane: usize,
    ) -> Option<Self> {
        let Some(byte) = addresses.get(lane) else { return None };
        let first = byte as u64 + row.part(part) as u64;
        Some(Self { lane, first, end: first + row.bytes() as u64 })
    }
}

/// The degree of a phase: the most different dwords in one of the banks, of the lanes that are active; 0 if none is.
///
/// ```
/// use tiledesc::{access::Addresses, bank::rule, chip::gfx942::ds_read_b32};
///
/// let four = Addresses::NONE.with(0, 0).with(1, 128).with(2, 4).with(3, 128);
/// assert_eq!(rule::degree(&four, &ds_read_b32, 0, &[0, 1, 2, 3], 32), 2);
/// assert_eq!(rule::degree(&four, &ds_read_b32, 0, &[1, 2, 3], 32), 1);
/// ```
///
/// # Panics
///
/// With more than 64 banks, or an address that the instruction does not have: `part` is 1 for the second of `ds_read2`.
#[must_use]
pub const fn degree(
    addresses: &Addresses,
    instruction: &Instruction,
    part: usize,
    lanes: &[u8],
    banks: u32,
) -> u32 {
    let (mut dwords, mut degree) = ([0; 64], 0);
    range!(i, 0..lanes.len(), {
        if let Some(bytes) = Bytes::new(addresses, instruction, part, lanes[i] as usize) {
            let mut dword = bytes.first / 4;
            while dword < bytes.end.div_ceil(4) {
                if !is_touched(addresses, instruction, part, (lanes, i), dword) {
                    let of_bank = &mut dwords[(dword % banks as u64) as usize];
                    *of_bank += 1;
                    degree = if *of_bank > degree { *of_bank } else { degree };
                }
                dword += 1;
            }
        }
    });
    degree
}

/// Returns whether one of the first `count` lanes touches a dword.
const fn is_touched(
    addresses: &Addresses,
    instruction: &Instruction,
    part: usize,
    (lanes, count): (&[u8], usize),
    dword: u64,
) -> bool {
    any!(
        i,
        0..count,
        match Bytes::new(addresses, instruction, part, lanes[i] as usize) {
            Some(bytes) => bytes.first / 4 <= dword && dword < bytes.end.div_ceil(4),
            None => false,
        }
    )
}

/// Returns the bank conflicts of an instruction, phase by phase, and its data race: the definition of
/// [`bank::conflicts`](super::conflicts()) for addresses that the instruction can have.
///
/// ```
/// use tiledesc::{access::Addresses, bank::{conflicts, rule}, chip::gfx942::ds_read_b128};
///
/// let rows = Addresses::from_fn(|lane| Some(128 * lane));
/// let found = rule::conflicts(&rows, &ds_read_b128);
/// assert_eq!((found.degree(), found.base_cycles, found.conflict_cycles), (8, 8, 56));
/// assert_eq!(conflicts(&rows, &ds_read_b128), Ok(found));
/// ```
#[must_use]
pub const fn conflicts(addresses: &Addresses, instruction: &Instruction) -> Conflicts {
    let merged = addresses.are_merged(instruction);
    let service = instruction.served(merged);
    let phases = service.phases.count() * instruction.parts();
    let mut found = Conflicts::of_phases(phases, merged);
    found.race = race(addresses, instruction);
    range!(phase, 0..phases, {
        let (part, lanes) = (phase / service.phases.count(), phase % service.phases.count());
        let lanes = service.phases.lanes(lanes);
        found.add(phase, degree(addresses, instruction, part, lanes, service.banks));
    });
    found
}

/// The first lane that writes a byte which an earlier one wrote, after that one; `None` of what reads.
const fn race(addresses: &Addresses, instruction: &Instruction) -> Option<[usize; 2]> {
    let (lanes, parts) = (instruction.service().phases.addressed(), instruction.parts());
    if !instruction.access().is(Access::Write) {
        return None;
    }
    range!(write, 0..lanes * parts, {
        if let Some(bytes) = Bytes::new(addresses, instruction, write / lanes, write % lanes) {
            let mut byte = bytes.first;
            while byte < bytes.end {
                range!(before, 0..write, {
                    if let Some(other) =
                        Bytes::new(addresses, instruction, before / lanes, before % lanes)
                        && other.first <= byte
                        && byte < other.end
                        && other.lane != bytes.lane
                    {
                        return Some([other.lane, bytes.lane]);
                    }
                });
                byte += 1;
            }
        }
    });
    None
}

#[cfg(test)]
mod tests;
