//! Which way a placement is judged: by what is known of all lanes at once, before any lane is asked.
//!
//! | of the layout, on the lanes | way | asked |
//! |---|---|---|
//! | xors of columns | a rank, once for all instructions | no lane |
//! | strides | words of banks for [runs](crate::access::runs) of lanes | a run each |
//! | any, of a table | [kinds](super::tabled) of instructions | a lane of each instruction is compared |
//! | a swizzle of the dense offset | the [number](crate::access::numbered) of each lane's element | a class of instructions |
//! | anything else | addresses | each lane of each class |

use super::{Meeting, Rival, Verdict};
use crate::access::addresses::Addresses;
use crate::access::classes::NumberClasses;
use crate::access::columns::Alike;
use crate::access::error::AccessError;
use crate::access::flips::Flips;
use crate::access::placed::Placed;
use crate::access::runs::Runs;
use crate::bank::conflicts::{self, Conflicts, conflicts_of, counted};
use crate::bank::crowd::Crowd;
use crate::bank::numbers::conflicts_by_number;
use crate::bank::row_ends::Whole;
use crate::bank::runs::RunWords;
use crate::bank::span::{Span, add};
use crate::chip::instruction::Access;
use tiledesc_transforms::{List, attempt};

impl<'i> Placed<'_, 'i> {
    /// The verdict on all its instructions, at compile time or at run time.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// // Sweep the pads of a row-major tile of halves: which are free?
    /// let free = |pad| {
    ///     let plan = Plan::naive(&[128, 64], &[64 + pad, 1]).unwrap();
    ///     let read = Placed::new(&plan, 16, Lanes::rows(16), &gfx942::ds_read_b128).unwrap();
    ///     read.verdict().unwrap().degree() == 1
    /// };
    /// let pads: Vec<u32> = (0..=64).step_by(8).filter(|pad| free(*pad)).collect();
    /// assert_eq!(pads, [16, 48]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError`] if a lane cannot touch what the pattern says.
    pub const fn verdict(&self) -> Result<Verdict<'i>, AccessError> {
        self.judged(true)
    }

    /// The verdict without the two lanes that meet, which are a good part of what it costs.
    #[doc(hidden)]
    pub const fn untold(&self) -> Result<Verdict<'i>, AccessError> {
        self.judged(false)
    }

    /// The verdict; who meets is found only if it is to be `told`, since that is a good part of what a
    /// verdict costs: see DESIGN, "What the compiler pays for".
    pub(crate) const fn judged(&self, told: bool) -> Result<Verdict<'i>, AccessError> {
        if let Some(alike) = self.alike()
            && let Some(one) = self.verdict_alike(alike, told)
        {
            return Ok(one.times(self.instructions()));
        }
        let strides = self.strides();
        if let Some(by) = &strides
            && let Some(runs) = self.runs(by)
            && let Some(verdict) = self.verdict_by_runs(&runs, &strides, told)
        {
            return if told { self.told(verdict, &strides) } else { Ok(verdict) };
        }
        if let Some(classes) = self.number_classes() {
            return self.verdict_by_number(&classes, told);
        }
        if self.listed().is_some() {
            let verdict = attempt!(self.verdict_by_table(&strides));
            return if told { self.told(verdict, &strides) } else { Ok(verdict) };
        }
        let repeats = self.repeats_by(&strides);
        // An instruction that leaves the tile is refused before anything is counted.
        if !self.are_inside() {
            attempt!(self.check());
        }
        // Lane 0 of wave 0 holds the first element of any tile.
        let addresses = attempt!(self.addresses_by(0, &strides));
        let one = attempt!(self.verdict_of(0, &addresses, false, false));
        let (mut verdict, mut step) = (one.times(repeats.of(self.walk(), 0)), 1);
        while step < repeats.end() {
            let times = repeats.of(self.walk(), step);
            if times > 0 {
                let next = attempt!(self.addresses_by(step, &strides));
                // An instruction whose lanes are all idle is not issued.
                if next.active() != 0 {
                    let one = attempt!(self.verdict_of(step, &next, false, false));
                    verdict = verdict.and(one.times(times));
                }
            }
            step += 1;
        }
        // Who meets is asked of the instruction that is shown only.
        if told { self.told(verdict, &strides) } else { Ok(verdict) }
    }

    /// The verdict on all instructions by the runs of their lanes, which are counted in words; who meets is not known.
    /// `None` where lanes that share a dword are not together.
    const fn verdict_by_runs(
        &self,
        runs: &Runs,
        strides: &Option<List>,
        told: bool,
    ) -> Option<Verdict<'i>> {
        let (instruction, walk) = (self.instruction(), self.walk());
        let Some(mut words) = RunWords::of(runs, instruction, instruction.service()) else {
            return None;
        };
        let mut rivals = match instruction.rival() {
            Some(rival) => match RunWords::of(runs, instruction, rival) {
                Some(rivals) => Some(rivals),
                None => return None,
            },
            None => None,
        };
        let whole = words.whole(runs, self.instructions());
        let rival = match whole {
            Some(_) => self.rival_of_whole(runs, &mut rivals),
            None => None,
        };
        // What one instruction does is asked where one is told, or where it is not known what all do.
        let found = match (whole, rival) {
            (Some(_), Some(_)) if !told => words.not_counted(),
            _ => words.conflicts(runs, 0),
        };
        let mut verdict =
            Verdict::new(instruction, 0, found, None, None).times(self.instructions());
        if let Some(whole) = whole
            && let Some(rival) = rival
        {
            (verdict.conflict_cycles, verdict.rival) = (whole.conflict_cycles, rival);
            // Which instruction is the first of them.
            while told && verdict.conflicts.degree < whole.degree {
                verdict.step += 1;
                verdict.conflicts = words.conflicts(runs, verdict.step as u64);
            }
            (verdict.degree, verdict.conflicts.degree) = (whole.degree, whole.degree);
            return Some(verdict);
        }
        let repeats = self.repeats_by(strides);
        let (mut cycles, mut times, mut step) = (0, repeats.of(walk, 0), 0);
        while step < repeats.end() {
            if times > 0 {
                let found = if step > 0 { words.conflicts(runs, step) } else { found };
                cycles += found.conflict_cycles as u64 * times;
                if found.degree > verdict.degree {
                    (verdict.step, verdict.conflicts) = (step as u32, found);
                    verdict.degree = found.degree;
                }
                if let Some(rivals) = &mut rivals {
                    let rival = Rival::of(&rivals.conflicts(runs, step)).times(times);
                    verdict.rival = match verdict.rival {
                        Some(before) => Some(before.and(rival)),
                        None => Some(rival),
                    };
                }
            }
            step += 1;
            times = repeats.of(walk, step);
        }
        verdict.conflict_cycles = cycles;
        Some(verdict)
    }

    /// What all instructions do by the rival source, if there is one; `None` if it is not known without asking each.
    const fn rival_of_whole(
        &self,
        runs: &Runs,
        rivals: &mut Option<RunWords<'_>>,
    ) -> Option<Option<Rival>> {
        let Some(words) = rivals else { return Some(None) };
        let base_cycles = words.phases().count() as u64 * self.instructions();
        match words.whole(runs, self.instructions()) {
            Some(Whole { conflict_cycles, degree }) => {
                Some(Some(Rival { degree, base_cycles, conflict_cycles }))
            }
            None => None,
        }
    }

    /// The same with the two lanes that meet in the instruction that is shown.
    const fn told(
        &self,
        mut verdict: Verdict<'i>,
        strides: &Option<List>,
    ) -> Result<Verdict<'i>, AccessError> {
        if verdict.degree() > 1 || verdict.conflicts.race.is_some() {
            let addresses = attempt!(self.addresses_by(verdict.shown(), strides));
            verdict.meeting = Meeting::of(self, verdict.shown(), &addresses, &verdict.conflicts);
        }
        Ok(verdict)
    }

    /// The verdict on all instructions by one of each class.
    const fn verdict_by_number(
        &self,
        classes: &NumberClasses,
        told: bool,
    ) -> Result<Verdict<'i>, AccessError> {
        let (mut verdict, mut class): (Option<Verdict<'i>>, _) = (None, 0);
        let disjoint =
            classes.are_apart() && self.instruction().parts() == 1 && self.has_each_number_once();
        let flips = self.flips();
        while class < classes.count() {
            let (step, times) = classes.at(class);
            let one = match self.verdict_by_words(classes, &flips, class, disjoint && !told) {
                Some(one) => one,
                None => match self.addresses_of(classes, &flips, class) {
                    Some(addresses) => self.verdict_of_accepted(step, &addresses, disjoint, told),
                    // Refused lane by lane, with the coordinate.
                    None => attempt!(self.verdict_on(step, told)),
                },
            };
            let all = one.times(times);
            verdict = match verdict {
                Some(before) => Some(before.and(all)),
                None => Some(all),
            };
            class += 1;
        }
        match verdict {
            Some(verdict) => Ok(verdict),
            None => self.verdict_on(0, told),
        }
    }

    /// The verdict on the first instruction of a class of disjoint lanes, without their addresses; `None` where these
    /// are asked for, or refused.
    const fn verdict_by_words(
        &self,
        classes: &NumberClasses,
        flips: &Option<Flips>,
        class: usize,
        disjoint: bool,
    ) -> Option<Verdict<'i>> {
        let instruction = self.instruction();
        let Some(flips) = flips else { return None };
        if !disjoint || instruction.alignment() < 4 || !self.ends_within() {
            return None;
        }
        let (of, row) = (self.bits_and_alignment(), (instruction, instruction.service()));
        let Some(found) = conflicts_by_number(classes, flips, class, of, row) else { return None };
        let rival = match instruction.rival() {
            Some(rival) => {
                match conflicts_by_number(classes, flips, class, of, (instruction, rival)) {
                    Some(found) => Some(Rival::of(&found)),
                    None => return None,
                }
            }
            None => None,
        };
        Some(Verdict::new(instruction, classes.at(class).0, found, rival, None))
    }

    /// Whether different numbers of elements are known to be at different offsets: no column of a
    /// [numbered](tiledesc_transforms::Numbered) layout is a sum of others.
    const fn has_each_number_once(&self) -> bool {
        let Some(numbered) = self.numbered() else { return false };
        let digits = numbered.digits();
        if !digits.is_linear() {
            return false;
        }
        let (mut basis, mut lowest, mut bit) = ([0; Span::BITS as usize], 0u32, 0);
        while bit < digits.bits(0) {
            if !add!(basis, lowest, digits.column(0, 0, bit)) {
                return false;
            }
            bit += 1;
        }
        true
    }

    /// The verdict on the first of instructions that are alike, if it tells of all.
    const fn verdict_alike(&self, alike: &Alike, told: bool) -> Option<Verdict<'i>> {
        let instruction = self.instruction();
        match alike {
            Alike::Columns(columns) => {
                let Some(found) = Conflicts::by_rank(columns, instruction) else { return None };
                let rival = match instruction.rival() {
                    Some(_) => match Conflicts::by_rank(columns, &instruction.as_rival()) {
                        Some(rival) => Some(Rival::of(&rival)),
                        None => return None,
                    },
                    None => None,
                };
                // Who meets is asked of the phase that is shown only.
                let meeting = if told && found.degree > 1 {
                    let lanes = instruction.served(found.merged).phases.lanes(0);
                    Meeting::of(self, 0, &columns.of_lanes(lanes), &found)
                } else {
                    None
                };
                Some(Verdict::new(instruction, 0, found, rival, meeting))
            }
            Alike::Sums { addresses, disjoint } => {
                match self.verdict_of(0, addresses, *disjoint, told) {
                    Ok(verdict) => Some(verdict),
                    // Refused lane by lane, with the coordinate.
                    Err(_) => None,
                }
            }
        }
    }

    /// The verdict on instruction `step` alone.
    const fn verdict_on(&self, step: u64, told: bool) -> Result<Verdict<'i>, AccessError> {
        let touched = attempt!(self.touched(step));
        self.verdict_of(step, touched.addresses(), false, told)
    }

    /// The verdict on instruction `step`, which has these addresses.
    pub(super) const fn verdict_of(
        &self,
        step: u64,
        addresses: &Addresses,
        disjoint: bool,
        told: bool,
    ) -> Result<Verdict<'i>, AccessError> {
        let instruction = self.instruction();
        let found = conflicts_of(addresses, instruction, disjoint);
        let found = attempt!(found => AccessError::Address);
        Ok(self.with_rival(step, addresses, found, disjoint, told))
    }

    /// Whether lanes were found to have no byte in common: of a write without a race.
    const fn are_apart(&self, found: &Conflicts) -> bool {
        self.instruction().access().is(Access::Write) && found.race.is_none()
    }

    /// The same of addresses that the instruction is known to take.
    const fn verdict_of_accepted(
        &self,
        step: u64,
        addresses: &Addresses,
        disjoint: bool,
        told: bool,
    ) -> Verdict<'i> {
        let instruction = self.instruction();
        let found = counted(addresses, instruction, disjoint);
        self.with_rival(step, addresses, found, disjoint, told)
    }

    /// The verdict of what was found by the row's own source, and of what the other one finds: of addresses that the
    /// instruction takes.
    const fn with_rival(
        &self,
        step: u64,
        addresses: &Addresses,
        found: Conflicts,
        disjoint: bool,
        told: bool,
    ) -> Verdict<'i> {
        let instruction = self.instruction();
        let rival = match instruction.rival() {
            Some(_) => {
                let disjoint = disjoint || self.are_apart(&found);
                Some(Rival::of(&counted(addresses, &instruction.as_rival(), disjoint)))
            }
            None => None,
        };
        let meeting = if told { Meeting::of(self, step, addresses, &found) } else { None };
        Verdict::new(instruction, step, found, rival, meeting)
    }

    /// What happens in a phase of instruction `step`.
    ///
    /// ```
    /// use tiledesc::{prelude::*, chip::gfx942};
    ///
    /// layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let read = Rows::placed::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// let phase = read.phase(0, 4).unwrap();
    /// assert_eq!((phase.degree, phase.bank), (4, 8));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`verdict`](Self::verdict).
    pub const fn phase(&self, step: u64, phase: usize) -> Result<Crowd, AccessError> {
        let touched = attempt!(self.touched(step));
        let crowd = conflicts::phase(touched.addresses(), self.instruction(), phase);
        Ok(attempt!(crowd => AccessError::Address))
    }
}
