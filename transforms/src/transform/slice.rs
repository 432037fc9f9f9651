//! `slice`: a part of a dimension.
//!
//! ```text
//!   lower  0 .. begin .. end .. low_length
//!               |     |
//!   upper       0 .. end - begin         lower index: u0 + begin
//!
//!   CK Tile: make_slice_transform(low_length, begin, end)
//! ```
//!
//! The end must lie in the dimension; CK accepts slice(8, 4, 20).

use super::{Demand, Demands, offset};
use crate::error::Error;

transform! {
    /// Indices `begin` to `end` (exclusive) of a dimension of `low_length`.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Slice, Transform};
    ///
    /// let mut low = [0u32];
    /// Slice::new(Lit::<10>, Lit::<2>, Lit::<7>).lower(&[3], &mut low);
    /// assert_eq!(low, [5]);
    /// ```
    Slice::new { low_length: L is Length, begin: B is Length, end: E is Length }
    upper [end.saturating_sub(begin)]
    rule |up, low| {
        low[0] = up[0].add(&up[0].constant(begin));
    }
    always valid, injective
}

impl Plain {
    pub(crate) const NAME: &'static str = "slice";
    pub(crate) const AFFINE: bool = true;

    const fn as_offset(self) -> offset::Plain {
        offset::Plain { length: self.end - self.begin, offset: self.begin }
    }

    pub(crate) const fn demands(self) -> Demands {
        let reach = Demand::AtLeast(self.end as u64);
        let whole = Demand::Exactly(self.low_length as u64);
        Demands::one(if self.end > self.low_length { reach } else { whole })
    }

    pub(crate) const fn check(self, _: &[u8]) -> Result<(), Error> {
        let Self { begin, end, .. } = self;
        if end <= begin { Err(Error::EmptySlice { begin, end }) } else { Ok(()) }
    }
}

forward! { as_offset: raise, run }
