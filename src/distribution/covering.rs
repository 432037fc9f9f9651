//! A distribution of a tile that its factors do not divide.

use super::cover::Cover;
use super::encoded::{Sequences, all};
use super::encoding::Encoding;
use super::fault::DistributionError;
use super::typed::{Distribution, OperandOf};
use core::marker::PhantomData;
use tiledesc_transforms::{List, NumberError, attempt, range};

impl Encoding {
    /// Returns a distribution with these factors over a tile that they cover and need not divide. `parts` has for each dimension
    /// its length, at most the number that its factors count, or the lengths of several dimensions over which they count as one
    /// number, the last one fastest; nothing for a dimension that stays as it is. No lane holds what is beyond the tile. In
    /// [`distribution!`](crate::distribution!): `m [again 4, row 8] of 31` and `(m, k) [wave 4, lane 64, part 4] of (22, 40)`.
    ///
    /// ```
    /// use tiledesc::distribution::{DistributionError, Encoding, Place};
    ///
    /// // 256 threads of 4 elements each, one after another.
    /// let run = ("", &[("wave", 4), ("lane", 64), ("part", 4)][..]);
    /// let run = Encoding::named(&[], &[run], &["wave"], &["lane"], &["part"])?;
    /// let halo = run.covering(&[&[22, 40]])?;
    /// assert_eq!(halo.lengths(), [22, 40]);
    /// assert_eq!(halo.coordinate(3, 27, 0)?, [21, 36]);
    /// assert_eq!(halo.owner(&[21, 36])?, Place { wave: 3, lane: 27, element: 0 });
    /// assert_eq!(
    ///     halo.coordinate(3, 28, 0).unwrap_err().to_string(),
    ///     "lane 28 of wave 3 holds no element 0: it lies beyond the tile",
    /// );
    /// # Ok::<(), DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::Covers`] of another number of dimensions; [`DistributionError::Uncovered`] of
    /// more elements than the factors count, or of none; [`DistributionError::Undivided`] of a distribution
    /// that covers its tile already; too many dimensions.
    pub const fn covering(&self, parts: &[&[u32]]) -> Result<Self, DistributionError> {
        let (mut lists, mut d) = ([List::EMPTY; List::CAPACITY], 0);
        while d < parts.len() && d < List::CAPACITY {
            let Ok(list) = List::from_slice(parts[d]) else { return Err(too_many()) };
            (lists[d], d) = (list, d + 1);
        }
        self.covering_lists(&lists, parts.len())
    }

    /// [`covering`](Self::covering) of a distribution and of numbers that may not exist, with the names of the dimensions
    /// that each of its dimensions becomes.
    #[doc(hidden)]
    pub const fn of_parts(
        whole: Result<Self, DistributionError>,
        parts: &[Result<List, NumberError>],
        names: &[&[&'static str]],
    ) -> Result<Self, DistributionError> {
        let mut made = attempt!(covering_results(&attempt!(whole), parts));
        let mut at = 0;
        range!(d, 0..names.len(), {
            let given = attempt!(parts[d] => DistributionError::Number).len();
            if names[d].len() != if given == 0 { 1 } else { given } {
                let (given, rank) = (given as u32, names[d].len() as u32);
                return Err(DistributionError::Covers { given, rank });
            }
            range!(i, 0..names[d].len(), {
                made.dimensions[at] = names[d][i];
                at += 1;
            });
        });
        Ok(made)
    }

    const fn covering_lists(
        &self,
        parts: &[List; List::CAPACITY],
        given: usize,
    ) -> Result<Self, DistributionError> {
        attempt!(self.check_divided());
        if given != self.rank {
            let (given, rank) = (given as u32, self.rank as u32);
            return Err(DistributionError::Covers { given, rank });
        }
        let mut made = *self;
        (made.rank, made.cover) = (0, Cover::NONE);
        range!(d, 0..given, {
            let whole = List::new(&[self.cover.lengths[d]]);
            let lengths = if parts[d].is_empty() { whole } else { parts[d] };
            attempt!(made.push(self, d, &lengths));
            attempt!(made.check(self, d));
        });
        Ok(made)
    }

    /// The dimensions that dimension `d` of `of` becomes, with its factors in the last.
    const fn push(&mut self, of: &Self, d: usize, lengths: &List) -> Result<(), DistributionError> {
        range!(part, 0..lengths.len(), {
            if self.rank == List::CAPACITY {
                return Err(too_many());
            }
            let at = self.rank;
            self.dimensions[at] = if lengths.len() == 1 { of.dimensions[d] } else { "" };
            self.cover.lengths[at] = lengths.at(part);
            if part > 0 {
                self.cover.carries |= 1 << at;
            }
            self.begins[at + 1] = of.begins[d + 1];
            self.rank += 1;
        });
        self.begins[self.rank + 1] = of.begins[d + 2];
        range!(at, of.begin(d + 1)..of.begin(d + 2), {
            self.factors[at].group = self.rank as u32;
        });
        Ok(())
    }

    /// Refuses parts of length 0, and more elements than factors count.
    const fn check(&mut self, of: &Self, d: usize) -> Result<(), DistributionError> {
        let (last, covered) = (self.rank - 1, of.cover.lengths[d]);
        let (mut elements, mut at) = (self.cover.lengths[last] as u64, last);
        while self.cover.carries(at) {
            at -= 1;
            // Of lengths below 2^32 the product is at most 2^64; it is compared before it can be more.
            elements = elements.saturating_mul(self.cover.lengths[at] as u64);
        }
        if elements == 0 || elements > covered as u64 {
            let dimension = of.dimension_name(d);
            return Err(DistributionError::Uncovered { dimension, covered, elements });
        }
        if elements < covered as u64 {
            self.cover.beyond |= 1 << last;
        }
        Ok(())
    }

    /// Refuses dimensions that one number counts together: parts, and their transposes, are taken of each dimension by itself.
    pub(super) const fn check_apart(&self) -> Result<(), DistributionError> {
        range!(d, 1..self.rank, {
            if self.cover.carries(d) {
                let (first, second) = (self.dimension_name(d - 1), self.dimension_name(d));
                return Err(DistributionError::Together { first, second });
            }
        });
        Ok(())
    }

    /// Returns the distribution over a tile that ends at these lengths, none of which is more than the factors count.
    pub(super) const fn ending_at(mut self, lengths: &List) -> Self {
        range!(d, 0..self.rank, {
            if lengths.at(d) < self.cover.lengths[d] {
                self.cover.lengths[d] = lengths.at(d);
                self.cover.beyond |= 1 << d;
            }
        });
        self
    }

    /// Refuses a dimension that is not the product of its factors.
    #[doc(hidden)]
    pub const fn check_divided(&self) -> Result<(), DistributionError> {
        if self.cover.is_whole() {
            return Ok(());
        }
        range!(d, 0..self.rank, {
            let (dimension, length) = (self.dimension_name(d), self.cover.lengths[d]);
            if self.covered(d + 1) != length {
                return Err(DistributionError::Undivided { dimension, length });
            }
        });
        Ok(())
    }
}

/// A distribution over a tile that its factors cover and need not divide, as a type: `Parts` is a
/// [list](crate::lists!) of the lengths of each dimension. See [`Encoding::covering`].
///
/// ```
/// use tiledesc::{distribution::{BlockRaked, Covering}, prelude::*};
///
/// /// 4 waves take 31 rows of 64 in vectors of 8.
/// type Rows = Covering<BlockRaked<U32, U64, U8, U4>, lists![[31], [64]]>;
/// assert_eq!(Rows::masked(3, 55, 0), ([30, 56], true));
/// assert!(!Rows::masked::<2>(3, 56, 0).1);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Covering<T, Parts>(PhantomData<(T, Parts)>);

impl<T: Distribution, Parts: Sequences> Distribution for Covering<T, Parts> {
    const ENCODING: Result<Encoding, DistributionError> = match &T::ENCODING {
        Ok(encoding) => covering_results(encoding, Parts::LISTS),
        Err(fault) => Err(*fault),
    };
    const OPERAND_OF: Option<&'static OperandOf> = T::OPERAND_OF;
}

const fn covering_results(
    of: &Encoding,
    given: &[Result<List, NumberError>],
) -> Result<Encoding, DistributionError> {
    let lists = attempt!(all(given));
    of.covering_lists(&lists, given.len())
}

const fn too_many() -> DistributionError {
    DistributionError::TooMany { what: "dimensions", most: List::CAPACITY as u32 }
}
