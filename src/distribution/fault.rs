//! What cannot be a distribution, in one sentence with the names in it.
//!
//! [`DistributionError`] has the table of its families; [`Owner`], [`FactorName`] and [`DimensionName`] are
//! what its sentences name.

use super::no_matrix::NoMatrix;
use tiledesc_transforms::{Error, List, NumberError, Text, say};

/// Who owns a factor.
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

    /// What its number counts: one of them, and several.
    const fn numbered(self) -> (&'static str, &'static str) {
        match self {
            Self::Wave => ("wave", "waves"),
            Self::Lane => ("lane", "lanes"),
            Self::Thread => ("element", "elements"),
        }
    }

    /// Whether both are the same: `==` for constants.
    pub(crate) const fn is(self, other: Self) -> bool {
        self as u32 == other as u32
    }
}

/// A factor as a sentence names it: by its name, or by its position where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactorName {
    /// Its name, or "".
    pub name: &'static str,
    /// Its position among the factors of its dimension, from 0.
    pub position: u32,
    /// Its dimension; none for a repetition.
    pub dimension: Option<DimensionName>,
}

/// A tile dimension as a sentence names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimensionName {
    /// Its name, or "".
    pub name: &'static str,
    /// Its number, from 0.
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

/// Why a distribution is invalid, or a question about one has no answer.
///
/// Reported where a distribution is declared (`distribution!` and `Encoded` refuse it at its name), made from data
/// ([`Encoding`](super::Encoding)), taken apart, or asked something that only some distributions answer.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | who owns a factor | `OwnedTwice`, `OwnedByNobody`, `ThreadRepeats`, `UnknownName`, `NoSuchFactor` | [`distribution!`](crate::distribution!), [`Encoding::ck`](super::Encoding::ck) |
/// | the lists | `SameName`, `SizesDiffer`, `Partitions`, `NoFactors`, `NoDimensions`, `ZeroLength`, `TooMany`, `TooLarge` | the same |
/// | a tile that the factors do not divide | `Uncovered`, `Covers`, `Undivided`, `Together`, `EndsWithin`, `Idle` | [`Encoding::covering`](super::Encoding::covering), and what asks for whole dimensions |
/// | what is made of a distribution | `SplitsLanes`, `RanksDiffer` | [`Encoding::slice`](super::Encoding::slice), [`Encoding::around`](super::Encoding::around) |
/// | what is asked of it | `OutOfRange`, `NotPowerOfTwo` | [`Encoding::coordinate`](super::Encoding::coordinate), [`Encoding::linear`](super::Encoding::linear), [`Encoding::butterfly`](super::Encoding::butterfly) |
/// | another distribution | `OtherTile`, `OtherNumber`, `OtherCover`, `NamesDiffer` | [`Encoding::exchange`](super::Encoding::exchange), [`Encoding::around`](super::Encoding::around) |
/// | a shape that no instruction has | `NoMatrix` | [`warp_gemm::A`](crate::warp_gemm::A), and the others named by shape |
///
/// It wraps [`NumberError`] (`Number`) and [`Error`] (`Coordinate`).
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
pub enum DistributionError {
    /// A factor's length that does not exist.
    Number(NumberError),
    /// A factor that two owners list, or one twice.
    OwnedTwice {
        /// The factor.
        factor: FactorName,
        /// Who owns it.
        first: Owner,
        /// Who owns it as well.
        second: Owner,
    },
    /// A factor that no owner lists, and whose length is not 1.
    OwnedByNobody {
        /// The factor.
        factor: FactorName,
        /// Its length.
        length: u32,
    },
    /// A thread that owns a repetition.
    ThreadRepeats {
        /// The repetition.
        factor: FactorName,
    },
    /// An owner that lists a name that no dimension has.
    UnknownName {
        /// The owner.
        owner: Owner,
        /// The name.
        name: &'static str,
    },
    /// Two factors of one name, or two dimensions.
    SameName {
        /// The name.
        name: &'static str,
        /// The factors; of dimensions, none.
        factors: Option<(FactorName, FactorName)>,
    },
    /// An owner that lists a factor by a position that does not exist.
    NoSuchFactor {
        /// The owner.
        owner: Owner,
        /// CK's major index: 0 is the repetitions, 1 the first dimension.
        major: u32,
        /// CK's minor index: the position.
        minor: u32,
        /// How many factors there are.
        factors: u32,
    },
    /// Lists of major and of minor indices of different sizes.
    SizesDiffer {
        /// What they are about: `ps` or `ys`.
        of: &'static str,
        /// The size of the first list.
        major: u32,
        /// The size of the second.
        minor: u32,
    },
    /// Partition dimensions that are neither (lane) nor (wave, lane).
    Partitions {
        /// How many there are.
        given: u32,
    },
    /// A factor whose length is not a power of two, where bits are asked for.
    NotPowerOfTwo {
        /// The factor.
        factor: FactorName,
        /// Its length.
        length: u32,
    },
    /// A factor of length 0.
    ZeroLength {
        /// The factor.
        factor: FactorName,
    },
    /// A dimension without factors.
    NoFactors {
        /// The dimension.
        dimension: DimensionName,
    },
    /// A slice that no distribution with the same lanes holds.
    SplitsLanes {
        /// The dimension.
        dimension: DimensionName,
        /// First index taken.
        begin: u32,
        /// First index not taken.
        end: u32,
    },
    /// A distribution around one of other dimensions.
    RanksDiffer {
        /// Dimensions of the one around.
        outer: u32,
        /// Dimensions of the one within.
        inner: u32,
    },
    /// Two distributions of one tile have the names of its dimensions at different places.
    NamesDiffer {
        /// Names of the one: around the other, or held before it.
        one: [&'static str; 2],
        /// Names of the other.
        other: [&'static str; 2],
    },
    /// A distribution without dimensions.
    NoDimensions,
    /// More than a distribution can hold.
    TooMany {
        /// Of what.
        what: &'static str,
        /// The limit.
        most: u32,
    },
    /// A dimension or an owner of more than 32 bits.
    TooLarge {
        /// Of what.
        what: &'static str,
    },
    /// A number of a wave, a lane or an element that does not exist.
    OutOfRange {
        /// The owner.
        owner: Owner,
        /// The number.
        number: u32,
        /// How many there are.
        numbers: u32,
    },
    /// A lane that holds nothing at an element: it lies beyond the tile.
    Idle {
        /// The wave.
        wave: u32,
        /// The lane.
        lane: u32,
        /// The element.
        element: u32,
    },
    /// A dimension that is longer than its factors count.
    Uncovered {
        /// The dimension.
        dimension: DimensionName,
        /// Elements that its factors count.
        covered: u32,
        /// Elements that it is to have.
        elements: u64,
    },
    /// Lengths for the wrong number of dimensions.
    Covers {
        /// How many are given.
        given: u32,
        /// How many there are.
        rank: u32,
    },
    /// A dimension that is not the product of its factors, where a question needs that.
    Undivided {
        /// The dimension.
        dimension: DimensionName,
        /// Its length.
        length: u32,
    },
    /// Two dimensions that one number counts together, where a question is of each by itself.
    Together {
        /// The one.
        first: DimensionName,
        /// The next one, which the number counts faster.
        second: DimensionName,
    },
    /// A dimension that ends within the factors of a distribution that another one repeats: in the tile of both there
    /// would be holes.
    EndsWithin {
        /// The dimension.
        dimension: DimensionName,
        /// Its length.
        length: u32,
        /// What its factors count.
        covered: u32,
        /// How often it is repeated.
        times: u32,
    },
    /// A dimension of one tile that the factors of two distributions cover to different ends.
    OtherCover {
        /// The dimension.
        dimension: DimensionName,
        /// What the factors of the one count.
        from: u32,
        /// What the factors of the other count.
        to: u32,
    },
    /// A distribution to be compared with one of another tile.
    OtherTile {
        /// The lengths of the one.
        from: List,
        /// The lengths of the other.
        to: List,
    },
    /// A distribution to be compared with one of other waves or lanes.
    OtherNumber {
        /// Of what there are not equally many.
        owner: Owner,
        /// How many the one has.
        from: u32,
        /// How many the other has.
        to: u32,
    },
    /// A shape of which a chip has no matrix instruction.
    NoMatrix(NoMatrix),
    /// What the tile's coordinates or its plan refuse.
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
