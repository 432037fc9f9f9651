//! A coordinate as a sum of terms: what each digit of wave, lane and element adds to which index.
//!
//! ```text
//!   m [again 4, wave 4, row 8], k [chunk 8, half 8]        of          adds
//!   m    again    element / 8                              thread      32 each
//!        wave     wave                                     wave        8
//!        row      lane / 8                                 lane        1
//!   k    chunk    lane % 8                                 lane        8
//!        half     element % 8                              thread      1
//! ```
//!
//! Factors that are neighbours both in their dimension and in their owner are one digit, so that a kernel takes a
//! quotient and a remainder for each term and not for each factor.

use super::cover::Cover;
use super::encoding::{Encoding, Factor};
#[cfg(debug_assertions)]
use super::fault::DistributionError;
use super::fault::Owner;
use tiledesc_transforms::{Extent, Index, List, range};

impl Encoding {
    /// The coordinate of a wave, a lane and an element over any [`Index`], with 0 in the dimensions that the encoding lacks: for
    /// expressions from which a kernel is made. It adds up the digits that
    /// [`Distribution::coordinate`](crate::distribution::Distribution::coordinate) does. The coordinate of a lane that holds
    /// nothing is meaningless.
    ///
    /// ```
    /// use tiledesc::matrix::mfma;
    /// use tiledesc::prelude::*;
    ///
    /// let held = mfma::F16_32x32x8::C::ENCODING?.index_of(&[0u64, 33, 6]);
    /// assert_eq!(held[..2], [14, 1]);
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, for integers that do not all exist.
    #[must_use]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn index_of<I: Index>(&self, numbers: &[I; 3]) -> [I; List::CAPACITY] {
        #[cfg(debug_assertions)]
        self.refuse_absent(numbers);
        let mut index = self.counted_of(numbers);
        self.cover.coordinate_of(&mut index[..self.rank]);
        index
    }

    /// Returns whether a wave and a lane hold an element, over any [`Index`]: `None` if all hold all of theirs.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type Rows: m [again 4, row 8] of 31; lane (row), thread (again); }
    /// let rows = Rows::ENCODING?;
    /// assert_eq!(rows.mask_of(&[0u32, 7, 2]), Some(true));
    /// assert_eq!(rows.mask_of(&[0u32, 7, 3]), Some(false));
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// As [`index_of`](Self::index_of).
    #[must_use]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn mask_of<I: Index>(&self, numbers: &[I; 3]) -> Option<I::Mask> {
        #[cfg(debug_assertions)]
        self.refuse_absent(numbers);
        self.cover.mask_of(&self.counted_of(numbers)[..self.rank])
    }

    /// Refuses numbers that do not exist, in debug builds: this is left to the caller. Where waves own nothing any wave exists.
    #[cfg(debug_assertions)]
    #[track_caller]
    fn refuse_absent<I: Index>(&self, numbers: &[I; 3]) {
        let owners = [Owner::Wave, Owner::Lane, Owner::Thread];
        for ((number, owner), numbers) in numbers.iter().zip(owners).zip(self.numbers) {
            let beyond = number.number().filter(|number| *number >= u64::from(numbers));
            if let Some(number) = beyond.filter(|_| !owner.is(Owner::Wave) || numbers > 1) {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                panic!("{}", DistributionError::OutOfRange { owner, number, numbers });
            }
        }
    }

    /// The counts of the factors of each dimension.
    fn counted_of<I: Index>(&self, numbers: &[I; 3]) -> [I; List::CAPACITY] {
        let zero = numbers[0].constant(Extent::constant(0));
        let mut counted = core::array::from_fn(|_| zero.clone());
        let terms = Terms::new(self);
        for term in &terms.terms[..terms.count] {
            let sum: &mut I = &mut counted[term.dimension];
            *sum = sum.add(&term.part(&numbers[term.owner]));
        }
        counted
    }
}

/// A digit of an owner's number, and what it adds to which index.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub(super) owner: usize,
    pub(super) below: u32,
    /// 0 if nothing is above it in the number, so that no remainder is taken.
    pub(super) length: u32,
    pub(super) dimension: usize,
    pub(super) stride: u32,
    /// 0 if nothing is above it in the dimension.
    pub(super) indices: u32,
}

impl Term {
    const fn new(factor: &Factor, owner: Owner, encoding: &Encoding) -> Self {
        let Factor { length, stride, group, below, .. } = *factor;
        let owner = owner as usize;
        let is_top = below as u64 * length as u64 == encoding.numbers[owner] as u64;
        let dimension = group as usize - 1;
        let is_slowest = stride as u64 * length as u64 == encoding.covered(dimension + 1) as u64;
        let indices = if is_slowest { 0 } else { length };
        let length = if is_top { 0 } else { length };
        Self { owner, below, length, dimension, stride, indices }
    }

    /// Returns the term with its stride in units of its dimension; 0 for a term within a unit.
    pub(super) const fn in_units(mut self, units: &[u32; List::CAPACITY]) -> Self {
        let unit = units[self.dimension];
        self.stride = if self.stride.is_multiple_of(unit) { self.stride / unit } else { 0 };
        self
    }

    /// The digit of an index.
    #[inline(always)]
    pub(super) const fn digit_of(&self, index: u32) -> u32 {
        let quotient = index / self.stride;
        if self.indices == 0 { quotient } else { quotient % self.indices }
    }

    #[inline(always)]
    pub(super) fn part<I: Index>(&self, number: &I) -> I {
        let quotient = number.div(Extent::constant(self.below));
        let length = Extent::constant(self.length);
        (if self.length == 0 { quotient } else { quotient.rem(length) })
            .mul(Extent::constant(self.stride))
    }
}

/// Factors that are neighbours both in their dimension and in their owner are one digit.
pub(super) struct Terms {
    pub(super) terms: [Term; Encoding::MOST_FACTORS],
    pub(super) count: usize,
}

impl Terms {
    pub(super) const fn new(encoding: &Encoding) -> Self {
        let none = Term { owner: 0, below: 1, length: 0, dimension: 0, stride: 1, indices: 0 };
        let mut made = Self { terms: [none; Encoding::MOST_FACTORS], count: 0 };
        let joined = encoding.neighbours_joined();
        range!(at, joined.begin(1)..joined.count, {
            let factor = &joined.factors[at];
            if factor.length > 1
                && let Some(owner) = factor.owner()
            {
                made.terms[made.count] = Term::new(factor, owner, encoding);
                made.count += 1;
            }
        });
        made
    }

    /// The largest unit of each dimension by which all but a lane's own fastest elements are apart, and in
    /// which the tile ends; 1 where the factors divide the tile.
    pub(super) const fn units(&self, cover: &Cover) -> [u32; List::CAPACITY] {
        let mut units = [1; List::CAPACITY];
        range!(i, 0..self.count, {
            let Term { dimension, stride, .. } = self.terms[i];
            let counts = cover.carries(dimension) || cover.bound(dimension) > 0;
            if counts
                && stride > units[dimension]
                && cover.lengths[dimension].is_multiple_of(stride)
                && self.are_units(dimension, stride)
            {
                units[dimension] = stride;
            }
        });
        units
    }

    /// Returns whether each digit of a dimension counts such units, or is a lane's own within one.
    const fn are_units(&self, dimension: usize, unit: u32) -> bool {
        range!(i, 0..self.count, {
            let term = self.terms[i];
            let is_within = term.owner == Owner::Thread as usize
                && term.stride as u64 * term.indices as u64 <= unit as u64
                && term.indices > 0;
            if term.dimension == dimension && !term.stride.is_multiple_of(unit) && !is_within {
                return false;
            }
        });
        true
    }
}
