//! The faults of a distribution, in one sentence with the names in it.
//!
//! [`DistributionError`] has the table of its families; [`Owner`], [`FactorName`] and [`DimensionName`] are
//! what its sentences name.

use super::no_matrix::NoMatrix;
use super::product_fault::ProductFault;
use tiledesc_transforms::{Error, List, NumberError, Text, say};

/// The owner of a factor.
///
/// ```
/// use tiledesc::{distribution::{DistributionError, Owner}, matrix::mfma};
/// use tiledesc::prelude::*;
///
/// let found = mfma::F16_32x32x8::A::ENCODING?.coordinate(0, 64, 0);
/// let Err(DistributionError::OutOfRange { owner, number, numbers }) = found else { panic!() };
/// assert_eq!((owner, owner.name(), number, numbers), (Owner::Lane, "lane", 64, 64));
/// # Ok::<(), DistributionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Owner {
    /// The number of the wave in its block.
    Wave,
    /// The number of the lane in its wave.
    Lane,
    /// Each lane by itself: its elements.
    Thread,
}

impl Owner {
    /// In the order of their numbers.
    pub(super) const ALL: [Self; 3] = [Self::Wave, Self::Lane, Self::Thread];

    /// `wave`, `lane` or `thread`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wave => "wave",
            Self::Lane => "lane",
            Self::Thread => "thread",
        }
    }

    /// The names of what its number counts: of one, and of several.
    const fn numbered(self) -> (&'static str, &'static str) {
        match self {
            Self::Wave => ("wave", "waves"),
            Self::Lane => ("lane", "lanes"),
            Self::Thread => ("element", "elements"),
        }
    }

    /// Returns whether both are the same: `==` for constants.
    pub(crate) const fn is(self, other: Self) -> bool {
        self as u32 == other as u32
    }
}

/// A factor as a sentence names it: by its name, or by its position where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactorName {
    /// The factor's name, or "".
    pub name: &'static str,
    /// The factor's position among the factors of its dimension, from 0.
    pub position: u32,
    /// The factor's dimension; `None` for a repetition.
    pub dimension: Option<DimensionName>,
}

/// A tile dimension as a sentence names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimensionName {
    /// The dimension's name, or "".
    pub name: &'static str,
    /// The dimension's number, from 0.
    pub number: u32,
}

impl DimensionName {
    /// `m`, or `dimension 0`.
    pub(crate) const fn explain(self, text: Text) -> Text {
        if self.name.is_empty() {
            say!(text: "dimension ", self.number)
        } else {
            text.str(self.name)
        }
    }
}

impl FactorName {
    /// `factor "row" of m`, `factor 2 of dimension 0`, `the repetition "copy"`, `repetition 0`.
    const fn explain(self, text: Text) -> Text {
        match self.dimension {
            Some(dimension) if self.name.is_empty() => {
                dimension.explain(say!(text: "factor ", self.position, " of "))
            }
            Some(dimension) => dimension.explain(say!(text: "factor \"", str(self.name), "\" of ")),
            None if self.name.is_empty() => say!(text: "repetition ", self.position),
            None => say!(text: "the repetition \"", str(self.name), "\""),
        }
    }

    /// `of m`, or `of repeat`.
    const fn place(self, text: Text) -> Text {
        match self.dimension {
            Some(dimension) => dimension.explain(text.str("of ")),
            None => text.str("of repeat"),
        }
    }
}

/// The reason why a distribution is invalid, or a question about one has no answer.
///
/// Reported where a distribution is declared (`distribution!` and `Encoded` refuse it at its name), made from data
/// ([`Encoding`](super::Encoding)), taken apart, or put to a use for which only some distributions serve.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | who owns a factor | `OwnedTwice`, `OwnedByNobody`, `ThreadRepeats`, `UnknownName`, `NoSuchFactor` | [`distribution!`](crate::distribution!), [`Encoding::ck`](super::Encoding::ck) |
/// | the lists | `SameName`, `SizesDiffer`, `Partitions`, `NoFactors`, `NoDimensions`, `ZeroLength`, `Length`, `TooMany`, `TooLarge` | the same |
/// | a tile that the factors do not divide | `Uncovered`, `Covers`, `Undivided`, `Together`, `EndsWithin`, `Idle` | [`Encoding::covering`](super::Encoding::covering), and what asks for whole dimensions |
/// | what is made of a distribution | `SplitsLanes`, `RanksDiffer` | [`Encoding::slice`](super::Encoding::slice), [`Encoding::around`](super::Encoding::around) |
/// | what is asked of it | `OutOfRange`, `NotPowerOfTwo` | [`Encoding::coordinate`](super::Encoding::coordinate), [`Encoding::butterfly`](super::Encoding::butterfly) |
/// | another distribution | `OtherTile`, `OtherNumber`, `OtherCover`, `NamesDiffer` | [`Encoding::exchange`](super::Encoding::exchange), [`Encoding::around`](super::Encoding::around) |
/// | a shape that no instruction has | `NoMatrix` | [`warp_gemm::A`](crate::warp_gemm::A), and the others named by shape |
/// | operands that are not multiplied | `Product` | [`product!`](crate::product!) |
///
/// It wraps [`NumberError`] (`Number`, `Length`) and [`Error`] (`Coordinate`).
/// [`AccessError`](crate::access::AccessError) and, in `tiledesc-host`, the errors of conversions, register layouts and
/// figures wrap it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc::distribution::{DimensionName, DistributionError, FactorName, Owner};
///
/// let m = DimensionName { name: "m", number: 0 };
/// let factor = FactorName { name: "row", position: 1, dimension: Some(m) };
///
/// let printed = [
///     (
///         DistributionError::OwnedByNobody { factor, length: 16 },
///         "factor \"row\" of m (length 16) has no owner: no lane would hold its other elements",
///     ),
///     (
///         DistributionError::NoFactors { dimension: m },
///         "m has no factors; write one factor of length 1 for a dimension of length 1",
///     ),
///     (
///         DistributionError::Uncovered { dimension: m, covered: 16, elements: 31 },
///         "the factors of m cover 16 of its 31 elements",
///     ),
///     (
///         DistributionError::RanksDiffer { outer: 2, inner: 3 },
///         "a distribution of 2 dimensions cannot surround one of 3",
///     ),
///     (
///         DistributionError::NamesDiffer { one: ["m", "k"], other: ["k", "m"] },
///         "one distribution has the dimensions m, k, the other k, m: write both in one order",
///     ),
///     (
///         DistributionError::OutOfRange { owner: Owner::Lane, number: 64, numbers: 64 },
///         "lane 64 does not exist: the number of lanes is 64",
///     ),
///     (
///         DistributionError::OtherNumber { owner: Owner::Wave, from: 4, to: 8 },
///         "4 waves cannot hold what 8 waves do",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
///
/// Its `Display` is the sentence that the compiler prints for the same mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the sentence of a variant says what its numbers are")]
pub enum DistributionError {
    /// A number that does not exist.
    Number(NumberError),
    /// A factor that is owned `first`, and then again.
    OwnedTwice { factor: FactorName, first: Owner, second: Owner },
    /// A factor of more than one without an owner.
    OwnedByNobody { factor: FactorName, length: u32 },
    /// A repetition among the thread's factors.
    ThreadRepeats { factor: FactorName },
    /// A name that no factor has, among those that someone owns.
    UnknownName { owner: Owner, name: &'static str },
    /// Two `factors` of one name, or two dimensions if there are none.
    SameName { name: &'static str, factors: Option<(FactorName, FactorName)> },
    /// CK's indices of a factor that does not exist: `major` 0 is the repetitions, which have as many `factors`.
    NoSuchFactor { owner: Owner, major: u32, minor: u32, factors: u32 },
    /// CK's lists of `major` and `minor` indices are not equally long.
    SizesDiffer { of: &'static str, major: u32, minor: u32 },
    /// CK's lists are not of one (lane) or two (wave, lane) partition dimensions.
    Partitions { given: u32 },
    /// A factor that bits cannot count.
    NotPowerOfTwo { factor: FactorName, length: u32 },
    /// A factor of 0.
    ZeroLength { factor: FactorName },
    /// A factor whose length is no number: 100 / 64.
    Length { factor: FactorName, fault: NumberError },
    /// A dimension without factors.
    NoFactors { dimension: DimensionName },
    /// A slice that leaves lanes other elements, or not equally many.
    SplitsLanes { dimension: DimensionName, begin: u32, end: u32 },
    /// Distributions of different ranks, one around the other.
    RanksDiffer { outer: u32, inner: u32 },
    /// Distributions whose two dimensions have each other's names.
    NamesDiffer { one: [&'static str; 2], other: [&'static str; 2] },
    /// No dimension at all.
    NoDimensions,
    /// More of `what` than there is room for.
    TooMany { what: &'static str, most: u32 },
    /// A number of `what` beyond 32 bits.
    TooLarge { what: &'static str },
    /// A wave, lane or element that does not exist.
    OutOfRange { owner: Owner, number: u32, numbers: u32 },
    /// An element of a lane that is beyond the tile.
    Idle { wave: u32, lane: u32, element: u32 },
    /// A dimension of more elements than its factors count, or of none.
    Uncovered { dimension: DimensionName, covered: u32, elements: u64 },
    /// Lengths of a tile for more or fewer dimensions than there are.
    Covers { given: u32, rank: u32 },
    /// A dimension that is not the product of its factors, where whole ones are needed.
    Undivided { dimension: DimensionName, length: u32 },
    /// Two dimensions that one number counts, where each is needed by itself.
    Together { first: DimensionName, second: DimensionName },
    /// An inner distribution that ends within its factors and is repeated.
    EndsWithin { dimension: DimensionName, length: u32, covered: u32, times: u32 },
    /// A dimension that two distributions cover by factors of different products.
    OtherCover { dimension: DimensionName, from: u32, to: u32 },
    /// Distributions of different tiles.
    OtherTile { from: List, to: List },
    /// Distributions of different numbers of waves or lanes.
    OtherNumber { owner: Owner, from: u32, to: u32 },
    /// A shape for which a chip has no matrix instruction.
    NoMatrix(NoMatrix),
    /// Operands that a matrix instruction does not multiply.
    Product(ProductFault),
    /// A coordinate of the tile, or a plan, that is refused.
    Coordinate(Error),
}

impl DistributionError {
    /// Appends the sentence to a text.
    #[must_use]
    pub const fn explain(self, text: Text) -> Text {
        match self {
            Self::Number(fault) => Error::Number(fault).explain(text),
            Self::Coordinate(error) => error.explain(text),
            Self::NoMatrix(fault) => fault.explain(text),
            Self::Product(fault) => fault.explain(text),
            Self::OwnedTwice { factor, first, second } => {
                let text = factor.explain(text).str(" is owned by ");
                if first.is(second) {
                    return say!(text: str(first.name()), " twice");
                }
                say!(text: str(first.name()), " and by ", str(second.name()))
            }
            Self::OwnedByNobody { factor, length } => {
                let lost = match factor.dimension {
                    Some(_) => "no lane would hold its other elements",
                    None => "no lane would hold its other copies",
                };
                let text = factor.explain(text);
                say!(text: " (length ", length, ") has no owner: ", str(lost))
            }
            Self::ThreadRepeats { factor } => {
                let text = factor.explain(text.str("thread owns "));
                text.str(": a lane would hold one element twice")
            }
            Self::UnknownName { owner, name } => say!(text:
                str(owner.name()), " owns \"", str(name), "\", which no dimension has"
            ),
            Self::SameName { name, factors: Some((first, second)) } => {
                let text =
                    first.place(say!(text: "two factors have the name \"", str(name), "\": one "));
                second.place(text.str(" and one "))
            }
            Self::SameName { name, factors: None } => {
                say!(text: "two dimensions have the name \"", str(name), "\"")
            }
            Self::NoSuchFactor { owner, major, minor, factors } => {
                let text = say!(text: str(owner.name()), " owns ");
                let text = match major.checked_sub(1) {
                    None => say!(text: "repetition ", minor),
                    Some(dimension) => {
                        say!(text: "factor ", minor, " of dimension ", dimension)
                    }
                };
                match factors {
                    0 => text.str(", but there are none"),
                    1 => text.str(", but there is only 1"),
                    _ => say!(text: ", but there are only ", factors),
                }
            }
            Self::SizesDiffer { of, major, minor } => say!(text:
                str(of), ": ", major, " major indices but ", minor, " minor ones"
            ),
            Self::Partitions { given } => say!(text:
                given, " partition dimensions are given; a distribution has one (lane) or two (wave, lane)"
            ),
            Self::NotPowerOfTwo { factor, length } => {
                let text = factor.explain(text);
                say!(text: " has length ", length, ", which is not a power of two")
            }
            Self::ZeroLength { factor } => factor.explain(text).str(" has a length of 0"),
            Self::Length { factor, fault } => {
                Error::Number(fault).explain(factor.explain(text).str(" has no length: "))
            }
            Self::NoFactors { dimension } => dimension
                .explain(text)
                .str(" has no factors; write one factor of length 1 for a dimension of length 1"),
            Self::SplitsLanes { dimension, begin, end } => {
                let text = say!(text: "the slice [", begin, ", ", end, ") of ");
                dimension.explain(text).str(" would split lanes")
            }
            Self::RanksDiffer { outer, inner } => say!(text:
                "a distribution of ", outer, " dimensions cannot surround one of ", inner
            ),
            Self::NamesDiffer { one: [m, k], other: [first, second] } => say!(text:
                "one distribution has the dimensions ", str(m), ", ", str(k), ", the other ", str(first), ", ",
                str(second), ": write both in one order"
            ),
            Self::NoDimensions => text.str("a distribution has at least one dimension"),
            Self::TooMany { what, most } => {
                say!(text: "too many ", str(what), " (the limit is ", most, ")")
            }
            Self::TooLarge { what } => {
                say!(text: "the number of ", str(what), " does not fit into 32 bits")
            }
            Self::OutOfRange { owner, number, numbers } => {
                let (one, many) = owner.numbered();
                say!(text:
                    str(one), " ", number, " does not exist: the number of ", str(many), " is ", numbers
                )
            }
            Self::Idle { wave, lane, element } => say!(text:
                "lane ", lane, " of wave ", wave, " holds no element ", element,
                ": it lies beyond the tile"
            ),
            Self::Uncovered { dimension, covered, elements } => {
                let text = dimension.explain(text.str("the factors of "));
                say!(text: " cover ", covered, " of its ", elements, " elements")
            }
            Self::Covers { given, rank } => say!(text:
                given, str(if given == 1 { " length is" } else { " lengths are" }), " given for ", rank,
                str(if rank == 1 { " dimension" } else { " dimensions" })
            ),
            Self::Undivided { dimension, length } => {
                let text = dimension.explain(text);
                say!(text: " (length ", length, ") is not the product of its factors")
            }
            Self::Together { first, second } => {
                let text = second.explain(first.explain(text).str(" and "));
                text.str(" are counted as one number, and here each is asked by itself")
            }
            Self::EndsWithin { dimension, length, covered, times } => {
                let text = dimension.explain(text);
                say!(text:
                    " of the inner distribution ends at ", length, " of ", covered, ", and the outer one repeats it ",
                    times, " times: the tile would have holes"
                )
            }
            Self::OtherCover { dimension, from, to } => {
                let text = dimension.explain(text);
                say!(text: " is covered by factors of ", from, " and by factors of ", to, ": they end in other registers")
            }
            Self::OtherTile { from, to } => say!(text:
                "the tiles differ: ", list(from.as_slice()), " and ", list(to.as_slice())
            ),
            Self::OtherNumber { owner, from, to } => {
                let (_, many) = owner.numbered();
                say!(text: from, " ", str(many), " cannot hold what ", to, " ", str(many), " do")
            }
        }
    }

    /// The sentence.
    #[must_use]
    pub const fn text(self) -> Text {
        self.explain(Text::new())
    }

    /// Panics with the name of the distribution and the sentence. In a constant, this is how a
    /// mistake reaches the user's line at compile time.
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn refuse(self, name: &str) -> ! {
        let text = self.explain(say!(Text::new(): str(name), ": "));
        text.refuse()
    }
}

impl core::fmt::Display for DistributionError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl core::error::Error for DistributionError {}
