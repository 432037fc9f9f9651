//! The rank of a coordinate, known to the type system.
//!
//! A wrong number of indices is a type error at the user's line, seen by
//! `cargo check`: `[u32; 3]` is not a coordinate of `Dimensions<2>`. Ranks are
//! `typenum` integers, because the rank of a composed descriptor is a sum, and
//! stable Rust adds types but not const generics.

use crate::number::list::List;
use crate::number::{Length, Number};
use crate::seal::Seal;
use crate::sequence::{
    Lengths, ReorderNewToOld, ReorderOldToNew, Reverse, ReverseExclusiveScan, Sequence,
};
use core::fmt::Debug;
use core::marker::PhantomData;
use core::ops;
use generic_array::{ArrayLength, GenericArray};
use tiledesc_macros::each;
use typenum::{U0, U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, Unsigned};

/// Indices or lengths of rank `R`, for code that is generic over the rank:
/// [`Adaptor::lengths`](crate::Adaptor::lengths) returns one. Dereferences to a
/// slice.
///
/// ```
/// use tiledesc_transforms::{Adaptor, MultiIndex, Packed, seq};
///
/// fn elements<D: Adaptor>(descriptor: &D) -> u32 {
///     let lengths: MultiIndex<D::Rank> = descriptor.lengths();
///     lengths.iter().product()
/// }
/// assert_eq!(elements(&Packed::<seq![128, 64]>::default()), 8192);
/// ```
pub type MultiIndex<R> = GenericArray<u32, R>;

/// A rank in error texts: `Dimensions<2>` rather than a binary `typenum` name.
#[derive(Clone, Copy, Debug)]
pub struct Dimensions<const N: usize>;

/// A rank, 1 to 12 for descriptors; a `typenum` integer.
#[diagnostic::on_unimplemented(
    message = "a descriptor has 1 to 12 dimensions",
    label = "this composition has another number of dimensions at its top"
)]
pub trait Rank: Unsigned + ArrayLength {
    #[doc(hidden)]
    const SEAL: Seal;
    /// The rank as a type that is readable in error texts.
    type Dimensions;
    /// An array of this rank.
    type Array<T: Clone>: AsRef<[T]> + AsMut<[T]> + Clone;
    /// A coordinate of this rank, `[u32; N]`, for generic code that prints one.
    type Coordinate: AsRef<[u32]> + Copy + Debug;
    /// An array of copies of `value`.
    fn fill<T: Clone>(value: &T) -> Self::Array<T>;
    /// The result of `f` on an array of copies of `value`.
    fn with<T: Clone, R>(value: &T, f: impl FnOnce(&mut [T]) -> R) -> R;
    /// An array of the first elements of a slice, or `None` of a shorter one.
    fn array<T: Clone>(items: &[T]) -> Option<Self::Array<T>>;
    /// An array of the first elements of a slice as a coordinate, or `None` of a shorter one.
    fn coordinate(index: &[u32]) -> Option<Self::Coordinate>;
}

/// An array that is a coordinate of the rank `D`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a coordinate of rank `{D}`",
    label = "wrong number of indices",
    note = "write one index for each dimension of the layout"
)]
pub trait OfRank<D> {}

impl<T, const N: usize> OfRank<Dimensions<N>> for [T; N] {}

/// Lengths whose number is a [`Rank`]: those of a base descriptor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the lengths of a descriptor",
    note = "write `seq![128, 64]`, a tuple such as `(Lit<8>, Dyn)`, or an array such as `[Dyn; 2]`; 1 to 12 of them"
)]
pub trait RankedLengths: Lengths {
    /// The number of lengths.
    type Rank: Rank;
}

// Sequences made of another of the same rank.
each! { Reverse, ReverseExclusiveScan:
    impl<S: RankedLengths + Sequence> RankedLengths for #<S> {
        type Rank = S::Rank;
    }
}
each! { ReorderNewToOld, ReorderOldToNew:
    impl<S: RankedLengths + Sequence, Map: Sequence> RankedLengths for #<S, Map> {
        type Rank = S::Rank;
    }
}

/// The dimensions that one transform of a stage takes or gives: a sequence of
/// ids such as `seq![1, 0]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of dimension ids",
    note = "write the ids of a stage as `lower![[1, 0], [2]]` and `upper![[1, 0], [2]]`"
)]
pub trait Ids: Sequence {
    #[doc(hidden)]
    const SEAL: Seal;
    /// The number of ids.
    type Count: Unsigned;
    /// The ids, in order; the rest is 0.
    const IDS: &'static [usize; List::CAPACITY];
}

// Tuples of ids: their number, and each.
each! { 0..=12:
    impl<#(#T: Number),*> Ids for (#(#T,)*) {
        type Count = #U;
        const SEAL: Seal = Seal;
        const IDS: &'static [usize; List::CAPACITY] = &positions(&[#(#T::N),*]);
    }
}

const fn positions(ids: &[u32]) -> [usize; List::CAPACITY] {
    let mut positions = [0; List::CAPACITY];
    let mut i = 0;
    while i < ids.len() {
        positions[i] = ids[i] as usize;
        i += 1;
    }
    positions
}

/// The indices of one transform among those of its stage: `view[i]` is the index
/// of its dimension `i`. A view, not a copy: the compiler sees through an index
/// into an index, but not through small arrays returned in registers (17 against
/// 14 instructions for the 64x32 xor tile).
#[derive(Debug)]
pub(crate) struct View<'s, S, I> {
    stage: &'s [I],
    ids: PhantomData<S>,
}

impl<'s, S: Ids, I> View<'s, S, I> {
    #[inline(always)]
    pub(crate) fn new(stage: &'s [I]) -> Self {
        Self { stage, ids: PhantomData }
    }

    /// The number of dimensions.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        S::Count::USIZE
    }
}

impl<S: Ids, I> ops::Index<usize> for View<'_, S, I> {
    type Output = I;

    #[inline(always)]
    fn index(&self, i: usize) -> &I {
        &self.stage[S::IDS[i]]
    }
}

/// A [`View`] to write to.
#[derive(Debug)]
pub(crate) struct ViewMut<'s, S, I> {
    stage: &'s mut [I],
    ids: PhantomData<S>,
}

impl<'s, S: Ids, I> ViewMut<'s, S, I> {
    #[inline(always)]
    pub(crate) fn new(stage: &'s mut [I]) -> Self {
        Self { stage, ids: PhantomData }
    }
}

impl<S: Ids, I> ops::Index<usize> for ViewMut<'_, S, I> {
    type Output = I;

    #[inline(always)]
    fn index(&self, i: usize) -> &I {
        &self.stage[S::IDS[i]]
    }
}

impl<S: Ids, I> ops::IndexMut<usize> for ViewMut<'_, S, I> {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut I {
        &mut self.stage[S::IDS[i]]
    }
}

// Ranks 1 to 12: their lengths, and arrays.
each! { 1..=12:
    impl<#(#T: Length),*> RankedLengths for (#(#T,)*) {
        type Rank = #U;
    }
    impl<T: Length> RankedLengths for [T; #] {
        type Rank = #U;
    }
    impl Rank for #U {
        const SEAL: Seal = Seal;
        type Dimensions = Dimensions<#>;
        type Array<T: Clone> = [T; #];
        type Coordinate = [u32; #];

        #[inline(always)]
        fn fill<T: Clone>(value: &T) -> [T; #] {
            [#(value.clone()),*]
        }

        #[inline(always)]
        fn with<T: Clone, R>(value: &T, f: impl FnOnce(&mut [T]) -> R) -> R {
            f(&mut [#(value.clone()),*])
        }

        fn array<T: Clone>(items: &[T]) -> Option<[T; #]> {
            let array: &[T; #] = items.first_chunk()?;
            Some(array.clone())
        }

        fn coordinate(index: &[u32]) -> Option<[u32; #]> {
            Self::array(index)
        }
    }
}
