//! The ways to judge a placement: by what is known of all lanes at once, before any single lane is computed.
//!
//! | of the layout, on the lanes | way | asked |
//! |---|---|---|
//! | xors of columns | a [rank](crate::bank::fast::rank), once for all instructions | no lane |
//! | strides, where lanes are disjoint | a count of one instruction of each [kind](crate::access::fast::kinds), by words of banks for [runs](crate::access::runs) of lanes | a run each |
//! | anything else | the same count, lane by lane | each lane of these |

use super::{Cost, Meeting, Verdict};
use crate::access::addresses::Addresses;
use crate::access::columns::Columns;
use crate::access::error::AccessError;
use crate::access::placed::Placed;
use crate::access::refusal::refusal;
use crate::bank::conflicts::{self, Conflicts, count, count_phases};
use crate::bank::crowd::Crowd;
use crate::bank::runs::RunWords;
use crate::chip::instruction::Instruction;
use tiledesc_transforms::{List, attempt, range};

/// The instructions that were counted: the verdict on one that is a [moved](Addresses::is_moved) one of these is known. Tables
/// come round to where they began, which only their lanes show.
struct Seen<'i> {
    lanes: [Addresses; MOST_SEEN],
    verdicts: [Verdict<'i>; MOST_SEEN],
    count: usize,
    unit: u32,
}

/// The number of instructions that are kept; of more, the last.
const MOST_SEEN: usize = 16;

impl<'i> Seen<'i> {
    const fn new(lanes: Addresses, verdict: Verdict<'i>, instruction: &Instruction) -> Self {
        let (lanes, verdicts) = ([lanes; MOST_SEEN], [verdict; MOST_SEEN]);
        Self { lanes, verdicts, count: 1, unit: instruction.moved_unit() }
    }

    /// The verdict on these lanes, if they are some that were kept, moved by whole units.
    const fn verdict_on(&self, lanes: &Addresses) -> Option<Verdict<'i>> {
        let kept = if self.count < MOST_SEEN { self.count } else { MOST_SEEN };
        range!(i, 0..kept, {
            if lanes.is_moved(&self.lanes[i], self.unit) {
                return Some(self.verdicts[i]);
            }
        });
        None
    }

    const fn keep(&mut self, lanes: Addresses, verdict: Verdict<'i>) {
        let place = self.count % MOST_SEEN;
        (self.lanes[place], self.verdicts[place]) = (lanes, verdict);
        self.count += 1;
    }
}

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
    /// [`AccessError`] if a lane cannot touch what the pattern gives it.
    pub const fn verdict(&self) -> Result<Verdict<'i>, AccessError> {
        let mut verdict = attempt!(self.verdict_without_pair());
        if verdict.degree() > 1 || verdict.conflicts.race.is_some() {
            let addresses = attempt!(self.shown_addresses(&verdict));
            verdict.meeting = Meeting::new(self, verdict.shown(), &addresses, &verdict.conflicts);
        }
        Ok(verdict)
    }

    /// The addresses of the instruction that is shown; of columns those of the phase that is shown are enough.
    const fn shown_addresses(&self, verdict: &Verdict<'_>) -> Result<Addresses, AccessError> {
        let Conflicts { race, merged, phase, .. } = verdict.conflicts;
        match self.columns() {
            Some(columns) if race.is_none() => {
                let phases = &self.instruction().served(merged).phases;
                Ok(columns.of_lanes(phases.lanes(phase % phases.count())))
            }
            _ => self.addresses_by(verdict.shown(), &self.strides()),
        }
    }

    /// The verdict without the two lanes that meet, which are a good part of what it costs: see DESIGN, "What the compiler pays
    /// for".
    #[doc(hidden)]
    pub const fn verdict_without_pair(&self) -> Result<Verdict<'i>, AccessError> {
        if let Some(columns) = self.columns()
            && let Some(one) = self.verdict_by_rank(columns)
        {
            return Ok(one.times(self.instructions()));
        }
        let strides = self.strides();
        match self.verdict_by_runs(&strides) {
            Some(verdict) => Ok(verdict),
            None => self.verdict_by_kinds(&strides),
        }
    }

    /// The verdict on all instructions by the lanes of one of each kind, without the pair of lanes.
    const fn verdict_by_kinds(&self, strides: &Option<List>) -> Result<Verdict<'i>, AccessError> {
        let kinds = self.kinds_by(strides);
        // Lane 0 of wave 0 holds the first element of any tile.
        let first = attempt!(self.addresses_by(0, strides));
        let one = attempt!(self.verdict_of(0, &first));
        let mut seen = Seen::new(first, one, self.instruction());
        let mut verdict = one.times(kinds.steps_of(self.walk(), 0));
        range!(step, 1..kinds.end(), {
            let times = kinds.steps_of(self.walk(), step);
            if times > 0 {
                let lanes = attempt!(self.addresses_by(step, strides));
                // An instruction whose lanes are all idle is not issued.
                if lanes.active() != 0 {
                    let one = match seen.verdict_on(&lanes) {
                        Some(one) => one,
                        None => {
                            let one = attempt!(self.verdict_of(step, &lanes));
                            seen.keep(lanes, one);
                            one
                        }
                    };
                    verdict = verdict.and(one.times(times));
                }
            }
        });
        Ok(verdict)
    }

    /// The verdict on all instructions by the runs of their lanes, which are counted in words, without the pair of lanes.
    /// `None` of lanes that are no runs, and where those that share a dword are not together.
    const fn verdict_by_runs(&self, strides: &Option<List>) -> Option<Verdict<'i>> {
        let Some(by) = strides else { return None };
        let Some(runs) = &self.runs(by) else { return None };
        let (instruction, walk, kinds) = (self.instruction(), self.walk(), self.kinds_by(strides));
        let mut own = RunWords::new(runs, instruction, instruction.service());
        let mut rivals = match instruction.rival() {
            Some(rival) => RunWords::new(runs, instruction, rival),
            None => None,
        };
        let (Some(own), true) = (&mut own, rivals.is_some() == instruction.rival().is_some())
        else {
            return None;
        };
        let mut verdict: Option<Verdict<'i>> = None;
        range!(step, 0..kinds.end(), {
            let times = kinds.steps_of(walk, step);
            if times > 0 {
                let begin = self.begin_of_runs(runs, by, step);
                let rival = match &mut rivals {
                    Some(rivals) => Some(Cost::new(&rivals.conflicts(runs, begin))),
                    None => None,
                };
                let found = own.conflicts(runs, begin);
                let one = Verdict::new(instruction, step, found, rival).times(times);
                verdict = match verdict {
                    Some(before) => Some(before.and(one)),
                    None => Some(one),
                };
            }
        });
        verdict
    }

    /// The verdict on the first instruction by its columns, if a rank decides it, without the pair of lanes.
    const fn verdict_by_rank(&self, columns: &Columns) -> Option<Verdict<'i>> {
        let instruction = self.instruction();
        let Some(found) = Conflicts::by_rank(columns, instruction) else { return None };
        let rival = match instruction.rival() {
            Some(_) => match Conflicts::by_rank(columns, &instruction.as_rival()) {
                Some(rival) => Some(Cost::new(&rival)),
                None => return None,
            },
            None => None,
        };
        Some(Verdict::new(instruction, 0, found, rival))
    }

    /// The verdict on instruction `step`, which has these addresses, without the pair of lanes.
    const fn verdict_of(
        &self,
        step: u64,
        addresses: &Addresses,
    ) -> Result<Verdict<'i>, AccessError> {
        let instruction = self.instruction();
        if let Some(refusal) = refusal(addresses, instruction) {
            return Err(AccessError::Address(refusal));
        }
        let rival = match instruction.rival() {
            Some(_) => Some(Cost::new(&count_phases(addresses, &instruction.as_rival()))),
            None => None,
        };
        Ok(Verdict::new(instruction, step, count(addresses, instruction), rival))
    }

    /// Returns the fullest bank of a phase of instruction `step`.
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
