//! Loops whose first rounds are blocks of their own.
//!
//! ```text
//!   s = 1                               s = 1
//!   H: ds_read [2 s lane]; s *= 2       H1: ds_read [2 lane]; s = 2      H2: ds_read [4 lane]; s = 4      ..
//! ```
//!
//! A stride that doubles differs in each round, so at H it is unknown. Where an access of a loop is unknown for such a reason,
//! the kernel is gone through again with copies of the loop before it, each of one round. A copy has the instructions of its
//! block, and ways to the copies of the blocks after it. The ways through the program stay what they are, so any number of
//! copies is correct; after the last one the loop itself stands for all further rounds. Where the number of rounds is known no
//! way leads there, and otherwise a number that was doubled 32 times, or halved, is 0.

use crate::error::Error;
use crate::graph::{Bits, Graph};
use crate::kernel::{Passed, Site, Work, known};

/// A graph with copies of loops, and the block that each block is a copy of, or itself.
#[derive(Clone, Debug)]
pub(crate) struct Unrolled {
    pub(crate) graph: Graph,
    pub(crate) origin: Vec<usize>,
}

/// Copies of a loop: a stride doubles 32 times before it is 0, and 10 times before it is beyond a block of 1,024 lanes.
const ROUNDS: [usize; 2] = [34, 12];

/// Instructions of a graph with copies at most.
pub(crate) const MOST: usize = 4_000;

/// The graph with rounds of loops apart, of `most` instructions, the accesses in it, and the blocks that each wave may get to,
/// if more accesses are known then; `sites` are those of the graph as it is. `can_copy` says of which loops copies may be made,
/// and `reached` what is found in a graph, if more accesses than a number are known.
pub(crate) fn tried(
    graph: &Graph,
    sites: &[Site],
    most: usize,
    work: &mut Work,
    can_copy: impl Fn(&Bits) -> bool,
    mut reached: impl FnMut(&Unrolled, usize, &mut Work) -> Result<Option<Passed>, Error>,
) -> Option<(Unrolled, Passed)> {
    let open = open(graph, sites);
    let blocks = Vec::from_iter(open.iter().filter_map(|site| block(graph, &sites[*site])));
    let mut best: Option<(Unrolled, Passed)> = None;
    let mut last = Vec::new();
    for with_outer in [false, true] {
        let heads = heads(graph, &blocks, with_outer, &can_copy);
        if heads.is_empty() || heads == last {
            break;
        }
        let with_rounds = |rounds: &usize| Unrolled::new(graph, &heads, *rounds, most);
        let Some(one) = ROUNDS.iter().find_map(with_rounds) else { break };
        let mut extra = work.extra();
        let found =
            reached(&one, known(best.as_ref().map_or(sites, |(_, best)| &best.sites)), &mut extra);
        work.take(&extra);
        let Ok(found) = found else { break };
        if let Some(found) = found {
            let is_all = open.iter().all(|site| found.sites[*site].is_known());
            let there = one.originals(&found.there);
            best = Some((one, Passed { there, ..found }));
            if is_all {
                break;
            }
        }
        last = heads;
    }
    best
}

/// The accesses in loops that are unknown for a reason that rounds may mend.
fn open(graph: &Graph, sites: &[Site]) -> Vec<usize> {
    let depth = |one: usize| graph.depth.get(one).copied().unwrap_or(0);
    let is_open = |at: &usize| block(graph, &sites[*at]).is_some_and(|one| depth(one) > 0);
    (0..sites.len()).filter(is_open).collect()
}

/// The block whose rounds may mend an access.
fn block(graph: &Graph, site: &Site) -> Option<usize> {
    site.open_at().map(|at| graph.block_of(at))
}

/// The heads of the loops that hold an open access: of the innermost ones, or `with_outer` of all. Inner loops come last.
fn heads(
    graph: &Graph,
    blocks: &[usize],
    with_outer: bool,
    can_copy: impl Fn(&Bits) -> bool,
) -> Vec<usize> {
    let holds = |one: &&Bits| blocks.iter().any(|block| one.contains(*block));
    let is_innermost = |one: &Bits| {
        let is_own = |block: &usize| {
            let around = graph.loops.iter().filter(|other| other.contains(*block));
            around.map(|other| other.iter().count()).min() == Some(one.iter().count())
        };
        blocks.iter().filter(|block| one.contains(**block)).any(is_own)
    };
    let all = graph.loops.iter().filter(holds);
    let wanted = all.filter(|one| (with_outer || is_innermost(one)) && can_copy(one));
    // Nothing leads to the first block but ways back, and it must stay the first.
    wanted.map(|one| graph.head(one)).filter(|head| *head != 0).collect()
}

impl Unrolled {
    /// A graph as it is.
    pub(crate) fn none(graph: &Graph) -> Self {
        Self { graph: graph.clone(), origin: (0..graph.blocks.len()).collect() }
    }

    /// The blocks that each wave may get to, of the graph without copies.
    pub(crate) fn originals(&self, there: &[Bits]) -> Vec<Bits> {
        let original =
            |blocks: &Bits| Bits::from_numbers(blocks.iter().map(|block| self.origin[block]));
        there.iter().map(original).collect()
    }

    /// A graph with copies of the loops that begin with these heads, inner ones last; `None` if it would be too long.
    fn new(graph: &Graph, heads: &[usize], rounds: usize, most: usize) -> Option<Self> {
        let all = Self::none(graph);
        heads.iter().rev().try_fold(all, |all, head| all.with_rounds(*head, rounds, most))
    }

    fn with_rounds(self, begin: usize, rounds: usize, most: usize) -> Option<Self> {
        let Self { graph, mut origin } = self;
        let one = graph.loops.iter().find(|one| graph.head(one) == begin)?;
        let members: Vec<_> = one.iter().collect();
        let length = |blocks: &mut dyn Iterator<Item = usize>| {
            blocks.map(|block| graph.blocks[block].len()).sum::<usize>()
        };
        let copies = rounds * length(&mut members.iter().copied());
        if copies + length(&mut (0..graph.blocks.len())) > most {
            return None;
        }
        let (mut blocks, mut after) = (graph.blocks.clone(), graph.after.clone());
        let first = blocks.len();
        let place = |block: usize| members.binary_search(&block).ok();
        let copy = |round: usize, block: usize| match place(block) {
            Some(at) if round < rounds => first + round * members.len() + at,
            _ => block,
        };
        for round in 0..rounds {
            for block in &members {
                let next = graph.after[*block]
                    .map(|to| to.map(|to| copy(if to == begin { round + 1 } else { round }, to)));
                blocks.push(graph.blocks[*block].clone());
                origin.push(origin[*block]);
                after.push(next);
            }
        }
        for block in (0..first).filter(|block| !one.contains(*block)) {
            after[block] = graph.after[block].map(|to| to.map(|to| copy(0, to)));
        }
        Some(Self { graph: Graph::of_ways(blocks, after), origin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Flow::{Branch, End, Next};

    /// Ways through a graph, as the blocks of the text.
    fn ways(one: &Unrolled, length: usize) -> Vec<Vec<usize>> {
        let mut all = vec![vec![0]];
        for _ in 0..length {
            let next = |way: &Vec<usize>| {
                let way = way.clone();
                let to = one.graph.after[way[way.len() - 1]].into_iter().flatten();
                to.map(move |to| [&way[..], &[to]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(next).collect();
        }
        let mut all: Vec<Vec<_>> =
            all.iter().map(|way| way.iter().map(|block| one.origin[*block]).collect()).collect();
        all.sort();
        all
    }

    /// A loop in a loop: the ways are what they were, however many rounds are apart.
    #[test]
    fn ways_stay() {
        let flows = [Next, Next, Branch(1), Branch(0), Next, Branch(1), End];
        let flows = [&[Next][..], &flows].concat();
        let graph = Graph::new(&flows, 10).unwrap();
        let plain = Unrolled::none(&graph);
        let heads: Vec<_> = graph.loops.iter().map(|one| graph.head(one)).collect();
        for heads in [&heads[1..], &heads[..]].into_iter().filter(|heads| !heads.contains(&0)) {
            for rounds in 1..4 {
                let one = Unrolled::new(&graph, heads, rounds, MOST).unwrap();
                assert!(one.graph.blocks.len() > graph.blocks.len());
                for length in 1..9 {
                    assert_eq!(ways(&one, length), ways(&plain, length), "{heads:?} {rounds}");
                }
            }
        }
        assert!(Unrolled::new(&graph, &heads[1..], MOST, MOST).is_none());
    }
}
