//! The elements of a lane in the order of the tile: dimension by dimension, row by row.
//!
//! ```text
//!   m [again 2, part 2, group 4], n [column 32]; lane (part, column), thread (again, group)
//!
//!   sweep    0  1  2  3   4  5  6  7
//!   element  0  1  2  3   4  5  6  7       thread (group, again):   0 2 4 6  1 3 5 7
//!   row      0  1  2  3   8  9 10 11       from the lane's first
//! ```
//!
//! The order of the registers is the order in which the thread lists its factors; the order of a
//! sweep is that of the dimensions, so that a row is complete before the next one begins. Source: CK
//! Tile, `sweep_tile.hpp`, whose spans are nested loops over the dimensions.

use super::encoding::{Encoding, Factor};
use super::fault::{DistributionError, Owner};
use tiledesc_transforms::{List, down, range};

impl Encoding {
    /// Returns the number of element `step` of a lane in the order of the tile, from 0, and its distance from the lane's first
    /// element: CK Tile's `sweep_tile`.
    ///
    /// ```
    /// use tiledesc::distribution::{DistributionError, Encoding};
    ///
    /// // A lane has two rows of three, column by column in its registers.
    /// let dimensions = [("m", &[("row", 2)][..]), ("k", &[("lane", 64), ("column", 3)])];
    /// let tile = Encoding::named(&[], &dimensions, &[], &["lane"], &["column", "row"])?;
    /// let (element, offset) = tile.swept(4)?;
    /// assert_eq!((element, offset.as_slice()), (3, &[1, 1][..]));
    /// # Ok::<(), DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::OutOfRange`] of a step after the last.
    pub const fn swept(&self, step: u32) -> Result<(u32, List), DistributionError> {
        let numbers = self.elements();
        if step >= numbers {
            return Err(DistributionError::OutOfRange {
                owner: Owner::Thread,
                number: step,
                numbers,
            });
        }
        let (mut element, mut offset) = (0, [0; List::CAPACITY]);
        let digits = SweepDigits::new(self);
        range!(i, 0..digits.count, {
            let digit = &digits.digits[i];
            element += digit.at(step) * digit.below;
            offset[digit.dimension] += digit.at(step) * digit.stride;
        });
        Ok((element, List::of_first(offset, self.rank)))
    }
}

/// The part of a factor of the thread in a step.
#[derive(Clone, Copy)]
pub(super) struct SweepDigit {
    /// The stride of the digit in the number of the step.
    place: u32,
    /// 0 if nothing is above it, so that no remainder is taken.
    length: u32,
    /// The stride of the digit in the number of the element.
    pub(super) below: u32,
    pub(super) dimension: usize,
    /// The stride of the digit in the dimension.
    pub(super) stride: u32,
}

impl SweepDigit {
    #[inline(always)]
    pub(super) const fn at(&self, step: u32) -> u32 {
        let quotient = step / self.place;
        if self.length == 0 { quotient } else { quotient % self.length }
    }
}

/// The digits of a step, those of length 1 left out.
pub(super) struct SweepDigits {
    pub(super) digits: [SweepDigit; List::CAPACITY],
    pub(super) count: usize,
}

impl SweepDigits {
    pub(super) const fn new(encoding: &Encoding) -> Self {
        let none = SweepDigit { place: 1, length: 0, below: 0, dimension: 0, stride: 0 };
        let mut made = Self { digits: [none; List::CAPACITY], count: 0 };
        let mut place = 1;
        down!(at, encoding.begin(1)..encoding.count, {
            let Factor { length, stride, group, owner, below, .. } = encoding.factors[at];
            if owner == Owner::Thread as u32 && length > 1 {
                let is_top = place * length == encoding.elements();
                let kept = if is_top { 0 } else { length };
                let dimension = group as usize - 1;
                made.digits[made.count] =
                    SweepDigit { place, length: kept, below, dimension, stride };
                made.count += 1;
                place *= length;
            }
        });
        made
    }
}
