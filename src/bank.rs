//! The bank rule: distinct dwords per bank and phase.
//!
//! ```text
//!   bank(byte)  = byte / 4 mod banks
//!   degree(p)   = the most distinct dwords in one bank in phase p; 0 if no lane is active
//!   base        = the number of phases; one without an active lane costs its cycle too
//!   conflict    = sum over phases of max(0, degree - 1)     as SQ_LDS_BANK_CONFLICT counts
//!   active      = base + conflict                           as SQ_LDS_IDX_ACTIVE counts
//! ```
//!
//! | 64 lanes read 16 bytes each on gfx942 | degree | conflict | active |
//! |---|---|---|---|
//! | the same 16 bytes (broadcast) | 1 | 0 | 8 |
//! | 16 bytes apart | 1 | 0 | 8 |
//! | 32 bytes apart | 2 | 8 | 16 |
//! | 128 bytes apart | 8 | 56 | 64 |
//!
//! The last two are measured on MI300X (nod-ai/amd-shark-ai, cdna3info.md: 512
//! and 3584 for 64 reads). Reads of one dword by several lanes are free, whichever
//! of its bytes they read. Writes of one dword by several lanes are free as well,
//! but if they write the same byte, nobody knows who wins: that is a data race.

use crate::instruction::{Access, Instruction, Phases, Service};
use tiledesc_transforms::Text;

/// The byte address of each lane, or that it is inactive.
///
/// ```
/// use tiledesc::bank::Addresses;
///
/// let rows = Addresses::from_fn(|lane| (lane < 48).then_some(128 * lane));
/// assert_eq!((rows.get(3), rows.get(50)), (Some(384), None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    bytes: [u32; Phases::LANES],
    active: u64,
}

impl Addresses {
    /// No lane is active.
    pub const NONE: Self = Self { bytes: [0; Phases::LANES], active: 0 };

    /// The address of each lane, by a function; `None` for an inactive one.
    #[must_use]
    pub fn from_fn(address: impl Fn(u32) -> Option<u32>) -> Self {
        (0..Phases::LANES).fold(Self::NONE, |all, lane| match address(lane as u32) {
            Some(address) => all.with(lane, address),
            None => all,
        })
    }

    /// The addresses with `lane` active at byte `address`.
    ///
    /// # Panics
    ///
    /// With a lane above 63.
    #[must_use]
    pub const fn with(mut self, lane: usize, address: u32) -> Self {
        self.set(lane, address);
        self
    }

    pub(crate) const fn set(&mut self, lane: usize, address: u32) {
        self.bytes[lane] = address;
        self.active |= 1 << lane;
    }

    /// The address of a lane; `None` if it is inactive.
    #[must_use]
    pub const fn get(&self, lane: usize) -> Option<u32> {
        if lane < Phases::LANES && self.is_active(lane) { Some(self.bytes[lane]) } else { None }
    }

    /// The active lanes, lane 0 in bit 0.
    #[must_use]
    pub const fn active(&self) -> u64 {
        self.active
    }

    const fn is_active(&self, lane: usize) -> bool {
        self.active >> lane & 1 == 1
    }

    /// Whether every active lane has its neighbour, at `distance` by xor, inactive
    /// or at the same address.
    const fn agree(&self, distance: usize) -> bool {
        let mut lane = 0;
        while lane < Phases::LANES {
            let other = lane ^ distance;
            let both = self.is_active(lane) && self.is_active(other);
            if both && self.bytes[lane] != self.bytes[other] {
                return false;
            }
            lane += 1;
        }
        true
    }
}

/// Why an instruction cannot be issued with such addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A lane's address is not aligned to the access.
    Misaligned {
        /// The lane.
        lane: usize,
        /// Its byte address.
        address: u32,
        /// What it must be a multiple of, in bytes.
        alignment: u32,
    },
    /// A lane touches bytes behind the end of memory.
    BeyondMemory {
        /// The lane.
        lane: usize,
        /// The end of what it touches, in bytes.
        end: u64,
        /// The bytes that there are.
        memory: u64,
    },
    /// A lane is active that the wave does not have.
    NoSuchLane {
        /// The lane.
        lane: usize,
        /// The lanes of the wave.
        wave: usize,
    },
    /// A lane is inactive, and the instruction needs all of them.
    Inactive {
        /// The lane.
        lane: usize,
    },
}

impl Refusal {
    /// Appends the sentence to a text.
    pub(crate) const fn explain(self, text: Text) -> Text {
        match self {
            Self::Misaligned { lane, address, alignment } => {
                let text = text.str("byte ").number(address as u64).str(" of lane ");
                let text = text.number(lane as u64).str(" is not aligned to ");
                text.number(alignment as u64)
            }
            Self::BeyondMemory { lane, end, memory } => {
                let text = text.str("lane ").number(lane as u64).str(" would touch byte ");
                let text = text.number(end.saturating_sub(1)).str(", beyond the memory of ");
                text.number(memory).str(" bytes")
            }
            Self::NoSuchLane { lane, wave } => {
                let text = text.str("lane ").number(lane as u64).str(" is active in a wave of ");
                text.number(wave as u64)
            }
            Self::Inactive { lane } => text
                .str("lane ")
                .number(lane as u64)
                .str(" is inactive, and the instruction needs all lanes"),
        }
    }
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for Refusal {}

/// Who waits for whom in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowd {
    /// The most distinct dwords in one bank; 1 is conflict-free, 0 means that no
    /// lane is active.
    pub degree: u32,
    /// The first bank with that many.
    pub bank: u32,
    /// How many banks have that many.
    pub banks: u32,
    /// Lanes that meet in that bank, one for each dword; lane 0 in bit 0. Of lanes
    /// with the same dword it is the first of the phase. None if the degree is
    /// below 2.
    pub lanes: u64,
}

impl Crowd {
    const EMPTY: Self = Self { degree: 0, bank: 0, banks: 0, lanes: 0 };

    /// Two lanes that meet in different dwords, if the degree exceeds 1.
    #[must_use]
    pub const fn pair(&self) -> Option<[usize; 2]> {
        if self.degree < 2 {
            return None;
        }
        let one = self.lanes.trailing_zeros() as usize;
        let other = (self.lanes & (self.lanes - 1)).trailing_zeros() as usize;
        Some([one, other])
    }
}

/// What one instruction does to the banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflicts {
    /// Cycles without any conflict: the number of phases.
    pub base_cycles: u32,
    /// Further cycles because of conflicts.
    pub conflict_cycles: u32,
    /// The first phase with the highest degree.
    pub phase: usize,
    /// What happens in that phase.
    pub crowd: Crowd,
    /// Two lanes that write the same byte.
    pub race: Option<[usize; 2]>,
    /// Whether lanes agree in pairs, so that phases were merged.
    pub merged: bool,
}

impl Conflicts {
    /// The highest degree of all phases: 1 is conflict-free.
    #[must_use]
    pub const fn degree(&self) -> u32 {
        self.crowd.degree
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
/// use tiledesc::{bank, target::gfx942};
///
/// // Every lane reads 16 bytes, 128 bytes apart: all in one group of banks.
/// let rows = bank::Addresses::from_fn(|lane| Some(128 * lane));
/// let found = bank::conflicts(&rows, &gfx942::ds_read_b128).unwrap();
/// assert_eq!((found.degree(), found.conflict_cycles, found.active_cycles()), (8, 56, 64));
/// assert_eq!(found.crowd.pair(), Some([0, 1]));
/// ```
///
/// # Errors
///
/// [`Refusal`]: an address that the instruction cannot have.
pub const fn conflicts(
    addresses: &Addresses,
    instruction: &Instruction,
) -> Result<Conflicts, Refusal> {
    if let Some(refusal) = refusal(addresses, instruction) {
        return Err(refusal);
    }
    let (service, merged) = service(addresses, instruction);
    let grid = Grid::of(instruction, service);
    let mut found = Conflicts {
        base_cycles: (service.phases.count() * instruction.parts()) as u32,
        conflict_cycles: 0,
        phase: 0,
        crowd: Crowd::EMPTY,
        race: None,
        merged,
    };
    let mut part = 0;
    while part < instruction.parts() {
        found = found.and(addresses, service, grid, instruction.part(part), part);
        part += 1;
    }
    if instruction.access().is(Access::Write) {
        found.race = race(addresses, instruction);
    }
    Ok(found)
}

impl Conflicts {
    /// Counts the phases of one address of each lane.
    #[inline]
    const fn and(
        mut self,
        addresses: &Addresses,
        service: &Service,
        grid: Grid,
        offset: u32,
        part: usize,
    ) -> Self {
        let count = service.phases.count();
        if let Some((phase, crowd)) = grid.free(addresses, service, offset) {
            if crowd.degree > self.crowd.degree {
                self.crowd = crowd;
                self.phase = part * count + phase;
            }
            return self;
        }
        let mut distinct = Distinct::NONE;
        let mut phase = 0;
        while phase < count {
            distinct.gather(addresses, service.phases.lanes(phase), grid, offset);
            let degree = distinct.degree(grid);
            self.conflict_cycles += degree.saturating_sub(1);
            if degree > self.crowd.degree {
                self.crowd = distinct.crowd(grid);
                self.phase = part * count + phase;
            }
            phase += 1;
        }
        self
    }
}

/// What happens in one phase. The second address of a `ds_read2` has phases of its
/// own, behind those of the first.
///
/// ```
/// use tiledesc::{bank, target::gfx942};
///
/// let rows = bank::Addresses::from_fn(|lane| Some(64 * lane));
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
) -> Result<Crowd, Refusal> {
    if let Some(refusal) = refusal(addresses, instruction) {
        return Err(refusal);
    }
    let (service, _) = service(addresses, instruction);
    let grid = Grid::of(instruction, service);
    let lanes = service.phases.lanes(phase % service.phases.count());
    let offset = instruction.part(phase / service.phases.count());
    let mut distinct = Distinct::NONE;
    distinct.gather(addresses, lanes, grid, offset);
    Ok(distinct.crowd(grid))
}

/// The first address that cannot be. All of them or-ed, which no address exceeds, tell
/// that there is none in almost every case.
#[inline]
const fn refusal(addresses: &Addresses, instruction: &Instruction) -> Option<Refusal> {
    let wave = u64::MAX >> (Phases::LANES - instruction.service().phases.wave());
    let (mut bits, mut lane) = (0, 0);
    while lane < Phases::LANES {
        bits |= addresses.bytes[lane];
        lane += 1;
    }
    let aligned = bits & (instruction.alignment() - 1) == 0;
    let within = bits as u64 + instruction.reach() as u64 <= memory(instruction);
    let lanes = addresses.active & !wave == 0
        && (!instruction.needs_whole_wave() || addresses.active == wave);
    if aligned && within && lanes { None } else { first_refusal(addresses, instruction) }
}

const fn memory(instruction: &Instruction) -> u64 {
    match instruction.memory() {
        Some(memory) => memory as u64,
        None => 1 << 32,
    }
}

const fn first_refusal(addresses: &Addresses, instruction: &Instruction) -> Option<Refusal> {
    let wave = instruction.service().phases.wave();
    let (alignment, memory) = (instruction.alignment(), memory(instruction));
    let mut lane = 0;
    while lane < Phases::LANES {
        let address = addresses.bytes[lane];
        let end = address as u64 + instruction.reach() as u64;
        if !addresses.is_active(lane) {
            if lane < wave && instruction.needs_whole_wave() {
                return Some(Refusal::Inactive { lane });
            }
        } else if lane >= wave {
            return Some(Refusal::NoSuchLane { lane, wave });
        } else if !address.is_multiple_of(alignment) {
            return Some(Refusal::Misaligned { lane, address, alignment });
        } else if end > memory {
            return Some(Refusal::BeyondMemory { lane, end, memory });
        }
        lane += 1;
    }
    None
}

/// The phases that serve these addresses, and whether they are the merged ones.
const fn service<'a>(addresses: &Addresses, instruction: &'a Instruction) -> (&'a Service, bool) {
    match instruction.merged() {
        Some(merged) if addresses.agree(1) || addresses.agree(2) => (merged, true),
        _ => (instruction.service(), false),
    }
}

/// Memory in units: the largest pieces that an access touches as a whole. Two
/// dwords of a bank are in different units, so units can be counted instead:
/// 1 for a `ds_read_b128` and not 4. A unit falls into one of `1 << groups` groups of
/// banks.
#[derive(Clone, Copy)]
struct Grid {
    /// A unit is `1 << shift` bytes.
    shift: u32,
    groups: u32,
    /// Units that a lane touches: 1, or 3 for 12 bytes.
    units: u32,
    phases: usize,
}

impl Grid {
    const fn of(instruction: &Instruction, service: &Service) -> Self {
        let (bytes, alignment) = (instruction.bytes(), instruction.alignment());
        let shift = if alignment < 4 { 2 } else { alignment.trailing_zeros() };
        let units = if bytes > alignment { bytes / alignment } else { 1 };
        let groups = (service.banks * 4).trailing_zeros() - shift;
        Self { shift, groups, units, phases: service.phases.count() }
    }

    /// The group of banks that holds a unit.
    const fn group(self, unit: u32) -> usize {
        (unit & ((1 << self.groups) - 1)) as usize
    }

    /// Dwords, and so banks, of a unit.
    const fn dwords(self) -> u32 {
        1 << (self.shift - 2)
    }

    /// The first phase with an active lane and what happens in it, if no two lanes of
    /// any phase share a group. Every row of hardware has at most 64 pairs of phase and
    /// group, one bit each: then 64 lanes without a conflict are 64 bits.
    #[inline]
    const fn free(
        self,
        addresses: &Addresses,
        service: &Service,
        offset: u32,
    ) -> Option<(usize, Crowd)> {
        if self.units > 1 || self.phases << self.groups > 64 {
            return None;
        }
        let active = addresses.active & (u64::MAX >> (Phases::LANES - service.phases.addressed()));
        let seen = self.seen(addresses, service.phases.of_each(), offset, active);
        if seen != u64::MAX && seen.count_ones() != active.count_ones() {
            return None;
        }
        if seen == 0 {
            return Some((0, Crowd::EMPTY));
        }
        let phase = seen.trailing_zeros() >> self.groups;
        let width = 1u32 << self.groups;
        let groups = (seen >> (phase << self.groups)) & (u64::MAX >> (64 - width));
        let bank = groups.trailing_zeros() * self.dwords();
        let banks = groups.count_ones() * self.dwords();
        Some((phase as usize, Crowd { degree: 1, bank, banks, lanes: 0 }))
    }

    /// A bit for each phase and group that an active lane touches.
    #[inline]
    const fn seen(
        self,
        addresses: &Addresses,
        phase_of: &[u8; Phases::LANES],
        offset: u32,
        active: u64,
    ) -> u64 {
        let mask = (1 << self.groups) - 1;
        let mut slots = [0u8; Phases::LANES];
        let mut lane = 0;
        while lane < Phases::LANES {
            let group = ((addresses.bytes[lane] + offset) >> self.shift) & mask;
            slots[lane] = (((phase_of[lane] as u32) << self.groups) | group) as u8;
            lane += 1;
        }
        // Two halves, so that no bit waits for the one before it.
        let (mut low, mut high, mut lane) = (0u64, 0u64, 0);
        while lane < Phases::LANES / 2 {
            let other = lane + Phases::LANES / 2;
            // A full wave needs no masking: one instruction a lane.
            let full = active == u64::MAX;
            low |= (if full { 1 } else { active >> lane & 1 }) << (slots[lane] % 64);
            high |= (if full { 1 } else { active >> other & 1 }) << (slots[other] % 64);
            lane += 1;
        }
        low | high
    }
}

/// Two lanes that write the same byte: equal numbers of a grid of which an access
/// fills whole units.
const fn race(addresses: &Addresses, instruction: &Instruction) -> Option<[usize; 2]> {
    let alignment = instruction.alignment();
    let units = instruction.bytes() / alignment;
    let (mut distinct, mut entry, mut part) = (Distinct::NONE, 0, 0);
    while part < instruction.parts() {
        let mut lane = 0;
        while lane < instruction.service().phases.addressed() {
            let first = (addresses.bytes[lane] + instruction.part(part)) / alignment;
            let mut unit = first;
            while addresses.is_active(lane) && unit < first + units {
                let group = unit as usize % Distinct::GROUPS;
                match distinct.insert(entry, group, unit, lane) {
                    Some(other) if other != lane => return Some([other, lane]),
                    _ => unit += 1,
                }
                entry += 1;
            }
            lane += 1;
        }
        part += 1;
    }
    None
}

/// A set of numbers in groups, each number with the lane that brought it first.
struct Distinct {
    /// The newest entry of each group, counted from 1; 0 for none.
    newest: [u8; Self::GROUPS],
    count: [u8; Self::GROUPS],
    numbers: [u32; Self::ENTRIES],
    lanes: [u8; Self::ENTRIES],
    older: [u8; Self::ENTRIES],
}

impl Distinct {
    /// As many as there are banks.
    const GROUPS: usize = 64;
    /// 64 lanes of 12 bytes touch 192 dwords.
    const ENTRIES: usize = 3 * Phases::LANES;
    const NONE: Self = Self {
        newest: [0; Self::GROUPS],
        count: [0; Self::GROUPS],
        numbers: [0; Self::ENTRIES],
        lanes: [0; Self::ENTRIES],
        older: [0; Self::ENTRIES],
    };

    /// Units of a phase that differ, group by group.
    const fn gather(&mut self, addresses: &Addresses, lanes: &[u8], grid: Grid, offset: u32) {
        self.newest = [0; Self::GROUPS];
        self.count = [0; Self::GROUPS];
        let (mut i, mut entry) = (0, 0);
        while i < lanes.len() {
            let lane = lanes[i] as usize % Phases::LANES;
            let first = (addresses.bytes[lane] + offset) >> grid.shift;
            let end = if addresses.is_active(lane) { first + grid.units } else { first };
            let mut unit = first;
            while unit < end {
                self.insert(entry, grid.group(unit), unit, lane);
                entry += 1;
                unit += 1;
            }
            i += 1;
        }
    }

    /// Adds a number as `entry`, unless it is there: then returns the lane that has it.
    const fn insert(
        &mut self,
        entry: usize,
        group: usize,
        number: u32,
        lane: usize,
    ) -> Option<usize> {
        let mut known = self.newest[group] as usize;
        while known > 0 {
            if self.numbers[known - 1] == number {
                return Some(self.lanes[known - 1] as usize);
            }
            known = self.older[known - 1] as usize;
        }
        self.numbers[entry] = number;
        self.lanes[entry] = lane as u8;
        self.older[entry] = self.newest[group];
        self.newest[group] = entry as u8 + 1;
        self.count[group] += 1;
        None
    }

    /// The most numbers in a group.
    const fn degree(&self, grid: Grid) -> u32 {
        let (mut most, mut group) = (0, 0);
        while group < 1 << grid.groups {
            most = if self.count[group] > most { self.count[group] } else { most };
            group += 1;
        }
        most as u32
    }

    /// What happens in the first group with the most numbers.
    const fn crowd(&self, grid: Grid) -> Crowd {
        let degree = self.degree(grid);
        let (mut fullest, mut groups, mut group) = (0, 0, 1usize << grid.groups);
        while group > 0 && degree > 0 {
            group -= 1;
            if self.count[group] as u32 == degree {
                fullest = group;
                groups += 1;
            }
        }
        Crowd {
            degree,
            bank: fullest as u32 * grid.dwords(),
            banks: groups * grid.dwords(),
            lanes: if degree > 1 { self.owners(fullest) } else { 0 },
        }
    }

    const fn owners(&self, group: usize) -> u64 {
        let mut lanes = 0;
        let mut entry = self.newest[group] as usize;
        while entry > 0 {
            lanes |= 1 << self.lanes[entry - 1];
            entry = self.older[entry - 1] as usize;
        }
        lanes
    }
}
