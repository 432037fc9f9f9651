//! Numbers known to the compiler, and lengths that may be known only at run
//! time.
//!
//! CK Tile writes `number<64>{}`. Here a *number* is any of
//!
//! | spelling | what it is | where it fits |
//! |---|---|---|
//! | `U64` | a `typenum` integer | 0 to 1024, powers of two and of ten |
//! | `Lit<1536>` | a const generic | any literal, any `const N: usize` parameter |
//! | `Div<K, P>`, `Mul<K, L>`, ... | arithmetic on numbers, computed when used | generic code |
//!
//! The arithmetic is *lazy*: `Div<K, P>` is a type that will know its value once `K` and `P` are known. So a kernel that is
//! generic over its tile needs no bound but `K: Number`: `typenum`'s own `Quot<K, P>` would demand of every caller
//! `K: core::ops::Div<P>`.
//!
//! A number never panics. One that makes no sense (64 / 24, 65536 * 65536) carries a [`NumberError`], and so does whatever is
//! built from it.

pub(crate) mod extent;
pub(crate) mod formula;
pub(crate) mod list;
pub(crate) mod text;

use crate::say;
pub use extent::{Extent, Magic};
#[doc(hidden)]
pub use formula::Formula;
use formula::Rule;
pub use list::{Fold, List};
#[doc(hidden)]
pub use list::{head, tail};
pub use text::Text;
#[doc(hidden)]
pub use text::is_same;

use typenum::{Bit, UInt, UTerm, Unsigned};

/// The fault of a number, or of a sequence of numbers.
///
/// Reported where a formula of a layout is computed: a recipe's `Div` that leaves a remainder, a length that only the
/// run time knows where a constant is wanted.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | arithmetic | `NotDivisible`, `DivideByZero`, `TooLarge`, `Negative` | lazy numbers: `Div`, `Sub`, `Mul`, .. |
/// | a value that is not there yet | `NotKnown` | anything that needs a constant of a [`Dyn`](struct@Dyn) |
/// | a sequence | `NoSuchPosition`, `TooLong`, `NotAPermutation` | [`List`] and sequences |
/// | a parameter in the place of another | `Misplaced` | recipes |
///
/// It has no sentence of its own: [`Error`](crate::Error) wraps it (`Number`) and prints it, after the name of the
/// layout where there is one.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_transforms::{Error, NumberError};
///
/// let printed = [
///     (
///         NumberError::NotDivisible { dividend: (64, "K"), divisor: (24, "KPack") },
///         "K = 64 is not a multiple of KPack = 24",
///     ),
///     (
///         NumberError::NotKnown,
///         "a length is `Dyn`, known only at run time, so there is no compile-time value",
///     ),
///     (NumberError::TooLong { length: 13 }, "a sequence of 13 elements (the limit is 12)"),
///     (NumberError::Misplaced { given: (64, "K"), place: "M" }, "K<64> stands where M belongs"),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(Error::from(error).to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberError {
    /// The compile-time value of a [`Dyn`](struct@Dyn) length was needed.
    NotKnown,
    /// `Div` of two numbers that leave a remainder.
    NotDivisible {
        /// The number to be divided, with the name of its parameter or "".
        dividend: (u32, &'static str),
        /// The number to divide by, with the name of its parameter or "".
        divisor: (u32, &'static str),
    },
    /// Division by zero.
    DivideByZero,
    /// A number that does not fit into 32 bits.
    TooLarge {
        /// The value it should have had (saturated to 64 bits).
        value: u64,
    },
    /// A difference below zero.
    Negative {
        /// The smaller number, from which the larger was subtracted.
        from: u32,
        /// The larger number.
        subtracted: u32,
    },
    /// A position after the end of a sequence.
    NoSuchPosition {
        /// The position, counted from 0.
        position: u32,
        /// The length of the sequence.
        length: u32,
    },
    /// A sequence longer than this crate's limit of 12.
    TooLong {
        /// The number of elements.
        length: u32,
    },
    /// A reordering map that is not a permutation of its positions.
    NotAPermutation,
    /// A number by the name of one parameter where another belongs: `K<64>` as the rows M.
    Misplaced {
        /// The number, with its name.
        given: (u32, &'static str),
        /// The name of the parameter that belongs there.
        place: &'static str,
    },
}

impl NumberError {
    pub(crate) const fn explain(self, text: Text) -> Text {
        match self {
            Self::NotKnown => text.str(
                "a length is `Dyn`, known only at run time, so there is no compile-time value",
            ),
            Self::NotDivisible { dividend, divisor } => {
                let text = name(text, dividend).str(" is not a multiple of ");
                name(text, divisor)
            }
            Self::DivideByZero => text.str("a number is divided by zero"),
            Self::TooLarge { value } => {
                text.str("the number ").number(value).str(" does not fit into 32 bits")
            }
            Self::Negative { from, subtracted } => {
                let text = text.str("the difference ").number(from as u64).str(" - ");
                text.number(subtracted as u64).str(" is below zero")
            }
            Self::NoSuchPosition { position, length } => {
                let text = text.str("position ").number(position as u64);
                text.str(" of a sequence of length ").number(length as u64)
            }
            Self::TooLong { length } => {
                let text = text.str("a sequence of ").number(length as u64);
                text.str(" elements (the limit is 12)")
            }
            Self::NotAPermutation => text.str("a reordering map is not a permutation"),
            Self::Misplaced { given: (value, name), place } => say!(text:
                str(name), "<", value, "> stands where ", str(place), " belongs"
            ),
        }
    }
}

const fn name(text: Text, (value, name): (u32, &'static str)) -> Text {
    if name.is_empty() {
        text.number(value as u64)
    } else {
        text.str(name).str(" = ").number(value as u64)
    }
}

/// A number: a type that denotes an unsigned 32-bit integer.
///
/// ```
/// use tiledesc_transforms::{Div, Lit, Mul, Number};
/// use typenum::U8;
///
/// fn packs<K: Number>() -> u32 {
///     <Div<K, U8>>::N
/// }
/// assert_eq!(packs::<Lit<1536>>(), 192);
/// assert_eq!(<Mul<U8, Lit<3>>>::N, 24);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    note = "a number is `Lit<64>`, a typenum integer such as `U64`, or arithmetic such as `Div<K, P>`"
)]
pub trait Number: Copy + Default + 'static {
    /// The value. Meaningless when [`FAULT`](Self::FAULT) is set.
    const N: u32;
    /// The name of the parameter in error texts, or "".
    const NAME: &'static str = "";
    /// Why there is no such number, if there is none.
    const FAULT: Option<NumberError> = None;
    /// The formula of the number, for numbers known only at run time.
    #[doc(hidden)]
    const FORMULA: &'static Formula = &formula::known::<Self>();
}

impl Number for UTerm {
    const N: u32 = 0;
}

// Not for every `T: Unsigned`: then rustc would answer a missing bound on `K`
// with a wall of candidates instead of "`K` is not a number".
impl<U: Unsigned, B: Bit> Number for UInt<U, B>
where
    Self: Unsigned + Default,
{
    const N: u32 = Self::U32;
    const FAULT: Option<NumberError> = fits(Self::U64);
}

/// The fault of a value beyond 32 bits: for a [`Number`] of your own.
///
/// ```
/// use tiledesc_transforms::number::fits;
/// use tiledesc_transforms::{Number, NumberError};
///
/// /// `BYTES` bytes as dwords.
/// #[derive(Clone, Copy, Default)]
/// struct Dwords<const BYTES: u64>;
/// impl<const BYTES: u64> Number for Dwords<BYTES> {
///     const N: u32 = (BYTES / 4) as u32;
///     const FAULT: Option<NumberError> = fits(BYTES / 4);
/// }
/// assert_eq!((Dwords::<65_536>::N, Dwords::<65_536>::FAULT), (16_384, None));
/// let value = 1 << 32;
/// assert_eq!(Dwords::<{ 1 << 34 }>::FAULT, Some(NumberError::TooLarge { value }));
/// ```
#[must_use]
pub const fn fits(value: u64) -> Option<NumberError> {
    if value > u32::MAX as u64 { Some(NumberError::TooLarge { value }) } else { None }
}

/// The number `N`: for any literal and for const generic parameters.
///
/// ```
/// use tiledesc_transforms::{Lit, Number};
///
/// const fn rows<const M: usize>() -> u32 {
///     <Lit<M> as Number>::N
/// }
/// assert_eq!(rows::<1536>(), 1536);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lit<const N: usize>;

impl<const VALUE: usize> Number for Lit<VALUE> {
    const N: u32 = VALUE as u32;
    const FAULT: Option<NumberError> = fits(VALUE as u64);
}

/// Lazy numbers, as a table: a type, its parameters, and the `const`
/// expression of its value, used once no parameter has a fault.
macro_rules! lazy_numbers {
    ($(
        $(#[$doc:meta])* $Name:ident<$($P:ident: $Bound:ident),*> = $make:expr
            $(, by $formula:expr)?;
    )*) => {$(
        $(#[$doc])*
        #[derive(tiledesc_macros::Phantom)]
        pub struct $Name<$($P),*>(core::marker::PhantomData<($($P,)*)>);

        impl<$($P: $Bound),*> $Name<$($P),*> {
            const MADE: Result<u32, NumberError> = 'made: {
                $(if let Some(fault) = $P::FAULT {
                    break 'made Err(fault);
                })*
                $make
            };
        }
        impl<$($P: $Bound),*> Number for $Name<$($P),*> {
            const N: u32 = match Self::MADE {
                Ok(value) => value,
                Err(_) => 1,
            };
            const FAULT: Option<NumberError> = match Self::MADE {
                Ok(_) => None,
                Err(fault) => Some(fault),
            };
            $(const FORMULA: &'static Formula = $formula;)?
        }
    )*};
    // Arithmetic of two numbers: the types of the rules.
    (arithmetic $($(#[$doc:meta])* $Name:ident;)*) => {
        lazy_numbers! {$(
            $(#[$doc])* $Name<A: Number, B: Number> =
                Rule::$Name.join((A::N, A::NAME), (B::N, B::NAME)),
                by &Formula::Operation(Rule::$Name, A::FORMULA, B::FORMULA);
        )*}
    };
}
pub(crate) use lazy_numbers;

pub(crate) const fn first(faults: &[Option<NumberError>]) -> Option<NumberError> {
    let mut i = 0;
    while i < faults.len() {
        if faults[i].is_some() {
            return faults[i];
        }
        i += 1;
    }
    None
}

/// A 64-bit result as a number.
pub(crate) const fn narrow(value: u64) -> Result<u32, NumberError> {
    match fits(value) {
        None => Ok(value as u32),
        Some(fault) => Err(fault),
    }
}

lazy_numbers! { arithmetic
    /// `A + B`.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Number, number::Add};
    ///
    /// assert_eq!(<Add<Lit<24>, Lit<8>>>::N, 32);
    /// ```
    Add;
    /// `A - B`; below zero is a fault.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Number, number::Sub};
    ///
    /// assert_eq!(<Sub<Lit<24>, Lit<8>>>::N, 16);
    /// ```
    Sub;
    /// `A * B`.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Number, number::Mul};
    ///
    /// assert_eq!(<Mul<Lit<24>, Lit<8>>>::N, 192);
    /// ```
    Mul;
    /// `A / B`, exactly: a remainder is a fault, because a tile that does not
    /// divide is a mistake.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Number, number::Div};
    ///
    /// assert_eq!(<Div<Lit<24>, Lit<8>>>::N, 3);
    /// ```
    Div;
    /// `A / B` rounded down, as C++ divides: for formulas that mean it
    /// (CK's `32 * 4 / KPerBlock / sizeof(T)`).
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Number, number::Quotient};
    ///
    /// assert_eq!(<Quotient<Lit<24>, Lit<16>>>::N, 1);
    /// ```
    Quotient;
    /// `A` rounded up to a multiple of `B`.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Number, number::AlignUp};
    ///
    /// assert_eq!(<AlignUp<Lit<24>, Lit<16>>>::N, 32);
    /// ```
    AlignUp;
    /// The smaller of two numbers.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Number, number::Min};
    ///
    /// assert_eq!(<Min<Lit<24>, Lit<8>>>::N, 8);
    /// ```
    Min;
    /// The larger of two numbers.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Number, number::Max};
    ///
    /// assert_eq!(<Max<Lit<24>, Lit<8>>>::N, 24);
    /// ```
    Max;
}

/// A length: a [`Number`], or [`Dyn`](struct@Dyn) when it is known only at run time.
///
/// Lengths mix freely, dimension by dimension. A number occupies no memory.
///
/// ```
/// use tiledesc_transforms::{Dyn, Length, Lit};
///
/// assert_eq!(<Lit<64> as Length>::KNOWN, Ok(64));
/// assert!(<Dyn as Length>::KNOWN.is_err());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a length",
    note = "a length is a number (`Lit<64>`, `U64`, `Div<K, P>`) or `Dyn` when it is known only at run time"
)]
pub trait Length: Copy {
    /// The value if the compiler knows it.
    const KNOWN: Result<u32, NumberError>;
    /// The formula of the number, for numbers known only at run time.
    #[doc(hidden)]
    const FORMULA: &'static Formula = &Formula::Value(Self::KNOWN, "");
    /// The value at run time, ready to be divided by.
    fn extent(&self) -> Extent;
}

impl<T: Number> Length for T {
    const KNOWN: Result<u32, NumberError> = match T::FAULT {
        None => Ok(T::N),
        Some(fault) => Err(fault),
    };
    const FORMULA: &'static Formula = T::FORMULA;

    #[inline(always)]
    fn extent(&self) -> Extent {
        Extent::constant(T::N)
    }
}

/// A length known only at run time.
///
/// It carries its magic numbers (12 bytes in all), so that a `merge` over it
/// costs a multiplication and not a division: the division happens once, where
/// the length is born.
///
/// ```
/// use tiledesc_transforms::Dyn;
///
/// assert_eq!(Dyn(1536).get(), 1536);
/// assert_eq!(size_of::<Dyn>(), 12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dyn {
    value: u32,
    magic: Magic,
}

/// The length `value`, known only at run time.
///
/// ```
/// use tiledesc_transforms::{Adaptor, Dyn, Lit, Packed};
///
/// let rows = Packed::new((Dyn(100), Lit::<64>))?;
/// assert_eq!(rows.plan()?.offset(&[3, 17]), Ok(209));
/// # Ok::<(), tiledesc_transforms::Error>(())
/// ```
#[allow(non_snake_case)]
#[inline]
#[must_use]
pub const fn Dyn(value: u32) -> Dyn {
    Dyn::new(value)
}

impl Dyn {
    /// Makes a number as [`Dyn()`] does.
    #[inline]
    #[must_use]
    pub const fn new(value: u32) -> Self {
        Self { value, magic: Magic::new(value) }
    }

    /// The value.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u32 {
        self.value
    }
}

impl Length for Dyn {
    const KNOWN: Result<u32, NumberError> = Err(NumberError::NotKnown);

    #[inline(always)]
    fn extent(&self) -> Extent {
        Extent::with_magic(self.value, self.magic)
    }
}
