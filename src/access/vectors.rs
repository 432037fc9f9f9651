//! Along which dimension a lane's elements are vectors: contiguous in the tile and in its registers.
//!
//! ```text
//!   k [deep 2, quad 4, pair 2], thread (deep, pair)    vectors of 2 along k; of 4 there are none:
//!                                                      a lane moves 4 elements but holds only 2 contiguous ones along k
//! ```

use super::error::AccessError;
use crate::distribution::Encoding;
use tiledesc_transforms::{Digits, Plan};

impl Encoding {
    /// Refuses a dimension along which a lane does not hold vectors of `pack` elements in consecutive registers.
    ///
    /// ```
    /// use tiledesc::{matrix::mma, prelude::*};
    ///
    /// // A lane holds pairs of a row of C, and single elements of a column.
    /// let held = mma::C::ENCODING?;
    /// assert!(held.vectors_along(1, 2).is_ok() && held.vectors_along(0, 2).is_err());
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError::Packs`], [`AccessError::Tail`], [`AccessError::Scattered`].
    pub const fn vectors_along(&self, dimension: usize, pack: u32) -> Result<(), AccessError> {
        let along = self.dimension_name(dimension);
        match self.has_packs(dimension, pack) {
            false if self.ends_within(dimension, pack) => {
                Err(AccessError::Packs { columns: self.lengths().at(dimension), pack })
            }
            false => {
                Err(AccessError::Tail { pack, along, tail: self.tail(dimension), instead: "" })
            }
            true => match self.apart(dimension, pack) {
                1 => Ok(()),
                apart => Err(AccessError::Scattered { pack, along, apart }),
            },
        }
    }

    /// The longest vectors, of at most `most` elements and dividing that number, that a lane holds along a dimension in
    /// consecutive registers.
    ///
    /// ```
    /// use tiledesc::{matrix::mma, prelude::*};
    ///
    /// // A lane holds pairs of a row of C, and single elements of a column.
    /// let held = mma::C::ENCODING?;
    /// assert_eq!((held.vector(1, 4), held.vector(0, 4)), (2, 1));
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    #[must_use]
    pub const fn vector(&self, dimension: usize, most: u32) -> u32 {
        let mut vector = most;
        while vector > 1 && !(most.is_multiple_of(vector) && self.has_vectors(dimension, vector)) {
            vector -= 1;
        }
        if vector > 0 { vector } else { 1 }
    }

    /// Returns whether lanes have packs along a dimension and the tile's end cuts one of them.
    const fn ends_within(&self, dimension: usize, pack: u32) -> bool {
        self.tail(dimension).is_multiple_of(pack) && self.cuts(dimension, pack)
    }

    /// The last dimension along which they are.
    pub(crate) const fn last_vectors(&self, pack: u32) -> Result<usize, AccessError> {
        let (mut scattered, mut dimension) = (None, self.rank());
        while dimension > 0 {
            dimension -= 1;
            match self.vectors_along(dimension, pack) {
                Ok(()) => return Ok(dimension),
                Err(misfit @ AccessError::Scattered { .. }) if scattered.is_none() => {
                    scattered = Some(misfit);
                }
                Err(_) => {}
            }
        }
        match scattered {
            Some(misfit) => Err(misfit),
            None => Err(self.no_packs(pack)),
        }
    }

    /// Returns the error that a lane's elements are packs along no dimension, with the longest tail, the last of equals.
    pub(crate) const fn no_packs(&self, pack: u32) -> AccessError {
        let (mut along, mut tail, mut dimension) = (0, 0, self.rank());
        while dimension > 0 {
            dimension -= 1;
            if self.tail(dimension) > tail {
                (along, tail) = (dimension, self.tail(dimension));
            }
        }
        if self.ends_within(along, pack) {
            return AccessError::Packs { columns: self.lengths().at(along), pack };
        }
        AccessError::Tail { pack, along: self.dimension_name(along), tail, instead: "" }
    }
}

/// Returns whether aligned packs along a dimension are known to be contiguous.
pub(super) const fn is_contiguous(
    plan: &Plan,
    digits: &Option<Digits>,
    along: usize,
    pack: u32,
) -> bool {
    match digits {
        // To walk along a tile of a hundred rows for single elements is half a second of the compiler.
        _ if pack == 1 => true,
        Some(digits) if pack.is_power_of_two() => digits.is_contiguous(along, pack),
        _ => matches!(plan.has_blocks(along, pack), Ok(true)),
    }
}

/// Elements that are contiguous in every block along a dimension.
pub(super) const fn together(plan: &Plan, along: usize) -> u32 {
    match plan.vector(along) {
        Ok(vector) if vector.stride == 1 => vector.length,
        _ => 1,
    }
}
