//! The verdict on a layout, a pattern and an instruction of a chip.
//!
//! | fp16 tile 128x64 on gfx942 | write | 16-row read | 32-row read |
//! |---|---|---|---|
//! | row-major | 1 | **4** | **8** |
//! | rows padded by 8 | 1 | **2** | 1 |
//! | xor (GemmXor) | 1 | 1 | 1 |
//!
//! A verdict of 1 proves that no two lanes of a phase meet in one bank with
//! different dwords, by the phases stated for that instruction. It is a static
//! model of the wave instructions of the pattern: it says nothing of other
//! patterns, of other waves at the same time, of arbitration, or of the cycles to
//! issue. The profiler's counter is the judge; [`counters`](crate::bank::counters) says
//! what it should print.

use super::conflicts::{self, Conflicts};
use super::crowd::Crowd;
use crate::access::pattern::{Lanes, Pattern};
use crate::access::placed::{Laid, Misfit, Touched};
use crate::chip::instruction::{Evidence, Instruction, Service};
use crate::element::Element;
use crate::layout::Layout;
use tiledesc_transforms::{Descriptor, Plan, Text, attempt};

/// What the bank analyzer says of a layout, a pattern and an instruction.
///
/// Of a pattern of several instructions it holds the totals, and the details of the
/// first instruction with the highest degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    instruction: Instruction,
    instructions: u64,
    base_cycles: u64,
    conflict_cycles: u64,
    step: u64,
    conflicts: Conflicts,
    touched: Touched,
    merged: bool,
    rival: Option<u32>,
}

impl Verdict {
    /// The verdict on a plan, at compile time or at run time; elements of `bits`
    /// bits. [`Layout::verdict`] is the same of a type.
    ///
    /// ```
    /// use tiledesc::{Plan, Verdict, pattern::Lanes, chip::gfx942};
    ///
    /// // Sweep the pads of a row-major tile of halves: which are free?
    /// let free = |pad| {
    ///     let plan = Plan::naive(&[128, 64], &[64 + pad, 1]).unwrap();
    ///     let verdict = Verdict::of(&plan, 16, Lanes::rows(16), &gfx942::ds_read_b128).unwrap();
    ///     verdict.degree() == 1
    /// };
    /// let pads: Vec<u32> = (0..=64).step_by(8).filter(|pad| free(*pad)).collect();
    /// assert_eq!(pads, [16, 48]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misfit`] if the pattern cannot be laid over the tile.
    pub const fn of(
        plan: &Plan,
        bits: u32,
        lanes: Lanes,
        instruction: &Instruction,
    ) -> Result<Self, Misfit> {
        match Laid::new(plan, &plan.digits(), bits, lanes, instruction) {
            Ok(laid) => Self::of_laid(&laid, instruction),
            Err(misfit) => Err(misfit),
        }
    }

    const fn of_laid(laid: &Laid<'_>, instruction: &Instruction) -> Result<Self, Misfit> {
        let mut verdict = attempt!(Self::of_one(laid, instruction, 0));
        while verdict.instructions < laid.instructions() {
            match Self::of_one(laid, instruction, verdict.instructions) {
                Ok(next) => verdict = verdict.and(next),
                Err(misfit) => return Err(misfit),
            }
        }
        Ok(verdict)
    }

    /// Instruction `step` alone.
    const fn of_one(laid: &Laid<'_>, instruction: &Instruction, step: u64) -> Result<Self, Misfit> {
        let touched = attempt!(laid.touched(step));
        let found = match conflicts::conflicts(touched.addresses(), instruction) {
            Ok(found) => found,
            Err(refusal) => return Err(Misfit::Access(refusal)),
        };
        let rival = match instruction.rival() {
            Some(_) => match conflicts::conflicts(touched.addresses(), &instruction.as_rival()) {
                Ok(found) => Some(found.degree()),
                Err(refusal) => return Err(Misfit::Access(refusal)),
            },
            None => None,
        };
        Ok(Self {
            instruction: *instruction,
            instructions: 1,
            base_cycles: found.base_cycles as u64,
            conflict_cycles: found.conflict_cycles as u64,
            step,
            conflicts: found,
            touched,
            merged: found.merged,
            rival,
        })
    }

    /// Both, one after the other.
    const fn and(self, next: Self) -> Self {
        let (ours, theirs) = (self.conflicts.race.is_some(), next.conflicts.race.is_some());
        let worse = if ours == theirs { next.degree() > self.degree() } else { theirs };
        let shown = if worse { next } else { self };
        Self {
            instructions: self.instructions + next.instructions,
            base_cycles: self.base_cycles + next.base_cycles,
            conflict_cycles: self.conflict_cycles + next.conflict_cycles,
            merged: self.merged || next.merged,
            rival: match (self.rival, next.rival) {
                (Some(one), Some(other)) => Some(if one > other { one } else { other }),
                (one, _) => one,
            },
            ..shown
        }
    }

    /// The highest degree of all phases: 1 is free of conflicts; 0, no lane is
    /// active.
    #[must_use]
    pub const fn degree(&self) -> u32 {
        self.conflicts.degree()
    }

    /// Whether there is neither a conflict nor a data race.
    #[must_use]
    pub const fn is_free(&self) -> bool {
        self.conflict_cycles == 0 && self.conflicts.race.is_none()
    }

    /// The row of the instruction.
    #[must_use]
    pub const fn instruction(&self) -> &Instruction {
        &self.instruction
    }

    /// The number of wave instructions of the pattern.
    #[must_use]
    pub const fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Cycles without any conflict, of all instructions: one a phase.
    #[must_use]
    pub const fn base_cycles(&self) -> u64 {
        self.base_cycles
    }

    /// Further cycles because of conflicts, of all instructions.
    #[must_use]
    pub const fn conflict_cycles(&self) -> u64 {
        self.conflict_cycles
    }

    /// All cycles, of all instructions.
    #[must_use]
    pub const fn active_cycles(&self) -> u64 {
        self.base_cycles + self.conflict_cycles
    }

    /// Cycles without conflicts in a thousand cycles: 1000 is free, 250 is 4-way
    /// throughout.
    #[must_use]
    pub const fn per_mille(&self) -> u32 {
        let active = self.active_cycles();
        ((self.base_cycles * 1000 + active / 2) / active) as u32
    }

    /// The number of the instruction that is shown: the first with a data race, or
    /// with the highest degree.
    #[must_use]
    pub const fn shown(&self) -> u64 {
        self.step
    }

    /// What the shown instruction does.
    #[must_use]
    pub const fn conflicts(&self) -> &Conflicts {
        &self.conflicts
    }

    /// What each lane touches in the shown instruction.
    #[must_use]
    pub const fn touched(&self) -> &Touched {
        &self.touched
    }

    /// A phase of the shown instruction.
    #[must_use]
    pub const fn phase(&self, phase: usize) -> Crowd {
        match conflicts::phase(self.touched.addresses(), &self.instruction, phase) {
            Ok(crowd) => crowd,
            // The addresses were accepted when the verdict was found.
            Err(_) => self.conflicts.crowd,
        }
    }

    /// The highest degree as the other source has it, where sources disagree on the
    /// instruction.
    #[must_use]
    pub const fn rival_degree(&self) -> Option<u32> {
        self.rival
    }

    /// The phases and banks that the verdict rests on.
    #[must_use]
    pub const fn service(&self) -> &Service {
        match self.instruction.merged() {
            Some(merged) if self.merged => merged,
            _ => self.instruction.service(),
        }
    }
}

// The stable text.
impl Verdict {
    /// "4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0",
    /// and what it rests on if that is not sure.
    pub(crate) const fn finding(&self, text: Text) -> Text {
        let text = match (self.conflicts.race, self.conflicts.crowd.pair()) {
            (Some(lanes), _) => {
                let text = self.in_instruction(text.str("data race"));
                self.where_they_meet(text.str(": "), lanes)
            }
            (None, Some(lanes)) => {
                let text = text.number(self.degree() as u64).str("-way");
                let phase = if self.step == 0 { " in phase " } else { ", phase " };
                let text = self.in_instruction(text).str(phase);
                let text = text.number(self.conflicts.phase as u64).str(": ");
                let text = self.where_they_meet(text, lanes).str(", bank ");
                text.number(self.conflicts.crowd.bank as u64)
            }
            (None, None) => text.str("free of conflicts"),
        };
        self.doubts(text)
    }

    const fn in_instruction(&self, text: Text) -> Text {
        if self.step == 0 { text } else { text.str(" in instruction ").number(self.step) }
    }

    const fn where_they_meet(&self, text: Text, [one, other]: [usize; 2]) -> Text {
        let text = text.str("lanes ").number(one as u64).str(" and ").number(other as u64);
        let addresses = self.touched.addresses();
        let (Some(a), Some(b), Some(at), Some(bt)) = (
            addresses.get(one),
            addresses.get(other),
            self.touched.coordinate(one),
            self.touched.coordinate(other),
        ) else {
            return text;
        };
        let text = text.str(", ").coordinate(at.as_slice()).str(" and ");
        let text = text.coordinate(bt.as_slice());
        if a == b {
            return text.str(", both byte ").number(a as u64);
        }
        text.str(", bytes ").number(a as u64).str(" and ").number(b as u64)
    }

    /// What a reader must know who relies on the verdict.
    const fn doubts(&self, text: Text) -> Text {
        let service = self.service();
        let text = if let Evidence::Inferred = service.evidence {
            text.str(" (phases inferred: ").str(service.source).str(")")
        } else {
            text
        };
        match (self.rival, self.instruction.rival()) {
            (Some(degree), Some(rival)) if degree != self.degree() => {
                let text = text.str(" (disputed: ").number(degree as u64).str("-way by ");
                text.str(rival.source).str(")")
            }
            _ => text,
        }
    }

    /// The verdict as one paragraph of a stable form.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let verdict = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!(
    ///     verdict.to_string(),
    ///     "ds_read_b128 on gfx942: 4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), \
    ///      bytes 0 and 128, bank 0. 8 cycles without conflicts, 24 more with them: \
    ///      efficiency 25.0%. Phases and banks: measured (nod-ai/amd-shark-ai, \
    ///      empirical-lds/cdna3info.md). A static model: not of arbitration, nor of other waves.",
    /// );
    /// ```
    #[must_use]
    pub const fn text(&self) -> Text {
        let text = Text::new().str(self.instruction.name());
        let chip = self.instruction.chip();
        let text = if chip.is_empty() { text } else { text.str(" on ").str(chip) };
        let text = self.finding(text.str(": ")).str(". ");
        let text = if self.instructions > 1 {
            text.number(self.instructions).str(" instructions: ")
        } else {
            text
        };
        let text = text.number(self.base_cycles).str(" cycles without conflicts, ");
        let text = text.number(self.conflict_cycles).str(" more with them: efficiency ");
        let text = text.number(self.per_mille() as u64 / 10).str(".");
        let text = text.number(self.per_mille() as u64 % 10).str("%. Phases and banks: ");
        let text = text.str(self.service().evidence.name()).str(" (").str(self.service().source);
        text.str("). A static model: not of arbitration, nor of other waves.")
    }
}

impl core::fmt::Display for Verdict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl<E, D> Layout<E, D> {
    /// The verdict on this layout, a pattern and an instruction.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Rows::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!((read.degree(), read.conflict_cycles(), read.active_cycles()), (4, 24, 32));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Misfit`] if the pattern cannot be laid over the tile.
    pub const fn verdict<P: Pattern>(instruction: &Instruction) -> Result<Verdict, Misfit>
    where
        E: Element,
        D: Descriptor,
    {
        Self::judge(P::LANES, instruction)
    }

    pub(crate) const fn judge(lanes: Lanes, instruction: &Instruction) -> Result<Verdict, Misfit>
    where
        E: Element,
        D: Descriptor,
    {
        let plan = match Self::checked() {
            Ok(plan) => plan,
            Err(error) => return Err(Misfit::Layout(error)),
        };
        match Laid::new(&plan, &D::DIGITS, E::BITS, lanes, instruction) {
            Ok(laid) => Verdict::of_laid(&laid, instruction),
            Err(misfit) => Err(misfit),
        }
    }

    /// How many lanes wait for one bank, at most: for assertions of your own.
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
    /// With the sentence of the [`Misfit`].
    #[must_use]
    #[track_caller]
    pub const fn degree<P: Pattern>(instruction: &Instruction) -> u32
    where
        E: Element,
        D: Descriptor,
    {
        match Self::verdict::<P>(instruction) {
            Ok(verdict) => verdict.degree(),
            Err(misfit) => {
                let text = misfit.explain(Text::new().str(instruction.name()).str(": "));
                let sentence = text.as_str();
                panic!("{}", sentence)
            }
        }
    }
}
