//! The loops whose trips are counted, and the blocks that each trip goes through.
//!
//! ```text
//!   L0: s_mov               a loop around another: its trips are not counted
//!   L1:   ds_read           the innermost one with work to count
//!         s_cbranch L2
//!         ds_write          sometimes
//!   L2:   v_mfma
//!   L3:     s_cbranch L3    a wait that counts nothing: part of the trip
//!         s_cbranch L1
//!       s_cbranch L0
//! ```

use crate::graph::{Bits, Graph, dominators, order};
use std::collections::HashMap;

/// A natural loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The block at which a trip begins.
    pub(crate) head: usize,
    /// The blocks.
    pub(crate) blocks: Bits,
}

/// The innermost loops with work: loops in which some block has work, and which contain no other such loop.
pub(crate) fn innermost(graph: &Graph, has_work: impl Fn(usize) -> bool) -> Vec<Loop> {
    let works = graph.loops.iter().filter(|blocks| blocks.iter().any(&has_work));
    let works: Vec<Loop> =
        works.map(|blocks| Loop { head: graph.head(blocks), blocks: blocks.clone() }).collect();
    let heads = Bits::from_numbers(works.iter().map(|one| one.head));
    // Loops of two heads lie inside each other or apart.
    let is_innermost =
        |one: &Loop| one.blocks.iter().filter(|block| heads.contains(*block)).count() == 1;
    works.into_iter().filter(is_innermost).collect()
}

impl Loop {
    /// The blocks that every trip goes through, of a wave that is only in some; none if it does not get to the loop.
    ///
    /// They are on every way from the head back to it: above a node to which all ways back are led.
    pub(crate) fn steady(&self, graph: &Graph, there: &Bits) -> Bits {
        if !there.contains(self.head) {
            return Bits::default();
        }
        let others = self.blocks.iter().filter(|block| *block != self.head);
        let nodes: Vec<usize> = std::iter::once(self.head)
            .chain(others)
            .filter(|block| there.contains(*block))
            .collect();
        let end = nodes.len();
        let node_of: HashMap<usize, usize> =
            nodes.iter().enumerate().map(|(node, block)| (*block, node)).collect();
        let to = |block: usize| {
            if block == self.head { Some(end) } else { node_of.get(&block).copied() }
        };
        let ways = |block: &usize| {
            graph.after[*block].iter().flatten().filter_map(|one| to(*one)).collect()
        };
        let mut after: Vec<Vec<usize>> = nodes.iter().map(ways).collect();
        after.push(Vec::new());
        let above = dominators(&order(&after), &after);
        let mut steady = Bits::default();
        let mut node = above[end];
        while node < end {
            steady.insert(nodes[node]);
            node = if node == 0 { end } else { above[node] };
        }
        steady
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Flow::{Branch, End, Next};

    /// The program of the head: blocks 1 to 4 are the loop that counts, and 2 is jumped over.
    #[test]
    fn trips() {
        let flows = [Next, Branch(3), Next, Next, Branch(4), Branch(1), Branch(0), End];
        let graph = Graph::new(&flows, 10).unwrap();
        assert_eq!(graph.blocks, [0..1, 1..2, 2..3, 3..4, 4..5, 5..6, 6..7, 7..8]);
        let all = innermost(&graph, |block| [1, 2, 3].contains(&block));
        let [one] = &all[..] else { panic!("{all:?}") };
        assert_eq!((one.head, Vec::from_iter(one.blocks.iter())), (1, vec![1, 2, 3, 4, 5]));
        let everywhere = || {
            let mut bits = Bits::default();
            bits.extend(0..8);
            bits
        };
        let steady = |there: &Bits| Vec::from_iter(one.steady(&graph, there).iter());
        assert_eq!(steady(&everywhere()), [1, 3, 4, 5]);
        // Nobody is there.
        assert!(steady(&Bits::default()).is_empty());
        // Work in the innermost loop of all, the wait.
        assert_eq!(innermost(&graph, |block| block == 4)[0].head, 4);
    }

    /// A wave that never takes the way around goes through all.
    #[test]
    fn trips_of_one_wave() {
        // 0: branch to 2; 1: next; jump over 2 is by others. 0 -> {1, 2}, 1 -> 3, 2 -> 3, 3 -> {0, end}.
        let flows = [Branch(2), crate::graph::Flow::Jump(3), Next, Branch(0), End];
        let graph = Graph::new(&flows, 10).unwrap();
        let one = &innermost(&graph, |_| true)[0];
        let mut there = Bits::default();
        there.extend([0, 1, 3].into_iter());
        assert_eq!(Vec::from_iter(one.steady(&graph, &there).iter()), [0, 1, 3]);
        there.insert(2);
        assert_eq!(Vec::from_iter(one.steady(&graph, &there).iter()), [0, 3]);
    }
}
