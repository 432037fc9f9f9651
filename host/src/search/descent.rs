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

use super::linear::{Descended, Form, Linear, Units, mask_of, place};

/// Units that one descent places before it gives up: some 10 ms.
const MOST_PLACED: usize = 1_000_000;

impl Linear {
    /// The columns of the fewest cycles below `below`.
    pub(super) fn descend(&self, form: &dyn Form, below: u64) -> Descended {
        let bound = self.bound(form);
        if bound.cycles >= below {
            return Descended { columns: None, is_cut: false };
        }
        let mut least = bound.cycles;
        if least == self.floor {
            let free = self.free(form);
            if free.columns.is_some() {
                return free;
            }
            // Nothing is free: the fewest cycles are more.
            least += u64::from(!free.is_cut);
        }
        let mut descent = Descent::new(self, form, [least, 1]);
        if bound.cycles > self.floor {
            // What loses no more than it must is mostly there, and ends most branches at once.
            descent.run(&bound, bound.cycles + 1);
        }
        if descent.found.is_empty() {
            descent.run(&bound, below);
        }
        Descended { columns: descent.found.pop(), is_cut: descent.left == 0 }
    }

    /// Some columns of such cycles: the first, up to so many, that a part of the work comes to.
    pub(super) fn all_of(&self, form: &dyn Form, cycles: u64, most: usize) -> Vec<Vec<u32>> {
        let mut descent = Descent::new(self, form, [0, most as u64]);
        descent.left = MOST_PLACED / 16;
        descent.run(&self.bound(form), cycles + 1);
        descent.found
    }

    /// What any layout of a form costs.
    fn bound(&self, form: &dyn Form) -> Cost {
        let fullest: Vec<u64> = self.phases.iter().map(|units| units.least_fullest(form)).collect();
        let lost = |(units, fullest): (&Units, &u64)| units.times * (fullest - 1);
        let cycles = self.floor + self.phases.iter().zip(&fullest).map(lost).sum::<u64>();
        Cost { cycles, fullest }
    }

    /// The units of which it is decided which share a group once all columns below a bit are chosen, and not before.
    fn decided(&self, form: &dyn Form, bit: u32) -> Vec<Group> {
        let chosen = form.chosen();
        let is_first = bit == chosen.start;
        if !(is_first || chosen.start < bit && bit <= chosen.end) {
            return Vec::new();
        }
        let above = mask_of(bit..chosen.end.max(bit));
        let mut groups = Vec::new();
        for (phase, units) in self.phases.iter().enumerate() {
            let mut bytes = units.bytes.clone();
            bytes.sort_by_key(|byte| byte & above);
            for alike in bytes.chunk_by(|one, other| (one ^ other) & above == 0) {
                let differ = alike.iter().fold(0, |differ, byte| differ | byte ^ alike[0]);
                if alike.len() > 1 && (is_first || differ >> (bit - 1) & 1 == 1) {
                    groups.push(Group { phase, bytes: alike.to_vec() });
                }
            }
        }
        groups
    }
}

impl Units {
    /// The least number of units in the fullest group, in any layout of a form: those that agree in the bank bits that
    /// nothing flips share as many groups as the other bank bits tell apart.
    fn least_fullest(&self, form: &dyn Form) -> u64 {
        let flipped = form.flipped();
        let (free, fixed): (Vec<u32>, Vec<u32>) =
            self.banks.bits().partition(|bit| flipped.contains(bit));
        let fixed = fixed.into_iter().fold(0, |mask, bit| mask | 1 << bit);
        let mut kinds: Vec<u32> = self.bytes.iter().map(|byte| byte & fixed).collect();
        kinds.sort_unstable();
        let most = kinds.chunk_by(|one, other| one == other).map(<[u32]>::len).max();
        (most.unwrap_or(1) as u64).div_ceil(1 << free.len())
    }
}

/// Units of a phase that agree in all bits whose columns are still to be chosen.
#[derive(Debug)]
struct Group {
    phase: usize,
    bytes: Vec<u32>,
}

/// What the columns so far cost: the cycles, and the fullest group of each phase.
#[derive(Clone)]
struct Cost {
    cycles: u64,
    fullest: Vec<u64>,
}

struct Descent<'a> {
    linear: &'a Linear,
    form: &'a dyn Form,
    /// By each bit what is decided when the columns below it are chosen.
    decided: Vec<Vec<Group>>,
    columns: Vec<u32>,
    /// Cycles that no layout of the form stays below.
    least: u64,
    below: u64,
    /// Units that may still be placed.
    left: usize,
    /// The columns of the fewest cycles so far; where several are wanted, those below the bound.
    found: Vec<Vec<u32>>,
    most: usize,
}

impl<'a> Descent<'a> {
    fn new(linear: &'a Linear, form: &'a dyn Form, [least, most]: [u64; 2]) -> Self {
        let decided = (0..=linear.end).map(|bit| linear.decided(form, bit)).collect();
        let (columns, found) = (linear.in_order(), Vec::new());
        let (below, left, most) = (u64::MAX, MOST_PLACED, most as usize);
        Self { linear, form, decided, columns, least, below, left, found, most }
    }

    fn run(&mut self, bound: &Cost, below: u64) {
        self.below = below;
        let begin = self.form.chosen().start;
        if let Some(cost) = self.cost(begin, bound) {
            self.choose(begin, &cost);
        }
    }

    /// Chooses the columns from a bit on.
    fn choose(&mut self, bit: u32, so_far: &Cost) {
        if bit == self.form.chosen().end {
            if self.most == 1 {
                self.below = so_far.cycles;
                self.found.clear();
            }
            return self.found.push(self.columns.clone());
        }
        let is_used = self.linear.used >> bit & 1 == 1;
        for column in self.form.choices(bit, &self.columns, is_used) {
            let is_enough = self.most > 1 && self.found.len() == self.most;
            if is_enough || self.left == 0 || self.below <= self.least {
                break;
            }
            self.columns[bit as usize] = column;
            if let Some(cost) = self.cost(bit + 1, so_far) {
                self.choose(bit + 1, &cost);
            }
        }
        self.columns[bit as usize] = 1 << bit;
    }

    /// The cost with the columns below a bit; `None` if it is too much, whatever those above are.
    fn cost(&mut self, bit: u32, so_far: &Cost) -> Option<Cost> {
        let (mut cost, groups) = (so_far.clone(), &mut self.decided[bit as usize]);
        for at in 0..groups.len() {
            let Group { phase, bytes } = &groups[at];
            let Units { banks, times, .. } = &self.linear.phases[*phase];
            let most = banks.fullest(bytes.iter().map(|byte| place(&self.columns, *byte)));
            self.left = self.left.saturating_sub(bytes.len());
            if most > cost.fullest[*phase] {
                cost.cycles += times * (most - cost.fullest[*phase]);
                cost.fullest[*phase] = most;
            }
            if cost.cycles >= self.below {
                // What is in the way once mostly is so again.
                groups[..=at].rotate_right(1);
                return None;
            }
        }
        Some(cost)
    }
}
