//! Why a search is impossible: an access that no layout serves, and which.

use crate::access::error::AccessError;
use crate::direct::DirectError;
use tiledesc_transforms::{Error, Text, say};

/// Why a search is impossible.
///
/// Reported where a layout is searched for: by [`Shape::synthesize`](super::Shape::synthesize),
/// [`synthesize!`](crate::synthesize!) and `tiledesc_host::search`. A search that finds only layouts with conflicts is not
/// an error.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the question | `NoUse`, `Coordinates`, `Unweighted` | all |
/// | one access, on every layout | `Misfit`, `Race` | all, with the number of the access |
/// | one access, on the tile in order | `MisfitInOrder`, `RaceInOrder` | all, with the number of the access |
/// | two accesses that no layout serves | `Crossed` | all |
/// | the direct load | `Fill` | all, where the uses are filled by one |
///
/// It wraps [`Error`] (`Layout`), [`AccessError`] (`Misfit`, `MisfitInOrder`) and [`DirectError`] (`Fill`). Nothing wraps it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc::direct::DirectError;
/// use tiledesc::search::SynthesisError;
///
/// let printed = [
///     (SynthesisError::NoUse, "no access is stated, so every layout is free"),
///     (
///         SynthesisError::Race { access: 1, lanes: [0, 16] },
///         "access 1: lanes 0 and 16 write the same byte, whatever the layout",
///     ),
///     (
///         SynthesisError::RaceInOrder { access: 1, lanes: [0, 4] },
///         "access 1: the search begins with the tile in order, where lanes 0 and 4 write the same byte; another \
///          layout may work: declare one, and judge it with `assert_conflict_free!`",
///     ),
///     (
///         SynthesisError::Crossed { along: 2, down: 1 },
///         "access 2 moves several elements of a row, access 1 several of a column: no layout has both contiguous",
///     ),
///     (
///         SynthesisError::Fill(DirectError::NoWaves),
///         "a direct load cannot fill the tile row by row: a load needs at least one wave",
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
pub enum SynthesisError {
    /// No access: every layout is free.
    NoUse,
    /// A tile of more than 2^20 elements.
    Coordinates {
        /// Rows.
        rows: u32,
        /// Columns.
        columns: u32,
    },
    /// An access is done 0 times.
    Unweighted {
        /// Its number, from 1.
        access: u32,
    },
    /// The tile itself is invalid.
    Layout(Error),
    /// An access does not fit the tile, whatever the layout.
    Misfit {
        /// Its number, from 1.
        access: u32,
        /// Why.
        misfit: AccessError,
    },
    /// Two lanes write the same byte, whatever the layout.
    Race {
        /// Its number, from 1.
        access: u32,
        /// The lanes.
        lanes: [u32; 2],
    },
    /// An access does not fit the tile in order, with which the search begins. It may fit another layout: the second
    /// address of an instruction is equally far behind the first in each, but rows begin elsewhere.
    MisfitInOrder {
        /// Its number, from 1.
        access: u32,
        /// Why.
        misfit: AccessError,
    },
    /// Two lanes write the same byte of the tile in order, by an instruction of two addresses: another layout may keep
    /// them apart.
    RaceInOrder {
        /// Its number, from 1.
        access: u32,
        /// The lanes.
        lanes: [u32; 2],
    },
    /// A direct load cannot fill the tile row by row, and so no swizzle of it.
    Fill(DirectError),
    /// A direct load of one chip and an access of another.
    OtherChip {
        /// The number of the access, from 1.
        access: u32,
        /// Its chip.
        chip: &'static str,
        /// That of the direct load.
        fill: &'static str,
    },
    /// One access moves several elements of a row, another several of a column.
    Crossed {
        /// The number of the one along a row, from 1.
        along: u32,
        /// The number of the one down a column, from 1.
        down: u32,
    },
}

/// Bits of coordinates: more than any chip's memory has.
pub(crate) const MOST_BITS: u32 = 20;

const IN_ORDER: &str = "the search begins with the tile in order, where ";
const ANOTHER_LAYOUT: &str =
    "; another layout may work: declare one, and judge it with `assert_conflict_free!`";

impl SynthesisError {
    /// The access that is at fault, from 1.
    pub(crate) const fn access(&self) -> Option<usize> {
        match self {
            Self::Misfit { access, .. }
            | Self::MisfitInOrder { access, .. }
            | Self::Race { access, .. }
            | Self::RaceInOrder { access, .. }
            | Self::OtherChip { access, .. }
            | Self::Unweighted { access } => Some(*access as usize),
            _ => None,
        }
    }

    /// The access, counted from 1, that moves several elements along a dimension, if that is why there is no layout: the
    /// other order of memory may have one.
    ///
    /// ```
    /// use tiledesc::search::SynthesisError;
    ///
    /// assert_eq!(SynthesisError::NoUse.needs_together(1), None);
    /// ```
    #[must_use]
    pub const fn needs_together(&self, dimension: u32) -> Option<u32> {
        match self {
            Self::Misfit { access, misfit: AccessError::NotContiguous { along, .. } }
                if *along == dimension =>
            {
                Some(*access)
            }
            _ => None,
        }
    }

    /// Appends the sentence to a text.
    pub(crate) const fn explain(self, text: Text) -> Text {
        let text = match self.access() {
            Some(access) => say!(text: "access ", access, ": "),
            None => text,
        };
        self.reason(text)
    }

    /// The same without the access.
    pub(crate) const fn reason(self, text: Text) -> Text {
        match self {
            Self::NoUse => text.str("no access is stated, so every layout is free"),
            Self::Coordinates { rows, columns } => say!(text:
                "the tile has ", rows, " * ", columns, " elements; more than 2^", MOST_BITS,
                " are not searched"
            ),
            Self::Unweighted { .. } => {
                text.str("its weight is 0: leave it out, or weigh it at least 1")
            }
            Self::Layout(error) => error.explain(text),
            Self::Crossed { along, down } => say!(text:
                "access ", along, " moves several elements of a row, access ", down,
                " several of a column: no layout has both contiguous"
            ),
            Self::OtherChip { chip, fill, .. } => say!(text:
                "it is of ", str(chip), ", but the tile is filled by a direct load of ", str(fill)
            ),
            Self::Misfit { misfit, .. } => misfit.explain(text),
            Self::Race { lanes, .. } => say!(text:
                "lanes ", lanes[0], " and ", lanes[1], " write the same byte, whatever the layout"
            ),
            Self::MisfitInOrder { misfit, .. } => {
                misfit.explain(text.str(IN_ORDER)).str(ANOTHER_LAYOUT)
            }
            Self::RaceInOrder { lanes, .. } => say!(text:
                str(IN_ORDER), "lanes ", lanes[0], " and ", lanes[1], " write the same byte",
                str(ANOTHER_LAYOUT)
            ),
            Self::Fill(error) => {
                error.explain(text.str("a direct load cannot fill the tile row by row: "))
            }
        }
    }
}

impl core::fmt::Display for SynthesisError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for SynthesisError {}
