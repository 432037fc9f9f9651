//! Counting the conflicts of one instruction, phase by phase.

use super::crowd::Crowd;
use super::planes::{PLANES, add_word, fullest};
use super::units::{Distinct, UnitGrid};
use super::wave::{Wave, are_apart};
use crate::access::addresses::Addresses;
use crate::access::columns::Columns;
use crate::access::refusal::{AddressError, accepts, refusal};
use crate::chip::instruction::{Access, Instruction, Service};
use crate::chip::phases::Phases;
use tiledesc_transforms::number::head;

/// What one instruction does to the banks.
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
    /// The first phase with the highest degree; [`phase`] says what happens in it.
    pub phase: usize,
    pub(super) degree: u32,
    /// Two lanes that write the same byte, if any do.
    pub race: Option<[usize; 2]>,
    /// Whether lanes agree in pairs, so that phases were merged.
    pub merged: bool,
}

impl Conflicts {
    /// The highest degree of all phases: 1 is conflict-free, 0 means that no lane is active.
    #[must_use]
    pub const fn degree(&self) -> u32 {
        self.degree
    }

    /// All cycles: what SQ_LDS_IDX_ACTIVE counts.
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
    judged(addresses, instruction, false, Way::AtOnce)
}

/// How lanes are counted: the same count by fewer steps, or in less time.
#[derive(Clone, Copy)]
enum Way {
    /// One after another, in words of banks: the fewest steps, for constants.
    InOrder,
    /// All phases side by side: for a vector unit.
    AtOnce,
}

/// The same of lanes that are known to be `disjoint`: no two have a byte in common. Finding that out
/// compares 64 lanes, each with half of its phase: see DESIGN, "What the compiler pays for".
#[inline]
pub(super) const fn conflicts_of(
    addresses: &Addresses,
    instruction: &Instruction,
    disjoint: bool,
) -> Result<Conflicts, AddressError> {
    judged(addresses, instruction, disjoint, Way::InOrder)
}

#[inline]
const fn judged(
    addresses: &Addresses,
    instruction: &Instruction,
    disjoint: bool,
    way: Way,
) -> Result<Conflicts, AddressError> {
    if let Some(columns) = Columns::of(addresses, instruction.service().phases.addressed())
        && accepts(&columns, addresses.active, instruction)
        && let Some(found) = Conflicts::by_rank(&columns, instruction)
    {
        return Ok(found);
    }
    if let Some(refusal) = refusal(addresses, instruction) {
        return Err(refusal);
    }
    Ok(counted_by(way, addresses, instruction, disjoint))
}

/// The count of any addresses that the instruction can have.
pub(super) const fn counted(
    addresses: &Addresses,
    instruction: &Instruction,
    disjoint: bool,
) -> Conflicts {
    counted_by(Way::InOrder, addresses, instruction, disjoint)
}

#[inline]
const fn counted_by(
    way: Way,
    addresses: &Addresses,
    instruction: &Instruction,
    disjoint: bool,
) -> Conflicts {
    let (service, merged) = service(addresses, instruction);
    let grid = UnitGrid::of(instruction, service);
    let write = instruction.access().is(Access::Write);
    let race = if write && !disjoint { race(way, addresses, instruction) } else { None };
    // Lanes that have no byte in common touch no unit twice, of whole dwords.
    let apart = (disjoint || write && race.is_none()) && instruction.alignment() >= 4;
    let mut found = Conflicts {
        base_cycles: (service.phases.count() * instruction.parts()) as u32,
        conflict_cycles: 0,
        phase: 0,
        degree: 0,
        race,
        merged,
    };
    let all = are_active(addresses, instruction);
    let mut part = 0;
    while part < instruction.parts() {
        let offset = instruction.part(part);
        // Whole units further on, other banks and as many.
        if all && part > 0 && grid.divides(offset) && grid.divides(instruction.part(0)) {
            found.conflict_cycles *= 2;
        } else {
            let wave = match way {
                Way::AtOnce if all => Wave::of(addresses, service, grid, offset),
                _ => None,
            };
            found = match wave {
                Some(wave) => {
                    found.and_wave(&wave, addresses, service, grid, [offset, part as u32], apart)
                }
                None => found.and(addresses, service, grid, [offset, part as u32], [all, apart]),
            };
        }
        part += 1;
    }
    found
}

impl Conflicts {
    /// Adds the phases of one address of each lane. A word with a bit for each group of banks tells whether a phase is
    /// free: mostly it is, and no more is asked.
    #[inline]
    const fn and(
        mut self,
        addresses: &Addresses,
        service: &Service,
        grid: UnitGrid,
        [offset, part]: [u32; 2],
        [all, apart]: [bool; 2],
    ) -> Self {
        let (order, bytes, active) = (service.phases.order(), &addresses.bytes, addresses.active);
        let (shift, last, is_one) =
            (grid.shift() % 32, grid.groups() as u32 - 1, grid.units() == 1);
        let (count, mut phase, mut i) = (service.phases.count(), 0, 0);
        while phase < count {
            let end = service.phases.end(phase);
            let (mut taken, mut meets) = (0u64, 0);
            while i < end && meets == 0 {
                let lane = order[i] as usize % Phases::LANES;
                i += 1;
                if all || active >> lane & 1 == 1 {
                    let unit = (bytes[lane] + offset) >> shift;
                    let groups = if is_one { 1 << (unit & last) } else { grid.groups_from(unit) };
                    meets = taken & groups;
                    taken |= groups;
                }
            }
            let degree = if meets == 0 {
                (taken != 0) as u32
            } else {
                let lanes = service.phases.lanes(phase);
                let at = lanes.len() - (end - i) - 1;
                crowded(addresses, lanes, grid, offset, ([taken, meets], at), apart)
            };
            i = end;
            self.conflict_cycles += degree.saturating_sub(1);
            if degree > self.degree {
                self.degree = degree;
                self.phase = part as usize * count + phase;
            }
            phase += 1;
        }
        self
    }

    /// The same of all lanes at once; units are compared only in phases of which it does not tell the degree.
    #[inline]
    const fn and_wave(
        mut self,
        wave: &Wave,
        addresses: &Addresses,
        service: &Service,
        grid: UnitGrid,
        [offset, part]: [u32; 2],
        apart: bool,
    ) -> Self {
        let Some(mut degrees) = wave.degrees(grid, apart) else {
            if self.degree == 0 {
                self.degree = 1;
            }
            return self;
        };
        let (count, mut phase) = (service.phases.count(), 0);
        while phase < count {
            degrees[phase] = match degrees[phase] {
                0 => {
                    let mut distinct = Distinct::NONE;
                    distinct.gather(addresses, service.phases.lanes(phase), grid, offset);
                    distinct.degree()
                }
                same @ Wave::SAME_AS.. => degrees[(same - Wave::SAME_AS) as usize],
                known => known,
            };
            self.conflict_cycles += degrees[phase].saturating_sub(1);
            if degrees[phase] > self.degree {
                self.degree = degrees[phase];
                self.phase = part as usize * count + phase;
            }
            phase += 1;
        }
        self
    }
}

/// The degree of a phase of which the lanes before the one at place `i` are in groups of their own, all of these `taken`,
/// and that one `meets` some. Lanes that touch the same unit count once, unless they are known to be `apart`.
const fn crowded(
    addresses: &Addresses,
    lanes: &[u8],
    grid: UnitGrid,
    offset: u32,
    ([taken, meets], mut i): ([u64; 2], usize),
    apart: bool,
) -> u32 {
    let (shift, last, units) = (grid.shift() % 32, grid.groups() as u32 - 1, grid.units());
    let (mut ones, mut planes, mut crowded) = (taken ^ meets, [0; PLANES], meets);
    planes[0] = meets;
    i += 1;
    while i < lanes.len() {
        let lane = lanes[i] as usize % Phases::LANES;
        i += 1;
        if addresses.active >> lane & 1 == 1 {
            let unit = (addresses.bytes[lane] + offset) >> shift;
            let groups = if units == 1 { 1 << (unit & last) } else { grid.groups_from(unit) };
            crowded |= ones & groups;
            add_word!(ones, planes, groups);
        }
    }
    if apart {
        return fullest(ones, &planes);
    }
    // Units are compared only in the groups where lanes meet. Each slot holds a unit, counted from 1.
    let mut slots = [0; UNIT_SLOTS];
    (ones, planes, i) = (0, [0; PLANES], 0);
    while i < lanes.len() {
        let lane = lanes[i] as usize % Phases::LANES;
        i += 1;
        let (first, mut done) = ((addresses.bytes[lane] + offset) >> shift, 0);
        while done < units {
            let unit = first + done;
            let group = 1 << (unit & last);
            done += 1;
            if crowded & group != 0 && addresses.active >> lane & 1 == 1 {
                // The high bits of a product with an odd number tell units of one bank apart.
                let product = unit as u64 * 0x9E37_79B1;
                let mut slot = (product >> UNIT_SHIFT) as usize % UNIT_SLOTS;
                while slots[slot] != 0 && slots[slot] != unit + 1 {
                    slot = (slot + 1) % UNIT_SLOTS;
                }
                if slots[slot] == 0 {
                    slots[slot] = unit + 1;
                    add_word!(ones, planes, group);
                }
            }
        }
    }
    fullest(ones, &planes)
}

/// Slots for units that were touched: 64 lanes touch 256, and half of the slots stay empty.
const UNIT_SLOTS: usize = 512;
const UNIT_SHIFT: u32 = u32::BITS - UNIT_SLOTS.ilog2();

/// What happens in one phase. The second address of a `ds_read2` has its own phases,
/// after those of the first.
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
    let (service, _) = service(addresses, instruction);
    Ok(crowd(addresses, instruction, service, phase))
}

/// The same of addresses that were not refused; those of other phases are not looked at.
pub(super) const fn crowd(
    addresses: &Addresses,
    instruction: &Instruction,
    service: &Service,
    phase: usize,
) -> Crowd {
    let grid = UnitGrid::of(instruction, service);
    let lanes = service.phases.lanes(phase % service.phases.count());
    let offset = instruction.part(phase / service.phases.count());
    let mut distinct = Distinct::NONE;
    distinct.gather(addresses, lanes, grid, offset);
    distinct.crowd(grid)
}

/// The phases that serve these addresses, and whether they are the merged ones.
pub(crate) const fn service<'a>(
    addresses: &Addresses,
    instruction: &'a Instruction,
) -> (&'a Service, bool) {
    let lanes = instruction.service().phases.addressed();
    let merged =
        instruction.merged().is_some() && (addresses.agree(1, lanes) || addresses.agree(2, lanes));
    (instruction.served(merged), merged)
}

/// Whether all lanes are active that supply an address.
const fn are_active(addresses: &Addresses, instruction: &Instruction) -> bool {
    let active = u64::MAX >> (Phases::LANES - instruction.service().phases.addressed());
    addresses.active & active == active
}

/// Whether aligned lanes are in different ones of 4096 places that go round the memory, as those of an instruction that
/// writes a part of a tile mostly are: a bit each.
const fn are_in_places_of_their_own(addresses: &Addresses, instruction: &Instruction) -> bool {
    let bytes = instruction.bytes();
    if !bytes.is_power_of_two() || bytes != instruction.alignment() {
        return false;
    }
    let (lanes, shift) = (instruction.service().phases.addressed(), bytes.trailing_zeros());
    let (mut taken, mut lane) = ([0u64; 64], 0);
    while lane < lanes {
        let place = addresses.bytes[lane] >> shift;
        let (word, bit) = ((place >> 6 & 63) as usize, 1u64 << (place & 63));
        if taken[word] & bit != 0 {
            return false;
        }
        taken[word] |= bit;
        lane += 1;
    }
    true
}

/// Whether each lane begins behind the one before, as in a wave that writes a tile row by row: then no two share a unit.
const fn ascend(addresses: &Addresses, lanes: &[u8], grid: UnitGrid, offset: u32) -> bool {
    let (shift, units) = (grid.shift() % 32, grid.units() as u64);
    let (mut next, mut i) = (0, 0);
    while i < lanes.len() {
        let lane = lanes[i] as usize % Phases::LANES;
        i += 1;
        if addresses.active >> lane & 1 == 1 {
            let unit = ((addresses.bytes[lane] + offset) >> shift) as u64;
            if unit < next {
                return false;
            }
            next = unit + units;
        }
    }
    true
}

/// Two lanes that write the same byte: equal unit numbers, in a grid whose units an
/// access fills completely.
const fn race(way: Way, addresses: &Addresses, instruction: &Instruction) -> Option<[usize; 2]> {
    let lanes = head(&IN_ORDER, instruction.service().phases.addressed());
    let grid = UnitGrid::of_pieces(instruction);
    let is_one = instruction.parts() == 1 && are_active(addresses, instruction);
    if is_one
        && (ascend(addresses, lanes, grid, 0)
            || match way {
                Way::InOrder => are_in_places_of_their_own(addresses, instruction),
                Way::AtOnce => are_apart(addresses, instruction),
            })
    {
        return None;
    }
    let (mut distinct, mut part) = (Distinct::NONE, 0);
    while part < instruction.parts() {
        let offset = instruction.part(part);
        if let Some(pair) = distinct.gather(addresses, lanes, grid, offset) {
            return Some(pair);
        }
        part += 1;
    }
    None
}

/// All lanes.
const IN_ORDER: [u8; Phases::LANES] = {
    let (mut lanes, mut lane) = ([0; Phases::LANES], 0);
    while lane < lanes.len() {
        lanes[lane] = lane as u8;
        lane += 1;
    }
    lanes
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::CHIPS;

    /// Both ways count the same, of lanes that share dwords, banks or bytes, or do not.
    #[test]
    fn in_order_as_at_once() {
        let mut random = 1u64;
        let mut draw = |below: u32| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 33) as u32 % below
        };
        let (mut counted, mut races) = (0, 0);
        for row in
            CHIPS.iter().flat_map(|chip| chip.rows()).filter(|row| row.lacks_offsets().is_none())
        {
            for _ in 0..40 {
                let (stride, wrap, jitter) = (draw(40), 1 + draw(64), 1 + draw(4));
                let unit = row.alignment();
                let noise: [u32; Phases::LANES] = core::array::from_fn(|_| draw(jitter));
                let lanes = Addresses::from_fn(|lane| {
                    Some((lane % wrap * stride + noise[lane as usize]) * unit)
                });
                if refusal(&lanes, row).is_some() {
                    continue;
                }
                let found = counted_by(Way::AtOnce, &lanes, row, false);
                assert_eq!(found, counted_by(Way::InOrder, &lanes, row, false), "{}", row.name());
                counted += 1;
                races += u32::from(found.race.is_some());
            }
        }
        assert!(counted > 9_000 && races > 3_000, "{counted} {races}");
    }
}
