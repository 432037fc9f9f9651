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
//! `low_length` is the length of the dimension, and the end is within it; CK checks neither, and accepts slice(8, 4, 20).

use super::{Demand, Demands, offset, transform};
use crate::error::Error;
use crate::number::list::List;

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
    by as_offset: raise, run
}

impl Plain {
    pub(crate) const NAME: &'static str = "slice";
    pub(crate) const AFFINE: bool = true;

    const fn as_offset(self) -> offset::Plain {
        offset::Plain { length: self.end - self.begin, offset: self.begin }
    }

    pub(crate) const fn demands(self) -> Demands {
        Demands::One(Demand::Exactly(self.low_length as u64))
    }

    pub(crate) const fn check(self, names: &List) -> Result<(), Error> {
        let Self { low_length, begin, end } = self;
        if end <= begin {
            return Err(Error::EmptySlice { begin, end });
        }
        if end <= low_length {
            return Ok(());
        }
        Err(Error::LengthDiffers {
            stage: 0,
            transform: Self::NAME,
            declared: List::new(&[low_length, begin, end]),
            needs: Demand::AtLeast(end as u64),
            dimension: names.at(0),
            has: low_length as u64,
        })
    }
}

