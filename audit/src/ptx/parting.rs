//! Where lanes that part at a branch come together again, and what they may have written apart.
//!
//! ```text
//!   A: @%p bra C      %p differs from lane to lane: the lanes part at A
//!   B: mov %r1, 4     only the lanes without %p
//!   C: ld [%r1]       all again: %r1 is 4 in some lanes, and in others what it was before A
//! ```
//!
//! C is the first block on every way from A to the end; that lanes wait for each other there is how compilers arrange it
//! (Lorenz, "Convergence and scalarization for data-parallel architectures", CGO 2013, on control divergence). Where two
//! ways from A meet, a register that was written on either may be any lane's own. A loop that lanes leave one by one is
//! the same in time: what it writes, each lane has of its own last round.

use crate::graph::{Bits, Graph, dominators, order};
use std::collections::BTreeMap;

/// What follows from the branches at which lanes part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parting {
    /// Registers of which each lane may bring its own value to a block.
    pub(crate) own: BTreeMap<usize, Bits>,
    /// Registers of which each lane that leaves a loop may bring its own value, by the edge: from, to.
    pub(crate) leaving: BTreeMap<(usize, usize), Bits>,
    /// Loops whose rounds are not of the same lanes.
    pub(crate) loops: Bits,
    /// Whether nothing of this can be said, because a loop has two entries.
    pub(crate) is_lost: bool,
}

/// A graph with what is asked of it again and again.
pub(crate) struct Ways<'g> {
    pub(crate) graph: &'g Graph,
    /// For each block its immediate post-dominator: the next block on every path to the end, or `end` itself.
    below: Vec<usize>,
    /// Where each stands in the tree of these, and where those end that have it on every way.
    under: Vec<[usize; 2]>,
    end: usize,
    /// The innermost loop of each block.
    inner: Vec<usize>,
    /// The first block of each loop, in the order.
    heads: Vec<Option<usize>>,
    has_two_entries: bool,
}

impl<'g> Ways<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Self {
        let count = graph.blocks.len();
        let mut inner = vec![usize::MAX; count];
        let mut size = vec![usize::MAX; count];
        for (i, blocks) in graph.loops.iter().enumerate() {
            let all = blocks.iter().count();
            for block in blocks.iter().filter(|block| size[*block] > all).collect::<Vec<_>>() {
                (inner[block], size[block]) = (i, all);
            }
        }
        let first = |blocks: &Bits| blocks.iter().min_by_key(|block| graph.rank[*block]);
        let heads = graph.loops.iter().map(first).collect();
        let (below, under) = (Vec::new(), Vec::new());
        let mut ways =
            Self { graph, below, under, end: count, inner, heads, has_two_entries: false };
        ways.below = ways.below();
        ways.under = ways.under();
        let mut edges = graph
            .order
            .iter()
            .flat_map(|from| graph.after[*from].iter().flatten().map(move |to| (*from, *to)));
        ways.has_two_entries =
            edges.any(|(from, to)| graph.rank[to] <= graph.rank[from] && !ways.is_above(to, from));
        drop(edges);
        ways
    }

    /// Post-dominators: dominators of the graph turned round, whose first node is the end.
    fn below(&self) -> Vec<usize> {
        let count = self.end;
        // The end is node 0, a block one more.
        let mut turned = vec![Vec::new(); count + 1];
        for block in &self.graph.order {
            let mut ends = true;
            for to in self.graph.after[*block].iter().flatten() {
                turned[to + 1].push(block + 1);
                ends = false;
            }
            if ends {
                turned[0].push(block + 1);
            }
        }
        let nearest = dominators(&order(&turned), &turned);
        let of = |block: usize| match nearest[block + 1] {
            // No end is reached from there, or only the end is on every way.
            usize::MAX | 0 => count,
            one => one - 1,
        };
        (0..count).map(of).collect()
    }

    /// Begin and end of each block in the tree of `below`.
    fn under(&self) -> Vec<[usize; 2]> {
        let mut children = vec![Vec::new(); self.end + 1];
        self.graph.order.iter().for_each(|block| children[self.below[*block]].push(*block));
        let mut under = vec![[0; 2]; self.end + 1];
        let (mut stack, mut at) = (vec![(self.end, 0)], 1);
        while let Some((node, next)) = stack.pop() {
            match children[node].get(next) {
                Some(child) => {
                    stack.push((node, next + 1));
                    under[*child][0] = at;
                    at += 1;
                    stack.push((*child, 0));
                }
                None => under[node][1] = at,
            }
        }
        under
    }

    /// Returns whether lanes that part in a loop come together in one round of it, or outside: a way to the block where they
    /// do so is not in this round while another is in a later one.
    pub(crate) fn meet_in_a_round(&self, rounds: &Bits) -> bool {
        let inside = |block: usize| rounds.contains(block);
        let first = rounds.iter().min_by_key(|block| self.graph.rank[*block]);
        let parts = |block: &usize| self.graph.after[*block].iter().flatten().count() > 1;
        rounds.iter().filter(parts).all(|block| {
            let below = self.below[block];
            if below >= self.end || !inside(below) || Some(below) == first {
                return true;
            }
            // Where ways lead from the block without going through the one below or into another round.
            let (mut seen, mut open) = (Bits::default(), vec![block]);
            let (mut meets, mut goes_on) = (false, false);
            while let Some(one) = open.pop() {
                for to in self.graph.after[one].iter().flatten().copied() {
                    meets |= to == below;
                    goes_on |= Some(to) == first && to != below;
                    if to != below && Some(to) != first && inside(to) && seen.insert(to) {
                        open.push(to);
                    }
                }
            }
            !(meets && goes_on)
        })
    }

    /// Returns whether all ways from a block go through one other.
    pub(crate) fn comes_together(&self, block: usize) -> bool {
        self.below[block] < self.end
    }

    /// Returns whether a block is on every way to another.
    pub(crate) fn is_above(&self, one: usize, other: usize) -> bool {
        let mut at = other;
        while self.graph.rank[at] > self.graph.rank[one] {
            at = self.graph.above[at];
        }
        at == one
    }

    /// A block before this one that the same lanes go through, in the same round of the same loops: all ways here come
    /// from it, and all its ways to the end come through here.
    pub(crate) fn twin(&self, block: usize) -> Option<usize> {
        let mut at = block;
        while self.graph.above[at] != at {
            at = self.graph.above[at];
            let [begin, end] = self.under[block];
            if (begin..end).contains(&self.under[at][0]) && self.inner[at] == self.inner[block] {
                return Some(at);
            }
        }
        None
    }

    /// The loop that begins with a block.
    pub(crate) fn loop_of(&self, head: usize) -> Option<usize> {
        let inner = self.inner[head];
        (inner != usize::MAX && self.heads[inner] == Some(head)).then_some(inner)
    }

    /// What follows from branches at which lanes part; `written` are the registers that each block writes.
    pub(crate) fn parting(&self, branches: &Bits, written: &[Bits]) -> Parting {
        let mut parting = Parting::default();
        for branch in branches.iter() {
            parting.is_lost = self.has_two_entries;
            self.part(branch, written, &mut parting);
        }
        parting
    }

    fn part(&self, branch: usize, written: &[Bits], parting: &mut Parting) {
        let below = self.below[branch];
        let (joins, apart) = self.joins(branch, below);
        let own = Bits::from_numbers(apart.iter().flat_map(|block| written[block].iter()));
        for join in joins.iter() {
            parting.own.entry(join).or_default().extend(own.iter());
        }
        for (i, blocks) in self.graph.loops.iter().enumerate() {
            let is_left = below >= self.end || !blocks.contains(below);
            if blocks.contains(branch) && is_left && parting.loops.insert(i) {
                self.leave(blocks, written, parting);
            }
        }
    }

    /// Lanes leave a loop in different rounds.
    fn leave(&self, blocks: &Bits, written: &[Bits], parting: &mut Parting) {
        let own = Bits::from_numbers(blocks.iter().flat_map(|block| written[block].iter()));
        for from in blocks.iter() {
            for to in self.graph.after[from].iter().flatten().filter(|to| !blocks.contains(**to)) {
                parting.leaving.entry((from, *to)).or_default().extend(own.iter());
            }
        }
    }

    /// The blocks where two ways from a branch meet, and all blocks between it and where all ways have met: each block
    /// has the name of the last meeting on its way, and where two names come together is the next.
    fn joins(&self, branch: usize, below: usize) -> (Bits, Bits) {
        let (mut joins, mut apart) = (Bits::default(), Bits::default());
        let mut name = BTreeMap::new();
        let mut open = std::collections::BTreeSet::new();
        let mut arrive = |to: usize,
                          from: usize,
                          open: &mut std::collections::BTreeSet<usize>,
                          name: &mut BTreeMap<usize, usize>| {
            match name.get(&to) {
                None => drop(name.insert(to, from)),
                Some(known) if *known == from || *known == to => return,
                Some(_) => {
                    name.insert(to, to);
                    joins.insert(to);
                }
            }
            if to != below && to != branch {
                open.insert(self.graph.rank[to]);
            }
        };
        for (i, to) in self.graph.after[branch].iter().flatten().enumerate() {
            // The names of the two ways, which are not blocks.
            arrive(*to, self.end + i, &mut open, &mut name);
        }
        while let Some(rank) = open.pop_first() {
            let block = self.graph.order[rank];
            apart.insert(block);
            let own = name[&block];
            for to in self.graph.after[block].iter().flatten() {
                arrive(*to, own, &mut open, &mut name);
            }
        }
        if name.contains_key(&branch) {
            apart.insert(branch);
        }
        (joins, apart)
    }
}
