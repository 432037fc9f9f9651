//! The errors of compositions, in one sentence with the numbers in it.
//!
//! CK Tile accepts 6 of 11 typical mistakes silently and answers the others
//! with `wrong!` or the name of a type. Here each is an [`Error`]: plain data, so
//! that a [`Plan`](crate::Plan) can hold it; one sentence, built by a `const fn`, so
//! that compile time and run time print the same; with the remedy if there is one.
//!
//! The families are in the table of [`Error`], the lowest of all errors: those of distributions, accesses, direct
//! loads, storage and exchange wrap it and print it unchanged.

use crate::number::NumberError;
use crate::number::list::List;
use crate::number::text::Text;
use crate::say;

/// The end of a transform: towards memory or towards the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Towards memory.
    Lower,
    /// Towards the user.
    Upper,
}

impl Side {
    const fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }

    const fn verb(self) -> &'static str {
        match self {
            Self::Lower => " takes ",
            Self::Upper => " gives ",
        }
    }

    const fn twice(self) -> &'static str {
        match self {
            Self::Lower => " is taken twice",
            Self::Upper => " is given twice",
        }
    }

    /// The advice for a dimension that no transform takes or gives.
    const fn hint(self) -> &'static str {
        match self {
            Self::Lower => " (pass keeps a dimension as it is)",
            Self::Upper => " (number the new dimensions from 0)",
        }
    }
}

/// The length that a transform needs a dimension below it to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Exactly this length.
    Exactly(u64),
    /// This length or more.
    AtLeast(u64),
}

/// The reason why something cannot be composed, evaluated or proven.
///
/// Reported where a composition is made, used or proven. In a constant it stops the build at the layout's name.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | a number or a length | `Number`, `ZeroLength`, `NotPowerOfTwo`, `MaskBeyond`, `Columns`, `ColumnBeyond`, `Dependent`, `EmptySlice`, `NoBits`, `Storage` | the plan of a type, [`Plan::transform`](crate::Plan::transform) |
/// | a transform that does not meet the dimension below | `LengthDiffers`, `ChainDiffers`, `EmptyChain` | the plan of a type, [`Plan::transform`](crate::Plan::transform) |
/// | wiring | `StridesDiffer`, `Arity`, `StageSizes`, `ClaimedTwice`, `Unclaimed`, `NoSuchDimension`, `Dangling` | the same |
/// | the size | `TooLarge`, `SpaceTooLarge`, `BytesTooLarge` | the same; bytes by layouts |
/// | a coordinate that is asked for | `NoDimension`, `Rank`, `OutOfRange`, `InPadding`, `NoCoordinate` | [`Plan::offset`](crate::Plan::offset), inverses, vectors |
/// | a law that does not hold | `Collision`, `OutOfSpace`, `Holes`, `RoundTrip`, `FunctionDiffers`, `NoMemory` | [`law`](mod@crate::law), [`Plan::prove_injective`](crate::Plan::prove_injective) |
/// | a law that is not decided | `Undecided`, `TooManyToTry` | the same |
/// | a map that is not one of bits | `NotLinear`, `TooManyBits`, `Shape`, `Fields`, `NoSuchBit` | [`Plan::linear`](crate::Plan::linear), [`Linear`](crate::Linear) |
///
/// It wraps [`NumberError`] (`Number`), and every other error of a layout wraps it, mostly as `Layout`, and prints
/// it unchanged.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_transforms::{Error, List, Side};
///
/// let printed = [
///     (
///         Error::EmptySlice { begin: 4, end: 4 },
///         "slice: its end 4 is not greater than its begin 4",
///     ),
///     (
///         Error::ChainDiffers { dimension: 0, below: 64, above: 32 },
///         "chain: dimension 0 has length 64 below and 32 above",
///     ),
///     (
///         Error::ClaimedTwice { stage: 1, side: Side::Lower, dimension: 0 },
///         "stage 1: lower dimension 0 is taken twice",
///     ),
///     (
///         Error::SpaceTooLarge { elements: 1 << 33 },
///         "the element space of 8589934592 elements exceeds 32-bit offsets (at most 4294967296)",
///     ),
///     (
///         Error::InPadding { coordinate: List::pair(12, 3) },
///         "coordinate (12, 3) lies in padding and has no place in memory",
///     ),
///     (
///         Error::Holes { space: 128, elements: 64 },
///         "not a bijection: 64 coordinates for an element space of 128 (injective allows gaps)",
///     ),
///     (
///         Error::Undecided { law: "injective", elements: 65_536 },
///         "structure does not show whether the layout is injective, and 65536 coordinates are too many to try here; use law::injective in a test",
///     ),
///     (
///         Error::NotLinear { length: Some((1, 12)) },
///         "length 12 of dimension 1 is not a power of two (nearest: 8 and 16)",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
///
/// Its `Display` is the sentence that the compiler prints for the same mistake.
///
/// ```
/// use tiledesc_transforms::{Op, Plan};
///
/// let base = Plan::packed(&[8, 12]).unwrap();
/// let error = base.transform(&[Op::Xor { length0: 8, length1: 12 }], &[&[0, 1]], &[&[0, 1]]);
/// assert_eq!(
///     error.unwrap_err().to_string(),
///     "xor: length 12 of dimension 1 is not a power of two \
///      (nearest: 8 and 16; cyclic_shift takes any length)",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A number that does not exist.
    Number(NumberError),
    /// A length of 0.
    ZeroLength {
        /// The transform that declares it.
        transform: &'static str,
        /// The lengths of the transform.
        declared: List,
    },
    /// A transform declares a length that differs from the dimension's, or reaches
    /// past its end.
    LengthDiffers {
        /// The stage, counted from 1; 0 for the base.
        stage: u32,
        /// The transform.
        transform: &'static str,
        /// The lengths and positions of the transform.
        declared: List,
        /// The length it needs there.
        needs: Demand,
        /// The dimension, counted from 0 among those the transform is applied to.
        dimension: u32,
        /// The length of that dimension.
        has: u64,
    },
    /// An xor length that is not a power of two.
    NotPowerOfTwo {
        /// The transform: `xor` or `xor_bits`.
        transform: &'static str,
        /// The length.
        length: u32,
        /// The dimension that has it.
        dimension: u32,
    },
    /// A mask that flips bits which no index of the dimension has.
    MaskBeyond {
        /// The mask.
        mask: u32,
        /// The length of the dimension.
        length: u32,
    },
    /// More columns than an index has bits.
    Columns {
        /// The number of columns.
        columns: u32,
        /// The length of the dimension.
        length: u32,
    },
    /// A column that sends an index out of its dimension.
    ColumnBeyond {
        /// The column.
        column: u32,
        /// The length of the dimension.
        length: u32,
    },
    /// Columns that send an index to where 0 is.
    Dependent {
        /// The index.
        index: u32,
    },
    /// A slice whose end is not greater than its begin: it would be empty.
    EmptySlice {
        /// First index taken.
        begin: u32,
        /// First index not taken.
        end: u32,
    },
    /// The numbers of lengths and of strides differ.
    StridesDiffer {
        /// The number of lengths.
        lengths: u32,
        /// The number of strides.
        strides: u32,
    },
    /// A transform is wired to the wrong number of dimensions.
    Arity {
        /// The stage, counted from 1; 0 for the base.
        stage: u32,
        /// The transform.
        transform: &'static str,
        /// The end of the transform.
        side: Side,
        /// The number of dimensions it takes there.
        takes: u32,
        /// The number of ids that were given.
        given: u32,
    },
    /// The three lists of a stage have different lengths.
    StageSizes {
        /// The stage, counted from 1; 0 for the base.
        stage: u32,
        /// Number of transforms.
        transforms: u32,
        /// Number of lower id lists.
        lower: u32,
        /// Number of upper id lists.
        upper: u32,
    },
    /// One dimension is named by two transforms of a stage (or twice by one).
    ClaimedTwice {
        /// The stage, counted from 1; 0 for the base.
        stage: u32,
        /// The end of the stage at which it is named.
        side: Side,
        /// The dimension.
        dimension: u32,
    },
    /// A dimension is named by no transform of a stage.
    Unclaimed {
        /// The stage, counted from 1; 0 for the base.
        stage: u32,
        /// The end of the stage at which it is not named.
        side: Side,
        /// The dimension.
        dimension: u32,
    },
    /// A dimension is named that does not exist.
    NoSuchDimension {
        /// The stage, counted from 1; 0 for the base.
        stage: u32,
        /// The end of the stage at which it is named.
        side: Side,
        /// The dimension named.
        dimension: u32,
        /// The number of dimensions there.
        rank: u32,
    },
    /// A hidden dimension of a graph that nothing above takes, or that nothing below gives.
    Dangling {
        /// The dimension.
        dimension: u32,
        /// True if it is given: then nothing takes it.
        given: bool,
    },
    /// A composition larger than a plan can hold.
    TooLarge {
        /// The name of what exceeds the limit, e.g. `"transforms"`.
        what: &'static str,
        /// The limit.
        most: u32,
    },
    /// An element space that 32-bit offsets cannot address.
    SpaceTooLarge {
        /// The size in elements (saturated to 64 bits).
        elements: u64,
    },
    /// Bytes (or bits, for elements that are not whole bytes) beyond 32-bit offsets.
    BytesTooLarge {
        /// The size in elements.
        elements: u64,
        /// The width of an element, in bits.
        bits: u32,
    },
    /// The layout does not have the given dimension.
    NoDimension {
        /// The dimension.
        dimension: u32,
        /// The number of dimensions of the layout.
        rank: u32,
    },
    /// The wrong number of indices or dimensions.
    Rank {
        /// The number that is wanted.
        wanted: u32,
        /// The number that was given.
        given: u32,
    },
    /// An index past the end of its dimension.
    OutOfRange {
        /// The dimension.
        dimension: u32,
        /// The index.
        index: u32,
        /// The length of the dimension.
        length: u32,
    },
    /// A coordinate in the padding: it has no place in memory.
    InPadding {
        /// The coordinate.
        coordinate: List,
    },
    /// A chained adaptor's bottom differs from the top below it.
    ChainDiffers {
        /// The dimension.
        dimension: u32,
        /// The length at the top of the lower adaptor.
        below: u64,
        /// The length at the bottom of the upper adaptor.
        above: u64,
    },
    /// An adaptor without transforms, chained above another.
    EmptyChain,
    /// A law about offsets, applied to an adaptor, which has none.
    NoMemory,
    /// An element of 0 bits.
    NoBits,
    /// An element that the type which holds it in arrays cannot hold.
    Storage {
        /// The width of the element, in bits.
        bits: u32,
        /// The width of that type, in bits.
        storage: u64,
    },
    /// Two coordinates share one offset.
    Collision {
        /// One coordinate.
        first: List,
        /// Another.
        second: List,
        /// The offset of both, in elements.
        offset: u32,
    },
    /// A valid coordinate whose offset is outside the element space.
    OutOfSpace {
        /// The coordinate.
        coordinate: List,
        /// The offset of the coordinate, in elements.
        offset: u32,
        /// The size of the element space.
        space: u64,
    },
    /// Offsets that no coordinate has: the layout is not a bijection.
    Holes {
        /// The size of the element space.
        space: u64,
        /// The number of coordinates with a place in it.
        elements: u64,
    },
    /// An offset that no coordinate has.
    NoCoordinate {
        /// The offset, in elements.
        offset: u32,
    },
    /// The inverse leads to another coordinate.
    RoundTrip {
        /// The coordinate that was tried.
        coordinate: List,
        /// The offset of the coordinate.
        offset: u32,
        /// The coordinate that came back.
        back: List,
    },
    /// A function that computes something other than its table.
    FunctionDiffers {
        /// The index.
        index: u32,
        /// The entry of the table.
        table: u32,
        /// The result of `apply`.
        computed: u32,
    },
    /// A map that is not linear over bits.
    NotLinear {
        /// The first dimension whose length is not a power of two, and the length;
        /// none if all are, and the map adds with a carry, pads or looks up.
        length: Option<(u32, u32)>,
    },
    /// A map of more than 32 bits.
    TooManyBits {
        /// The number of columns.
        columns: u32,
    },
    /// A shape whose bits are not those of a map.
    Shape {
        /// Bits of the shape's indices.
        shape: u32,
        /// The map's input bits.
        map: u32,
    },
    /// Fields of bits that overlap, or reach beyond an index.
    Fields {
        /// The lowest bit of those that flip others.
        from: u32,
        /// The lowest bit of those that are flipped.
        into: u32,
        /// Bits of each.
        width: u32,
    },
    /// A bit that a map does not have.
    NoSuchBit {
        /// The bit.
        bit: u32,
        /// The map's input bits.
        bits: u32,
    },
    /// A law that neither structure nor a small enumeration can decide in a constant. A
    /// [`law`](crate::law) in a test may.
    Undecided {
        /// The law.
        law: &'static str,
        /// The number of coordinates.
        elements: u64,
    },
    /// A question that structure does not answer, of a layout of more coordinates than are
    /// visited to answer it.
    TooManyToTry {
        /// The question about the layout.
        law: &'static str,
        /// The number of coordinates.
        elements: u64,
        /// The most coordinates that are visited.
        most: u64,
    },
}

/// The word before a size that was saturated to 64 bits.
const fn or_more(elements: u64) -> &'static str {
    if elements == u64::MAX { "at least " } else { "" }
}

impl Error {
    /// Returns the error with the number of its stage.
    pub(crate) const fn at_stage(mut self, number: u32) -> Self {
        match &mut self {
            Self::LengthDiffers { stage, .. }
            | Self::Arity { stage, .. }
            | Self::StageSizes { stage, .. }
            | Self::ClaimedTwice { stage, .. }
            | Self::Unclaimed { stage, .. }
            | Self::NoSuchDimension { stage, .. } => *stage = number,
            _ => {}
        }
        self
    }

    /// The sentence.
    #[must_use]
    pub const fn text(&self) -> Text {
        self.explain(Text::new())
    }

    /// Appends the sentence to a text.
    #[must_use]
    pub const fn explain(&self, text: Text) -> Text {
        match *self {
            Self::Number(fault) => fault.explain(text),
            Self::ZeroLength { transform, declared } => say!(text:
                str(transform), list(declared.as_slice()),
                " has a length of 0; every dimension has at least one index"
            ),
            Self::LengthDiffers { stage, transform, declared, needs, dimension, has } => {
                let text = in_stage(text, stage).str(transform).list(declared.as_slice());
                let text = match needs {
                    Demand::Exactly(length) => say!(text: " needs length ", length),
                    Demand::AtLeast(length) => say!(text: " needs at least length ", length),
                };
                say!(text: ", but dimension ", dimension, " has length ", has)
            }
            Self::NotPowerOfTwo { transform, length, dimension } => {
                let below = 1u64 << length.ilog2();
                say!(text:
                    str(transform), ": length ", length, " of dimension ", dimension,
                    " is not a power of two (nearest: ", below, " and ", below * 2,
                    "; cyclic_shift takes any length)"
                )
            }
            Self::MaskBeyond { mask, length } => say!(text:
                "xor_bits: the mask ", mask, " flips bits that no index of a dimension of length ",
                length, " has"
            ),
            Self::Columns { columns, length } => say!(text:
                "linear_bits: ", columns, " columns are more than an index of a dimension of length ",
                length, " has bits"
            ),
            Self::ColumnBeyond { column, length } => say!(text:
                "linear_bits: the column ", column, " leaves a dimension of length ", length
            ),
            Self::Dependent { index } => say!(text:
                "linear_bits: the columns send index ", index, " to 0, where index 0 is"
            ),
            Self::EmptySlice { begin, end } => say!(text:
                "slice: its end ", end, " is not greater than its begin ", begin
            ),
            Self::StridesDiffer { lengths, strides } => counted(
                counted(text.str("strides: "), lengths, " length").str(" but "),
                strides,
                " stride",
            ),
            Self::Arity { stage, transform, side, takes, given } => {
                let text = in_stage(text, stage).str(transform).str(side.verb());
                let text = counted_side(text, takes, side, " dimension");
                say!(text: " but ", given, str(named(given)))
            }
            Self::StageSizes { stage, transforms, lower, upper } => {
                let text = counted(in_stage(text, stage), transforms, " transform");
                let text = counted(text.str(" but "), lower, " lower list");
                counted(text.str(" and "), upper, " upper list")
            }
            Self::ClaimedTwice { stage, side, dimension } => {
                side_dimension(in_stage(text, stage), side, dimension).str(side.twice())
            }
            Self::Unclaimed { stage, side, dimension } => {
                let text = in_stage(text, stage).str("no transform").str(side.verb());
                side_dimension(text, side, dimension).str(side.hint())
            }
            Self::NoSuchDimension { stage, side, dimension, rank } => {
                let text = side_dimension(in_stage(text, stage), side, dimension);
                let text = text.str(" does not exist: there ");
                counted(text.str(if rank == 1 { "is " } else { "are " }), rank, " dimension")
            }
            Self::Dangling { dimension, given: true } => say!(text:
                "dimension ", dimension,
                " leads nowhere: no transform takes it, and it is not a top dimension"
            ),
            Self::Dangling { dimension, given: false } => say!(text:
                "dimension ", dimension, " is taken before a transform gives it"
            ),
            Self::TooLarge { what, most } => {
                say!(text: "too many ", str(what), " (the limit is ", most, ")")
            }
            Self::SpaceTooLarge { elements } => say!(text:
                "the element space of ", str(or_more(elements)), elements,
                " elements exceeds 32-bit offsets (at most 4294967296)"
            ),
            Self::BytesTooLarge { elements, bits } => {
                let text = say!(text:
                    str(or_more(elements)), elements, " elements of ", bits, " bits exceed 32-bit "
                );
                // An element that does not begin at a byte has an offset in bits.
                text.str(if bits.is_multiple_of(8) {
                    "byte offsets (at most 4294967296 bytes)"
                } else {
                    "offsets in bits (at most 4294967296 bits)"
                })
            }
            Self::NoDimension { dimension, rank } => {
                let text = say!(text: "dimension ", dimension, " does not exist: there ");
                counted(text.str(if rank == 1 { "is " } else { "are " }), rank, " dimension")
            }
            Self::Rank { wanted, given } => {
                let text = counted_plural(text, wanted, " index is", " indices are");
                say!(text: " wanted but ", given, str(given_verb(given)))
            }
            Self::OutOfRange { dimension, index, length } => say!(text:
                "index ", index, " is out of range: dimension ", dimension, " has length ", length
            ),
            Self::InPadding { coordinate } => say!(text:
                "coordinate ", coordinate(coordinate.as_slice()),
                " lies in padding and has no place in memory"
            ),
            Self::ChainDiffers { dimension, below, above } => say!(text:
                "chain: dimension ", dimension, " has length ", below, " below and ", above,
                " above"
            ),
            Self::EmptyChain => text.str("chain: the adaptor above has no transforms"),
            Self::NoMemory => {
                text.str("an adaptor has no offsets; laws and inverses are about descriptors")
            }
            Self::NoBits => text.str("an element has 0 bits"),
            Self::Storage { bits, storage } => say!(text:
                "an element of ", bits, " bits does not fit its Storage of ", storage, " bits"
            ),
            Self::Collision { first, second, offset } => say!(text:
                "not injective: coordinates ", coordinate(first.as_slice()), " and ",
                coordinate(second.as_slice()), " share offset ", offset
            ),
            Self::OutOfSpace { coordinate, offset, space } => say!(text:
                "coordinate ", coordinate(coordinate.as_slice()), " has offset ", offset,
                ", outside the element space of ", space
            ),
            Self::Holes { space, elements } if elements > space => say!(text:
                "not a bijection: ", elements, " coordinates for an element space of ", space,
                ", so that some share a place"
            ),
            Self::Holes { space, elements } => say!(text:
                "not a bijection: ", elements, " coordinates for an element space of ", space,
                " (injective allows gaps)"
            ),
            Self::NoCoordinate { offset } => {
                say!(text: "no coordinate has offset ", offset)
            }
            Self::RoundTrip { coordinate, offset, back } => say!(text:
                "coordinate ", coordinate(coordinate.as_slice()), " has offset ", offset,
                ", which leads back to ", coordinate(back.as_slice())
            ),
            Self::FunctionDiffers { index, table, computed } => say!(text:
                "functor: at ", index, " the table says ", table, " and apply computes ", computed
            ),
            Self::NotLinear { length: Some((dimension, length)) } => {
                let below = 1u64 << length.ilog2();
                say!(text:
                    "length ", length, " of dimension ", dimension,
                    " is not a power of two (nearest: ", below, " and ", below * 2, ")"
                )
            }
            Self::NotLinear { length: None } => {
                text.str("the map is not linear over bits: it adds with a carry, pads or looks up")
            }
            Self::TooManyBits { columns } => say!(text:
                columns, " columns are too many: a map takes at most 32 bits"
            ),
            Self::Shape { shape, map } => {
                say!(text: "a shape of ", shape, " bits for a map of ", map)
            }
            Self::Fields { from, into, width } => {
                say!(text:
                    width, " bits from bit ", from, " on and as many from bit ", into,
                    " on must not overlap, nor reach beyond bit 30"
                )
            }
            Self::NoSuchBit { bit, bits } => {
                say!(text: "bit ", bit, " does not exist: the map has ", bits, " bits")
            }
            Self::Undecided { law, elements } => say!(text:
                "structure does not show whether the layout is ", str(law), ", and ", elements,
                " coordinates are too many to try here; use law::",
                str(match law.as_bytes() { b"in bounds" => "in_bounds", _ => law, }), " in a test"
            ),
            Self::TooManyToTry { law, elements, most } => say!(text:
                "structure does not show whether the layout is ", str(law), ", and ", elements,
                " coordinates are too many to try (the limit is ", most, ")"
            ),
        }
    }

    /// Panics with the name of the layout and the sentence. In a constant, this is how
    /// a mistake reaches the user's line at compile time.
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn refuse(&self, name: &str) -> ! {
        let text = if name.is_empty() { Text::new() } else { say!(Text::new(): str(name), ": ") };
        let text = self.explain(text);
        text.refuse()
    }
}

const fn in_stage(text: Text, stage: u32) -> Text {
    if stage == 0 { text } else { say!(text: "stage ", stage, ": ") }
}

const fn side_dimension(text: Text, side: Side, dimension: u32) -> Text {
    say!(text: str(side.name()), " dimension ", dimension)
}

const fn counted(text: Text, count: u32, noun: &str) -> Text {
    say!(text: count, str(noun), str(if count == 1 { "" } else { "s" }))
}

const fn counted_side(text: Text, count: u32, side: Side, noun: &str) -> Text {
    say!(text: count, " ", str(side.name()), str(noun), str(if count == 1 { "" } else { "s" }))
}

const fn counted_plural(text: Text, count: u32, one: &str, many: &str) -> Text {
    say!(text: count, str(if count == 1 { one } else { many }))
}

const fn named(given: u32) -> &'static str {
    if given == 1 { " is named" } else { " are named" }
}

const fn given_verb(given: u32) -> &'static str {
    if given == 1 { " is given" } else { " are given" }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl core::error::Error for Error {}

impl From<NumberError> for Error {
    fn from(fault: NumberError) -> Self {
        Self::Number(fault)
    }
}
