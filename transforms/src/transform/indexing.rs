//! `indexing`: an index looked up once and kept.
//!
//! ```text
//!   upper   u0 (any)           lower index: cached
//!   lower   cached             CK Tile: make_indexing_transform with
//!                              indexing_adaptor_onshot_cached
//! ```
//!
//! One row of a gather: the kernel reads the row number from a table once and
//! keeps it. The upper index does not enter, neither in the offset nor in a
//! move; CK's move passes the difference on and drifts away from the cached row.
//! A whole table of rows is a [`functor`](super::Functor).

use super::{Demand, Demands, replicate, transform};
use crate::number::list::List;

transform! {
    /// A dimension of `length` whose every index is the lower index `cached`.
    ///
    /// ```
    /// use tiledesc_transforms::{Dyn, Indexing, Lit, Transform};
    ///
    /// let row_from_table = 7;
    /// let mut low = [0u32];
    /// Indexing::new(Lit::<4>, Dyn(row_from_table)).lower(&[2], &mut low);
    /// assert_eq!(low, [7]);
    /// ```
    Indexing::new { length: L is Length, cached: C is Length }
    upper [length]
    rule |up, low| {
        low[0] = up[0].constant(cached);
    }
    always valid
    nonzero [length]
    by as_replicate: injective, run
}

impl Plain {
    pub(crate) const NAME: &'static str = "indexing";
    pub(crate) const AFFINE: bool = true;

    /// Every index leads to the same element.
    const fn as_replicate(self) -> replicate::Plain {
        replicate::Plain { lengths: List::new(&[self.length]) }
    }

    pub(crate) const fn demands(self) -> Demands {
        Demands::One(Demand::AtLeast(self.cached as u64 + 1))
    }

    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        up[0] = 0;
        low[0] == self.cached
    }
}

