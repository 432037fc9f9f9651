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

mod addresses;
mod units;

pub use addresses::Addresses;

use crate::instruction::{Access, Instruction, Phases, Service};
use tiledesc_transforms::Text;
use units::{Distinct, Grid};

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
