//! What waves do between two barriers: pairs of a write and a read of one byte by two waves.
//!
//! ```text
//!   s_barrier
//!   ds_write_b32 v1, v2      A    lane 0 of wave 1 writes byte 256
//!   s_cbranch_scc0 L
//!   s_barrier
//!   L: ds_read_b32 v3, v4    B    lane 63 of wave 0 reads it
//! ```
//!
//! Here A and B are ordered on one way and not on the other, and which way is taken is not known: nothing is said. Two
//! accesses are *together* if on every way to the later one the earlier comes before it and no barrier between, or if on every
//! way from the earlier one the later follows. Of a loop the accesses of the round before come before those of a round.
//!
//! What may order waves beside a barrier ends what is together: an atomic, a fence, a volatile load, a call; and so does a way
//! into, out of or around a loop that ends by what it loads, since it may wait for another wave's word. Of each access every
//! lane's address must be known, whatever the way, and the lanes that are on.

mod bytes;

pub(crate) use bytes::{Placed, unordered};

use crate::graph::{Bits, Graph, settle};
use crate::kernel::{Kernel, Reached, Site};
use crate::value::Value;
use std::collections::{BTreeSet, HashSet};
use std::convert::Infallible;
use tiledesc::chip::Access;

/// What an instruction does to registers, by numbers that tell them apart, and to the order of waves.
#[derive(Debug, Default)]
pub(crate) struct Touch {
    pub(crate) reads: Vec<usize>,
    pub(crate) writes: Vec<usize>,
    /// Whether it brings what another wave may have written.
    pub(crate) loads: bool,
    /// Whether what it reads decides which way is taken.
    pub(crate) branches: bool,
    /// Whether it may order what waves did before with what they do after it.
    pub(crate) orders: bool,
}

/// The most accesses and waves that are examined.
const SITES: usize = 2048;
const WAVES: usize = 32;

/// Returns whether some write and some read are together, so that their bytes decide.
pub(crate) fn together(kernel: &Kernel, touch: impl Fn(usize) -> Touch) -> Option<Together> {
    let lanes = kernel.block.lanes()? as usize;
    let waves = lanes.div_ceil(kernel.wave);
    let wanted = Bits::from_numbers((0..kernel.sites.len()).filter(|at| {
        let site = &kernel.sites[*at];
        is_followed(site) && !touch(site.at).orders
    }));
    if !(2..=WAVES).contains(&waves) || wanted.iter().count() > SITES {
        return None;
    }
    let touches = (0..kernel.instructions.len()).map(touch).collect();
    let mut walk = Walk::new(kernel, touches, wanted);
    let mut found = walk.together();
    if found.is_empty(kernel) {
        return None;
    }
    walk.waits = walk.waits();
    if !walk.waits.is_empty() {
        found = walk.together();
    }
    (!found.is_empty(kernel)).then_some(found)
}

/// Returns whether a site is one access of each lane, the same in all rounds, by lanes that are known.
fn is_followed(site: &Site) -> bool {
    let is_one = |one: &Reached| one.on.is_some() && matches!(one.address, Value::Sum { .. });
    let is_once = site.reached_by_wave().all(|of_wave| of_wave.len() == 1);
    site.access.as_ref().is_ok_and(|row| row.times == 1)
        && !site.reached.is_empty()
        && is_once
        && site.reached.iter().all(is_one)
}

fn writes(kernel: &Kernel, site: usize) -> bool {
    kernel.sites[site].access.as_ref().is_ok_and(|row| row.row.access() == Access::Write)
}

/// Of each access those with which it is together.
pub(crate) struct Together {
    now: Vec<Bits>,
    /// Those of the round before, or of the next one.
    next: Vec<Bits>,
}

impl Together {
    fn new(sites: usize) -> Self {
        Self { now: vec![Bits::default(); sites], next: vec![Bits::default(); sites] }
    }

    fn join(all: &mut [Bits], one: usize, others: &Bits) {
        for other in others.iter() {
            all[one].insert(other);
            all[other].insert(one);
        }
    }

    fn is_empty(&self, kernel: &Kernel) -> bool {
        let meets = |write: usize| self.reads(kernel, write).next().is_some();
        !(0..self.now.len()).any(|site| writes(kernel, site) && meets(site))
    }

    /// The reads that are together with a write.
    fn reads(&self, kernel: &Kernel, write: usize) -> impl Iterator<Item = usize> {
        let all: BTreeSet<_> = self.now[write].iter().chain(self.next[write].iter()).collect();
        all.into_iter().filter(|site| !writes(kernel, *site))
    }
}

/// A walk through a kernel, along its ways or against them.
struct Walk<'k> {
    kernel: &'k Kernel,
    touches: Vec<Touch>,
    graph: &'k Graph,
    /// The accesses that are looked at.
    wanted: Bits,
    /// The blocks that some wave gets to.
    there: Bits,
    /// Loops that may wait for what another wave writes.
    waits: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    Forth,
    Back,
}

impl<'k> Walk<'k> {
    fn new(kernel: &'k Kernel, touches: Vec<Touch>, wanted: Bits) -> Self {
        let there = Bits::from_numbers(kernel.there.iter().flat_map(Bits::iter));
        Self { kernel, touches, graph: &kernel.graph, wanted, there, waits: Vec::new() }
    }

    fn together(&self) -> Together {
        let mut all = Together::new(self.kernel.sites.len());
        for along in [Along::Forth, Along::Back] {
            let begins = self.settle(along);
            for (block, begin) in begins.iter().enumerate() {
                let Some(begin) = begin else { continue };
                let join = |site, state: &Bits| Together::join(&mut all.now, site, state);
                self.through(block, begin.clone(), along, true, join);
            }
            if along == Along::Forth {
                self.rounds(&begins, &mut all.next);
            }
        }
        all
    }

    /// Joins the accesses of a round of each loop with those of the round before.
    fn rounds(&self, begins: &[Option<Bits>], next: &mut [Bits]) {
        for (at, blocks) in self.graph.loops.iter().enumerate() {
            if self.waits.contains(&at) {
                continue;
            }
            let head = self.graph.head(blocks);
            let leads_back = |block: &usize| self.graph.after[*block].contains(&Some(head));
            let mut brought: Option<Bits> = None;
            for block in blocks.iter().filter(leads_back) {
                let Some(begin) = begins[block].clone() else { continue };
                let out = self.through(block, begin, Along::Forth, true, |_, _| {});
                meet(&mut brought, out);
            }
            let inside =
                |site: &usize| blocks.contains(self.graph.block_of(self.kernel.sites[*site].at));
            let brought = brought
                .map_or_else(Bits::default, |all| Bits::from_numbers(all.iter().filter(inside)));
            if brought.iter().next().is_some() {
                self.round(blocks, head, brought, next);
            }
        }
    }

    fn round(&self, blocks: &Bits, head: usize, brought: Bits, next: &mut [Bits]) {
        let mut begins = vec![None; self.graph.blocks.len()];
        begins[head] = Some(brought);
        let after = |block: usize| {
            let all = self.graph.after[block].into_iter().flatten();
            all.filter(|to| *to != head && blocks.contains(*to)).collect()
        };
        for (block, begin) in self.settled(begins, Along::Forth, false, after).iter().enumerate() {
            let Some(begin) = begin else { continue };
            let join = |site, state: &Bits| Together::join(next, site, state);
            self.through(block, begin.clone(), Along::Forth, false, join);
        }
    }

    /// The accesses that are behind each block's begin, or before its end, on every way, and no barrier between.
    fn settle(&self, along: Along) -> Vec<Option<Bits>> {
        let blocks = self.graph.blocks.len();
        let (mut begins, mut ways) = (vec![None; blocks], vec![Vec::new(); blocks]);
        for block in self.there.iter() {
            let mut ends = true;
            for to in
                self.graph.after[block].iter().flatten().filter(|to| self.there.contains(**to))
            {
                ends = false;
                match along {
                    Along::Forth => ways[block].push(*to),
                    Along::Back => ways[*to].push(block),
                }
            }
            // A branch to the end of the text has no block there.
            let last = self.graph.blocks[block].end - 1;
            ends |= self.graph.after[block].contains(&None) && self.touches[last].branches;
            if along == Along::Forth && block == 0 || along == Along::Back && ends {
                begins[block] = Some(Bits::default());
            }
        }
        self.settled(begins, along, true, |block| ways[block].clone())
    }

    /// The accesses that no barrier parts from the beginning of each block: those of `begins`, and what these ways bring.
    fn settled(
        &self,
        begins: Vec<Option<Bits>>,
        along: Along,
        adds: bool,
        ways: impl Fn(usize) -> Vec<usize>,
    ) -> Vec<Option<Bits>> {
        let mut order = self.graph.order.clone();
        if along == Along::Back {
            order.reverse();
        }
        let through = |block: usize, state: &mut Bits| {
            *state = self.through(block, std::mem::take(state), along, adds, |_, _| {});
            Ok(ways(block))
        };
        let bring = |[from, to]: [usize; 2], known: &mut Option<Bits>, out: &Bits| {
            let is_cut = match along {
                Along::Forth => self.is_cut(from, to),
                Along::Back => self.is_cut(to, from),
            };
            Ok(meet(known, if is_cut { Bits::default() } else { out.clone() }))
        };
        let Ok::<_, Infallible>(begins) = settle(&order, begins, through, bring);
        begins
    }

    /// Goes through a block; `seen` is told of each access what is together with it so far.
    fn through(
        &self,
        block: usize,
        mut state: Bits,
        along: Along,
        adds: bool,
        mut seen: impl FnMut(usize, &Bits),
    ) -> Bits {
        let range = self.graph.blocks[block].clone();
        let sites = &self.kernel.sites;
        let mut step = |at: usize| {
            if self.touches[at].orders {
                state = Bits::default();
            }
            let first = sites.partition_point(|site| site.at < at);
            let here = (first..sites.len()).take_while(|site| sites[*site].at == at);
            for site in here.filter(|site| self.wanted.contains(*site)) {
                seen(site, &state);
                if adds {
                    state.insert(site);
                }
            }
        };
        match along {
            Along::Forth => range.for_each(&mut step),
            Along::Back => range.rev().for_each(&mut step),
        }
        state
    }

    /// Returns whether a way leads into, out of or around a loop that waits.
    fn is_cut(&self, from: usize, to: usize) -> bool {
        self.waits.iter().any(|at| {
            let one = &self.graph.loops[*at];
            let [is_from, is_to] = [from, to].map(|block| one.contains(block));
            is_from != is_to || is_from && to == self.graph.head(one)
        })
    }

    /// The loops without a barrier that end, or go on, by what they load.
    fn waits(&self) -> Vec<usize> {
        let loops = self.graph.loops.iter().enumerate();
        loops.filter(|(_, blocks)| self.is_waiting(blocks)).map(|(at, _)| at).collect()
    }

    fn is_waiting(&self, blocks: &Bits) -> bool {
        let all = blocks.iter().flat_map(|block| self.graph.blocks[block].clone());
        let all = Vec::from_iter(all.map(|at| &self.touches[at]));
        let mut loaded: HashSet<usize> = HashSet::new();
        let mut is_new = all.iter().any(|one| one.loads);
        while std::mem::take(&mut is_new) {
            for one in &all {
                if one.loads || one.reads.iter().any(|register| loaded.contains(register)) {
                    one.writes.iter().for_each(|register| is_new |= loaded.insert(*register));
                }
            }
        }
        all.iter()
            .any(|one| one.branches && one.reads.iter().any(|register| loaded.contains(register)))
    }
}

/// Keeps of a set what another has too; returns whether that is less than before.
fn meet(known: &mut Option<Bits>, new: Bits) -> bool {
    match known {
        Some(known) => known.keep(&new),
        None => {
            *known = Some(new);
            true
        }
    }
}
