//! Counting the conflicts of one instruction, phase by phase.

use super::crowd::Crowd;
use super::units::{Distinct, UnitGrid};
use crate::access::addresses::Addresses;
use crate::access::refusal::{AddressError, refusal};
use crate::chip::instruction::{Access, Instruction, Service};
use crate::chip::phases::Phases;
use tiledesc_transforms::number::head;
use tiledesc_transforms::range;

/// The bank conflicts of one instruction.
///
/// ```
/// use tiledesc::{access::Addresses, bank::conflicts, chip::gfx942::ds_read_b32};
///
/// // 64 lanes, 64 dwords apart: two phases of 32 lanes, all in bank 0.
/// let found = conflicts(&Addresses::from_fn(|lane| Some(256 * lane)), &ds_read_b32).unwrap();
/// assert_eq!((found.degree(), found.base_cycles, found.conflict_cycles), (32, 2, 62));
/// ```
#[doc(alias = "bank conflict")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflicts {
    /// Cycles without any conflict: the number of phases.
    pub base_cycles: u32,
    /// Additional cycles because of conflicts.
    pub conflict_cycles: u32,
    /// The first phase with the highest degree; [`phase`] shows that phase in detail.
    pub phase: usize,
    pub(super) degree: u32,
    /// Two lanes that write the same byte, if any do.
    pub race: Option<[usize; 2]>,
    /// True if lanes agree in pairs, so that phases were merged.
    pub merged: bool,
}

impl Conflicts {
    /// No conflict in so many phases, whose degrees are not known yet.
    pub(super) const fn of_phases(phases: usize, merged: bool) -> Self {
        let base_cycles = phases as u32;
        Self { base_cycles, conflict_cycles: 0, phase: 0, degree: 0, race: None, merged }
    }

    /// Adds the degree of a phase.
    pub(super) const fn add(&mut self, phase: usize, degree: u32) {
        self.conflict_cycles += degree.saturating_sub(1);
        if degree > self.degree {
            (self.degree, self.phase) = (degree, phase);
        }
    }

    /// The highest degree of all phases: 1 is conflict-free, 0 means that no lane is active.
    #[must_use]
    pub const fn degree(&self) -> u32 {
        self.degree
    }

    /// All cycles, as SQ_LDS_IDX_ACTIVE counts them.
    #[must_use]
    pub const fn active_cycles(&self) -> u32 {
        self.base_cycles + self.conflict_cycles
    }
}

/// Counts the conflicts of one instruction.
///
/// ```
/// use tiledesc::{access, bank, chip::gfx942};
///
/// // Every lane reads 16 bytes, 128 bytes apart: all in one group of banks.
/// let rows = access::Addresses::from_fn(|lane| Some(128 * lane));
/// let found = bank::conflicts(&rows, &gfx942::ds_read_b128).unwrap();
/// assert_eq!((found.degree(), found.conflict_cycles, found.active_cycles()), (8, 56, 64));
/// let crowd = bank::phase(&rows, &gfx942::ds_read_b128, found.phase).unwrap();
/// assert_eq!(crowd.pair(), Some([0, 1]));
/// ```
///
/// # Errors
///
/// [`AddressError`]: an address that the instruction cannot have.
pub const fn conflicts(
    addresses: &Addresses,
    instruction: &Instruction,
) -> Result<Conflicts, AddressError> {
    match refusal(addresses, instruction) {
        Some(refusal) => Err(refusal),
        None => Ok(count(addresses, instruction)),
    }
}

/// Counts the conflicts of addresses that the instruction can have, and finds a race.
pub(super) const fn count(addresses: &Addresses, instruction: &Instruction) -> Conflicts {
    let mut found = count_phases(addresses, instruction);
    if let Access::Write = instruction.access() {
        found.race = race(addresses, instruction);
    }
    found
}

/// Counts the conflicts, and looks for no race.
pub(super) const fn count_phases(addresses: &Addresses, instruction: &Instruction) -> Conflicts {
    let merged = addresses.are_merged(instruction);
    let service = instruction.served(merged);
    let (grid, count, order) =
        (UnitGrid::new(instruction, service), service.phases.count(), service.phases.order());
    let mut found = Conflicts::of_phases(count * instruction.parts(), merged);
    range!(part, 0..instruction.parts(), {
        let (offset, mut begin) = (instruction.part(part), 0);
        range!(phase, 0..count, {
            let end = service.phases.end(phase);
            let degree = match free_degree(addresses, order, [begin, end], grid, offset) {
                Some(degree) => degree,
                None => {
                    let mut distinct = Distinct::NONE;
                    distinct.gather(addresses, service.phases.lanes(phase), grid, offset);
                    distinct.degree()
                }
            };
            found.add(part * count + phase, degree);
            begin = end;
        });
    });
    found
}

/// The degree of a phase, from one place of the order to another, if no two lanes meet in a group of banks: mostly that is so,
/// and a word with a bit for each group decides it.
const fn free_degree(
    addresses: &Addresses,
    order: &[u8; Phases::LANES],
    [mut i, end]: [usize; 2],
    grid: UnitGrid,
    offset: u32,
) -> Option<u32> {
    let (bytes, active) = (&addresses.bytes, addresses.active);
    let (shift, last, is_one) = (grid.shift % 32, grid.groups() as u32 - 1, grid.units == 1);
    let mut taken = 0u64;
    while i < end {
        let lane = order[i] as usize % Phases::LANES;
        i += 1;
        if active >> lane & 1 == 1 {
            let unit = (bytes[lane] + offset) >> shift;
            let groups = if is_one { 1 << (unit & last) } else { grid.groups_from(unit) };
            if taken & groups != 0 {
                return None;
            }
            taken |= groups;
        }
    }
    Some((taken != 0) as u32)
}

/// Returns the fullest bank of one phase. The second address of a `ds_read2` has its own phases, after those of the first.
///
/// ```
/// use tiledesc::{access, bank, chip::gfx942};
///
/// let rows = access::Addresses::from_fn(|lane| Some(64 * lane));
/// let phase = bank::phase(&rows, &gfx942::ds_read_b32, 1).unwrap();
/// assert_eq!((phase.degree, phase.bank, phase.banks), (16, 0, 2));
/// assert_eq!(phase.lanes, 0x5555_5555 << 32);
/// ```
///
/// # Errors
///
/// As [`conflicts`].
pub const fn phase(
    addresses: &Addresses,
    instruction: &Instruction,
    phase: usize,
) -> Result<Crowd, AddressError> {
    if let Some(refusal) = refusal(addresses, instruction) {
        return Err(refusal);
    }
    let service = instruction.served(addresses.are_merged(instruction));
    Ok(crowd(addresses, instruction, service, phase))
}

/// Returns the fullest bank of one phase, of addresses that were not refused; addresses of other phases are not looked at.
pub(super) const fn crowd(
    addresses: &Addresses,
    instruction: &Instruction,
    service: &Service,
    phase: usize,
) -> Crowd {
    let grid = UnitGrid::new(instruction, service);
    let lanes = service.phases.lanes(phase % service.phases.count());
    let offset = instruction.part(phase / service.phases.count());
    let mut distinct = Distinct::NONE;
    distinct.gather(addresses, lanes, grid, offset);
    distinct.crowd(grid)
}

/// Two lanes that write the same byte: equal unit numbers, in a grid whose units an
/// access fills completely.
const fn race(addresses: &Addresses, instruction: &Instruction) -> Option<[usize; 2]> {
    let lanes = head(&Phases::IN_ORDER, instruction.service().phases.addressed());
    let grid = UnitGrid::of_pieces(instruction);
    let mut distinct = Distinct::NONE;
    range!(part, 0..instruction.parts(), {
        let offset = instruction.part(part);
        if let Some(pair) = distinct.gather(addresses, lanes, grid, offset) {
            return Some(pair);
        }
    });
    None
}
