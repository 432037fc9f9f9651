//! The instructions of a kernel, from which the tiles of stated accesses are taken one by one.
//!
//! ```text
//!   ds_write_b128, lanes 16 bytes apart   at 0, 1024, 2048, .. 31744      32 of them: two tiles of 16, at 0 and at 16384
//! ```

use super::{Kept, Lack, Missing, Stated};
use crate::issue::Issue;
use crate::kernel::Kernel;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tiledesc::chip::{Chip, Instruction};

/// The number of bytes at which a tile that fits nowhere is tried, to find how much of it is there.
const TRIED: usize = 256;

/// The shape of instructions whose lanes differ by the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub(super) opcode: &'static str,
    /// Bytes between the two addresses of a lane.
    pair: u32,
    lanes: Vec<Option<u32>>,
}

impl Shape {
    /// The shape of lanes, and the byte of the first.
    fn new(row: &Instruction, opcode: &'static str, bytes: &[Option<u32>]) -> Option<(Self, u32)> {
        let first = bytes.iter().find_map(|byte| *byte)?;
        let lanes = bytes.iter().map(|byte| byte.map(|byte| byte.wrapping_sub(first))).collect();
        let pair = row.part(1).wrapping_sub(row.part(0));
        Some((Self { opcode, pair, lanes }, first.wrapping_add(row.part(0))))
    }
}

/// The name under which a chip's own rows have an instruction, which other assemblers call otherwise.
pub(super) fn canonical(chip: &Chip, row: &Instruction) -> &'static str {
    let strict = chip.rows().iter().find(|own| own.looser() == Some(row.name()));
    let row = strict.unwrap_or(row);
    let plain = chip.instruction(row.name()).unwrap_or(row);
    let same = chip.rows().iter().find(|own| own.named(plain.name()) == *plain);
    same.map_or(row.name(), Instruction::name)
}

/// Instructions that are left, by their shape and the byte of their first lane; `None` if that is known up to u.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) shapes: HashMap<Shape, usize>,
    pub(super) left: Vec<BTreeMap<Option<u32>, Vec<usize>>>,
}

/// An instruction of a stated access: its shape in the pool, if the code has it, and the byte of its first lane.
pub(super) type Step = (Option<usize>, u32);

impl Pool {
    pub(super) fn new(kernel: &Kernel, issues: &[Issue]) -> Self {
        let mut pool = Self::default();
        for (at, issue) in issues.iter().enumerate() {
            let Ok(row) = &kernel.sites[issue.site].access else { continue };
            let opcode = canonical(kernel.chip, &row.row);
            let last = row.row.service().phases.addressed().min(issue.bytes.len());
            let Some((shape, first)) = Shape::new(&row.row, opcode, &issue.bytes[..last]) else {
                continue;
            };
            let next = pool.left.len();
            let shape = *pool.shapes.entry(shape).or_insert(next);
            if shape == next {
                pool.left.push(BTreeMap::new());
            }
            let first = (issue.zeros == 32).then_some(first);
            pool.left[shape].entry(first).or_default().push(at);
        }
        pool
    }

    pub(super) fn steps(&self, chip: &Chip, stated: &Stated) -> Vec<Step> {
        let opcode = canonical(chip, &stated.row);
        let of = |bytes: &Vec<Option<u32>>| {
            let (shape, first) = Shape::new(&stated.row, opcode, bytes)?;
            Some((self.shapes.get(&shape).copied(), first))
        };
        stated.steps.iter().filter_map(of).collect()
    }

    /// Returns whether some instruction of a step's shape is known up to u.
    fn is_loose(&self, steps: &[Step]) -> bool {
        steps
            .iter()
            .filter_map(|(shape, _)| *shape)
            .any(|shape| self.left[shape].get(&None).is_some_and(|left| !left.is_empty()))
    }

    /// Takes one instruction for each step, whole or not at all: where the tile begins, if that is known. The lowest
    /// place is taken first: what is there can be of no tile that begins further on.
    fn take(&mut self, steps: &[Step]) -> Option<Option<u32>> {
        let begin = match self.is_loose(steps) {
            true => None,
            false => {
                let (Some(shape), first) = *steps.first()? else { return None };
                Some(self.begins(shape, first).find(|begin| self.holds(steps, *begin))?)
            }
        };
        let all = self.gather(steps, begin);
        let is_whole = all.len() == steps.len();
        all.into_iter().filter(|_| is_whole).for_each(|(at, key)| self.remove(at, key));
        is_whole.then_some(begin)
    }

    /// The bytes at which a tile may begin that has an instruction of this shape.
    fn begins(&self, shape: usize, first: u32) -> impl Iterator<Item = u32> + '_ {
        let left = self.left[shape].iter().filter(|(_, left)| !left.is_empty());
        left.filter_map(move |(byte, _)| (*byte)?.checked_sub(first))
    }

    fn holds(&self, steps: &[Step], begin: u32) -> bool {
        let there = |(shape, first): &Step| {
            let key = Some(begin.wrapping_add(*first));
            shape.is_some_and(|at| self.left[at].get(&key).is_some_and(|left| !left.is_empty()))
        };
        steps.iter().all(there) && self.gather(steps, Some(begin)).len() == steps.len()
    }

    /// Chooses instructions for as many steps as possible: each once.
    fn gather(&self, steps: &[Step], begin: Option<u32>) -> Vec<(usize, Option<u32>)> {
        let mut used: HashMap<(usize, Option<u32>), usize> = HashMap::new();
        let mut taken = Vec::new();
        for (shape, first) in steps {
            let Some(shape) = *shape else { continue };
            let keys: Vec<_> = match begin {
                Some(begin) => vec![Some(begin.wrapping_add(*first))],
                None => self.left[shape].keys().copied().collect(),
            };
            let free = keys.into_iter().find(|key| {
                let there = self.left[shape].get(key).map_or(0, Vec::len);
                used.get(&(shape, *key)).copied().unwrap_or(0) < there
            });
            if let Some(key) = free {
                *used.entry((shape, key)).or_insert(0) += 1;
                taken.push((shape, key));
            }
        }
        taken
    }

    fn remove(&mut self, shape: usize, key: Option<u32>) {
        if let Some(left) = self.left[shape].get_mut(&key) {
            left.pop();
        }
    }

    /// Takes as much of an access as there is: how many instructions, the first missing step, and why it is missing.
    pub(super) fn part(&mut self, steps: &[Step]) -> (usize, usize, Lack) {
        let begin = if self.is_loose(steps) { None } else { self.best(steps) };
        let is_loose = self.is_loose(steps);
        let taken = match (begin, is_loose) {
            (None, false) => Vec::new(),
            (begin, _) => self.gather(steps, begin),
        };
        let mut rest = taken.clone();
        let missing = steps.iter().position(|(shape, first)| {
            let is = |(at, key): &(usize, Option<u32>)| {
                Some(*at) == *shape
                    && begin.is_none_or(|begin| *key == Some(begin.wrapping_add(*first)))
            };
            match rest.iter().position(is) {
                Some(at) => {
                    rest.swap_remove(at);
                    false
                }
                None => true,
            }
        });
        let step = missing.unwrap_or(0);
        let why = match steps.get(step).and_then(|(shape, _)| *shape) {
            None => Lack::Lanes,
            Some(_) if self.gather(steps, None).len() == steps.len() => Lack::Elsewhere,
            Some(_) => Lack::Fewer,
        };
        let found = taken.len();
        taken.into_iter().for_each(|(at, key)| self.remove(at, key));
        (found, step, why)
    }

    /// Describes a step that is missing.
    pub(super) fn missing(&self, stated: &Stated, opcode: &str, step: usize, why: Lack) -> Missing {
        let bytes = stated.steps.get(step).map_or(&[][..], Vec::as_slice);
        let on: Vec<_> =
            bytes.iter().enumerate().filter_map(|(lane, byte)| Some((lane, (*byte)?))).collect();
        let mut missing =
            Missing { step, lanes: on.iter().copied().take(2).collect(), apart: None, why };
        let (Lack::Lanes, Some((_, first))) = (why, on.first()) else { return missing };
        // Where the most alike of the code's instructions leaves the stated one.
        let leaves = |shape: &Shape| {
            on.iter().position(|(lane, byte)| {
                shape.lanes.get(*lane).copied().flatten() != Some(byte.wrapping_sub(*first))
            })
        };
        let all = self.shapes.keys().filter(|shape| shape.opcode == opcode);
        let alike = all.filter_map(|shape| Some((leaves(shape)?, shape)));
        let key = |(at, shape): &(usize, &Shape)| (*at, std::cmp::Reverse(shape.lanes.clone()));
        if let Some((at, shape)) = alike.max_by_key(key)
            && at > 0
        {
            missing.lanes = vec![on[0], on[at]];
            missing.apart = shape.lanes.get(on[at].0).copied().flatten().map(u32::cast_signed);
        }
        missing
    }

    /// The byte at which the largest part of a tile begins.
    fn best(&self, steps: &[Step]) -> Option<u32> {
        let mut begins: Vec<_> = steps
            .iter()
            .filter_map(|(shape, first)| Some(((*shape)?, *first)))
            .flat_map(|(shape, first)| self.begins(shape, first))
            .collect();
        begins.sort_unstable();
        begins.dedup();
        begins.truncate(TRIED);
        let there = |begin: &u32| self.gather(steps, Some(*begin)).len();
        begins.into_iter().rev().max_by_key(there)
    }
}

/// Equal accesses, such as those of two tiles of one layout, which share what the code has.
pub(super) struct Group {
    pub(super) members: Vec<usize>,
    /// The byte at which each tile begins that was found.
    pub(super) begins: Vec<Option<u32>>,
}

impl Group {
    pub(super) fn from_steps(all: &[Vec<Step>]) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for at in (0..all.len()).filter(|at| !all[*at].is_empty()) {
            match groups.iter_mut().find(|group| all[group.members[0]] == all[at]) {
                Some(group) => group.members.push(at),
                None => groups.push(Self { members: vec![at], begins: Vec::new() }),
            }
        }
        groups
    }

    /// Returns whether each member has a tile.
    pub(super) fn is_whole(&self) -> bool {
        self.begins.len() >= self.members.len()
    }

    /// Takes at most `most` tiles; returns whether there was one.
    pub(super) fn take(&mut self, pool: &mut Pool, all: &[Vec<Step>], most: usize) -> bool {
        let before = self.begins.len();
        self.begins.extend((0..most).map_while(|_| pool.take(&all[self.members[0]])));
        self.begins.len() > before
    }

    /// Hands out the tiles: by the places where they begin, if these are as many for each member.
    pub(super) fn hand_out(self, kept: &mut [Kept]) {
        let places: BTreeSet<_> = self.begins.iter().copied().collect();
        let each = places.len() / self.members.len();
        let is_even = each > 0 && places.len() % self.members.len() == 0 && !places.contains(&None);
        for (i, begin) in self.begins.iter().enumerate() {
            let rank = places.iter().position(|place| place == begin).unwrap_or(0);
            let member = if is_even { rank / each } else { i % self.members.len() };
            kept[self.members[member]].takes(*begin);
        }
    }
}
