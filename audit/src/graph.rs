//! Blocks of a program, who follows whom, and which loops they are in.
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

/// How an instruction goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// To the next one.
    Next,
    /// To another one.
    Jump(usize),
    /// To the next one or to another.
    Branch(usize),
    /// The program ends, or goes where we cannot see.
    End,
}

/// The blocks of a program.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) blocks: Vec<Range<usize>>,
    /// The block after it, then the one that it jumps to.
    pub(crate) after: Vec<[Option<usize>; 2]>,
    /// In how many loops each block is.
    pub(crate) depth: Vec<u32>,
}

impl Graph {
    /// The blocks of as many instructions as there are flows.
    pub(crate) fn of(flows: &[Flow]) -> Self {
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
        let depth = depths(&after);
        Self { blocks, after, depth }
    }

    /// The blocks in the order of a program without loops: each after those that lead to it, but for ways back.
    pub(crate) fn order(&self) -> Vec<usize> {
        order(&self.after)
    }
}

fn order(after: &[[Option<usize>; 2]]) -> Vec<usize> {
    let (mut seen, mut done) = (vec![false; after.len()], Vec::new());
    let mut stack = Vec::new();
    if !after.is_empty() {
        seen[0] = true;
        stack.push((0, 0));
    }
    while let Some((block, next)) = stack.pop() {
        match after[block].get(next) {
            None => done.push(block),
            Some(to) => {
                stack.push((block, next + 1));
                if let Some(to) = *to
                    && !std::mem::replace(&mut seen[to], true)
                {
                    stack.push((to, 0));
                }
            }
        }
    }
    done.reverse();
    done
}

/// In how many natural loops each block is: a way back leads to a block that is on every way to its begin.
fn depths(after: &[[Option<usize>; 2]]) -> Vec<u32> {
    let order = order(after);
    let mut rank = vec![usize::MAX; after.len()];
    for (i, block) in order.iter().enumerate() {
        rank[*block] = i;
    }
    let mut before = vec![Vec::new(); after.len()];
    for block in &order {
        for to in after[*block].iter().flatten() {
            before[*to].push(*block);
        }
    }
    let above = dominators(&order, &rank, &before);
    let mut depth = vec![0; after.len()];
    for head in &order {
        let dominated = |block: &usize| {
            let mut one = *block;
            while rank[one] > rank[*head] {
                one = above[one];
            }
            one == *head
        };
        let ways: Vec<_> = before[*head].iter().copied().filter(dominated).collect();
        if ways.is_empty() {
            continue;
        }
        let (mut inside, mut open) = (BTreeSet::from([*head]), ways);
        while let Some(block) = open.pop() {
            if inside.insert(block) {
                open.extend(&before[block]);
            }
        }
        inside.iter().for_each(|block| depth[*block] += 1);
    }
    depth
}

/// The nearest block that is on every way to each (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm").
fn dominators(order: &[usize], rank: &[usize], before: &[Vec<usize>]) -> Vec<usize> {
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
        let graph = Graph::of(&flows);
        assert_eq!(graph.blocks, [0..1, 1..3, 3..4, 4..5, 5..6, 6..7]);
        assert_eq!(graph.depth, [1, 2, 1, 0, 0, 0]);
        assert_eq!(graph.order(), [0, 1, 2, 3, 5]);
    }
}
