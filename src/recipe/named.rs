//! The numbers of recipes that have a name: a formula that a composition needs in several places.
//!
//! An alias is written out in each of them, with the aliases that it is made of in theirs, whatever the compiler or a page
//! names the type for: `GemmColumnMajor` filled 96 KB of the page of [`Recipe`](crate::Recipe). A type of its own is a name
//! with its parameters, and its formula stands where it is declared:
//!
//! ```text
//!   as an alias     Div<M, Max<Lit<1>, Quotient<Quotient<Mul<Lit<32>, Lit<32>>, K>, Bits<E>>>>
//!   as a type       Div<M, RowsPerRound<E, K, Lit<32>>>
//! ```

use crate::element::{Bits, Element};
use tiledesc_transforms::{Lit, Max, Mul, Number, Quotient};

/// Declares numbers: a name, its parameters with what each is, and the formula.
macro_rules! numbers {
    ($(
        $(#[$doc:meta])* $Name:ident<$($P:ident: $Bound:ident),* $(; const $C:ident)?> = $Formula:ty;
    )*) => {$(
        $(#[$doc])*
        #[derive(tiledesc_macros::Phantom)]
        pub struct $Name<$($P,)* $(const $C: usize)?>(core::marker::PhantomData<($($P,)*)>);

        impl<$($P: $Bound + 'static,)* $(const $C: usize)?> tiledesc_transforms::Number for $Name<$($P,)* $($C)?> {
            const N: u32 = <$Formula as tiledesc_transforms::Number>::N;
            const NAME: &'static str = <$Formula as tiledesc_transforms::Number>::NAME;
            const FAULT: Option<tiledesc_transforms::NumberError> = <$Formula as tiledesc_transforms::Number>::FAULT;
            const FORMULA: &'static tiledesc_transforms::number::Formula =
                <$Formula as tiledesc_transforms::Number>::FORMULA;
        }
    )*};
}
pub(crate) use numbers;

numbers! {
    /// The elements of `E` in `BYTES` bytes, rounded down.
    ///
    /// ```
    /// use tiledesc::{F16, Number, recipe::PackOf};
    ///
    /// assert_eq!(PackOf::<F16, 16>::N, 8);
    /// ```
    PackOf<E: Element; const BYTES> = Quotient<Mul<Lit<BYTES>, Lit<8>>, Bits<E>>;

    /// The number of rows of `K` elements that fill one round of `Banks` banks of 4 bytes; at least 1: CK's
    /// `max(1, banks * 4 / KPerBlock / sizeof(T))`.
    ///
    /// ```
    /// use tiledesc::{F16, Lit, Number, recipe::RowsPerRound};
    ///
    /// assert_eq!(RowsPerRound::<F16, Lit<32>, Lit<64>>::N, 4);
    /// ```
    RowsPerRound<E: Element, K: Number, Banks: Number> = RowsOf<Bits<E>, K, Banks>;
}

/// The rows in one round of banks, as [`RowsPerRound`], of elements of this many bits.
pub(crate) type RowsOf<Bits, K, Banks> =
    Max<Lit<1>, Quotient<Quotient<Mul<Banks, Lit<32>>, K>, Bits>>;
