//! Addresses that depend on data: which byte a lane touches is one of some, and no lane knows of another.
//!
//! ```text
//!   any bin < 256; bin * 4      of a wave of 32 lanes on 32 banks
//!   at worst     all lanes in one bank: 8 bins are in each, so 8-way       a matching of lanes and dwords, bank by bank
//!   at best      all lanes in one bin: free
//!   on average   3.4 cycles where 1 would do                               1000 draws, each lane for itself
//! ```

use std::collections::{BTreeSet, HashMap, HashSet};
use tiledesc::access::{AccessError, Addresses, Placed};
use tiledesc::bank::conflicts;
use tiledesc::chip::Instruction;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::{List, Plan};

/// Draws of the average: its error is some 1 % of it.
pub(crate) const DRAWS: u32 = 1000;

/// Instructions that are checked at once: each takes 8 KiB.
const CHECKED: usize = 256;

/// Rounds of the search for the best.
const ROUNDS: usize = 4;

/// What each lane may touch, of each wave: a byte or nothing for each value of the data.
#[derive(Clone, Debug)]
pub(crate) struct Choices(pub(crate) Vec<Vec<Vec<Option<u32>>>>);

/// The choices of an access, and what they come to on each chip.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub(crate) choices: Choices,
    /// Of each chip, once its layout is known.
    settled: Vec<Settled>,
    /// The first value of each lane, as long as it is not.
    first: Vec<Row>,
}

/// What choices come to by the row of a chip.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    /// The lanes that wait longest.
    worst: Vec<Row>,
    /// The degree of the best that was found: 1 is free.
    pub(crate) best: u32,
    /// Cycles of all draws.
    pub(crate) drawn: u64,
}

impl Data {
    pub(crate) fn new(choices: Choices) -> Self {
        let first = choices.row(|values| values.iter().flatten().next().copied());
        Self { choices, settled: Vec::new(), first }
    }

    /// The lanes that wait longest on a chip, by its place among those of the tile.
    pub(crate) fn lanes(&self, at: usize) -> Lanes<'_> {
        Lanes::table(self.settled.get(at).map_or(&self.first, |one| &one.worst), 0)
    }

    pub(crate) fn settled(&self, at: usize) -> Option<&Settled> {
        self.settled.get(at)
    }

    /// Finds the worst, the best and the average by the row of each chip.
    ///
    /// # Errors
    ///
    /// What is wrong with a byte that a lane may touch.
    pub(crate) fn settle(&mut self, plan: &Plan, rows: &[Instruction]) -> Result<(), AccessError> {
        for row in rows {
            self.choices.check(plan, row)?;
            let settled = self.choices.settled(plan, row)?;
            self.settled.push(settled);
        }
        Ok(())
    }
}

impl Choices {
    /// A row of each wave, of what a rule chooses of a lane's values.
    fn row(&self, mut choose: impl FnMut(&[Option<u32>]) -> Option<u32>) -> Vec<Row> {
        let mut of_wave = |lanes: &Vec<Vec<Option<u32>>>| {
            let mut row: Row = [None; 64];
            for (lane, values) in row.iter_mut().zip(lanes) {
                *lane = choose(values).map(|byte| List::new(&[byte]));
            }
            row
        };
        self.0.iter().map(&mut of_wave).collect()
    }

    /// Checks every byte that a lane may touch: alignment, and the ends of the tile.
    fn check(&self, plan: &Plan, row: &Instruction) -> Result<(), AccessError> {
        let most = self.0.iter().flatten().map(Vec::len).max().unwrap_or(0);
        for first in (0..most).step_by(CHECKED) {
            let values = first..most.min(first + CHECKED);
            let rows: Vec<_> =
                values.flat_map(|at| self.row(|all| all.get(at).copied().flatten())).collect();
            Placed::new(plan, 8, Lanes::table(&rows, 0), row)?.verdict()?;
        }
        Ok(())
    }

    fn settled(&self, plan: &Plan, row: &Instruction) -> Result<Settled, AccessError> {
        // Every byte was checked.
        let offsets: HashMap<u32, u32> = (self.0.iter().flatten().flatten().flatten())
            .map(|byte| (*byte, plan.offset(&[*byte]).unwrap_or(*byte)))
            .collect();
        let judged = |rows: &[Row]| {
            rows.iter().try_fold((0, 0), |(degree, cycles), lanes| {
                let byte = |lane: u32| {
                    let at = lanes.get(lane as usize)?.as_ref()?.at(0);
                    offsets.get(&at).copied()
                };
                let found =
                    conflicts(&Addresses::from_fn(byte), row).map_err(AccessError::Address)?;
                let active = u64::from(found.base_cycles + found.conflict_cycles);
                Ok::<_, AccessError>((found.degree().max(degree), cycles + active))
            })
        };
        let dwords = |byte: u32| {
            let begin = offsets.get(&byte).copied().unwrap_or(byte);
            begin / 4..(begin + row.bytes()).div_ceil(4)
        };
        let worst = self.by_phase(row, &|lanes, phase| worst(lanes, phase, row, &dwords));
        let best = self.by_phase(row, &|lanes, phase| best(lanes, phase, row, &dwords));
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut draw = |values: &[Option<u32>]| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let at = (random >> 33) as usize % values.len().max(1);
            values.get(at).copied().flatten()
        };
        // Of one degree the most cycles: how many phases an instruction has may depend on where its lanes are.
        let (mut worst, mut drawn) = ((judged(&worst)?, worst), 0);
        for _ in 0..DRAWS {
            let rows = self.row(&mut draw);
            let found = judged(&rows)?;
            drawn += found.1;
            if found > worst.0 {
                worst = (found, rows);
            }
        }
        Ok(Settled { best: judged(&best)?.0, worst: worst.1, drawn })
    }

    /// A row of each wave, of whose phases each is chosen by itself: no lane is in two.
    fn by_phase(&self, row: &Instruction, choose: &Choose<'_>) -> Vec<Row> {
        let phases = &row.service().phases;
        let of_wave = |lanes: &Vec<Vec<Option<u32>>>| {
            let mut all: Row = [None; 64];
            for phase in 0..phases.count() {
                let here: Vec<usize> =
                    phases.lanes(phase).iter().map(|lane| *lane as usize).collect();
                for (lane, byte) in here.iter().zip(choose(lanes, &here)) {
                    all[*lane] = byte.map(|byte| List::new(&[byte]));
                }
            }
            all
        };
        self.0.iter().map(of_wave).collect()
    }
}

/// Chooses the byte of each lane of a phase, of what all lanes of the wave may touch.
type Choose<'c> = dyn Fn(&[Vec<Option<u32>>], &[usize]) -> Vec<Option<u32>> + 'c;

/// The dwords of a byte.
type Dwords<'d> = dyn Fn(u32) -> std::ops::Range<u32> + 'd;

/// The bytes that lanes may touch.
fn bytes_of(lanes: &[Vec<Option<u32>>], lane: usize) -> impl Iterator<Item = u32> {
    lanes.get(lane).into_iter().flatten().flatten().copied()
}

/// The choice with the most different dwords in one bank: the largest matching of lanes and dwords.
fn worst(
    lanes: &[Vec<Option<u32>>],
    phase: &[usize],
    row: &Instruction,
    dwords: &Dwords<'_>,
) -> Vec<Option<u32>> {
    let banks = row.service().banks;
    let first = |lane: &usize| bytes_of(lanes, *lane).next();
    let mut most = (0, phase.iter().map(first).collect::<Vec<_>>());
    for bank in 0..banks {
        // Of each lane the dwords of the bank that it may touch, and by which byte.
        let edges: Vec<Vec<(u32, u32)>> = phase
            .iter()
            .map(|lane| {
                let of_byte = |byte: u32| dwords(byte).map(move |dword| (dword, byte));
                let mut all: Vec<_> = bytes_of(lanes, *lane).flat_map(of_byte).collect();
                all.retain(|(dword, _)| dword % banks == bank);
                all.sort_unstable();
                all.dedup_by_key(|(dword, _)| *dword);
                all
            })
            .collect();
        let matched = matching(&edges);
        let count = matched.iter().flatten().count();
        if count > most.0 {
            let chosen = phase.iter().zip(matched).map(|(lane, byte)| byte.or_else(|| first(lane)));
            most = (count, chosen.collect());
        }
    }
    most.1
}

/// A largest matching: of each lane the byte of its own dword, if it has one.
fn matching(edges: &[Vec<(u32, u32)>]) -> Vec<Option<u32>> {
    let mut owner: HashMap<u32, usize> = HashMap::new();
    let mut byte = vec![None; edges.len()];
    fn place(
        lane: usize,
        edges: &[Vec<(u32, u32)>],
        owner: &mut HashMap<u32, usize>,
        byte: &mut [Option<u32>],
        seen: &mut HashSet<u32>,
    ) -> bool {
        for (dword, by) in &edges[lane] {
            if !seen.insert(*dword) {
                continue;
            }
            let is_free = match owner.get(dword).copied() {
                None => true,
                Some(other) => place(other, edges, owner, byte, seen),
            };
            if is_free {
                owner.insert(*dword, lane);
                byte[lane] = Some(*by);
                return true;
            }
        }
        false
    }
    for lane in 0..edges.len() {
        place(lane, edges, &mut owner, &mut byte, &mut Default::default());
    }
    byte
}

/// A choice with few different dwords in any bank: lanes take the byte that adds least, in turn and again.
fn best(
    lanes: &[Vec<Option<u32>>],
    phase: &[usize],
    row: &Instruction,
    dwords: &Dwords<'_>,
) -> Vec<Option<u32>> {
    let banks = row.service().banks as usize;
    let mut chosen: Vec<Option<u32>> = vec![None; phase.len()];
    let touched = |chosen: &[Option<u32>], but: usize| {
        let each = chosen.iter().enumerate().filter(|(at, _)| *at != but);
        let all = each.filter_map(|(_, byte)| *byte).flat_map(dwords);
        all.collect::<BTreeSet<u32>>()
    };
    for _ in 0..ROUNDS {
        for (at, lane) in phase.iter().enumerate() {
            let values = lanes.get(*lane).map_or(&[][..], Vec::as_slice);
            if values.is_empty() || values.contains(&None) {
                continue;
            }
            let others = touched(&chosen, at);
            let mut loads = vec![0_u32; banks];
            others.iter().for_each(|dword| loads[*dword as usize % banks] += 1);
            let added = |byte: &u32| {
                let new = dwords(*byte).filter(|dword| !others.contains(dword));
                new.map(|dword| loads[dword as usize % banks] + 1).max().unwrap_or(0)
            };
            chosen[at] = bytes_of(lanes, *lane).min_by_key(added);
        }
    }
    chosen
}
