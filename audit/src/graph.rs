//! Blocks of a program, their order, and their loops.
//!
//! ```text
//!   0: v_mov            block 0: 0..2      loops 0
//!   1: s_mov
//!   2: L: ds_read       block 1: 2..5      loops 1: 4 branches back to 2, and 2 is on every way to 4
//!   3: s_cmp
//!   4: s_cbranch L
//!   5: s_endpgm         block 2: 5..6      loops 0
//! ```

use std::collections::BTreeSet;
use std::ops::Range;

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// Puts a number in; whether it was not there.
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1 << (number % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Inserts several; returns whether any was new.
    pub(crate) fn extend(&mut self, numbers: impl Iterator<Item = usize>) -> bool {
        numbers.fold(false, |is_new, number| self.insert(number) | is_new)
    }

    /// The set of some numbers.
    pub(crate) fn from_numbers(numbers: impl Iterator<Item = usize>) -> Self {
        let mut all = Self::default();
        all.extend(numbers);
        all
    }

    /// Keeps what another set has too; returns whether that is less than before.
    pub(crate) fn keep(&mut self, other: &Self) -> bool {
        let mut is_less = false;
        for (i, word) in self.0.iter_mut().enumerate() {
            let kept = *word & other.0.get(i).copied().unwrap_or(0);
            is_less |= kept != *word;
            *word = kept;
        }
        is_less
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Returns whether one of the numbers of a range is in it.
    pub(crate) fn has_any(&self, numbers: &Range<usize>) -> bool {
        (numbers.start / 64..numbers.end.div_ceil(64)).any(|at| {
            let first = numbers.start.saturating_sub(64 * at);
            let count = (numbers.end - 64 * at).min(64) - first;
            let inside = u64::MAX.unbounded_shr(64 - count as u32) << first;
            self.0.get(at).is_some_and(|word| word & inside != 0)
        })
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let of_word = |(i, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * i + bit)
        };
        self.0.iter().enumerate().flat_map(of_word)
    }
}

/// The way from an instruction to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Goes on to the next instruction.
    Next,
    /// Goes on to another instruction.
    Jump(usize),
    /// Goes on to the next instruction or to another.
    Branch(usize),
    /// Ends, or goes where it cannot be followed.
    End,
}

/// The blocks of a program.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) blocks: Vec<Range<usize>>,
    /// The block after it, then the one that it jumps to.
    pub(crate) after: Vec<[Option<usize>; 2]>,
    /// The blocks in the order of a program without loops: each after those that lead to it, but for ways back.
    pub(crate) order: Vec<usize>,
    /// The rank of each block in this order, and the blocks that lead to it; of one that nothing leads to `usize::MAX`.
    pub(crate) rank: Vec<usize>,
    pub(crate) before: Vec<Vec<usize>>,
    /// The number of loops that each block is in.
    pub(crate) depth: Vec<u32>,
    /// The nearest block that is on every way to each; the first block's is itself, and those that nothing leads to
    /// have `usize::MAX`.
    pub(crate) above: Vec<usize>,
    /// The loops: a head, and the blocks from which a way leads back to it.
    pub(crate) loops: Vec<Bits>,
}

impl Graph {
    /// The blocks of as many instructions as there are flows; or how many, if they are more than `most`.
    pub(crate) fn new(flows: &[Flow], most: usize) -> Result<Self, usize> {
        let mut begins = BTreeSet::from([0]);
        for (at, flow) in flows.iter().enumerate() {
            if *flow != Flow::Next {
                begins.insert(at + 1);
            }
            if let Flow::Jump(to) | Flow::Branch(to) = flow {
                begins.insert(*to);
            }
        }
        let mut begins: Vec<_> = begins.into_iter().filter(|at| *at < flows.len()).collect();
        begins.push(flows.len());
        if begins.len() - 1 > most {
            return Err(begins.len() - 1);
        }
        let blocks: Vec<_> = begins.windows(2).map(|ends| ends[0]..ends[1]).collect();
        let block_at = |at: usize| begins[..blocks.len()].binary_search(&at).ok();
        let after: Vec<_> = blocks
            .iter()
            .map(|block| match flows[block.end - 1] {
                Flow::Next => [block_at(block.end), None],
                Flow::Jump(to) => [None, block_at(to)],
                Flow::Branch(to) => [block_at(block.end), block_at(to)],
                Flow::End => [None, None],
            })
            .collect();
        Ok(Self::of_ways(blocks, after))
    }

    /// Blocks with the ways between them.
    pub(crate) fn of_ways(blocks: Vec<Range<usize>>, after: Vec<[Option<usize>; 2]>) -> Self {
        let ways = ways(&after);
        let order = order(&ways);
        let above = dominators(&order, &ways);
        let loops = loops(&order, &ways, &above);
        let mut depth = vec![0; after.len()];
        loops.iter().flat_map(Bits::iter).for_each(|block| depth[block] += 1);
        let (rank, before) = ranks(&order, &ways);
        Self { blocks, after, order, rank, before, depth, above, loops }
    }

    /// The block of an instruction, by its index.
    pub(crate) fn block_of(&self, at: usize) -> usize {
        self.blocks.partition_point(|range| range.end <= at)
    }

    /// The head of a loop: the block that every way into it goes through.
    pub(crate) fn head(&self, blocks: &Bits) -> usize {
        let is_entered = |block: &usize| *block == 0 || !blocks.contains(self.above[*block]);
        blocks.iter().find(is_entered).unwrap_or(0)
    }
}

fn ways(after: &[[Option<usize>; 2]]) -> Vec<Vec<usize>> {
    after.iter().map(|ways| ways.iter().flatten().copied().collect()).collect()
}

/// The nodes to which a way leads from node 0, each after those that lead to it, but for ways back.
pub(crate) fn order(after: &[Vec<usize>]) -> Vec<usize> {
    let (mut seen, mut done) = (vec![false; after.len()], Vec::new());
    let mut stack = Vec::new();
    if !after.is_empty() {
        seen[0] = true;
        stack.push((0, 0));
    }
    while let Some((node, next)) = stack.pop() {
        match after[node].get(next) {
            None => done.push(node),
            Some(to) => {
                stack.push((node, next + 1));
                if !std::mem::replace(&mut seen[*to], true) {
                    stack.push((*to, 0));
                }
            }
        }
    }
    done.reverse();
    done
}

/// The state at the beginning of each block, a fixpoint: `known` at first, and then with what the blocks before leave behind, until
/// nothing changes. The next block to be gone through is the first in the order.
///
/// `through` turns the state at the beginning of a block into the one at its end, and returns the blocks that follow. `meet` merges
/// that into the state of one of these, and returns whether this has changed.
pub(crate) fn settle<S: Clone, E>(
    order: &[usize],
    mut known: Vec<Option<S>>,
    mut through: impl FnMut(usize, &mut S) -> Result<Vec<usize>, E>,
    mut meet: impl FnMut([usize; 2], &mut Option<S>, &S) -> Result<bool, E>,
) -> Result<Vec<Option<S>>, E> {
    let rank = rank(order, known.len());
    let begun = order.iter().filter(|block| known[**block].is_some());
    let mut open: BTreeSet<usize> = begun.map(|block| rank[*block]).collect();
    while let Some(next) = open.pop_first() {
        let block = order[next];
        let Some(mut state) = known[block].clone() else { continue };
        for to in through(block, &mut state)? {
            if meet([block, to], &mut known[to], &state)? {
                open.insert(rank[to]);
            }
        }
    }
    Ok(known)
}

/// The rank of each node in an order; `usize::MAX` for one that is not in it.
fn rank(order: &[usize], nodes: usize) -> Vec<usize> {
    let mut rank = vec![usize::MAX; nodes];
    order.iter().enumerate().for_each(|(i, node)| rank[*node] = i);
    rank
}

/// The rank of each node in an order, and its predecessors; of nodes that are not in the order `usize::MAX`.
fn ranks(order: &[usize], after: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut before = vec![Vec::new(); after.len()];
    for node in order {
        for to in &after[*node] {
            if !before[*to].contains(node) {
                before[*to].push(*node);
            }
        }
    }
    (rank(order, after.len()), before)
}

/// The natural loops: a way back leads to a block that is on every way to its begin.
fn loops(order: &[usize], after: &[Vec<usize>], above: &[usize]) -> Vec<Bits> {
    let (rank, before) = ranks(order, after);
    let mut loops = Vec::new();
    for head in order {
        let dominated = |block: &usize| {
            let mut one = *block;
            while rank[one] > rank[*head] {
                one = above[one];
            }
            one == *head
        };
        let mut open: Vec<_> = before[*head].iter().copied().filter(dominated).collect();
        if open.is_empty() {
            continue;
        }
        let mut inside = Bits::default();
        inside.insert(*head);
        while let Some(block) = open.pop() {
            if inside.insert(block) {
                open.extend(&before[block]);
            }
        }
        loops.push(inside);
    }
    loops
}

/// The nearest node that is on every way to each (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"):
/// of the first it is itself, of those that nothing leads to `usize::MAX`.
pub(crate) fn dominators(order: &[usize], after: &[Vec<usize>]) -> Vec<usize> {
    let (rank, before) = ranks(order, after);
    let mut above = vec![usize::MAX; rank.len()];
    let Some(first) = order.first() else { return above };
    above[*first] = *first;
    loop {
        let mut changed = false;
        for block in &order[1..] {
            let known = before[*block].iter().copied().filter(|one| above[*one] != usize::MAX);
            let nearest = known.reduce(|mut a, mut b| {
                while a != b {
                    if rank[a] > rank[b] {
                        a = above[a];
                    } else {
                        b = above[b];
                    }
                }
                a
            });
            if let Some(nearest) = nearest
                && above[*block] != nearest
            {
                above[*block] = nearest;
                changed = true;
            }
        }
        if !changed {
            return above;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop in a loop, and code after a jump that nothing leads to.
    #[test]
    fn loops() {
        use Flow::{Branch, End, Jump, Next};
        let flows = [Next, Next, Branch(1), Branch(0), Jump(6), Next, End];
        let graph = Graph::new(&flows, 10).unwrap();
        assert_eq!(graph.blocks, [0..1, 1..3, 3..4, 4..5, 5..6, 6..7]);
        assert_eq!(graph.depth, [1, 2, 1, 0, 0, 0]);
        assert_eq!(graph.order, [0, 1, 2, 3, 5]);
        assert_eq!(Graph::new(&flows, 5).unwrap_err(), 6);
    }
}
