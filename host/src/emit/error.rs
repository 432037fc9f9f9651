//! Why nothing is emitted: wrong code would be worse than none.
//!
//! [`EmitError`] has the table of its families: names, how many of them, the language, the lanes.

use super::no_inverse::NoInverse;
use core::fmt;
use tiledesc::access::AccessError;

/// An error of code that cannot be emitted.
///
/// Reported where code is written: by [`Emit::emit`](crate::emit::Emit::emit) and [`Form`](super::Form), and by each
/// part that a [`Header`](super::Header) adds. A header with an error is given up as a whole.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | a name | `NoIdentifier`, `Reserved`, `Twice` | all that take a name |
/// | how many names, and whose | `Names`, `Unnamed` | [`Emit::emit`](crate::emit::Emit::emit), [`Form::function`](super::Form::function) |
/// | what the language or the unit cannot say | `Formula`, `NoElement`, `Table` | [`Form::function`](super::Form::function), [`Header`](super::Header) |
/// | what is to be written for lanes | `NoVector`, `NoDistribution`, `TwoAddresses`, `Idle`, `Chunks` | [`Header`](super::Header) |
///
/// It wraps [`Error`](tiledesc::Error) (`Layout`), [`AccessError`] (`Access`) and
/// [`NoInverse`](super::NoInverse) (`Inverse`), which a header writes as a comment where only the way back is wanted.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_host::emit::EmitError;
///
/// let printed = [
///     (EmitError::Twice { name: "m".into() }, "the name `m` is given twice"),
///     (
///         EmitError::Unnamed { dimension: 2, names: 2 },
///         "the coordinate of dimension 2 has no name: 2 are given",
///     ),
///     (
///         EmitError::NoElement,
///         "the width of an element is not known: write `.bytes_of(16)` for 16 bits",
///     ),
///     (EmitError::NoVector, "a vector has at least 1 element, and 0 are given"),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmitError {
    /// A name that is not an identifier.
    NoIdentifier {
        /// The name.
        name: String,
    },
    /// A name that the language reserves.
    Reserved {
        /// The name.
        name: String,
        /// The language.
        language: &'static str,
    },
    /// One name for two things.
    Twice {
        /// The name.
        name: String,
    },
    /// An expression over more coordinates than there are names.
    Unnamed {
        /// The dimension of a coordinate without a name.
        dimension: usize,
        /// The number of names.
        names: usize,
    },
    /// An invalid layout.
    Layout(tiledesc::Error),
    /// A number of names that is not that of the dimensions.
    Names {
        /// The number of names.
        names: usize,
        /// The number of dimensions.
        dimensions: usize,
    },
    /// Bytes of a map that does not know the width of its elements.
    NoElement,
    /// A table or a condition, of a language that has formulas only.
    Formula {
        /// The language.
        language: &'static str,
    },
    /// Vectors of no elements.
    NoVector,
    /// Accesses of lanes that hold no distribution.
    NoDistribution,
    /// Accesses of an instruction that takes two addresses.
    TwoAddresses {
        /// The instruction.
        instruction: &'static str,
    },
    /// Direct loads with idle lanes that no formula tells apart.
    Idle {
        /// The number of those lanes, of all loads together.
        lanes: u32,
    },
    /// Direct loads whose chunks are not evenly spaced.
    Chunks,
    /// Direct loads of a layout whose coordinates no formula finds.
    Inverse(NoInverse),
    /// Invalid accesses.
    Access(AccessError),
    /// A layout that looks up a table.
    Table {
        /// The number of its entries.
        entries: usize,
    },
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIdentifier { name } => write!(
                f,
                "`{name}` is not a name: write letters, digits and `_`, no digit first, not `_` alone"
            ),
            Self::Reserved { name, language } => {
                write!(f, "`{name}` is a name that {language} keeps for itself")
            }
            Self::Twice { name } => write!(f, "the name `{name}` is given twice"),
            Self::Unnamed { dimension, names } => {
                write!(f, "the coordinate of dimension {dimension} has no name: {names} are given")
            }
            Self::Layout(error) => write!(f, "{error}"),
            Self::Names { names, dimensions } => write!(
                f,
                "a layout of {dimensions} dimensions needs as many names, and {names} are given"
            ),
            Self::NoElement => f.write_str(
                "the width of an element is not known: write `.bytes_of(16)` for 16 bits",
            ),
            Self::Formula { language } => write!(
                f,
                "{language} has formulas only; tables and conditions are written in a language of programs"
            ),
            Self::NoVector => f.write_str("a vector has at least 1 element, and 0 are given"),
            Self::NoDistribution => f.write_str(
                "the lanes hold no distribution of the tile: take a pattern that divides it, and not its `first` instruction alone, or \
                 a distribution",
            ),
            Self::TwoAddresses { instruction } => {
                write!(f, "{instruction} takes two addresses, and an access here has one")
            }
            Self::Idle { lanes } => write!(
                f,
                "{lanes} lanes of its direct loads are idle, and no formula says which ones"
            ),
            Self::Chunks => f.write_str(
                "the chunks of its direct loads are not evenly spaced, and no formula has their bytes",
            ),
            Self::Inverse(why) => write!(f, "no formula leads back from an offset: {why}"),
            Self::Access(error) => write!(f, "{error}"),
            Self::Table { entries } => write!(
                f,
                "the layout looks up a table of {entries} entries, which is not emitted; give its `Function` an `apply` \
                 that computes, and write `form.function(name, names, &Tile::at(expressions))`"
            ),
        }
    }
}

impl core::error::Error for EmitError {}
