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
use super::typed::Distribution;
use core::marker::PhantomData;
use core::ops::Range;
use tiledesc_transforms::List;

impl Encoding {
    /// Element number `step` of a lane in the order of the tile, from 0, and where it lies from
    /// the lane's first element: CK Tile's `sweep_tile`.
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
        let (mut rest, mut element, mut at) = (step, 0, self.count);
        let mut offset = self.lengths();
        let mut dimension = 0;
        while dimension < self.rank {
            offset = offset.with(dimension, 0);
            dimension += 1;
        }
        while at > self.begin(1) {
            at -= 1;
            let Factor { length, stride, group, owner, below, .. } = self.factors[at];
            if owner == Owner::Thread as u32 {
                let (dimension, digit) = (group as usize - 1, rest % length);
                element += digit * below;
                offset = offset.with(dimension, offset.at(dimension) + digit * stride);
                rest /= length;
            }
        }
        Ok((element, offset))
    }
}

/// The elements of a lane in the order of the tile, each with its place from the lane's first: what
/// [`Distribution::sweep`] returns.
pub struct Sweep<T: ?Sized, const RANK: usize> {
    steps: Range<u32>,
    of: PhantomData<T>,
}

impl<T: Distribution + ?Sized, const RANK: usize> Sweep<T, RANK> {
    #[inline(always)]
    pub(super) const fn all() -> Self {
        let steps = const {
            let elements = T::ELEMENTS as u32;
            0..elements
        };
        Self { steps, of: PhantomData }
    }

    /// The digits of a step, as in [`Encoding::swept`]: nothing is interpreted.
    #[inline(always)]
    fn of(step: u32) -> (usize, [u32; RANK]) {
        let (mut element, mut offset) = (0, [0; RANK]);
        macro_rules! unrolled {
            ($($i:literal)*) => {$(
                if const { $i < Self::DIGITS.count } {
                    let Digit { place, length, below, dimension, stride } =
                        const { Self::DIGITS.digits[$i] };
                    let digit = if length == 0 { step / place } else { step / place % length };
                    element += digit * below;
                    offset[dimension] += digit * stride;
                }
            )*};
        }
        unrolled!(0 1 2 3 4 5 6 7 8 9 10 11);
        (element as usize, offset)
    }

    const DIGITS: Digits = match &T::ENCODING {
        Ok(encoding) => Digits::of(encoding),
        // Refused where its elements are counted.
        Err(_) => Digits::of(&Encoding::EMPTY),
    };
}

/// What a factor of the thread makes of a step.
#[derive(Clone, Copy)]
struct Digit {
    /// What the digit counts in the number of the step.
    place: u32,
    /// 0 if nothing is above it, so that no remainder is taken.
    length: u32,
    below: u32,
    dimension: usize,
    stride: u32,
}

struct Digits {
    digits: [Digit; List::CAPACITY],
    count: usize,
}

impl Digits {
    const fn of(encoding: &Encoding) -> Self {
        let none = Digit { place: 1, length: 0, below: 0, dimension: 0, stride: 0 };
        let mut made = Self { digits: [none; List::CAPACITY], count: 0 };
        let (mut place, mut at) = (1, encoding.count);
        while at > encoding.begin(1) {
            at -= 1;
            let Factor { length, stride, group, owner, below, .. } = encoding.factors[at];
            if owner == Owner::Thread as u32 && length > 1 {
                let is_top = place * length == encoding.elements();
                let kept = if is_top { 0 } else { length };
                let dimension = group as usize - 1;
                made.digits[made.count] = Digit { place, length: kept, below, dimension, stride };
                made.count += 1;
                place *= length;
            }
        }
        made
    }
}

impl<T: Distribution + ?Sized, const RANK: usize> Iterator for Sweep<T, RANK> {
    type Item = (usize, [u32; RANK]);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.steps.next().map(Self::of)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.steps.size_hint()
    }
}

impl<T: Distribution + ?Sized, const RANK: usize> DoubleEndedIterator for Sweep<T, RANK> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.steps.next_back().map(Self::of)
    }
}

impl<T: Distribution + ?Sized, const RANK: usize> ExactSizeIterator for Sweep<T, RANK> {}

impl<T: ?Sized, const RANK: usize> Clone for Sweep<T, RANK> {
    fn clone(&self) -> Self {
        Self { steps: self.steps.clone(), of: PhantomData }
    }
}

impl<T: ?Sized, const RANK: usize> core::fmt::Debug for Sweep<T, RANK> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Sweep").field(&self.steps).finish()
    }
}
