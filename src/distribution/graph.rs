//! The graph of a distribution: CK Tile's adaptor from (P.., Y..) to X.

use super::encoding::Encoding;
use super::fault::{DistributionError, Owner};
use tiledesc_transforms::{List, Node, Op, Plan, attempt, range};

impl Encoding {
    /// The adaptor from (wave, lane, Y..) to the tile's coordinate, or from (lane, Y..) if waves
    /// own nothing: CK Tile's `ps_ys_to_xs`, with the hidden ids that CK hands out. They are
    /// those of X, then of R, then of the factors of X0, X1, .., then of P.
    ///
    /// ```
    /// use tiledesc::distribution::Encoding;
    ///
    /// // dist_mfma_f16_32x32x8_A: lane = (part, row), a lane holds 4 along k.
    /// let a = Encoding::ck(&[], &[&[32], &[2, 4]], (&[&[2, 1]], &[&[0, 0]]), (&[2], &[1])).unwrap();
    /// let plan = a.plan().unwrap();
    /// assert_eq!(plan.lengths(), [64, 4]);
    /// assert_eq!(plan.top(), [5, 4]);
    /// assert_eq!(plan.bottom(&[33, 2]).unwrap(), [1, 6]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::TooMany`]: more than 12 P and Y dimensions.
    pub const fn plan(&self) -> Result<Plan, DistributionError> {
        attempt!(self.check_divided());
        let mut nodes = [NOTHING; Plan::MOST_NODES];
        let (mut count, mut id) = (0, self.rank as u32);
        let mut ids = [0; Self::MOST_FACTORS];
        range!(group, 0..self.rank + 1, {
            let (mut lengths, mut upper) = (List::EMPTY, List::EMPTY);
            range!(at, self.begin(group)..self.begin(group + 1), {
                lengths = pushed(lengths, self.factors[at].length);
                upper = pushed(upper, id);
                (ids[at], id) = (id, id + 1);
            });
            nodes[count] = match group.checked_sub(1) {
                None => Node { op: Op::Replicate { lengths }, lower: List::EMPTY, upper },
                Some(x) => {
                    Node { op: Op::Unmerge { lengths }, lower: List::new(&[x as u32]), upper }
                }
            };
            count += 1;
        });
        let mut top = List::EMPTY;
        let first = if self.listed_by(Owner::Wave) > 0 { Owner::Wave } else { Owner::Lane };
        range!(i, first as usize..Owner::Thread as usize, {
            let lower = self.ids_of(Owner::ALL[i], &ids);
            let op = if lower.is_empty() {
                Op::Insert { length: 1 }
            } else {
                Op::Merge { lengths: self.lengths_of(Owner::ALL[i]) }
            };
            nodes[count] = Node { op, lower, upper: List::new(&[id]) };
            (count, top, id) = (count + 1, pushed(top, id), id + 1);
        });
        let ys = self.ids_of(Owner::Thread, &ids);
        let Ok(top) = top.concat(&ys) else {
            let most = List::CAPACITY as u32;
            return Err(DistributionError::TooMany { what: "P and Y dimensions", most });
        };
        let (bottom, nodes) = (List::iota(self.rank), nodes.split_at(count).0);
        Ok(
            attempt!(Plan::graph(bottom.as_slice(), nodes, top.as_slice()) => DistributionError::Coordinate),
        )
    }

    /// The hidden ids of the factors that an owner lists.
    const fn ids_of(&self, owner: Owner, ids: &[u32; Self::MOST_FACTORS]) -> List {
        let mut list = List::EMPTY;
        range!(place, 0..self.listed_by(owner), {
            list = pushed(list, ids[self.listed(owner, place)]);
        });
        list
    }
}

const NOTHING: Node = Node { op: Op::Freeze { index: 0 }, lower: List::EMPTY, upper: List::EMPTY };

/// No dimension and no owner has more factors than a list holds.
const fn pushed(list: List, value: u32) -> List {
    match list.push_back(value) {
        Ok(list) => list,
        Err(_) => list,
    }
}
