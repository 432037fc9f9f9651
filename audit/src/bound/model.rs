//! A kernel as sums: the cycles of each wave in one trip of each loop.

use super::quarters::{Load, Loads, Quarters};
use super::{Bound, units};
use crate::graph::Bits;
use crate::kernel::{Block, Kernel, Reached, Unjudged};
use crate::loops::{Loop, innermost};
use crate::matrix::{Matrix, QUARTERS};
use crate::span::Span;
use crate::verdict::Ruling;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tiledesc::chip::Evidence;

/// A kernel with the cycles of each access in each wave.
pub(super) struct Model<'k> {
    kernel: &'k Kernel,
    /// The waves, by their numbers.
    waves: Vec<usize>,
    /// By access and wave.
    loads: BTreeMap<(usize, usize), Loads>,
}

impl<'k> Model<'k> {
    /// The model, in which some accesses ask for something else.
    pub(super) fn new(
        kernel: &'k Kernel,
        judged: &[Vec<Ruling>],
        instead: impl Fn(usize, &Reached) -> Option<Load>,
    ) -> Self {
        // If the block's shape is unknown, one wave is known and stands for one on each SIMD.
        let waves = match kernel.block {
            Block::Unknown => vec![0; QUARTERS],
            _ => (0..kernel.there.len()).collect(),
        };
        let mut loads = BTreeMap::new();
        for (at, site) in kernel.sites.iter().enumerate() {
            let mut of_waves = BTreeMap::new();
            for (reached, ruling) in site.reached_by_wave().zip(&judged[at]) {
                let moved: Option<Vec<Load>> = reached.iter().map(|one| instead(at, one)).collect();
                let moved = moved.and_then(|all| all.into_iter().reduce(Load::or));
                let Loads([now, free]) = kernel.loads(site, Some((ruling, reached.len())));
                of_waves.insert(reached[0].wave, Loads([moved.unwrap_or(now), free]));
            }
            for wave in 0..kernel.there.len() {
                let of_wave = of_waves.get(&wave).copied();
                let of_wave = of_wave.unwrap_or_else(|| kernel.loads(site, None));
                loads.insert((at, wave), of_wave);
            }
        }
        Self { kernel, waves, loads }
    }

    pub(super) fn bounds(&self) -> Vec<Bound> {
        let mut all: Vec<Bound> = self.loops().iter().map(|one| self.bound(Some(one))).collect();
        all.sort_by_key(|one| Reverse(one.cycles()));
        all.push(self.bound(None));
        all
    }

    /// The loops that something is counted of.
    fn loops(&self) -> Vec<Loop> {
        let kernel = self.kernel;
        let mut works = Bits::default();
        for (at, site) in kernel.sites.iter().enumerate() {
            let is_work = |wave| self.loads[&(at, wave)].0[0].banks != Span::NONE;
            if (0..kernel.there.len()).any(is_work) {
                works.insert(kernel.graph.block_of(site.at));
            }
        }
        works.extend(kernel.matrix.iter().map(|one| kernel.graph.block_of(one.at)));
        innermost(&kernel.graph, |block| {
            works.contains(block) && kernel.there.iter().any(|there| there.contains(block))
        })
    }

    /// The bound of a loop, or of the whole kernel.
    fn bound(&self, of: Option<&Loop>) -> Bound {
        let kernel = self.kernel;
        let is_in = |at: usize| of.is_none_or(|one| one.blocks.contains(kernel.graph.block_of(at)));
        let sites: Vec<usize> =
            (0..kernel.sites.len()).filter(|site| is_in(kernel.sites[*site].at)).collect();
        let matrix: Vec<Matrix> =
            kernel.matrix.iter().filter(|one| is_in(one.at)).copied().collect();
        let sums = self.sums(of, &sites, &matrix);
        let [memory, free] = sums.memory();
        Bound {
            place: of.map(|one| self.place(one)),
            memory,
            free,
            matrix: sums.pipe(),
            is_inferred: self.is_inferred(&sites) || matrix.iter().any(|one| one.is_inferred),
            sites,
            units: units(kernel.chip),
            stated: None,
            is_of_four: kernel.block == Block::Unknown,
        }
    }

    /// The sums of all waves: what a trip may leave out counts from nothing on.
    fn sums(&self, of: Option<&Loop>, sites: &[usize], matrix: &[Matrix]) -> Quarters {
        let kernel = self.kernel;
        let mut sums = Quarters::new();
        for (slot, wave) in self.waves.iter().enumerate() {
            let (simd, there) = (slot % QUARTERS, &kernel.there[*wave]);
            let steady = of.map(|one| one.steady(&kernel.graph, there));
            // Whether each trip gets to an instruction, if the wave does at all.
            let is_steady = |at: usize| {
                let block = kernel.graph.block_of(at);
                let all = steady.as_ref().is_none_or(|steady| steady.contains(block));
                there.contains(block).then_some(all)
            };
            for site in sites {
                if let Some(is_steady) = is_steady(kernel.sites[*site].at) {
                    sums.load(simd, self.loads[&(*site, *wave)], is_steady);
                }
            }
            for one in matrix {
                if let Some(is_steady) = is_steady(one.at) {
                    sums.matrix(simd, *one, is_steady);
                }
            }
        }
        sums
    }

    /// Returns whether the time of some access is inferred.
    fn is_inferred(&self, sites: &[usize]) -> bool {
        let rests = |site: &usize| match &self.kernel.sites[*site].access {
            Ok(row) => row.row.service().evidence == Evidence::Inferred,
            Err(why) => *why == Unjudged::Direct,
        };
        let ports = self.kernel.chip.ports();
        sites.iter().any(rests)
            || !sites.is_empty()
                && ports.is_some_and(|ports| ports.evidence() == Evidence::Inferred)
    }

    /// The line at which a trip begins: of the source, where its first block has one.
    fn place(&self, one: &Loop) -> String {
        let range = self.kernel.graph.blocks[one.head].clone();
        let first = range.start;
        let lines = &self.kernel.instructions[range];
        match lines.iter().find_map(|(_, place)| place.as_ref()) {
            Some(place) => place.to_string(),
            None => format!("line {}", self.kernel.instructions[first].0),
        }
    }
}
