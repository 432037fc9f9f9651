//! A memory instruction as the banks see it: bytes a lane, phases, banks.
//!
//! A wave of 64 lanes asks for up to 1024 bytes at once; 32 banks deliver 128 in
//! a cycle. So the hardware serves the lanes in *phases*, and only lanes of one
//! phase can conflict. Which lanes those are, and how many banks there are,
//! belongs to the pair of chip and instruction.

/// Which lanes are served together.
///
/// ```
/// use tiledesc::Phases;
///
/// const WRITES: Phases = Phases::contiguous(8);
/// assert_eq!((WRITES.count(), WRITES.of(9)), (8, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases {
    phase_of: [u8; Self::LANES],
    count: usize,
}

impl Phases {
    /// The largest number of lanes in a wave.
    pub const LANES: usize = 64;

    /// `lanes` consecutive lanes a phase, for a wave of 64.
    ///
    /// # Panics
    ///
    /// If `lanes` is 0.
    #[must_use]
    pub const fn contiguous(lanes: usize) -> Self {
        let mut phase_of = [0; Self::LANES];
        let mut lane = 0;
        while lane < Self::LANES {
            phase_of[lane] = (lane / lanes) as u8;
            lane += 1;
        }
        Self { phase_of, count: Self::LANES.div_ceil(lanes) }
    }

    /// Groups of lanes, each a phase. Lanes in no group are in phase 0.
    ///
    /// # Panics
    ///
    /// With a lane above 63, without groups, or with more than 64.
    #[must_use]
    pub const fn groups(groups: &[&[usize]]) -> Self {
        assert!(!groups.is_empty() && groups.len() <= 64, "a wave has 1 to 64 phases");
        Self { phase_of: [0; Self::LANES], count: groups.len() }.grouped(groups, 0, 0)
    }

    /// Groups of lanes 0 to 31; lanes 32 to 63 are grouped alike, behind them.
    ///
    /// # Panics
    ///
    /// With a lane above 31, without groups, or with more than 32.
    #[must_use]
    pub const fn halves(groups: &[&[usize]]) -> Self {
        assert!(!groups.is_empty() && groups.len() <= 32, "half a wave has 1 to 32 phases");
        let both = Self { phase_of: [0; Self::LANES], count: 2 * groups.len() };
        both.grouped(groups, 0, 0).grouped(groups, 32, groups.len())
    }

    const fn grouped(mut self, groups: &[&[usize]], first_lane: usize, first: usize) -> Self {
        let mut group = 0;
        while group < groups.len() {
            let mut i = 0;
            while i < groups[group].len() {
                self.phase_of[groups[group][i] + first_lane] = (group + first) as u8;
                i += 1;
            }
            group += 1;
        }
        self
    }

    /// The number of phases: the cycles without any conflict.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The phase of a lane.
    ///
    /// # Panics
    ///
    /// With a lane above 63.
    #[must_use]
    pub const fn of(&self, lane: usize) -> usize {
        self.phase_of[lane] as usize
    }
}

/// Whether an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
}

impl Access {
    pub(crate) const fn is(self, other: Self) -> bool {
        matches!((self, other), (Self::Read, Self::Read) | (Self::Write, Self::Write))
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    pub(crate) const fn verb(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Write => "writes",
        }
    }
}

/// One instruction of one chip.
///
/// ```
/// use tiledesc::{Instruction, Phases};
///
/// const MY_READ: Instruction = Instruction::read("vx_read_b64", 8)
///     .banks(64)
///     .phases(Phases::contiguous(32))
///     .source("measured here, 2026-11");
/// assert_eq!(MY_READ.bytes, 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instruction {
    /// The mnemonic.
    pub name: &'static str,
    /// Reads or writes.
    pub access: Access,
    /// Bytes each lane touches.
    pub bytes: u32,
    /// Banks of 4 bytes that the lanes of a phase share.
    pub banks: usize,
    /// Which lanes are served together.
    pub phases: Phases,
    /// Where the phases and banks are from.
    pub source: &'static str,
}

impl Instruction {
    /// A read of `bytes` a lane: 32 banks, and as many consecutive lanes a phase
    /// as they serve, until told otherwise.
    ///
    /// # Panics
    ///
    /// Unless `bytes` is 1 to 16, the widest LDS access of any chip.
    #[must_use]
    pub const fn read(name: &'static str, bytes: u32) -> Self {
        Self::new(name, Access::Read, bytes)
    }

    /// A write of `bytes` a lane; see [`read`](Self::read).
    #[must_use]
    pub const fn write(name: &'static str, bytes: u32) -> Self {
        Self::new(name, Access::Write, bytes)
    }

    const fn new(name: &'static str, access: Access, bytes: u32) -> Self {
        assert!(bytes >= 1 && bytes <= 16, "a lane touches 1 to 16 bytes");
        let dwords = if bytes < 4 { 1 } else { bytes.div_ceil(4) as usize };
        let lanes = if dwords < 32 { 32 / dwords } else { 1 };
        let phases = Phases::contiguous(lanes);
        Self { name, access, bytes, banks: 32, phases, source: "not stated" }
    }

    /// With another number of banks.
    #[must_use]
    pub const fn banks(mut self, banks: usize) -> Self {
        self.banks = banks;
        self
    }

    /// With other phases.
    #[must_use]
    pub const fn phases(mut self, phases: Phases) -> Self {
        self.phases = phases;
        self
    }

    /// With the source of its facts.
    #[must_use]
    pub const fn source(mut self, source: &'static str) -> Self {
        self.source = source;
        self
    }
}
