//! Parts of distributions: a dimension summed up, a dimension cut.
//!
//! ```text
//!   m [row 32], k [deep 4, part 2, pack 8]; lane (part, row), thread (deep, pack)
//!
//!   reduced over k    m [row 32]; repeat [part 2], lane (part, row)        two lanes share a row
//!   k from 16 to 48   m [row 32], k [deep 2, part 2, pack 8]; the same     from deep 1 on
//! ```
//!
//! Sources: CK Tile, `make_reduce_tile_distribution_encoding` and `slice_distribution_from_x`.

use super::draft::{Draft, GONE};
use super::encoding::{Encoding, Factor};
use super::fault::{DistributionError, Owner};
use super::typed::Distribution;
use core::marker::PhantomData;
use tiledesc_transforms::{Error, List, attempt, down, range};

/// A part of a distribution along a dimension, and where it begins in each lane.
///
/// Its coordinates count from the first one of the part, its elements from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The holders of the part's elements.
    pub encoding: Encoding,
    /// The first Y index of the part in the whole, for each Y: an element of the part with index
    /// y is that of [`whole`](Self::whole) with index `origin + y`.
    pub origin: List,
    /// The whole: where the part begins or ends within a factor that it does not divide, with neighbouring
    /// factors of the lane as one.
    pub whole: Encoding,
}

impl Encoding {
    /// Returns the distribution that is left when a dimension is summed up: lanes that held different indices of it hold the same
    /// sum, so its factors of waves and lanes are repetitions, after those that there are. The thread's are summed up by itself.
    ///
    /// ```
    /// use tiledesc::distribution::DistributionError;
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type C: m [part 2, group 8], n [column 16]; lane (part, column), thread (group); }
    /// // The sum of each row of an accumulator: 16 lanes share it.
    /// let sums = C::ENCODING?.reduced(1)?;
    /// assert_eq!(sums.lengths(), [16]);
    /// assert_eq!((sums.lanes(), sums.elements(), sums.replicas()), (32, 8, 16));
    /// assert_eq!(sums.coordinate(0, 19, 5)?, [13]);
    /// # Ok::<(), DistributionError>(())
    /// ```
    ///
    /// Along a dimension that the factors [cover](Self::covering) and do not divide, what a lane holds beyond the
    /// tile must add nothing, as 0 does; the sum is in all lanes that share it.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type C: m [row 4], n [part 16, pack 2] of 30; lane (row, part), thread (pack); }
    /// let sums = C::ENCODING?.reduced(1)?;
    /// assert_eq!((sums.lengths().at(0), sums.replicas(), sums.has_idle_lanes()), (4, 16, false));
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A dimension that does not exist, or is the only one; [`DistributionError::Together`] where one number counts
    /// two dimensions.
    pub const fn reduced(&self, dimension: usize) -> Result<Self, DistributionError> {
        attempt!(self.has(dimension));
        attempt!(self.check_apart());
        let (mut draft, mut places) = (Draft::new(), [GONE; Self::MOST_FACTORS]);
        attempt!(draft.group(self, 0, &mut places));
        range!(at, self.begin(dimension + 1)..self.begin(dimension + 2), {
            let Factor { name, length, owner, .. } = self.factors[at];
            if owner != Owner::Thread as u32 && length > 1 {
                places[at] = draft.count();
                attempt!(draft.factor(name, Ok(length)));
            }
        });
        range!(d, 0..self.rank(), {
            if d != dimension {
                attempt!(draft.group(self, d + 1, &mut places));
            }
        });
        let mut lengths = List::EMPTY;
        range!(d, 0..self.rank(), {
            if d != dimension
                && let Ok(longer) = lengths.push_back(self.cover.lengths[d])
            {
                lengths = longer;
            }
        });
        Ok(attempt!(draft.owned_as_before(self, &places)).ending_at(&lengths))
    }

    /// The indices `begin` to `end` (exclusive) of a dimension: the same lanes, with fewer
    /// elements.
    ///
    /// ```
    /// use tiledesc::distribution::DistributionError;
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     type A: m [row 32], k [deep 4, part 2, pack 8]; lane (part, row), thread (deep, pack);
    /// }
    /// let a = A::ENCODING?;
    /// let second = a.slice(1, 16, 32)?;
    /// assert_eq!(second.encoding.lengths(), [32, 16]);
    /// assert_eq!(second.origin, [1, 0]);
    /// assert_eq!(a.element(&[second.origin.at(0), 0])?, 8);
    /// // Half of what a lane holds in a row would leave holes between lanes.
    /// let torn = a.slice(1, 0, 8).unwrap_err();
    /// assert_eq!(torn.to_string(), "the slice [0, 8) of k would split lanes");
    /// # Ok::<(), DistributionError>(())
    /// ```
    ///
    /// The last part of a tile that the factors [cover](Self::covering) and do not divide has a tail, as the tile
    /// has:
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// // 100 columns, 32 at a time: of the last four the lanes of part 0 hold one pack.
    /// distribution! { type A: m [row 16], k [deep 4, part 4, pack 8] of 100; lane (part, row), thread (deep, pack); }
    /// let last = A::ENCODING?.slice(1, 96, 100)?;
    /// assert_eq!((last.encoding.lengths().at(1), last.origin.at(0)), (4, 3));
    /// assert_eq!(last.encoding.coordinate(0, 5, 3)?, [5, 3]);
    /// assert!(last.encoding.coordinate(0, 5, 4).is_err() && last.encoding.coordinate(0, 21, 0).is_err());
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A dimension that does not exist, an end that is not after the begin or after the
    /// dimension's; [`DistributionError::SplitsLanes`] where lanes would hold other elements, or
    /// not equally many; [`DistributionError::Together`] where one number counts two dimensions.
    pub const fn slice(
        &self,
        dimension: usize,
        begin: u32,
        end: u32,
    ) -> Result<Slice, DistributionError> {
        attempt!(self.has(dimension));
        attempt!(self.check_apart());
        let length = self.cover.lengths[dimension];
        if begin >= end {
            return Err(DistributionError::Coordinate(Error::EmptySlice { begin, end }));
        }
        if end > length {
            let (dimension, index) = (dimension as u32, end - 1);
            let error = Error::OutOfRange { dimension, index, length };
            return Err(DistributionError::Coordinate(error));
        }
        let joined = self.neighbours_joined();
        // The last part of a tile goes as far as the factors do.
        let (all, mut last) = (self.covered(dimension + 1), end);
        while last == end || end == length && last <= all {
            if let Some(cut) = self.cut(dimension, begin, last) {
                return self.part(&cut, dimension, end - begin);
            }
            if let Some(cut) = joined.cut(dimension, begin, last) {
                return joined.part(&cut, dimension, end - begin);
            }
            last += 1;
        }
        let dimension = self.dimension_name(dimension);
        Err(DistributionError::SplitsLanes { dimension, begin, end })
    }

    /// The distribution that a cut leaves, and the number of elements that its dimension keeps.
    const fn part(
        &self,
        cut: &Cut,
        dimension: usize,
        length: u32,
    ) -> Result<Slice, DistributionError> {
        let (mut draft, mut places) = (Draft::new(), [GONE; Self::MOST_FACTORS]);
        range!(group, 0..self.rank() + 1, {
            attempt!(draft.group(&cut.kept, group, &mut places));
        });
        let lengths = self.lengths().with(dimension, length);
        let encoding = attempt!(draft.owned_as_before(self, &places)).ending_at(&lengths);
        let mut origin = self.ys();
        range!(place, 0..self.listed_by(Owner::Thread), {
            origin = origin.with(place, cut.origins[self.listed(Owner::Thread, place)]);
        });
        Ok(Slice { encoding, origin, whole: *self })
    }

    /// The lengths of all factors of a slice, and the first digits; `None` if no lengths describe it.
    ///
    /// From the fastest factor on whole ones are kept, then one is cut, and of those above one
    /// index stays. Only the thread's can be cut, and above a cut lanes have no digits.
    const fn cut(&self, dimension: usize, begin: u32, end: u32) -> Option<Cut> {
        let mut cut = Cut { kept: *self, origins: [0; Self::MOST_FACTORS] };
        let (mut length, mut is_cut) = (end - begin, false);
        down!(at, self.begin(dimension + 1)..self.begin(dimension + 2), {
            let factor = &self.factors[at];
            let first = begin / factor.stride % factor.length;
            if factor.length == 1 {
                continue;
            }
            if !is_cut && length.is_multiple_of(factor.length) && first == 0 {
                length /= factor.length;
                continue;
            }
            let fits = is_cut || factor.length.is_multiple_of(length);
            if factor.owner != Owner::Thread as u32 || !fits || first + length > factor.length {
                return None;
            }
            (cut.kept.factors[at].length, cut.origins[at]) = (length, first);
            (length, is_cut) = (1, true);
        });
        if length == 1 { Some(cut) } else { None }
    }

    const fn has(&self, dimension: usize) -> Result<(), DistributionError> {
        if dimension < self.rank() {
            return Ok(());
        }
        let (dimension, rank) = (dimension as u32, self.rank() as u32);
        Err(DistributionError::Coordinate(Error::NoDimension { dimension, rank }))
    }
}

/// The distribution that is left when dimension `DIM` is summed up, as a type: see [`Encoding::reduced`].
///
/// ```
/// use tiledesc::{distribution::Reduced, matrix::mfma};
/// use tiledesc::prelude::*;
///
/// type Sums = Reduced<mfma::F16_32x32x8::C, 1>;
/// assert_eq!((Sums::ELEMENTS, Sums::REPLICAS), (16, 32));
/// assert_eq!(Sums::coordinate(0, 33, 6), [8 + 4 + 2]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Reduced<T, const DIM: usize>(PhantomData<T>);

impl<T: Distribution, const DIM: usize> Distribution for Reduced<T, DIM> {
    const ENCODING: Result<Encoding, DistributionError> = match &T::ENCODING {
        Ok(encoding) => encoding.reduced(DIM),
        Err(fault) => Err(*fault),
    };
}

/// A slice of a distribution.
struct Cut {
    /// The distribution with the lengths that its factors keep.
    kept: Encoding,
    /// The first digit of each factor.
    origins: [u32; Encoding::MOST_FACTORS],
}
