//! The rank of a coordinate, known to the type system.
//!
//! A wrong number of indices is a type error at the user's line, seen by
//! `cargo check`: `[u32; 3]` is no coordinate of `Dimensions<2>`. Ranks are
//! `typenum` integers, because the rank of a composed descriptor is a sum, and
//! stable Rust adds types but not const generics.

use crate::index::Index;
use crate::number::{Length, Number};
use crate::sequence::{
    Lengths, ReorderNewToOld, ReorderOldToNew, Reverse, ReverseExclusiveScan, Sequence,
};
use core::fmt::Debug;
use generic_array::{ArrayLength, GenericArray};
use typenum::{U0, U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, Unsigned};


/// A coordinate of rank `R`: what [`Coordinate::index`](crate::Coordinate::index)
/// returns. Dereferences to a slice.
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
    /// The same number, readable in error texts.
    type Dimensions;
    /// An array of this rank.
    type Array<T: Clone + Debug>: AsRef<[T]> + AsMut<[T]> + Clone + Debug;
    /// An array of copies of `value`.
    fn fill<T: Clone + Debug>(value: &T) -> Self::Array<T>;
    /// An array of the first elements of a slice, or `None` of a shorter one.
    fn array<T: Clone + Debug>(items: &[T]) -> Option<Self::Array<T>>;
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
    /// How many there are.
    type Rank: Rank;
}

macro_rules! same_rank {
    ($($Name:ident<S $(, $Map:ident)?>;)*) => {$(
        impl<S: RankedLengths + Sequence $(, $Map: Sequence)?> RankedLengths
            for $Name<S $(, $Map)?>
        {
            type Rank = S::Rank;
        }
    )*};
}

same_rank! {
    Reverse<S>;
    ReverseExclusiveScan<S>;
    ReorderNewToOld<S, Map>;
    ReorderOldToNew<S, Map>;
}

/// The dimensions that one transform of a stage takes or gives: a sequence of
/// ids such as `seq![1, 0]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of dimension ids",
    note = "write the ids of a stage as `lower![[1, 0], [2]]` and `upper![[1, 0], [2]]`"
)]
pub trait Ids: Sequence {
    /// How many there are.
    type Count: Unsigned;
    /// An array of as many indices.
    type Picked<I: Index>: AsRef<[I]> + AsMut<[I]>;
    /// The indices with these ids.
    fn pick<I: Index>(from: &[I]) -> Self::Picked<I>;
    /// Puts indices back to where these ids say.
    fn place<I: Index>(picked: Self::Picked<I>, into: &mut [I]);
}

macro_rules! ranks {
    ($($n:literal $U:ident: $($T:ident $t:ident)*;)*) => {$(
        impl<$($T: Number),*> Ids for ($($T,)*) {
            type Count = $U;
            type Picked<I: Index> = [I; $n];

            #[inline(always)]
            #[allow(unused_variables)]
            fn pick<I: Index>(from: &[I]) -> [I; $n] {
                [$(from[$T::N as usize].clone()),*]
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn place<I: Index>(picked: [I; $n], into: &mut [I]) {
                let [$($t),*] = picked;
                $(into[$T::N as usize] = $t;)*
            }
        }
    )*};
}

ranks! {
    0 U0: ;
    1 U1: A a;
    2 U2: A a B b;
    3 U3: A a B b C c;
    4 U4: A a B b C c D d;
    5 U5: A a B b C c D d E e;
    6 U6: A a B b C c D d E e F f;
    7 U7: A a B b C c D d E e F f G g;
    8 U8: A a B b C c D d E e F f G g H h;
    9 U9: A a B b C c D d E e F f G g H h J j;
    10 U10: A a B b C c D d E e F f G g H h J j K k;
    11 U11: A a B b C c D d E e F f G g H h J j K k L l;
    12 U12: A a B b C c D d E e F f G g H h J j K k L l M m;
}

macro_rules! arrays {
    ($($n:literal $U:ident: $($copy:ident)*, $($T:ident)*;)*) => {$(
        impl<$($T: Length),*> RankedLengths for ($($T,)*) {
            type Rank = $U;
        }
        impl<T: Length> RankedLengths for [T; $n] {
            type Rank = $U;
        }
        impl Rank for $U {
            type Dimensions = Dimensions<$n>;
            type Array<T: Clone + Debug> = [T; $n];

            #[inline(always)]
            fn fill<T: Clone + Debug>(value: &T) -> [T; $n] {
                [$({ let $copy = value.clone(); $copy }),*]
            }

            fn array<T: Clone + Debug>(items: &[T]) -> Option<[T; $n]> {
                let array: &[T; $n] = items.first_chunk()?;
                Some(array.clone())
            }
        }
    )*};
}

arrays! {
    1 U1: c, A;
    2 U2: c c, A B;
    3 U3: c c c, A B C;
    4 U4: c c c c, A B C D;
    5 U5: c c c c c, A B C D E;
    6 U6: c c c c c c, A B C D E F;
    7 U7: c c c c c c c, A B C D E F G;
    8 U8: c c c c c c c c, A B C D E F G H;
    9 U9: c c c c c c c c c, A B C D E F G H I;
    10 U10: c c c c c c c c c c, A B C D E F G H I J;
    11 U11: c c c c c c c c c c c, A B C D E F G H I J K;
    12 U12: c c c c c c c c c c c c, A B C D E F G H I J K L;
}
