//! Plans from a finished graph, as CK Tile stores one: transforms between hidden
//! ids, in the order from memory upwards.

use crate::error::{Error, Side};
use crate::number::list::List;
use crate::plan::compose::arity;
use crate::plan::{Hidden, Node, Plan};
use crate::transform::Op;

impl Plan {
    /// A plan from a finished graph over hidden ids, as CK Tile stores it:
    /// `bottom` dimensions first, nodes from memory upwards, then the ids of the
    /// top dimensions. Ids may be numbered in any order.
    ///
    /// ```
    /// use tiledesc_transforms::{Error, List, Node, Op, Plan};
    ///
    /// // Memory is 0; rows 1 and chunks 2 over it; 3 and 4 above their xor.
    /// let lengths = List::pair(128, 8);
    /// let rows = Node { op: Op::Unmerge { lengths }, lower: List::new(&[0]), upper: List::pair(1, 2) };
    /// let xor = Op::Xor { length0: 128, length1: 8 };
    /// let xor = Node { op: xor, lower: List::pair(1, 2), upper: List::pair(3, 4) };
    /// let tile = Plan::graph(&[0], &[rows, xor], &[3, 4])?;
    /// assert_eq!((tile.offset(&[10, 5])?, tile.element_space()), (10 * 8 + 7, 1024));
    /// assert_eq!(
    ///     Plan::graph(&[0], &[rows, xor], &[3]).unwrap_err().to_string(),
    ///     "dimension 4 leads nowhere: no transform takes it, and it is not a top dimension",
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An id used before it is made, or never, lengths that do not agree, a wrong arity. A
    /// dimension of length 1 may be left: its one index is 0.
    pub const fn graph(bottom: &[u32], nodes: &[Node], top: &[u32]) -> Result<Self, Error> {
        let mut plan = attempt!(Self::bottoms(bottom.len()));
        // Position of the caller's id among ours; UNMADE until its node came.
        const UNMADE: u32 = u32::MAX;
        let mut ids = [UNMADE; Self::MOST_HIDDEN];
        let mut below = 0;
        while below < bottom.len() {
            attempt!(graph_id(bottom[below]));
            if ids[bottom[below] as usize] != UNMADE {
                return Err(claimed_twice(Side::Lower, bottom[below]));
            }
            ids[bottom[below] as usize] = below as u32;
            below += 1;
        }
        // Every dimension is taken once: by a transform, or as a top dimension.
        let mut taken = 0u64;
        let mut next = 0;
        while next < nodes.len() {
            taken = attempt!(take(taken, &nodes[next].lower, Side::Lower));
            let lower = attempt!(translate(&ids, &nodes[next].lower));
            let first = plan.hidden_count as u32;
            let upper = nodes[next].upper;
            let lengths = attempt!(nodes[next].op.upper_lengths() => Error::Number);
            if lengths.len() != upper.len() {
                return Err(arity(&nodes[next].op, Side::Upper, lengths.len(), upper.len()));
            }
            let (given, mut above) = (List::iota(lengths.len()), List::EMPTY);
            let Node { op, lower: names, .. } = &nodes[next];
            attempt!(plan.attach(op, &lengths, &lower, names, &given, &mut above));
            let mut place = 0;
            while place < upper.len() {
                let id = upper.at(place);
                attempt!(graph_id(id));
                if ids[id as usize] != UNMADE {
                    return Err(claimed_twice(Side::Upper, id));
                }
                ids[id as usize] = first + place as u32;
                place += 1;
            }
            next += 1;
        }
        let top = attempt!(List::from_slice(top) => Error::Number);
        taken = attempt!(take(taken, &top, Side::Upper));
        let mut id = 0;
        while id < ids.len() {
            if ids[id] != UNMADE && taken & 1 << id == 0 && plan.lengths[ids[id] as usize] != 1 {
                return Err(Error::Dangling { dimension: id as u32, given: true });
            }
            id += 1;
        }
        plan.top = attempt!(translate(&ids, &top));
        if bottom.len() == 1 {
            plan.measure();
            attempt!(plan.addressable());
        }
        Ok(plan)
    }

    /// The element space, from the transform over hidden dimension 0.
    const fn measure(&mut self) {
        let mut n = 0;
        while n < self.node_count {
            let node = self.nodes[n];
            if node.lower.len() == 1 && node.lower.at(0) == 0 {
                (self.space, self.origin) = match node.op {
                    Op::Offset { length, offset } => (length as u64, offset),
                    op => (op.demands().first(), 0),
                };
            }
            n += 1;
        }
    }
}

const fn graph_id(id: u32) -> Result<(), Error> {
    if id as usize >= Plan::MOST_HIDDEN {
        return Err(Error::TooLarge { what: "hidden dimensions", most: Plan::MOST_HIDDEN as u32 });
    }
    Ok(())
}

const fn translate(ids: &Hidden, list: &List) -> Result<List, Error> {
    let mut result = List::EMPTY;
    let mut i = 0;
    while i < list.len() {
        let id = list.at(i);
        attempt!(graph_id(id));
        if ids[id as usize] == u32::MAX {
            return Err(Error::Dangling { dimension: id, given: false });
        }
        result = attempt!(result.push_back(ids[id as usize]) => Error::Number);
        i += 1;
    }
    Ok(result)
}

const fn claimed_twice(side: Side, dimension: u32) -> Error {
    Error::ClaimedTwice { stage: 0, side, dimension }
}

/// Marks hidden ids as taken; each may be taken once.
const fn take(mut taken: u64, ids: &List, side: Side) -> Result<u64, Error> {
    let mut i = 0;
    while i < ids.len() {
        let id = ids.at(i);
        attempt!(graph_id(id));
        if taken & 1 << id != 0 {
            return Err(claimed_twice(side, id));
        }
        taken |= 1 << id;
        i += 1;
    }
    Ok(taken)
}
