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
//! Each operation is a type that knows its elements when it is used (lazy, as
//! [numbers](mod@crate::number) are) and needs no `where` clause: the arithmetic
//! itself stands once, as a `const fn` of [`List`].
//!
//! A sequence has at most 12 elements; the largest descriptor that CK Tile
//! ships has 9 dimensions (FMHA backward, X transposed).

use crate::magic::Extent;
use crate::number::{Fault, Length, Number, first, lazy_numbers, phantom};

/// The values of a sequence, as plain data.
///
/// ```
/// use tiledesc_transforms::List;
///
/// const L: List = List::new(&[4, 3, 5]);
/// assert_eq!(L.reverse_exclusive_scan(Fold::Product).as_slice(), [15, 5, 1]);
/// # use tiledesc_transforms::Fold;
/// ```
#[derive(Clone, Copy)]
pub struct List {
    items: [u32; Self::CAPACITY],
    len: usize,
}

/// How a scan combines two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Addition; starts at 0.
    Sum,
    /// Multiplication; starts at 1.
    Product,
}

impl Fold {
    const fn start(self) -> u32 {
        match self {
            Self::Sum => 0,
            Self::Product => 1,
        }
    }

    /// Saturates: 32 bits that overflow stay at their largest value, which no
    /// check accepts as a length.
    const fn join(self, a: u32, b: u32) -> u32 {
        match self {
            Self::Sum => a.saturating_add(b),
            Self::Product => a.saturating_mul(b),
        }
    }
}

impl List {
    /// The largest number of elements.
    pub const CAPACITY: usize = 12;
    /// No elements.
    pub const EMPTY: Self = Self { items: [0; Self::CAPACITY], len: 0 };

    /// The elements of a slice.
    ///
    /// # Panics
    ///
    /// With more than 12 elements; use [`List::from_slice`] for user data.
    #[must_use]
    #[track_caller]
    pub const fn new(items: &[u32]) -> Self {
        match Self::from_slice(items) {
            Ok(list) => list,
            Err(_) => panic!("a list holds at most 12 elements"),
        }
    }

    /// The elements of a slice of at most 12.
    ///
    /// # Errors
    ///
    /// [`Fault::TooLong`].
    #[inline]
    pub const fn from_slice(items: &[u32]) -> Result<Self, Fault> {
        if items.len() > Self::CAPACITY {
            return Err(Fault::TooLong { length: items.len() as u32 });
        }
        let mut list = Self::EMPTY;
        while list.len < items.len() {
            list.items[list.len] = items[list.len];
            list.len += 1;
        }
        Ok(list)
    }

    /// 0, 1, ..., `len - 1`.
    #[must_use]
    pub const fn iota(len: usize) -> Self {
        let mut list = Self::EMPTY;
        while list.len < len && list.len < Self::CAPACITY {
            list.items[list.len] = list.len as u32;
            list.len += 1;
        }
        list
    }

    /// The number of elements.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements.
    #[must_use]
    #[inline]
    pub const fn as_slice(&self) -> &[u32] {
        self.items.split_at(self.len).0
    }

    /// Element `i`.
    ///
    /// # Errors
    ///
    /// [`Fault::NoSuchPosition`].
    pub const fn get(&self, i: usize) -> Result<u32, Fault> {
        if i < self.len {
            Ok(self.items[i])
        } else {
            Err(Fault::NoSuchPosition { position: i as u32, length: self.len as u32 })
        }
    }

    /// The list with `value` behind its last element.
    ///
    /// # Errors
    ///
    /// [`Fault::TooLong`].
    #[inline]
    pub const fn push_back(mut self, value: u32) -> Result<Self, Fault> {
        if self.len == Self::CAPACITY {
            return Err(Fault::TooLong { length: self.len as u32 + 1 });
        }
        self.items[self.len] = value;
        self.len += 1;
        Ok(self)
    }

    /// The elements of `self`, then those of `other`.
    ///
    /// # Errors
    ///
    /// [`Fault::TooLong`].
    pub const fn concat(self, other: &Self) -> Result<Self, Fault> {
        if self.len + other.len > Self::CAPACITY {
            return Err(Fault::TooLong { length: (self.len + other.len) as u32 });
        }
        let mut list = self;
        let mut i = 0;
        while i < other.len {
            list.items[list.len] = other.items[i];
            list.len += 1;
            i += 1;
        }
        Ok(list)
    }

    /// Elements `from` to `to` (exclusive).
    ///
    /// # Errors
    ///
    /// [`Fault::NoSuchPosition`] when `from` or `to` lies behind the end.
    pub const fn part(&self, from: usize, to: usize) -> Result<Self, Fault> {
        if to > self.len || from > to {
            let position = if from > to { from } else { to };
            return Err(Fault::NoSuchPosition {
                position: position as u32,
                length: self.len as u32,
            });
        }
        let mut list = Self::EMPTY;
        while from + list.len < to {
            list.items[list.len] = self.items[from + list.len];
            list.len += 1;
        }
        Ok(list)
    }

    /// The last element first.
    #[must_use]
    pub const fn reverse(&self) -> Self {
        let mut list = *self;
        let mut i = 0;
        while i < self.len {
            list.items[i] = self.items[self.len - 1 - i];
            i += 1;
        }
        list
    }

    /// New element `i` is old element `map[i]`.
    ///
    /// # Errors
    ///
    /// [`Fault::NotAPermutation`], also when the sizes differ.
    pub const fn reorder_new_to_old(&self, map: &Self) -> Result<Self, Fault> {
        if map.len != self.len || !map.is_permutation() {
            return Err(Fault::NotAPermutation);
        }
        let mut list = *self;
        let mut i = 0;
        while i < self.len {
            list.items[i] = self.items[map.items[i] as usize];
            i += 1;
        }
        Ok(list)
    }

    /// Old element `i` becomes new element `map[i]`.
    ///
    /// # Errors
    ///
    /// [`Fault::NotAPermutation`], also when the sizes differ.
    pub const fn reorder_old_to_new(&self, map: &Self) -> Result<Self, Fault> {
        match map.inverse() {
            Ok(inverse) => self.reorder_new_to_old(&inverse),
            Err(fault) => Err(fault),
        }
    }

    /// Whether the elements are 0, 1, ..., `len - 1` in some order.
    #[must_use]
    pub const fn is_permutation(&self) -> bool {
        let mut seen = 0u32;
        let mut i = 0;
        while i < self.len {
            if self.items[i] < self.len as u32 {
                seen |= 1 << self.items[i];
            }
            i += 1;
        }
        seen == (1 << self.len) - 1
    }

    /// The permutation that undoes this one.
    ///
    /// # Errors
    ///
    /// [`Fault::NotAPermutation`].
    pub const fn inverse(&self) -> Result<Self, Fault> {
        if !self.is_permutation() {
            return Err(Fault::NotAPermutation);
        }
        let mut list = *self;
        let mut i = 0;
        while i < self.len {
            list.items[self.items[i] as usize] = i as u32;
            i += 1;
        }
        Ok(list)
    }

    /// All elements joined.
    #[must_use]
    pub const fn fold(&self, fold: Fold) -> u32 {
        let mut result = fold.start();
        let mut i = 0;
        while i < self.len {
            result = fold.join(result, self.items[i]);
            i += 1;
        }
        result
    }

    /// Element `i` joined with all before it.
    #[must_use]
    pub const fn inclusive_scan(&self, fold: Fold) -> Self {
        self.scan(fold, true)
    }

    /// All elements before element `i`, joined: 0 or 1 at the front.
    #[must_use]
    pub const fn exclusive_scan(&self, fold: Fold) -> Self {
        self.scan(fold, false)
    }

    /// Element `i` joined with all behind it.
    #[must_use]
    pub const fn reverse_inclusive_scan(&self, fold: Fold) -> Self {
        self.reverse().scan(fold, true).reverse()
    }

    /// All elements behind element `i`, joined: the strides of a packed tensor
    /// when the elements are its lengths.
    #[must_use]
    pub const fn reverse_exclusive_scan(&self, fold: Fold) -> Self {
        self.reverse().scan(fold, false).reverse()
    }

    const fn scan(&self, fold: Fold, inclusive: bool) -> Self {
        let mut list = *self;
        let mut running = fold.start();
        let mut i = 0;
        while i < self.len {
            let next = fold.join(running, self.items[i]);
            list.items[i] = if inclusive { next } else { running };
            running = next;
            i += 1;
        }
        list
    }
}

impl core::fmt::Debug for List {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for List {}

impl<const N: usize> PartialEq<[u32; N]> for List {
    fn eq(&self, other: &[u32; N]) -> bool {
        self.as_slice() == other
    }
}

/// A sequence of lengths, each a number or [`Dyn`](struct@crate::Dyn): a tuple of
/// them, or an array of one kind.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sequence of lengths",
    note = "write `seq![8, 128]`, a tuple such as `(Lit<8>, Dyn)`, or an array such as `[Dyn; 2]`; at most 12 elements"
)]
pub trait Lengths: Copy {
    /// The number of lengths.
    const COUNT: usize;
    /// The values if the compiler knows them all.
    const KNOWN: Result<List, Fault>;
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
    const FAULT: Option<Fault> = None;
}

/// Collects the compile-time values of some lengths.
const fn collect(items: &[Result<u32, Fault>]) -> Result<List, Fault> {
    let mut list = List::EMPTY;
    let mut i = 0;
    while i < items.len() {
        list = match items[i] {
            Ok(value) => match list.push_back(value) {
                Ok(list) => list,
                Err(fault) => return Err(fault),
            },
            Err(fault) => return Err(fault),
        };
        i += 1;
    }
    Ok(list)
}

const fn known(list: Result<List, Fault>) -> (List, Option<Fault>) {
    match list {
        Ok(list) => (list, None),
        Err(fault) => (List::EMPTY, Some(fault)),
    }
}

macro_rules! tuples {
    ($($n:literal: $($T:ident)*;)*) => {$(
        impl<$($T: Length),*> Lengths for ($($T,)*) {
            const COUNT: usize = $n;
            const KNOWN: Result<List, Fault> = collect(&[$($T::KNOWN),*]);
            type Extents = [Extent; $n];

            #[inline(always)]
            #[allow(non_snake_case)]
            fn extents(&self) -> [Extent; $n] {
                let ($($T,)*) = self;
                [$($T.extent()),*]
            }
        }

        impl<$($T: Number),*> Sequence for ($($T,)*) {
            const VALUES: List = known(collect(&[$($T::KNOWN),*])).0;
            const FAULT: Option<Fault> = known(collect(&[$($T::KNOWN),*])).1;
        }
    )*};
}

tuples! {
    0: ;
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
}

impl<T: Length, const N: usize> Lengths for [T; N] {
    const COUNT: usize = N;
    const KNOWN: Result<List, Fault> = collect(&[T::KNOWN; N]);
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
        phantom! { $(#[$doc])* $Name<$($P),*> }

        impl<$($P: $Bound),*> $Name<$($P),*> {
            const MADE: Result<List, Fault> = match first(&[$($P::FAULT),*]) {
                Some(fault) => Err(fault),
                None => $make,
            };
        }
        impl<$($P: $Bound),*> Sequence for $Name<$($P),*> {
            const VALUES: List = known(Self::MADE).0;
            const FAULT: Option<Fault> = known(Self::MADE).1;
        }
        impl<$($P: $Bound),*> Lengths for $Name<$($P),*> {
            const COUNT: usize = <Self as Sequence>::VALUES.len();
            const KNOWN: Result<List, Fault> = Self::MADE;
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
        let mut items = [Extent::constant(1); List::CAPACITY];
        let mut i = 0;
        while i < list.len {
            items[i] = Extent::constant(list.items[i]);
            i += 1;
        }
        Self { items, len: list.len }
    }

    pub(crate) const fn as_slice(&self) -> &[Extent] {
        self.items.split_at(self.len).0
    }
}

impl AsRef<[Extent]> for ConstExtents {
    #[inline(always)]
    fn as_ref(&self) -> &[Extent] {
        self.as_slice()
    }
}

const fn last_but_one(list: &List) -> usize {
    if list.is_empty() { 0 } else { list.len() - 1 }
}

lazy_sequences! {
    /// `S` with the number `N` in front.
    PushFront<N: Number, S: Sequence> = List::new(&[N::N]).concat(&S::VALUES);
    /// `S` with the number `N` at the end.
    PushBack<S: Sequence, N: Number> = S::VALUES.push_back(N::N);
    /// `S` without its first element.
    PopFront<S: Sequence> = S::VALUES.part(1, S::VALUES.len());
    /// `S` without its last element.
    PopBack<S: Sequence> = S::VALUES.part(0, last_but_one(&S::VALUES));
    /// The last element first.
    Reverse<S: Sequence> = Ok(S::VALUES.reverse());
    /// New element `i` is old element `Map[i]` (CK `reorder_new_to_old`).
    ReorderNewToOld<S: Sequence, Map: Sequence> = S::VALUES.reorder_new_to_old(&Map::VALUES);
    /// Old element `i` becomes new element `Map[i]` (CK `reorder_old_to_new`).
    ReorderOldToNew<S: Sequence, Map: Sequence> = S::VALUES.reorder_old_to_new(&Map::VALUES);
    /// The elements of `A`, then those of `B` (CK `merge_sequences`).
    Concat<A: Sequence, B: Sequence> = A::VALUES.concat(&B::VALUES);
    /// The first `N` elements of `S`.
    Take<S: Sequence, N: Number> = S::VALUES.part(0, N::N as usize);
    /// `S` without its first `N` elements.
    Skip<S: Sequence, N: Number> = S::VALUES.part(N::N as usize, S::VALUES.len());
    /// Products of each element and all before it.
    InclusiveScan<S: Sequence> = Ok(S::VALUES.inclusive_scan(Fold::Product));
    /// Products of all elements before each.
    ExclusiveScan<S: Sequence> = Ok(S::VALUES.exclusive_scan(Fold::Product));
    /// Products of each element and all behind it.
    ReverseInclusiveScan<S: Sequence> = Ok(S::VALUES.reverse_inclusive_scan(Fold::Product));
    /// Products of all elements behind each: packed strides.
    ReverseExclusiveScan<S: Sequence> = Ok(S::VALUES.reverse_exclusive_scan(Fold::Product));
    /// Sums of each element and all before it (CK `prefix_sum_sequence`).
    PrefixSum<S: Sequence> = Ok(S::VALUES.inclusive_scan(Fold::Sum));
    /// The permutation that undoes `S` (CK `sequence_map_inverse`).
    Inverse<S: Sequence> = S::VALUES.inverse();
}

const fn exact(list: &List, fold: Fold) -> Result<u32, Fault> {
    let mut result = fold.start() as u64;
    let mut i = 0;
    while i < list.len {
        result = match fold {
            Fold::Sum => result + list.items[i] as u64,
            Fold::Product => result * list.items[i] as u64,
        };
        if result > u32::MAX as u64 {
            return Err(Fault::TooLarge { value: result });
        }
        i += 1;
    }
    Ok(result as u32)
}

lazy_numbers! {
    /// Element `I` of `S` (CK `s.at(i)`).
    Get<S: Sequence, I: Number> = S::VALUES.get(I::N as usize);
    /// The sum of all elements.
    Sum<S: Sequence> = exact(&S::VALUES, Fold::Sum);
    /// The product of all elements.
    Product<S: Sequence> = exact(&S::VALUES, Fold::Product);
}
