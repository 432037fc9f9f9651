//! The verdict on a layout, a pattern and an instruction of a chip.
//!
//! | fp16 tile 128x64 on gfx942 | write | 16-row read | 32-row read |
//! |---|---|---|---|
//! | row-major | 1 | **4** | **8** |
//! | rows padded by 8 | 1 | **2** | 1 |
//! | xor (GemmXor) | 1 | 1 | 1 |
//!
//! A verdict of 1 proves that no two lanes of a phase meet in one bank with different dwords, by the phases stated for that
//! instruction. It is a static model of the wave instructions of the pattern: it does not cover other patterns, other waves at
//! the same time, arbitration, or the cycles to issue. The profiler's counter is the judge;
//! `tiledesc_host::counters` has the counts that it should print.

mod ways;
mod words;

use super::conflicts::{self, Conflicts};
use super::outlined;
use crate::access::addresses::Addresses;
use crate::access::error::AccessError;
use crate::access::placed::Placed;
use crate::chip::instruction::{Instruction, Service};
use crate::element::Element;
use crate::layout::{Layout, Recipe};
use crate::pattern::Pattern;
use tiledesc_transforms::{List, Text, attempt, say};

/// The bank analyzer's verdict on a layout, a pattern and an instruction.
///
/// For a pattern of several instructions it holds the totals, and the two lanes that meet in the first instruction with the
/// highest degree. The [`Placed`] that it came from has what every lane touches.
#[doc(alias = "bank conflict")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    instruction: &'a Instruction,
    instructions: u64,
    own: Cost,
    step: u32,
    conflicts: Conflicts,
    meeting: Option<Meeting>,
    merged: bool,
    /// The cost by the other of two sources that disagree.
    rival: Option<Cost>,
}

/// The cost of instructions by one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    degree: u32,
    base_cycles: u64,
    conflict_cycles: u64,
}

impl Cost {
    const fn new(found: &Conflicts) -> Self {
        let (base_cycles, conflict_cycles) =
            (found.base_cycles as u64, found.conflict_cycles as u64);
        Self { degree: found.degree, base_cycles, conflict_cycles }
    }

    const fn cycles(&self) -> u64 {
        self.base_cycles + self.conflict_cycles
    }

    /// The cost of as many instructions that are alike.
    const fn times(self, instructions: u64) -> Self {
        let (base_cycles, conflict_cycles) =
            (self.base_cycles * instructions, self.conflict_cycles * instructions);
        Self { base_cycles, conflict_cycles, ..self }
    }

    /// Both, one after the other.
    const fn and(self, next: Self) -> Self {
        Self {
            degree: if self.degree > next.degree { self.degree } else { next.degree },
            base_cycles: self.base_cycles + next.base_cycles,
            conflict_cycles: self.conflict_cycles + next.conflict_cycles,
        }
    }
}

/// Two lanes that meet in a bank, or write the same byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Meeting {
    lanes: [u8; 2],
    bytes: [u32; 2],
    coordinates: [List; 2],
    /// The bank, if they meet in one.
    bank: u32,
}

impl Meeting {
    /// The lanes of a race, or the first two of the fullest bank.
    const fn pair(
        addresses: &Addresses,
        instruction: &Instruction,
        found: &Conflicts,
    ) -> Option<([usize; 2], u32)> {
        if let Some(pair) = found.race {
            return Some((pair, 0));
        }
        if found.degree < 2 {
            return None;
        }
        let service = instruction.served(found.merged);
        let crowd = conflicts::crowd(addresses, instruction, service, found.phase);
        match crowd.pair() {
            Some(pair) => Some((pair, crowd.bank)),
            None => None,
        }
    }

    /// Returns the two lanes of `addresses` that meet, with the coordinates that `placed` gives them in instruction `step`.
    const fn new(
        placed: &Placed<'_, '_>,
        step: u64,
        addresses: &Addresses,
        found: &Conflicts,
    ) -> Option<Self> {
        let Some(([one, other], bank)) = Self::pair(addresses, placed.instruction(), found) else {
            return None;
        };
        let (Some(a), Some(b)) = (addresses.get(one), addresses.get(other)) else { return None };
        let (at, bt) = (placed.first_coordinate(step, one), placed.first_coordinate(step, other));
        let (lanes, bytes) = ([one as u8, other as u8], [a, b]);
        Some(Self { lanes, bytes, coordinates: [at, bt], bank })
    }

    /// "lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128"
    const fn explain(&self, text: Text) -> Text {
        let text = say!(text:
            "lanes ", self.lanes[0], " and ", self.lanes[1], ", ",
            coordinate(self.coordinates[0].as_slice()), " and ",
            coordinate(self.coordinates[1].as_slice())
        );
        let [a, b] = self.bytes;
        if a == b {
            return say!(text: ", both byte ", a);
        }
        say!(text: ", bytes ", a, " and ", b)
    }
}

impl<'i> Verdict<'i> {
    /// On one instruction, without the pair of lanes.
    const fn new(
        instruction: &'i Instruction,
        step: u64,
        conflicts: Conflicts,
        rival: Option<Cost>,
    ) -> Self {
        let (own, merged, step) = (Cost::new(&conflicts), conflicts.merged, step as u32);
        Self { instruction, instructions: 1, own, step, conflicts, meeting: None, merged, rival }
    }

    /// The cycles of several instructions that are alike.
    const fn times(self, instructions: u64) -> Self {
        let rival = match self.rival {
            Some(rival) => Some(rival.times(instructions)),
            None => None,
        };
        Self { instructions, own: self.own.times(instructions), rival, ..self }
    }
}

impl Verdict<'_> {
    /// Both, one after the other.
    const fn and(self, next: Self) -> Self {
        let (ours, theirs) = (self.conflicts.race.is_some(), next.conflicts.race.is_some());
        let is_slower = next.conflicts.degree > self.conflicts.degree;
        let worse = if ours == theirs { is_slower } else { theirs };
        let shown = if worse { next } else { self };
        Self {
            instructions: self.instructions + next.instructions,
            // An instruction that races may wait less than another one.
            own: self.own.and(next.own),
            merged: self.merged || next.merged,
            rival: match (self.rival, next.rival) {
                (Some(one), Some(other)) => Some(one.and(other)),
                (one, _) => one,
            },
            ..shown
        }
    }

    /// The highest degree of all phases of all instructions, by the row's own source: 1 is free of conflicts.
    #[must_use]
    pub const fn degree(&self) -> u32 {
        self.own.degree
    }

    /// Returns whether there is neither a conflict nor a data race; where sources disagree on the instruction, by each of them,
    /// unless the row states which counts ([`as_disputed`](Instruction::as_disputed), [`as_rival`](Instruction::as_rival)).
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// assert!(!read.is_free());
    /// let write = Plain::verdict::<RowMajor>(&gfx942::ds_write_b128).unwrap();
    /// assert!(write.is_free());
    /// ```
    #[must_use]
    pub const fn is_free(&self) -> bool {
        self.worst_degree() <= 1 && self.conflicts.race.is_none()
    }

    /// The highest degree by any source that counts: the larger of [`degree`](Self::degree) and
    /// [`rival_degree`](Self::rival_degree), unless the row states which counts.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!(read.worst_degree(), 4);
    /// ```
    #[must_use]
    pub const fn worst_degree(&self) -> u32 {
        match self.rival {
            Some(rival) if !self.instruction.is_settled() && rival.degree > self.degree() => {
                rival.degree
            }
            _ => self.degree(),
        }
    }

    /// Returns whether only the other source finds a conflict.
    pub(crate) const fn is_free_but_disputed(&self) -> bool {
        self.own.conflict_cycles == 0 && self.conflicts.race.is_none() && !self.is_free()
    }

    /// The row of the instruction.
    #[must_use]
    pub const fn instruction(&self) -> &Instruction {
        self.instruction
    }

    /// The number of wave instructions of the pattern.
    #[must_use]
    pub const fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Cycles without any conflict, of all instructions: one a phase.
    #[must_use]
    pub const fn base_cycles(&self) -> u64 {
        self.own.base_cycles
    }

    /// Further cycles because of conflicts, of all instructions.
    #[must_use]
    pub const fn conflict_cycles(&self) -> u64 {
        self.own.conflict_cycles
    }

    /// All cycles, of all instructions.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// // 16 instructions: 8 of work each, and 3 more for each of these.
    /// assert_eq!(read.active_cycles(), 512);
    /// ```
    #[must_use]
    pub const fn active_cycles(&self) -> u64 {
        self.own.cycles()
    }

    /// All cycles by the rival source; `None` if the row is not disputed.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950, prelude::*};
    ///
    /// layout! { type Tile = recipe::RowMajor<F32, M<64>, K<4>>; }
    /// let column = Tile::verdict::<Column>(&gfx950::ds_read_b32).unwrap();
    /// assert_eq!((column.active_cycles(), column.rival_cycles()), (32, Some(16)));
    /// ```
    #[must_use]
    pub const fn rival_cycles(&self) -> Option<u64> {
        match self.rival {
            Some(rival) => Some(rival.cycles()),
            None => None,
        }
    }

    /// Conflict cycles that the rival source counts, where both sources count; else 0.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950, prelude::*};
    ///
    /// layout! { type Tile = recipe::RowMajor<F32, M<2>, K<64>>; }
    /// pattern! { Halves(lane) => [lane / 32, lane % 32]; }
    /// let disputed = |row| Tile::verdict::<Halves>(row).unwrap().disputed_cycles();
    /// let row = gfx950::ds_read_b32;
    /// assert_eq!([disputed(&row), disputed(&row.as_disputed())], [1, 0]);
    /// ```
    #[must_use]
    pub const fn disputed_cycles(&self) -> u64 {
        match self.rival {
            Some(rival) if !self.instruction.is_settled() => rival.conflict_cycles,
            _ => 0,
        }
    }

    /// Cycles without conflicts in a thousand cycles: 1000 is free, 250 is 4-way
    /// throughout.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!(read.per_mille(), 250);
    /// ```
    #[must_use]
    pub const fn per_mille(&self) -> u32 {
        let active = self.active_cycles();
        ((self.own.base_cycles * 1000 + active / 2) / active) as u32
    }

    /// The number of the instruction that is shown: the first of the highest degree, of those with a data race if
    /// there are any.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// // All 16 are 4-way.
    /// assert_eq!(read.shown(), 0);
    /// ```
    #[must_use]
    pub const fn shown(&self) -> u64 {
        self.step as u64
    }

    /// The two lanes that are shown: of a race, or the first two of the fullest bank; `None` if
    /// no lanes meet.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// // Lanes 0 and 1 are rows 0 and 1, 128 bytes apart, and served in one cycle.
    /// assert_eq!(read.pair(), Some([0, 1]));
    /// ```
    #[must_use]
    pub const fn pair(&self) -> Option<[usize; 2]> {
        match self.meeting {
            Some(meeting) => Some([meeting.lanes[0] as usize, meeting.lanes[1] as usize]),
            None => None,
        }
    }

    /// The bank conflicts of the shown instruction.
    #[must_use]
    pub const fn conflicts(&self) -> &Conflicts {
        &self.conflicts
    }

    /// The highest degree by the rival source, where sources disagree on the instruction.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Plain::verdict::<MfmaRows<16>>(&gfx950::ds_read_b32).unwrap();
    /// assert_eq!((read.degree(), read.rival_degree()), (16, Some(8)));
    /// ```
    #[must_use]
    pub const fn rival_degree(&self) -> Option<u32> {
        match self.rival {
            Some(rival) => Some(rival.degree),
            None => None,
        }
    }

    /// The phases and banks that the verdict rests on.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!(read.service().phases.count(), 8);
    /// ```
    #[must_use]
    pub const fn service(&self) -> &Service {
        self.instruction.served(self.merged)
    }

    /// The weakest evidence it rests on: some instructions may be merged and others not.
    ///
    /// ```
    /// use tiledesc::{chip::{Evidence, Instruction, Phases}, prelude::*};
    ///
    /// const READ: Instruction = Instruction::read("vx_read_b64", 8)
    ///     .inferred("as the write")
    ///     .merging(Phases::contiguous(32), Evidence::Measured, "a benchmark");
    /// layout! { type Rows = recipe::RowMajor<F32, M<2>, K<128>>; }
    /// pattern! {
    ///     /// Pairs of lanes read the same in the first instruction, and not in the second.
    ///     Pairs(lane, step in 2) => [step, (lane >> (1 - step)) * 2];
    /// }
    /// let verdict = Rows::verdict::<Pairs>(&READ).unwrap();
    /// assert_eq!(verdict.service().source, "a benchmark");
    /// assert_eq!(verdict.weakest().source, "as the write");
    /// ```
    #[must_use]
    pub const fn weakest(&self) -> &Service {
        let plain = self.instruction.service();
        match self.instruction.merged() {
            Some(merged) if self.merged => {
                let mixed = self.instructions > 1;
                let weaker = plain.evidence.is_weaker_than(merged.evidence);
                if mixed && weaker { plain } else { merged }
            }
            _ => plain,
        }
    }
}

/// The degree of an access, or a refusal that begins with the instruction's name.
#[track_caller]
const fn degree_or_refuse(
    placed: Result<Placed<'_, '_>, AccessError>,
    instruction: &Instruction,
) -> u32 {
    let verdict = match &placed {
        Ok(placed) => match placed.verdict_without_pair() {
            // A race is no number of lanes that wait, and `degree <= 2` would be true of it: its two lanes are named.
            Ok(verdict) if verdict.conflicts.race.is_some() => placed.verdict(),
            verdict => verdict,
        },
        Err(misfit) => Err(*misfit),
    };
    let text = say!(Text::new(): str(instruction.name()), ": ");
    match verdict {
        Ok(verdict) if verdict.conflicts.race.is_some() => verdict.finding(text).refuse(),
        Ok(verdict) => verdict.worst_degree(),
        Err(misfit) => misfit.explain(text).refuse(),
    }
}

impl<E, R> Layout<E, R> {
    /// The verdict on this layout, a pattern and an instruction: on all instructions that it takes to visit the
    /// tile, or on one, of a pattern that is [`First`](crate::pattern::First).
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Rows::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!((read.degree(), read.conflict_cycles(), read.active_cycles()), (4, 384, 512));
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError`] if the pattern cannot be laid over the tile.
    pub const fn verdict<P: Pattern>(instruction: &Instruction) -> Result<Verdict<'_>, AccessError>
    where
        E: Element,
        R: Recipe<E>,
    {
        attempt!(Self::placed::<P>(instruction)).verdict()
    }

    /// Returns the largest number of lanes that wait for one bank in any instruction that it takes to visit the tile: for
    /// assertions of your own. Where sources disagree on the instruction it is the larger figure, unless the row states which
    /// counts ([`Instruction::as_disputed`]).
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Padded = recipe::FlatmmPad<F16, M<128>, K<64>, KPack<8>>; }
    /// // 2-way is good enough here.
    /// const _: () = assert!(Padded::degree::<MfmaRows<16>>(&gfx942::ds_read_b128) <= 2);
    /// ```
    ///
    /// # Panics
    ///
    /// With the sentence of the [`AccessError`], and where two lanes write one byte: a race has no degree.
    #[must_use]
    #[track_caller]
    pub const fn degree<P: Pattern>(instruction: &Instruction) -> u32
    where
        E: Element,
        R: Recipe<E>,
    {
        match outlined::degree::<Self>(&P::LANES, instruction) {
            Some(degree) => degree,
            None => degree_or_refuse(Self::placed::<P>(instruction), instruction),
        }
    }
}
