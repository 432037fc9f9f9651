//! The descent through linear layouts: branch and bound, to the end or until its work is spent.
//!
//! Columns are chosen from the lowest bit up. Two units that agree in all bits above share a bank from then on, or never.
//! So the fullest group of banks among such units bounds what any choice above costs, and a branch whose bound is no less
//! than the best is left:
//!
//! ```text
//!   bits chosen    of 8 units of a phase agree in the bits above    fullest group    no layout of this branch below
//!   none           pairs                                            1                8 cycles
//!   7              fours                                            2                16
//!   7, 8           all eight                                        2                16    the cost
//! ```

use super::form::Form;
use super::linear::{Linear, Units, Work, mask_of, place};
use core::ops::Range;
use std::collections::BTreeSet;

/// Units that one descent places before it gives up: some 5 ms.
const MOST_DESCENDED: usize = 1_000_000;

/// Units that it places where several layouts of the same cycles are compared.
const MOST_LISTED: usize = MOST_DESCENDED / 8;

impl Linear {
    /// The columns of the fewest cycles below `below`, if there are any; and whether the search was given up before it had
    /// looked at all.
    pub(super) fn descend(&self, form: &dyn Form, below: u64) -> (Option<Vec<u32>>, bool) {
        let bound = self.bound(form);
        if bound.0 >= below {
            return (None, false);
        }
        let mut descent = Descent::new(self, form, bound, 1);
        // What loses no more than it must is mostly there, and ends most branches at once.
        let mut is_cut = descent.run(descent.least + 1, MOST_DESCENDED);
        if descent.found.is_empty() && descent.below < below {
            is_cut = descent.run(below, MOST_DESCENDED);
        }
        (descent.found.pop(), is_cut)
    }

    /// The first columns of such cycles, at most `most`, that a part of the work comes to.
    pub(super) fn all_of(&self, form: &dyn Form, cycles: u64, most: usize) -> Vec<Vec<u32>> {
        let mut descent = Descent::new(self, form, self.bound(form), most);
        descent.run(cycles.saturating_add(1), MOST_LISTED);
        descent.found
    }

    /// A lower bound of any layout of a form: the cycles, and the fullest group of each phase.
    fn bound(&self, form: &dyn Form) -> (u64, Vec<u64>) {
        let fullest: Vec<u64> = self.phases.iter().map(|units| units.least_fullest(form)).collect();
        let lost = |(units, fullest): (&Units, &u64)| units.times * (fullest - 1);
        (self.floor + self.phases.iter().zip(&fullest).map(lost).sum::<u64>(), fullest)
    }

    /// The units whose groups are decided once all columns below a bit are chosen, and not before.
    fn decided(&self, form: &dyn Form, bit: u32) -> Vec<Group> {
        let Range { start, end } = form.chosen();
        let above = mask_of(bit..end);
        let differ = |alike: &[u32]| alike.iter().fold(0, |all, byte| all | byte ^ alike[0]);
        let is_new = |alike: &&[u32]| {
            alike.len() > 1 && (bit == start || differ(alike) >> (bit - 1) & 1 == 1)
        };
        let of_phase = |(phase, units): (usize, &Units)| {
            let mut bytes = units.bytes.clone();
            bytes.sort_by_key(|byte| byte & above);
            let alike = bytes.chunk_by(|one, other| (one ^ other) & above == 0).filter(is_new);
            // Lanes that are xors of columns have one group in all.
            let alike: BTreeSet<Vec<u32>> = alike.map(from_first).collect();
            alike.into_iter().map(move |bytes| Group { phase, bytes, places: Vec::new() })
        };
        self.phases.iter().enumerate().flat_map(of_phase).collect()
    }
}

impl Units {
    /// The least number of units in the fullest group, in any layout of a form: those that agree in the bank bits that
    /// nothing flips share as many groups as the other bank bits distinguish.
    fn least_fullest(&self, form: &dyn Form) -> u64 {
        let [banks, flipped] = [self.banks.bits(), form.flipped()].map(mask_of);
        let mut kinds: Vec<u32> = self.bytes.iter().map(|byte| byte & banks & !flipped).collect();
        kinds.sort_unstable();
        let most = kinds.chunk_by(|one, other| one == other).map(<[u32]>::len).max();
        (most.unwrap_or(1) as u64).div_ceil(1 << (banks & flipped).count_ones())
    }
}

/// Units of a phase that agree in all bits whose columns are still to be chosen.
#[derive(Debug)]
struct Group {
    phase: usize,
    /// The units' bytes as xors of one of them.
    bytes: Vec<u32>,
    /// The units' places by the columns below the last; empty until they are needed.
    places: Vec<u32>,
}

/// Some units as xors of the first, in order.
fn from_first(bytes: &[u32]) -> Vec<u32> {
    let mut bytes: Vec<u32> = bytes.iter().map(|byte| byte ^ bytes[0]).collect();
    bytes.sort_unstable();
    bytes
}

struct Descent<'a> {
    linear: &'a Linear,
    form: &'a dyn Form,
    /// The groups that are decided with the columns below each bit, from the first that is chosen.
    decided: Vec<Vec<Group>>,
    columns: Vec<u32>,
    /// The fullest group of each phase by the columns so far, and what to restore where other columns are chosen.
    fullest: Vec<u64>,
    replaced: Vec<(usize, u64)>,
    /// Cycles that no layout of the form stays below.
    least: u64,
    below: u64,
    work: Work<'a>,
    /// The columns of the fewest cycles so far; where several are wanted, those below the bound.
    found: Vec<Vec<u32>>,
    most: usize,
}

impl<'a> Descent<'a> {
    /// A descent to the best, or to so many.
    fn new(
        linear: &'a Linear,
        form: &'a dyn Form,
        (least, fullest): (u64, Vec<u64>),
        most: usize,
    ) -> Self {
        let Range { start, end } = form.chosen();
        let decided = (start..=end).map(|bit| linear.decided(form, bit)).collect();
        let (columns, work) = (linear.columns.clone(), linear.work(0));
        let (below, replaced, found) = (least, Vec::new(), Vec::new());
        Self { linear, form, decided, columns, fullest, replaced, least, below, work, found, most }
    }

    /// Searches for layouts of fewer than `below` cycles, placing at most `work` units; returns whether it gave up before the
    /// end.
    fn run(&mut self, below: u64, work: usize) -> bool {
        (self.below, self.work) = (below, self.linear.work(work));
        let begin = self.form.chosen().start;
        if let Some(cycles) = self.cost(begin, self.least) {
            self.choose(begin, cycles);
        }
        self.restore(0);
        self.work.is_spent()
    }

    /// Chooses the columns from a bit on; those so far cost so many cycles.
    fn choose(&mut self, bit: u32, so_far: u64) {
        let at = (bit - self.form.chosen().start) as usize;
        if bit == self.form.chosen().end {
            if self.most == 1 {
                self.below = so_far;
                self.found.clear();
            }
            return self.found.push(self.columns.clone());
        }
        self.decided[at + 1].iter_mut().for_each(|group| group.places.clear());
        let (is_used, replaced) = (self.linear.used >> bit & 1 == 1, self.replaced.len());
        for column in self.form.choices(bit, &self.columns, is_used) {
            let is_enough = self.most > 1 && self.found.len() == self.most;
            if is_enough || self.work.is_spent() || self.below <= self.least {
                break;
            }
            self.columns[bit as usize] = column;
            if let Some(cycles) = self.cost(bit + 1, so_far) {
                self.choose(bit + 1, cycles);
            }
            self.restore(replaced);
        }
        self.columns[bit as usize] = 1 << bit;
    }

    /// The cycles with the columns below a bit; `None` if they are too many for any columns above.
    fn cost(&mut self, bit: u32, mut cycles: u64) -> Option<u64> {
        let (last, below) = (bit as usize - 1, mask_of(0..bit - 1));
        let groups = &mut self.decided[(bit - self.form.chosen().start) as usize];
        for at in 0..groups.len() {
            let Group { phase, bytes, places } = &mut groups[at];
            let Units { banks, times, .. } = &self.linear.phases[*phase];
            if bytes.len() as u64 <= self.fullest[*phase] {
                continue;
            }
            if places.is_empty() {
                places.extend(bytes.iter().map(|byte| place(&self.columns, byte & below)));
            }
            let column = self.columns[last];
            let units = bytes.iter().zip(places).map(|(byte, place)| {
                let moved = if byte >> last & 1 == 1 { column } else { 0 };
                (*place ^ moved) >> banks.shift
            });
            let most = banks.fullest(units);
            self.work.spend(bytes.len());
            if most > self.fullest[*phase] {
                cycles += times * (most - self.fullest[*phase]);
                self.replaced.push((*phase, self.fullest[*phase]));
                self.fullest[*phase] = most;
            }
            if cycles >= self.below {
                // What is in the way once mostly is so again.
                groups[..=at].rotate_right(1);
                return None;
            }
        }
        Some(cycles)
    }

    /// The fullest groups as they were.
    fn restore(&mut self, replaced: usize) {
        for (phase, fullest) in self.replaced.drain(replaced..).rev() {
            self.fullest[phase] = fullest;
        }
    }
}
