//! What CuTe's form cannot say, and what is no such form: in sentences.
//!
//! [`CuteError`] has the table of its families: the text, a swizzle, shape and stride, both ways.
//!
//! CuTe answers a swizzle that overlaps itself with "abs(SShift) must be more than
//! BBits." on line 7 of 11, without the 3 numbers; a shape that does not fit its stride
//! with 20 lines. Here each is one sentence with the numbers in it, the same at compile
//! time and at run time.

use tiledesc_transforms::{Error, Text, say};

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

impl Numbers {
    /// Appends CuTe's text: `Sw<3,4,3>`.
    pub(super) const fn write(&self, text: Text) -> Text {
        say!(text: "Sw<", self.bits, ",", self.base, ",", signed(self.shift as i64), ">")
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
/// use tiledesc::exchange::cute::{CuteError, Numbers};
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
/// use tiledesc::exchange::cute::{Composed, CuteError};
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
        /// Bits of the unit asked for.
        to: u32,
        /// The smallest base that would do.
        base: u32,
    },
    /// A recast between widths of which neither is the other times a power of two.
    Width {
        /// Bits of the unit.
        from: u32,
        /// Bits of the unit asked for.
        to: u32,
    },
    /// No mode, or more than 12 when flattened.
    Modes {
        /// How many.
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
        /// Where the stride changes.
        at: u32,
    },
    /// Two strides, or the offset and a stride, of which the sum is not an xor of columns.
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
    /// Strides that reach an offset in ways that no division tells apart.
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
        /// Both.
        both: i64,
    },
    /// A step backwards, and no swizzle below which all go on.
    Negative {
        /// In elements.
        stride: i64,
    },
    /// Every two bits of a coordinate add up below a swizzle; whether all do was not tried.
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
        /// What it is.
        what: &'static str,
    },
    /// Not CuTe's text.
    Syntax {
        /// The byte, counted from 0.
        at: u32,
        /// What would do there.
        expected: &'static str,
    },
}

impl CuteError {
    /// Panics with the sentence, for constants.
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn refuse(&self) -> ! {
        let text = self.text();
        text.refuse()
    }

    /// The sentence.
    ///
    /// ```
    /// use tiledesc::exchange::cute::Strided;
    ///
    /// assert_eq!(
    ///     Strided::new(&[8, 4], &[4]).unwrap_err().text().as_str(),
    ///     "the shape has 2 numbers and the stride 1, or their brackets differ",
    /// );
    /// ```
    #[must_use]
    pub const fn text(&self) -> Text {
        let text = Text::new();
        match *self {
            Self::Overlap(swizzle) => overlap(text, &swizzle),
            Self::BeyondOffset(swizzle) => beyond(text, &swizzle),
            Self::Splits { swizzle, from, to, base } => splits(text, &swizzle, from, to, base),
            Self::Width { from, to } => {
                say!(text:
                    "units of ", from, " and of ", to,
                    " bits: neither is the other times a power of two"
                )
            }
            Self::Modes { modes } => {
                say!(text: modes, " modes; there must be 1 to 12, flattened")
            }
            Self::Incongruent { shape, stride } => {
                say!(text:
                    "the shape has ", shape, " numbers and the stride ", stride,
                    ", or their brackets differ"
                )
            }
            Self::EmptyMode { mode } => say!(text: "mode ", mode, " has no numbers"),
            Self::ZeroLength { mode } => say!(text: "mode ", mode, " has length 0"),
            Self::TooLarge { value } => {
                say!(text: value, " elements do not fit into 32 bits")
            }
            Self::NotPowerOfTwo { length, mode } => {
                say!(text:
                    "length ", length, " of mode ", mode,
                    " is not a power of two, so there are no columns"
                )
            }
            Self::Cut { length, dimension, at } => {
                say!(text:
                    "length ", length, " of dimension ", dimension, " is not a multiple of ", at,
                    ", where its stride changes"
                )
            }
            Self::Carries { one, other } => {
                say!(text:
                    one, " and ", other, " share a bit: their sum carries, and columns only flip"
                )
            }
            Self::Repeated { stride } => {
                say!(text:
                    "two modes have stride ", stride, ": an offset may belong to several coordinates"
                )
            }
            Self::Interleaved { stride, below } => {
                say!(text:
                    "stride ", stride, " lies within the ", below,
                    " offsets that smaller strides span: no division tells them apart"
                )
            }
            Self::Inputs { shape, map } => {
                say!(text: "a shape of ", shape, " bits for a map of ", map)
            }
            Self::NoSwizzle { one, other } => {
                say!(text:
                    "no Sw<B,M,S> o offset o shape:stride: columns ", one, " and ", other,
                    " share a bit, and no single swizzle separates all such columns"
                )
            }
            Self::NoSum { one, other, both } => {
                say!(text:
                    "no Sw<B,M,S> o offset o shape:stride: steps of ", signed(one), " and ",
                    signed(other), " elements make one of ", signed(both),
                    ", and no single swizzle makes all such steps add up"
                )
            }
            Self::Negative { stride } => {
                say!(text:
                    "no Sw<B,M,S> o offset o shape:stride: stride ", signed(stride),
                    " is negative, and no single swizzle makes all such strides positive"
                )
            }
            Self::NotTried { swizzle, elements } => {
                let text = swizzle.write(text.str("below "));
                say!(text:
                    " every two bits add up; whether all do is not known: ", elements,
                    " elements are too many to try"
                )
            }
            Self::Map(error) => error.text(),
            Self::NotRead { at, what } => {
                say!(text: "at byte ", at, ": ", str(what), " are not supported")
            }
            Self::Syntax { at, expected } => {
                say!(text: "at byte ", at, ": expected ", str(expected))
            }
        }
    }
}

const fn overlap(text: Text, swizzle: &Numbers) -> Text {
    let bits = swizzle.bits;
    let text = swizzle.write(text).str(": the ").number(bits as u64);
    say!(text:
        " bits that flip and the ", bits, " that are flipped overlap; the shift must be at least ",
        bits, " or at most ", signed(-(bits as i64))
    )
}

const fn beyond(text: Text, swizzle: &Numbers) -> Text {
    let Numbers { bits, base, shift } = *swizzle;
    let reach = bits as u64 + base as u64 + shift.unsigned_abs() as u64;
    swizzle.write(text).str(" takes ").number(reach).str(" bits, but an offset has 32")
}

const fn splits(text: Text, swizzle: &Numbers, from: u32, to: u32, base: u32) -> Text {
    let text = swizzle.write(text).str(" over units of ").number(from as u64);
    say!(text: " bits moves parts of a unit of ", to, " bits: the base must be at least ", base)
}

impl core::fmt::Display for CuteError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl core::error::Error for CuteError {}
