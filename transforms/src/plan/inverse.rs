//! The inverse: from an offset back to the coordinate.
//!
//! ```text
//!   offset 201 --embed--> (k', m, k1) --xor--> ... --merge--> (m, k)
//! ```
//!
//! The nodes are walked from memory upwards, each inverting its own rule. CK Tile has no inverse (`calculate_upper_index` is only
//! in its documentation); direct-to-LDS copies need one, for a lane's place in LDS is fixed and the question is which element
//! belongs there.

use crate::error::Error;
use crate::number::list::List;
use crate::plan::{Hidden, Node, Plan, gather};

impl Plan {
    /// The coordinate at an offset, in elements: the inverse of [`offset`](Self::offset).
    ///
    /// ```
    /// use tiledesc_transforms::{Error, Plan};
    ///
    /// // Rows of 64 every 72.
    /// let rows = Plan::naive(&[128, 64], &[72, 1])?;
    /// assert_eq!(rows.coordinate_of(3 * 72 + 17)?, [3, 17]);
    /// assert_eq!(rows.coordinate_of(70), Err(Error::NoCoordinate { offset: 70 }));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// Every transform that is injective inverts its rule; the result is evaluated again before it is returned, so it is never
    /// wrong. Where a transform is not injective by itself (a modulo with one round taken by a slice), every coordinate is tried,
    /// up to [`MOST_TRIED`](Self::MOST_TRIED).
    ///
    /// # Errors
    ///
    /// [`Error::NoCoordinate`] for an offset in a gap or after the end,
    /// [`Error::TooManyToTry`] where every one would have to be tried.
    pub const fn coordinate_of(&self, offset: u32) -> Result<List, Error> {
        attempt!(self.has_memory());
        let mut hidden = [0; Self::MOST_HIDDEN];
        hidden[0] = offset;
        let (mut found, mut exact, mut n) = (true, true, 0);
        while n < self.node_count {
            found = self.nodes[n].raise(&mut hidden) && found;
            exact = self.nodes[n].op.injective() && exact;
            n += 1;
        }
        let index = gather(&hidden, &self.top);
        let index = List::new(index.split_at(self.top.len()).0);
        if found && self.is_at(&index, offset) {
            return Ok(index);
        }
        if exact { Err(Error::NoCoordinate { offset }) } else { self.search(offset) }
    }

    const fn is_at(&self, index: &List, offset: u32) -> bool {
        matches!(self.offset(index.as_slice()), Ok(here) if here == offset)
    }

    /// The first coordinate with an offset, all tried.
    const fn search(&self, offset: u32) -> Result<List, Error> {
        if self.elements() > Self::MOST_TRIED {
            let (elements, most) = (self.elements(), Self::MOST_TRIED);
            return Err(Error::TooManyToTry { law: "invertible", elements, most });
        }
        let mut id = 0;
        while id < self.elements() {
            let index = self.nth(id);
            if self.is_at(&index, offset) {
                return Ok(index);
            }
            id += 1;
        }
        Err(Error::NoCoordinate { offset })
    }
}

impl Node {
    /// Computes the upper dimensions from the lower ones.
    pub(crate) const fn raise(&self, hidden: &mut Hidden) -> bool {
        let mut up = [0; List::CAPACITY];
        let found = self.op.raise(&gather(hidden, &self.lower), &mut up);
        let mut i = 0;
        while i < self.upper.len() {
            hidden[self.upper.at(i) as usize] = up[i];
            i += 1;
        }
        found
    }
}
