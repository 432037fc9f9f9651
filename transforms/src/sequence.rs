//! Sequences of numbers known to the compiler, and sequences of lengths.
//!
//! CK Tile writes `sequence<8, 128, 16>{}`; here it is `seq![8, 128, 16]`, as a
//! type or as a value. A sequence is a tuple of numbers, so `(Div<K, P>, M, P)`
//! is one too, and `seq![K / P, M, P]` is another way to write it.
//!
//! | CK Tile | here |
//! |---|---|
//! | `s.at(i)`, `front`, `back` | [`Get<S, I>`] (a number) |
//! | `push_front`, `push_back`, `pop_front`, `pop_back` | [`PushFront`], [`PushBack`], [`PopFront`], [`PopBack`] |
//! | `reverse` | [`Reverse`] |
//! | `reorder_new_to_old`, `reorder_old_to_new` | [`ReorderNewToOld`], [`ReorderOldToNew`] |
//! | `merge_sequences`, `sequence_split` | [`Concat`], [`Take`] and [`Skip`] |
//! | `inclusive_scan`, `exclusive_scan`, reverse forms | [`InclusiveScan`], [`ExclusiveScan`], [`ReverseInclusiveScan`], [`ReverseExclusiveScan`] |
//! | `reduce_on_sequence` | [`Sum`], [`Product`] (numbers) |
//! | `is_valid_sequence_map`, `sequence_map_inverse` | [`List::is_permutation`], [`Inverse`] |
//!
//! Scans of types multiply, which is what strides need; sums are [`PrefixSum`], and
//! every scan by either is a method of [`List`].
//!
//! Each operation is a type that knows its elements when it is used (lazy, as [numbers](mod@crate::number) are) and needs no
//! `where` clause: the arithmetic itself is written once, as a `const fn` of [`List`].
//!
//! A sequence has at most 12 elements; the largest descriptor that CK Tile
//! ships has 9 dimensions (FMHA backward, X transposed).

use crate::number::extent::Extent;
use crate::number::formula::Formulas;
use crate::number::list::{Fold, List, head};
use crate::number::{Length, Number, NumberError, lazy_numbers};
use tiledesc_macros::each;

/// A sequence of lengths, each a number or [`Dyn`](struct@crate::Dyn): a tuple of
/// them, or an array of one kind.
///
/// ```
/// use tiledesc_transforms::{Dyn, Lengths, Lit, seq};
///
/// assert_eq!(<seq![8, 128] as Lengths>::COUNT, 2);
/// assert_eq!(<(Lit<8>, Dyn) as Lengths>::COUNT, 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sequence of lengths",
    note = "write `seq![8, 128]`, a tuple such as `(Lit<8>, Dyn)`, or an array such as `[Dyn; 2]`; at most 12 elements"
)]
pub trait Lengths: Copy {
    /// The number of lengths.
    const COUNT: usize;
    /// The values if the compiler knows them all.
    const KNOWN: Result<List, NumberError>;
    /// The formulas of the lengths, for numbers known only at run time.
    #[doc(hidden)]
    const FORMULAS: Formulas = Formulas::Known(Self::KNOWN);
    /// An array of [`COUNT`](Self::COUNT) extents.
    type Extents: AsRef<[Extent]>;
    /// The values at run time, ready to be divided by.
    fn extents(&self) -> Self::Extents;
}

/// A sequence whose numbers are all known to the compiler.
///
/// ```
/// use tiledesc_transforms::{seq, Sequence};
///
/// fn last<S: Sequence>() -> u32 {
///     S::VALUES.as_slice()[S::VALUES.len() - 1]
/// }
/// assert_eq!(last::<seq![8, 128, 16]>(), 16);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sequence of numbers",
    note = "write `seq![8, 128, 16]`, or a tuple of numbers; at most 12 elements"
)]
pub trait Sequence: Copy + Default + 'static {
    /// The elements; empty when [`FAULT`](Self::FAULT) is set.
    const VALUES: List;
    /// Why there is no such sequence, if there is none.
    const FAULT: Option<NumberError> = None;
}

/// Collects the compile-time values of some lengths.
const fn collect<const N: usize>(
    items: [Result<u32, NumberError>; N],
) -> Result<List, NumberError> {
    let mut list = List::EMPTY;
    let mut i = 0;
    while i < N {
        match &items[i] {
            Ok(value) if N <= List::CAPACITY => list.items[i] = *value,
            Ok(_) if i < List::CAPACITY => {}
            Ok(_) => return Err(NumberError::TooLong { length: i as u32 + 1 }),
            Err(fault) => return Err(*fault),
        }
        i += 1;
    }
    list.count = N as u32;
    Ok(list)
}

const fn known(list: Result<List, NumberError>) -> (List, Option<NumberError>) {
    match list {
        Ok(list) => (list, None),
        Err(fault) => (List::EMPTY, Some(fault)),
    }
}

// Tuples of 0 to 12 lengths, and of numbers.
each! { 0..=12:
    impl<#(#T: Length),*> Lengths for (#(#T,)*) {
        const COUNT: usize = #;
        const KNOWN: Result<List, NumberError> = collect([#(#T::KNOWN),*]);
        const FORMULAS: Formulas = Formulas::Each(&[#(#T::FORMULA),*]);
        type Extents = [Extent; #];

        #[inline(always)]
        fn extents(&self) -> [Extent; #] {
            let (#(#t,)*) = self;
            [#(#t.extent()),*]
        }
    }

    impl<#(#T: Number),*> Sequence for (#(#T,)*) {
        const VALUES: List = known(collect([#(#T::KNOWN),*])).0;
        const FAULT: Option<NumberError> = known(collect([#(#T::KNOWN),*])).1;
    }
}

impl<T: Length, const N: usize> Lengths for [T; N] {
    const COUNT: usize = N;
    const KNOWN: Result<List, NumberError> = collect([T::KNOWN; N]);
    const FORMULAS: Formulas = Formulas::Each(&[T::FORMULA; N]);
    type Extents = [Extent; N];

    #[inline(always)]
    fn extents(&self) -> [Extent; N] {
        core::array::from_fn(|i| self[i].extent())
    }
}

/// A lazy sequence: a type, its parameters, and the `const fn` that makes its
/// elements. `S` parameters are sequences, `N` parameters numbers.
macro_rules! lazy_sequences {
    ($($(#[$doc:meta])* $Name:ident<$($P:ident: $Bound:ident),*> = $make:expr;)*) => {$(
        $(#[$doc])*
        #[derive(tiledesc_macros::Phantom)]
        pub struct $Name<$($P),*>(core::marker::PhantomData<($($P,)*)>);

        impl<$($P: $Bound),*> $Name<$($P),*> {
            const MADE: Result<List, NumberError> = 'made: {
                $(if let Some(fault) = $P::FAULT {
                    break 'made Err(fault);
                })*
                $make
            };
        }
        impl<$($P: $Bound),*> Sequence for $Name<$($P),*> {
            const VALUES: List = known(Self::MADE).0;
            const FAULT: Option<NumberError> = known(Self::MADE).1;
        }
        impl<$($P: $Bound),*> Lengths for $Name<$($P),*> {
            const COUNT: usize = <Self as Sequence>::VALUES.len();
            const KNOWN: Result<List, NumberError> = Self::MADE;
            type Extents = ConstExtents;

            #[inline(always)]
            fn extents(&self) -> ConstExtents {
                const { ConstExtents::new(&<Self as Sequence>::VALUES) }
            }
        }
    )*};
}

/// The extents of known lengths.
#[derive(Clone, Copy, Debug)]
pub struct ConstExtents {
    items: [Extent; List::CAPACITY],
    len: usize,
}

impl ConstExtents {
    /// The elements of a list, as constants.
    pub(crate) const fn new(list: &List) -> Self {
        let mut items = [const { Extent::constant(1) }; List::CAPACITY];
        let (mut i, len) = (0, list.count as usize);
        while i < len {
            items[i] = Extent::constant(list.items[i]);
            i += 1;
        }
        Self { items, len }
    }

    pub(crate) const fn as_slice(&self) -> &[Extent] {
        head(&self.items, self.len)
    }
}

impl AsRef<[Extent]> for ConstExtents {
    #[inline(always)]
    fn as_ref(&self) -> &[Extent] {
        self.as_slice()
    }
}

/// The elements but for the last; an error for an empty list, as for its first element.
const fn without_last(list: &List) -> Result<List, NumberError> {
    if list.is_empty() { list.part(1, 0) } else { list.part(0, list.len() - 1) }
}

lazy_sequences! {
    /// `S` with the number `N` in front.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Sequence, seq, sequence::PushFront};
    ///
    /// assert_eq!(<PushFront<Lit<8>, seq![2, 3, 4]>>::VALUES, [8, 2, 3, 4]);
    /// ```
    PushFront<N: Number, S: Sequence> = List::new(&[N::N]).concat(&S::VALUES);
    /// `S` with the number `N` at the end.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Sequence, seq, sequence::PushBack};
    ///
    /// assert_eq!(<PushBack<seq![2, 3, 4], Lit<8>>>::VALUES, [2, 3, 4, 8]);
    /// ```
    PushBack<S: Sequence, N: Number> = S::VALUES.push_back(N::N);
    /// `S` without its first element.
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::PopFront};
    ///
    /// assert_eq!(<PopFront<seq![2, 3, 4]>>::VALUES, [3, 4]);
    /// ```
    PopFront<S: Sequence> = S::VALUES.part(1, S::VALUES.len());
    /// `S` without its last element.
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::PopBack};
    ///
    /// assert_eq!(<PopBack<seq![2, 3, 4]>>::VALUES, [2, 3]);
    /// ```
    PopBack<S: Sequence> = without_last(&S::VALUES);
    /// The last element first.
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::Reverse};
    ///
    /// assert_eq!(<Reverse<seq![2, 3, 4]>>::VALUES, [4, 3, 2]);
    /// ```
    Reverse<S: Sequence> = Ok(S::VALUES.reverse());
    /// New element `i` is old element `Map[i]` (CK `reorder_new_to_old`).
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::ReorderNewToOld};
    ///
    /// assert_eq!(<ReorderNewToOld<seq![2, 3, 4], seq![1, 2, 0]>>::VALUES, [3, 4, 2]);
    /// ```
    ReorderNewToOld<S: Sequence, Map: Sequence> = S::VALUES.reorder_new_to_old(&Map::VALUES);
    /// Old element `i` becomes new element `Map[i]` (CK `reorder_old_to_new`).
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::ReorderOldToNew};
    ///
    /// assert_eq!(<ReorderOldToNew<seq![2, 3, 4], seq![1, 2, 0]>>::VALUES, [4, 2, 3]);
    /// ```
    ReorderOldToNew<S: Sequence, Map: Sequence> = S::VALUES.reorder_old_to_new(&Map::VALUES);
    /// The elements of `A`, then those of `B` (CK `merge_sequences`).
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::Concat};
    ///
    /// assert_eq!(<Concat<seq![2, 3, 4], seq![5]>>::VALUES, [2, 3, 4, 5]);
    /// ```
    Concat<A: Sequence, B: Sequence> = A::VALUES.concat(&B::VALUES);
    /// The first `N` elements of `S`.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Sequence, seq, sequence::Take};
    ///
    /// assert_eq!(<Take<seq![2, 3, 4], Lit<2>>>::VALUES, [2, 3]);
    /// ```
    Take<S: Sequence, N: Number> = S::VALUES.part(0, N::N as usize);
    /// `S` without its first `N` elements.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Sequence, seq, sequence::Skip};
    ///
    /// assert_eq!(<Skip<seq![2, 3, 4], Lit<2>>>::VALUES, [4]);
    /// ```
    Skip<S: Sequence, N: Number> = S::VALUES.part(N::N as usize, S::VALUES.len());
    /// Products of each element and all before it.
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::InclusiveScan};
    ///
    /// assert_eq!(<InclusiveScan<seq![2, 3, 4]>>::VALUES, [2, 6, 24]);
    /// ```
    InclusiveScan<S: Sequence> = S::VALUES.inclusive_scan(Fold::Product);
    /// Products of all elements before each.
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::ExclusiveScan};
    ///
    /// assert_eq!(<ExclusiveScan<seq![2, 3, 4]>>::VALUES, [1, 2, 6]);
    /// ```
    ExclusiveScan<S: Sequence> = S::VALUES.exclusive_scan(Fold::Product);
    /// Products of each element and all after it.
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::ReverseInclusiveScan};
    ///
    /// assert_eq!(<ReverseInclusiveScan<seq![2, 3, 4]>>::VALUES, [24, 12, 4]);
    /// ```
    ReverseInclusiveScan<S: Sequence> = S::VALUES.reverse_inclusive_scan(Fold::Product);
    /// Products of all elements after each: packed strides.
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::ReverseExclusiveScan};
    ///
    /// assert_eq!(<ReverseExclusiveScan<seq![2, 3, 4]>>::VALUES, [12, 4, 1]);
    /// ```
    ReverseExclusiveScan<S: Sequence> = S::VALUES.reverse_exclusive_scan(Fold::Product);
    /// Sums of each element and all before it (CK `prefix_sum_sequence`).
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::PrefixSum};
    ///
    /// assert_eq!(<PrefixSum<seq![2, 3, 4]>>::VALUES, [2, 5, 9]);
    /// ```
    PrefixSum<S: Sequence> = S::VALUES.inclusive_scan(Fold::Sum);
    /// The permutation that undoes `S` (CK `sequence_map_inverse`).
    ///
    /// ```
    /// use tiledesc_transforms::{Sequence, seq, sequence::Inverse};
    ///
    /// assert_eq!(<Inverse<seq![1, 2, 0]>>::VALUES, [2, 0, 1]);
    /// ```
    Inverse<S: Sequence> = S::VALUES.inverse();
}

lazy_numbers! {
    /// Element `I` of `S` (CK `s.at(i)`).
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Number, seq, sequence::Get};
    ///
    /// assert_eq!(<Get<seq![2, 3, 4], Lit<1>>>::N, 3);
    /// ```
    Get<S: Sequence, I: Number> = S::VALUES.get(I::N as usize);
    /// The sum of all elements.
    ///
    /// ```
    /// use tiledesc_transforms::{Number, seq, sequence::Sum};
    ///
    /// assert_eq!(<Sum<seq![2, 3, 4]>>::N, 9);
    /// ```
    Sum<S: Sequence> = S::VALUES.exact(Fold::Sum);
    /// The product of all elements.
    ///
    /// ```
    /// use tiledesc_transforms::{Number, seq, sequence::Product};
    ///
    /// assert_eq!(<Product<seq![2, 3, 4]>>::N, 24);
    /// ```
    Product<S: Sequence> = S::VALUES.exact(Fold::Product);
}
