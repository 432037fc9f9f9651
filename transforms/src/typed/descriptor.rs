//! Descriptors: adaptors whose bottom is one offset into memory.
//!
//! The bases that others are made of are in `base.rs`.
//!
//! All sizes are in elements. A descriptor of numbers occupies no memory; one
//! with [`Dyn`](struct@crate::Dyn) lengths holds those. `new` returns an [`Error`] with
//! the numbers in it when sizes make no sense, or when the element space
//! exceeds 32-bit offsets (CK returns 131,073 for the space of 65537 x 65537).

use crate::error::Error;
use crate::index::{Index, both};
use crate::number::NumberError;
use crate::number::extent::Extent;
use crate::number::list::List;
use crate::typed::adaptor::Adaptor;
use crate::typed::coordinate::Coordinate;
use crate::typed::fused;
#[cfg(debug_assertions)]
use crate::typed::outside::{Accepted, refuse_no_vector, refuse_outside, refuse_outside_of_type};
use crate::typed::padded::{EachPadded, PaddedTo, padded_to};
use crate::typed::rank::{OfRank, Rank};
use typenum::U1;

/// An adaptor whose bottom is one offset, in elements.
pub trait Descriptor: Adaptor<BottomRank = U1> {
    /// The offset of a coordinate, in elements: what kernels run.
    ///
    /// Where a composition of numbers only moves bits, it is a few shifts, masks and xors, found by the compiler; for any other,
    /// with `Dyn` lengths above all, the rules of the transforms, one after the other. The caller knows the index to be in range
    /// and outside of padding: a release build checks nothing, and elsewhere the result means nothing.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let rows = Naive::new([Dyn(7), Dyn(13)], [Dyn(16), Dyn(1)])?;
    /// assert_eq!(rows.at([2u32, 5]), 37);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of an index of integers that is out of range or in
    /// padding: with the sentence of [`Plan::offset`](crate::Plan::offset).
    #[inline(always)]
    #[track_caller]
    fn at<I: Index, const R: usize>(&self, index: [I; R]) -> I
    where
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        #[cfg(debug_assertions)]
        refuse_outside(self, &index);
        self.at_any(index)
    }

    /// [`at`](Self::at), anywhere: an offset that goes with a mask.
    #[doc(hidden)]
    #[inline(always)]
    fn at_any<I: Index, const R: usize>(&self, index: [I; R]) -> I
    where
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        const { refuse_wrong::<Self>() };
        fused::at(self, index)
    }

    /// [`at`](Self::at) by the rules of the transforms, fused or not, out of range as
    /// well: what tests compare it with.
    #[doc(hidden)]
    #[inline(always)]
    fn staged<I: Index, const R: usize>(&self, index: [I; R]) -> I
    where
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        const { refuse_wrong::<Self>() };
        let [offset] = self.lower(&index);
        offset
    }

    /// The offset of a coordinate, in elements, or `None` of one that is out of range or
    /// in padding (CK `coordinate_has_valid_offset`): the masked load of a kernel.
    ///
    /// A comparison for each dimension, no branch and no panic. Where a pad checks an
    /// index, that comparison is its range as well.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// // 10 rows of 40, seen as whole tiles of 8 x 16.
    /// let a = Naive::rows(10, 40).padded_to([8, 16])?;
    /// assert_eq!(a.lengths().as_slice(), [16, 48]);
    /// assert_eq!(a.valid_offset([9u32, 39]), Some(399));
    /// assert_eq!(a.valid_offset([9u32, 40]), None);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    fn valid_offset<I, const R: usize>(&self, index: [I; R]) -> Option<I>
    where
        I: Index<Mask = bool>,
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        let (offset, valid) = self.masked(index);
        if valid { Some(offset) } else { None }
    }

    /// The offset of a coordinate, in elements, and whether it may be used, for any
    /// [`Index`]: an emitter gets an expression and a condition.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let a = Naive::rows(10, 40).padded_to([8, 16])?;
    /// assert_eq!(a.masked([9u64, 39]), (399, true));
    /// assert!(!a.masked([10u64, 0]).1);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    #[must_use]
    fn masked<I: Index, const R: usize>(&self, index: [I; R]) -> (I, I::Mask)
    where
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        let valid = self.mask_of(&index);
        (self.at_any(index), valid)
    }

    /// The offset of the first of `elements` elements along `dimension`, or `None` unless
    /// all of them are in range and outside of padding: a masked vector load.
    ///
    /// `elements` is a power of two, `index[dimension]` is a multiple of it, and `dimension` is below the rank: as with
    /// [`at`](Self::at), a release build does not check that. The check depends on the type: with right pads alone, the last
    /// element; with other pads, the first and the last; where a `merge`, `xor` or the like is above a pad, every element. Where
    /// the vector guarantee along the dimension ([`vector`](crate::Plan::vector), computed once, on the host) is a multiple of
    /// `elements`, padding begins only between vectors, and [`valid_offset`](Self::valid_offset) of the first element is enough.
    /// The guarantee also covers whether the elements are contiguous.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let a = Naive::rows(10, 42).padded_to([8, 16])?;
    /// assert_eq!(a.valid_vector([9u32, 32], 1, 8), Some(410));
    /// assert_eq!(a.valid_vector([9u32, 40], 1, 8), None); // 42 to 47 are padding
    /// assert_eq!(a.valid_vector([9u32, 40], 1, 2), Some(418));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of such a dimension, number of elements or index.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    fn valid_vector<I, const R: usize>(
        &self,
        index: [I; R],
        dimension: usize,
        elements: u32,
    ) -> Option<I>
    where
        I: Index<Mask = bool>,
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        let (offset, valid) = self.masked_vector(index, dimension, elements);
        if valid { Some(offset) } else { None }
    }

    /// [`valid_vector`](Self::valid_vector) for any [`Index`], as [`masked`](Self::masked).
    ///
    /// # Panics
    ///
    /// As [`valid_vector`](Self::valid_vector).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    fn masked_vector<I: Index, const R: usize>(
        &self,
        index: [I; R],
        dimension: usize,
        elements: u32,
    ) -> (I, I::Mask)
    where
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        #[cfg(debug_assertions)]
        refuse_no_vector(&index, dimension, elements);
        let mask_of_element = |element: u32| {
            let mut index = index.clone();
            if let Some(along) = index.get_mut(dimension) {
                *along = along.add(&along.constant(Extent::constant(element)));
            }
            self.mask_of(&index)
        };
        let last = elements.saturating_sub(1);
        let mut valid = mask_of_element(last);
        if const { !Self::CHECKS.intervals } {
            for element in 0..last {
                valid = I::both(&valid, &mask_of_element(element));
            }
        } else if const { !Self::CHECKS.prefixes } && last > 0 {
            valid = I::both(&self.mask_of(&index), &valid);
        }
        (self.at_any(index), valid)
    }

    /// Returns whether an index is in range and in no padding.
    #[doc(hidden)]
    #[inline(always)]
    fn mask_of<I: Index>(&self, index: &[I]) -> I::Mask {
        const { refuse_wrong::<Self>() };
        match both::<I>(self.in_range(index), self.accepts_top(index)) {
            Some(mask) => mask,
            // Nothing limits it: 0 < 1.
            None => index[0].constant(Extent::constant(0)).below(Extent::constant(1)),
        }
    }

    /// The descriptor with each dimension padded on the right to a whole number of tiles,
    /// at run time: a tensor of any size as tiles of one.
    ///
    /// ```
    /// use tiledesc_transforms::*;
    ///
    /// let images = Packed::new([Dyn(3), Dyn(30), Dyn(50)])?.padded_to([1, 16, 16])?;
    /// assert_eq!(images.lengths().as_slice(), [3, 32, 64]);
    /// assert_eq!(images.valid_offset([2u32, 29, 49]), Some(4499));
    /// assert_eq!(images.valid_offset([2u32, 30, 0]), None);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A tile of length 0, a padded length beyond 32 bits.
    fn padded_to<const R: usize>(&self, tile: [u32; R]) -> Result<PaddedTo<Self>, Error>
    where
        Self::Rank: EachPadded,
        [u32; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        padded_to(*self, &tile)
    }

    /// [`at`](Self::at) of a type that has one value, in `unit`s smaller than an element: bytes. The value is not made where the
    /// offset is fused: see DESIGN, "What the compiler pays for".
    #[doc(hidden)]
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn at_of_type<I: Index, const R: usize>(index: [I; R], unit: u32) -> I
    where
        Self: Default,
        [I; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        #[cfg(debug_assertions)]
        refuse_outside_of_type(&index, Self::PLANNED, const { Accepted::<Self>::TOP });
        fused::at_of_type::<Self, I, R>(index, unit)
    }

    /// [`at_of_type`](Self::at_of_type) of the first indices of many, as many as there are dimensions: for callers that know the
    /// rank as a number only. Nothing is checked.
    #[doc(hidden)]
    #[inline(always)]
    fn at_first<I: Index>(index: &[I; List::CAPACITY], unit: u32) -> I
    where
        Self: Default,
    {
        fused::at_of_type::<Self, I, { List::CAPACITY }>(index.clone(), unit)
    }

    /// A coordinate that can move. It holds its descriptor, which is nothing where all
    /// lengths are numbers; of a reference it holds the reference.
    #[inline(always)]
    fn coordinate<const R: usize>(self, index: [u32; R]) -> Coordinate<Self, R>
    where
        [u32; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        const { refuse_wrong::<Self>() };
        Coordinate::new(self, index)
    }

    /// [`coordinate`](Self::coordinate) of a type that has one value; the caller has checked the composition.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn coordinate_of_type<const R: usize>(index: [u32; R]) -> Coordinate<Self, R>
    where
        Self: Default,
        [u32; R]: OfRank<<Self::Rank as Rank>::Dimensions>,
    {
        Coordinate::new(Self::default(), index)
    }
}

impl<T: Adaptor<BottomRank = U1>> Descriptor for T {}

/// The offset of a coordinate of a descriptor of numbers, in elements: checked, for constants.
/// [`Descriptor::at`] is the same for kernels, where nothing is checked.
///
/// ```
/// use tiledesc_transforms::*;
///
/// type Rows = Naive<seq![128, 64], seq![72, 1]>;
/// const OFFSET: u32 = offset_of::<Rows, 2>([3, 17]);
/// assert_eq!(OFFSET, 233);
/// assert_eq!(Rows::default().at([3u32, 17]), OFFSET);
/// ```
///
/// # Panics
///
/// With an index out of range, a coordinate in padding, or what is wrong with the descriptor.
#[must_use]
#[track_caller]
pub const fn offset_of<D: Descriptor, const R: usize>(index: [u32; R]) -> u32
where
    [u32; R]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    let offset = match D::PLANNED {
        Ok(plan) => plan.offset(&index),
        Err(error) => Err(*error),
    };
    match offset {
        Ok(offset) => offset,
        Err(error) => error.refuse(""),
    }
}

/// An invalid composition of numbers does not compile, wherever it is used;
/// one with `Dyn` lengths was checked when its value was made.
const fn refuse_wrong<D: Adaptor>() {
    match D::PLANNED {
        Ok(_) | Err(Error::Number(NumberError::NotKnown)) => {}
        Err(error) => error.refuse(""),
    }
}
