//! The elements of a lane, one after the other: an iterator that costs what an unrolled loop costs.

use super::super::encoding::Encoding;
use super::super::sweep::SweepDigits;
use super::{Distribution, Of};
use core::marker::PhantomData;
use core::ops::Range;
use tiledesc_transforms::{known, unrolled};

/// The elements of a lane in the order of the tile, each with its place from the lane's first: what
/// [`Distribution::sweep`] returns.
pub struct Sweep<T: ?Sized, const RANK: usize> {
    steps: Range<u32>,
    of: PhantomData<T>,
}

impl<T: Distribution + ?Sized, const RANK: usize> Sweep<T, RANK> {
    #[inline(always)]
    pub(super) const fn all() -> Self {
        Self { steps: const { 0..Of::<T>::ELEMENTS as u32 }, of: PhantomData }
    }

    /// The digits of a step, as in [`Encoding::swept`]: nothing is interpreted.
    #[inline(always)]
    fn digits_of(step: u32) -> (usize, [u32; RANK]) {
        let (mut element, mut offset) = (0, [0; RANK]);
        unrolled!(i, 12, Self::DIGITS.count, {
            let digit = known!(Self::DIGITS.digits[i]);
            element += digit.at(step) * digit.below;
            offset[digit.dimension] += digit.at(step) * digit.stride;
        });
        (element as usize, offset)
    }

    /// None of what is not a distribution, which [`has_rank`] has refused.
    const DIGITS: SweepDigits = match &T::ENCODING {
        Ok(encoding) => SweepDigits::new(encoding),
        Err(_) => SweepDigits::new(&Encoding::EMPTY),
    };
}

impl<T: Distribution + ?Sized, const RANK: usize> Iterator for Sweep<T, RANK> {
    type Item = (usize, [u32; RANK]);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.steps.next().map(Self::digits_of)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.steps.size_hint()
    }

    /// Unrolled, of a whole sweep: what `for_each` and `sum` are made of.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, first: B, mut f: F) -> B {
        let mut all = first;
        if self.steps != (0..Of::<T>::ELEMENTS as u32) {
            for step in self.steps {
                all = f(all, Self::digits_of(step));
            }
            return all;
        }
        unrolled!(step, 256, Of::<T>::ELEMENTS, { all = f(all, Self::digits_of(step as u32)) });
        for step in 256..Of::<T>::ELEMENTS as u32 {
            all = f(all, Self::digits_of(step));
        }
        all
    }
}

impl<T: Distribution + ?Sized, const RANK: usize> DoubleEndedIterator for Sweep<T, RANK> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.steps.next_back().map(Self::digits_of)
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
