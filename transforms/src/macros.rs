//! The spellings: `seq![..]`, `lower![..]`, `upper![..]`, `number!(..)` and
//! `descriptor! { .. }`. Each expands to plain types that one may also write.

/// Arithmetic on numbers as a type: `number!(K / P * L)` is
/// `Mul<Div<K, P>, L>`.
///
/// Literals become [`Lit`](crate::Lit); `/` is exact ([`Div`](crate::Div)), so a
/// remainder is refused where the number is used; `div` rounds down
/// ([`Quotient`](crate::Quotient)). `*`, `/` and `div` bind tighter than `+` and `-`;
/// parentheses group.
///
/// ```
/// use tiledesc_transforms::{Number, number};
/// use typenum::U64;
///
/// assert_eq!(<number!(U64 / 8 * (2 + 1))>::N, 24);
/// assert_eq!(<number!(U64 div 24 + 1)>::N, 3);
/// ```
#[macro_export]
macro_rules! number {
    ($($number:tt)+) => { $crate::__number! { {$crate} $($number)+ } };
}

/// A sequence, as a type or (of literals) as a value.
///
/// ```
/// use tiledesc_transforms::{Lengths, Sequence, seq};
/// use typenum::U64;
///
/// type Base<K> = seq![K / 8, 1536, 8];
/// assert_eq!(<Base<U64> as Sequence>::VALUES.as_slice(), [8, 1536, 8]);
/// assert_eq!(seq![128, 64].extents().len(), 2);
/// ```
#[macro_export]
macro_rules! seq {
    ($($numbers:tt)*) => { $crate::__sequence! { {$crate} $($numbers)* } };
}

/// For each transform of a stage, the dimensions it takes from below: a type,
/// and its value.
///
/// ```
/// use tiledesc_transforms::{Wiring, lower};
///
/// assert_eq!(<lower![[1, 0], [2]] as Wiring>::LISTS[0].as_slice(), [1, 0]);
/// ```
#[macro_export]
macro_rules! lower {
    ($($lists:tt)*) => { $crate::__wiring! { {$crate} $($lists)* } };
}

/// For each transform of a stage, the dimensions it gives: a type, and its
/// value.
///
/// ```
/// use tiledesc_transforms::{Wiring, upper};
///
/// assert_eq!(<upper![[0, 2], [1], []] as Wiring>::LISTS.len(), 3);
/// ```
#[macro_export]
macro_rules! upper {
    ($($ids:tt)*) => { $crate::lower![$($ids)*] };
}

/// Composes a descriptor from transforms, stage by stage, as a type.
///
/// A block may hold several. The base comes first, then stages separated by `;`. A transform is its CK
/// name, its numbers in brackets, and the dimensions it takes and gives:
///
/// ```
/// use tiledesc_transforms::*;
///
/// descriptor! {
///     /// CK Tile's index swapping: K elements of M rows in packs of P, L rows a layer.
///     pub type Swapped<K, M, P, L>:
///         naive [K/P*L, M/L, P] strides [P, K*L, 1];
///         xor[M/L, K/P*L] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
///         unmerge[L, K/P] (0) -> (0, 2),      pass[M/L] (1) -> (1),   pass[P] (2) -> (3);
///         merge[M/L, L] (1, 0) -> (0),        merge[K/P, P] (2, 3) -> (1);
/// }
/// type Tile = Swapped<Lit<64>, Lit<128>, Lit<8>, Lit<1>>;
/// assert_eq!(Tile::default().at([3u32, 17]), 3 * 64 + (2 ^ 3) * 8 + 1);
/// ```
///
/// An offset of the base is any expression, division may round down, and a pad may leave
/// the check to the caller:
///
/// ```
/// use tiledesc_transforms::*;
///
/// descriptor! {
///     type Second<K, Single>:
///         packed [K div 24, 4] offset 1 * Single + 2;
///         right_pad[K div 24, 6, unchecked] (0) -> (0),   pass[4] (1) -> (1);
/// }
/// type Tile = Second<Lit<64>, Lit<100>>;
/// assert_eq!(Tile::default().at([1u32, 3]), 102 + 4 + 3);
/// assert!(Tile::default().coordinate([5, 0]).is_valid());
/// ```
///
/// A descriptor with at most twelve parameters is also a `const` function of the same name: its [`Plan`](crate::Plan) of numbers
/// that only the run time knows, in the order of the parameters. Errors are those of the type; the parameters give their names.
/// Links in rustdoc state which one they mean: `type@Swapped`, `fn@Swapped`.
///
/// ```
/// use tiledesc_transforms::*;
///
/// descriptor! {
///     pub type Chunked<M, K, P>:
///         naive [K/P, M, P] strides [P, K, 1];
///         xor[M, K/P] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
///         pass[M] (1) -> (0),             merge[K/P, P] (0, 2) -> (1);
/// }
/// let (rows, depth) = (128, 64); // from a file, say
/// let plan = Chunked([rows, depth, 8])?;
/// assert_eq!(plan.offset(&[3, 17])?, 201);
/// assert_eq!(Ok(plan), Chunked::<Lit<128>, Lit<64>, Lit<8>>::PLAN);
/// let error = Chunked([rows, depth, 24]).unwrap_err();
/// assert_eq!(error.to_string(), "K = 64 is not a multiple of P = 24");
/// # Ok::<(), Error>(())
/// ```
///
/// | base | |
/// |---|---|
/// | `naive [lengths] strides [strides]` | [`Naive`](crate::Naive); with `offset n`, [`NaiveWithOffset`](crate::NaiveWithOffset) |
/// | `packed [lengths]` | [`Packed`](crate::Packed); with `offset n`, [`PackedWithOffset`](crate::PackedWithOffset) |
/// | `aligned [lengths] to n` | [`Aligned`](crate::Aligned) |
/// | `over Type` | any descriptor |
///
/// | transform | |
/// |---|---|
/// | `pass[n]`, `merge[..]`, `unmerge[..]`, `xor[n, n]`, `embed[..] strides [..]` | |
/// | `pad[low, left, right]`, `left_pad[low, left]`, `right_pad[low, right]` | with `, unchecked` after the numbers, padding counts as valid |
/// | `slice[low, begin, end]`, `offset[length, offset]`, `modulo[modulus, length]` | |
/// | `freeze[index]`, `insert[n]`, `replicate[..]`, `indexing[length, cached]` | |
/// | `xor_bits[n, n] masks [3, 2]` | with a type in place of the list, `masks S`, any [`seq!`](crate::seq!) |
/// | `linear_bits[n] columns [1, 6, 4]` | the same |
/// | `cyclic_shift[n, n]`, `inverse_cyclic_shift[n, n]`, `functor[F]` | |
#[macro_export]
macro_rules! descriptor {
    ($($descriptors:tt)*) => { $crate::__descriptors! { {$crate} $($descriptors)* } };
}

/// A type that is the adaptor of another, which has a value by default, unless it is refused for
/// a reason of its own.
///
/// | argument | holds |
/// |---|---|
/// | `$generics` | the parameters of the `impl`, with their bounds |
/// | `$Outer` | the type |
/// | `$Inner` | the adaptor that answers for it |
/// | `$refused` | why it is refused, an `Option<Error>` |
/// | `$digits` | its digits, where they are known by another way than by the adaptor's |
#[doc(hidden)]
#[macro_export]
macro_rules! __adaptor {
    ([$($generics:tt)*] $Outer:ty, $Inner:ty, $refused:expr) => {
        $crate::__adaptor!([$($generics)*] $Outer, $Inner, $refused, <$Inner as $crate::Adaptor>::DIGITS);
    };
    ([$($generics:tt)*] $Outer:ty, $Inner:ty, $refused:expr, $digits:expr) => {
        impl<$($generics)*> $crate::Adaptor for $Outer {
            type Rank = <$Inner as $crate::Adaptor>::Rank;
            type BottomRank = <$Inner as $crate::Adaptor>::BottomRank;
            type Moving = <$Inner as $crate::Adaptor>::Moving;

            const PLAN: ::core::result::Result<$crate::Plan, $crate::Error> = match $refused {
                ::core::option::Option::None => *<$Inner as $crate::Adaptor>::PLANNED,
                ::core::option::Option::Some(error) => ::core::result::Result::Err(error),
            };
            const PLANNED: &'static ::core::result::Result<$crate::Plan, $crate::Error> =
                match $refused {
                    ::core::option::Option::None => <$Inner as $crate::Adaptor>::PLANNED,
                    ::core::option::Option::Some(_) => &<Self as $crate::Adaptor>::PLAN,
                };
            const STEPS: &'static $crate::Steps = match $refused {
                ::core::option::Option::None => <$Inner as $crate::Adaptor>::STEPS,
                ::core::option::Option::Some(_) => &$crate::Steps::Plan(Self::PLANNED),
            };
            const FORM: &'static $crate::Form = <$Inner as $crate::Adaptor>::FORM;
            const DIGITS: ::core::option::Option<$crate::Digits> = $digits;
            const NUMBERED: ::core::option::Option<$crate::Numbered> =
                <$Inner as $crate::Adaptor>::NUMBERED;
            const CHECKS: $crate::Checks = <$Inner as $crate::Adaptor>::CHECKS;

            fn plan(&self) -> ::core::result::Result<$crate::Plan, $crate::Error> {
                <Self as $crate::Adaptor>::PLAN
            }

            #[inline(always)]
            fn lengths(&self) -> $crate::MultiIndex<Self::Rank> {
                $crate::Adaptor::lengths(&<$Inner>::default())
            }

            #[inline(always)]
            fn lower<I: $crate::Index>(
                &self,
                top: &[I],
            ) -> <Self::BottomRank as $crate::Rank>::Array<I> {
                $crate::Adaptor::lower(&<$Inner>::default(), top)
            }

            #[inline(always)]
            fn start(&self, top: &[u32]) -> Self::Moving {
                $crate::Adaptor::start(&<$Inner>::default(), top)
            }

            #[inline(always)]
            fn advance(&self, moving: &mut Self::Moving, top: &[u32], diff: &[u32]) {
                $crate::Adaptor::advance(&<$Inner>::default(), moving, top, diff);
            }

            #[inline(always)]
            fn bottom_of(moving: &Self::Moving) -> u32 {
                <$Inner as $crate::Adaptor>::bottom_of(moving)
            }

            #[inline(always)]
            fn accepts(
                &self,
                moving: &Self::Moving,
                top: &[u32],
            ) -> ::core::option::Option<bool> {
                $crate::Adaptor::accepts(&<$Inner>::default(), moving, top)
            }

            #[inline(always)]
            fn accepts_top<I: $crate::Index>(
                &self,
                top: &[I],
            ) -> ::core::option::Option<I::Mask> {
                $crate::Adaptor::accepts_top(&<$Inner>::default(), top)
            }

            #[inline(always)]
            fn in_range<I: $crate::Index>(&self, top: &[I]) -> ::core::option::Option<I::Mask> {
                $crate::Adaptor::in_range(&<$Inner>::default(), top)
            }
        }
    };
}
