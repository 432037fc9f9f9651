//! The errors of CuTe's form: layouts that it cannot express, texts that are no such form.
//!
//! [`CuteError`] has the table of its families: the text, a swizzle, shape and stride, both ways.
//!
//! CuTe answers a swizzle that overlaps itself with "abs(SShift) must be more than
//! BBits." on line 7 of 11, without the 3 numbers; a shape that does not fit its stride
//! with 20 lines. Here each is one sentence with the numbers in it.

use core::fmt;
use tiledesc::Error;

/// The numbers of `Sw<B,M,S>`, whether or not there is such a swizzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// B.
    pub bits: u32,
    /// M.
    pub base: u32,
    /// S.
    pub shift: i32,
}

impl fmt::Display for Numbers {
    /// CuTe's text: `Sw<3,4,3>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sw<{},{},{}>", self.bits, self.base, self.shift)
    }
}

/// Why something is not a layout in CuTe's form.
///
/// Reported on the way in (a text is parsed, numbers become a swizzle or a layout) and on the way out (a plan is to be
/// written in CuTe's form).
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the text | `Syntax`, `NotRead` | [`Composed::parse`](super::Composed::parse) |
/// | the numbers of a swizzle | `Overlap`, `BeyondOffset`, `Splits`, `Width` | [`Swizzle::new`](super::Swizzle::new), [`Swizzle::recast`](super::Swizzle::recast) |
/// | shape and stride | `Modes`, `Incongruent`, `EmptyMode`, `ZeroLength`, `TooLarge` | [`Strided::new`](super::Strided::new), [`Strided::nested`](super::Strided::nested) |
/// | the way back from an offset | `Repeated`, `Interleaved` | [`Strided::number_at`](super::Strided::number_at) |
/// | a form as columns | `NotPowerOfTwo`, `Carries`, `Inputs` | [`Composed::linear`](super::Composed::linear) |
/// | a plan without such a form | `Cut`, `NoSwizzle`, `NoSum`, `Negative`, `NotTried` | [`Composed::of_plan`](super::Composed::of_plan) |
///
/// It wraps [`Error`] (`Map`). [`GmmaError`](crate::exchange::gmma::GmmaError) and
/// [`TmaError`](crate::exchange::tma::TmaError) wrap it (`Form`).
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_host::exchange::cute::{CuteError, Numbers};
///
/// let printed = [
///     (CuteError::Syntax { at: 9, expected: "a number" }, "at byte 9: expected a number"),
///     (
///         CuteError::BeyondOffset(Numbers { bits: 3, base: 28, shift: 3 }),
///         "Sw<3,28,3> takes 34 bits, but an offset has 32",
///     ),
///     (CuteError::ZeroLength { mode: 1 }, "mode 1 has length 0"),
///     (
///         CuteError::Repeated { stride: 4 },
///         "two modes have stride 4: an offset may belong to several coordinates",
///     ),
///     (
///         CuteError::NotPowerOfTwo { length: 12, mode: 0 },
///         "length 12 of mode 0 is not a power of two, so there are no columns",
///     ),
///     (
///         CuteError::Cut { length: 12, dimension: 0, at: 8 },
///         "length 12 of dimension 0 is not a multiple of 8, where its stride changes",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
///
/// ```
/// use tiledesc_host::exchange::cute::{Composed, CuteError};
///
/// let refused = Composed::parse("(8,4):(4,?)").unwrap_err();
/// assert_eq!(refused, CuteError::Syntax { at: 9, expected: "a number" });
/// assert_eq!(refused.to_string(), "at byte 9: expected a number");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CuteError {
    /// The shift is smaller than the number of bits.
    Overlap(Numbers),
    /// A swizzle of bits that a 32-bit offset does not have.
    BeyondOffset(Numbers),
    /// A recast to units that the swizzle moves parts of.
    Splits {
        /// The swizzle.
        swizzle: Numbers,
        /// Bits of its unit.
        from: u32,
        /// Bits of the wanted unit.
        to: u32,
        /// The smallest base that would do.
        base: u32,
    },
    /// A recast between widths whose ratio is not a power of two.
    Width {
        /// Bits of the unit.
        from: u32,
        /// Bits of the wanted unit.
        to: u32,
    },
    /// A layout of no mode, or of more than 12 when flattened.
    Modes {
        /// The number of modes.
        modes: u32,
    },
    /// Shape and stride have their numbers or brackets in different places.
    Incongruent {
        /// Numbers of the shape.
        shape: u32,
        /// Numbers of the stride.
        stride: u32,
    },
    /// A mode `()`: its one coordinate needs no mode.
    EmptyMode {
        /// The mode, counted from 0.
        mode: u32,
    },
    /// A mode of length 0.
    ZeroLength {
        /// The flattened mode, counted from 0.
        mode: u32,
    },
    /// A size or an offset that exceeds 32 bits.
    TooLarge {
        /// The size or cosize; the largest number there is, where it is larger.
        value: u64,
    },
    /// A length that is not a power of two, so that there are no columns.
    NotPowerOfTwo {
        /// The length.
        length: u32,
        /// The flattened mode, counted from 0.
        mode: u32,
    },
    /// A dimension that ends within a mode.
    Cut {
        /// The length.
        length: u32,
        /// The dimension, counted from 0.
        dimension: u32,
        /// The coordinate at which the stride changes.
        at: u32,
    },
    /// Two strides, or the offset and a stride, whose sum is not an xor of columns.
    Carries {
        /// The one; a sum of those before, where only that shares a bit with the other.
        one: u32,
        /// The other.
        other: u32,
    },
    /// Two modes of the same stride, which reach an offset in two ways.
    Repeated {
        /// The stride.
        stride: u32,
    },
    /// Strides that reach an offset in ways that no division separates.
    Interleaved {
        /// The stride.
        stride: u32,
        /// The offsets that all smaller strides reach.
        below: u64,
    },
    /// A shape whose bits are not those of the map.
    Inputs {
        /// Bits of the shape.
        shape: u32,
        /// Bits of the map.
        map: u32,
    },
    /// Columns, or the constant and a column, that no swizzle takes apart.
    NoSwizzle {
        /// The one.
        one: u32,
        /// The other.
        other: u32,
    },
    /// Two steps that are another together, and no swizzle below which all steps add up.
    NoSum {
        /// The one, in elements.
        one: i64,
        /// The other.
        other: i64,
        /// The step of both, in elements.
        both: i64,
    },
    /// A step backwards, and no swizzle below which all go on.
    Negative {
        /// The step, in elements.
        stride: i64,
    },
    /// A layout of too many elements: every two bits of a coordinate add up below a swizzle; whether all do was not
    /// tried.
    NotTried {
        /// The swizzle.
        swizzle: Numbers,
        /// The number of elements.
        elements: u64,
    },
    /// A map that our side refuses.
    Map(Error),
    /// CuTe's text of what has no form here.
    NotRead {
        /// The byte, counted from 0.
        at: u32,
        /// A noun for the text.
        what: &'static str,
    },
    /// A text that is not CuTe's.
    Syntax {
        /// The byte, counted from 0.
        at: u32,
        /// The text that would be read there.
        expected: &'static str,
    },
}

impl fmt::Display for CuteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NONE: &str = "no Sw<B,M,S> o offset o shape:stride";
        match self {
            Self::Overlap(swizzle) => {
                let (bits, below) = (swizzle.bits, -i64::from(swizzle.bits));
                write!(
                    f,
                    "{swizzle}: the {bits} bits that flip and the {bits} that are flipped overlap; the shift must be at \
                     least {bits} or at most {below}"
                )
            }
            Self::BeyondOffset(swizzle) => {
                let Numbers { bits, base, shift } = *swizzle;
                let reach = u64::from(bits) + u64::from(base) + u64::from(shift.unsigned_abs());
                write!(f, "{swizzle} takes {reach} bits, but an offset has 32")
            }
            Self::Splits { swizzle, from, to, base } => write!(
                f,
                "{swizzle} over units of {from} bits moves parts of a unit of {to} bits: the base must be at least {base}"
            ),
            Self::Width { from, to } => write!(
                f,
                "units of {from} and of {to} bits: neither is the other times a power of two"
            ),
            Self::Modes { modes } => write!(f, "{modes} modes; there must be 1 to 12, flattened"),
            Self::Incongruent { shape, stride } => write!(
                f,
                "the shape has {shape} numbers and the stride {stride}, or their brackets differ"
            ),
            Self::EmptyMode { mode } => write!(f, "mode {mode} has no numbers"),
            Self::ZeroLength { mode } => write!(f, "mode {mode} has length 0"),
            Self::TooLarge { value } => write!(f, "{value} elements do not fit into 32 bits"),
            Self::NotPowerOfTwo { length, mode } => write!(
                f,
                "length {length} of mode {mode} is not a power of two, so there are no columns"
            ),
            Self::Cut { length, dimension, at } => write!(
                f,
                "length {length} of dimension {dimension} is not a multiple of {at}, where its stride changes"
            ),
            Self::Carries { one, other } => {
                write!(f, "{one} and {other} share a bit: their sum carries, and columns only flip")
            }
            Self::Repeated { stride } => write!(
                f,
                "two modes have stride {stride}: an offset may belong to several coordinates"
            ),
            Self::Interleaved { stride, below } => write!(
                f,
                "stride {stride} lies within the {below} offsets that smaller strides span: no division tells them apart"
            ),
            Self::Inputs { shape, map } => {
                write!(f, "a shape of {shape} bits for a map of {map}")
            }
            Self::NoSwizzle { one, other } => write!(
                f,
                "{NONE}: columns {one} and {other} share a bit, and no single swizzle separates all such columns"
            ),
            Self::NoSum { one, other, both } => write!(
                f,
                "{NONE}: steps of {one} and {other} elements make one of {both}, and no single swizzle makes all such \
                 steps add up"
            ),
            Self::Negative { stride } => write!(
                f,
                "{NONE}: stride {stride} is negative, and no single swizzle makes all such strides positive"
            ),
            Self::NotTried { swizzle, elements } => write!(
                f,
                "below {swizzle} every two bits add up; whether all do is not known: {elements} elements are too many \
                 to try"
            ),
            Self::Map(error) => write!(f, "{error}"),
            Self::NotRead { at, what } => write!(f, "at byte {at}: {what} are not supported"),
            Self::Syntax { at, expected } => write!(f, "at byte {at}: expected {expected}"),
        }
    }
}

impl core::error::Error for CuteError {}
