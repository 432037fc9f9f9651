//! `offset`: a dimension that starts later.
//!
//! ```text
//!   lower  0 .. offset .. offset + length
//!               |         |
//!   upper       0 .. length              lower index: u0 + offset
//!
//!   CK Tile: make_offset_transform(length, offset)
//! ```
//!
//! Places a buffer after others in LDS (FMHA's second K buffer).

use super::{Demand, Demands, Run, transform};

transform! {
    /// A dimension of `length` that begins at index `offset` of the one below.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Offset, Transform};
    ///
    /// let mut low = [0u32];
    /// Offset::new(Lit::<5>, Lit::<3>).lower(&[4], &mut low);
    /// assert_eq!(low, [7]);
    /// ```
    Offset::new { length: L is Length, offset: O is Length }
    upper [length]
    rule |up, low| {
        low[0] = up[0].add(&up[0].constant(offset));
    }
    always valid, injective
    nonzero [length]
}

impl Plain {
    pub(crate) const NAME: &'static str = "offset";
    pub(crate) const AFFINE: bool = true;

    pub(crate) const fn demands(self) -> Demands {
        Demands::One(Demand::AtLeast(self.length as u64 + self.offset as u64))
    }

    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        up[0] = low[0].wrapping_sub(self.offset);
        low[0] >= self.offset
    }

    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        up[0] = low[0].moved_by(self.offset as u64);
    }
}
