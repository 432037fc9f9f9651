//! Why a search is impossible: an access that no layout serves, and which.

use crate::access::error::AccessError;
use crate::access::refusal::AddressError;
use crate::bank::verdict::Verdict;
use crate::chip::instruction::Instruction;
use crate::direct::DirectError;
use tiledesc_transforms::Error;

/// The reason why a search is impossible.
///
/// Reported where a layout is searched for: by [`Shape::synthesize`](crate::recipe::Shape::synthesize),
/// [`synthesize!`](crate::synthesize!) and `tiledesc_host::search`. A search that finds only layouts with conflicts is not
/// an error.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the question | `NoUse`, `Coordinates`, `Unweighted` | all |
/// | one access, on every layout or on the tile in order | `Misfit`, `Race` | all, with the number of the access |
/// | two accesses that no layout serves | `Crossed` | all |
/// | the direct load | `Fill` | all, where the uses are filled by one |
///
/// It wraps [`Error`] (`Layout`), [`AccessError`] (`Misfit`) and [`DirectError`] (`Fill`). Nothing wraps it.
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
///         SynthesisError::Race { access: 1, lanes: [0, 16], is_in_order: false },
///         "access 1: lanes 0 and 16 write the same byte, whatever the layout",
///     ),
///     (
///         SynthesisError::Race { access: 1, lanes: [0, 4], is_in_order: true },
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
        /// The number of the access, from 1.
        access: u32,
    },
    /// The tile itself is invalid.
    Layout(Error),
    /// An access does not fit the tile.
    Misfit {
        /// The number of the access, from 1.
        access: u32,
        /// Why.
        misfit: AccessError,
        /// True if it does not fit the tile in order, with which the search begins. It may fit another layout: the second address
        /// of an instruction is equally far after the first in each, but rows begin elsewhere.
        is_in_order: bool,
    },
    /// Two lanes write the same byte.
    Race {
        /// The number of the access, from 1.
        access: u32,
        /// The lanes.
        lanes: [u32; 2],
        /// True if they do so on the tile in order, by an instruction of two addresses: another layout may keep them apart.
        is_in_order: bool,
    },
    /// A direct load cannot fill the tile row by row, and so no swizzle of it.
    Fill(DirectError),
    /// A direct load of one chip and an access of another.
    OtherChip {
        /// The number of the access, from 1.
        access: u32,
        /// The chip of the access.
        chip: &'static str,
        /// The chip of the direct load.
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

impl SynthesisError {
    /// The access that is at fault, from 1.
    pub(crate) const fn access(&self) -> Option<usize> {
        match self {
            Self::Misfit { access, .. }
            | Self::Race { access, .. }
            | Self::OtherChip { access, .. }
            | Self::Unweighted { access } => Some(*access as usize),
            _ => None,
        }
    }

    /// Returns the error of an access over the tile in order that another layout may hold.
    ///
    /// # Errors
    ///
    /// What is wrong with it on any layout.
    #[doc(hidden)]
    pub const fn in_order(
        judged: &Result<Verdict<'_>, AccessError>,
        access: u32,
        row: &Instruction,
    ) -> Result<Option<Self>, Self> {
        let (error, is_in_order) = match *judged {
            Ok(verdict) => {
                let Some([one, other]) = verdict.conflicts().race else { return Ok(None) };
                // Lanes with one address each touch the same elements, wherever these are.
                let (lanes, is_in_order) = ([one as u32, other as u32], row.parts() > 1);
                (Self::Race { access, lanes, is_in_order }, is_in_order)
            }
            Err(misfit) => {
                // Another layout may hold what is off its alignment in this one, or beyond its end.
                let is_in_order = matches!(
                    misfit,
                    AccessError::BeyondSpace { .. }
                        | AccessError::Address(AddressError::Misaligned { .. })
                );
                (Self::Misfit { access, misfit, is_in_order }, is_in_order)
            }
        };
        if is_in_order { Ok(Some(error)) } else { Err(error) }
    }

    /// Returns the reason why neither order of memory holds the accesses: what is wrong with rows, unless these only miss what
    /// columns have.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_both(rows: Self, columns: Self) -> Self {
        match (rows.needs_together(0), columns.needs_together(1)) {
            (Some(down), Some(along)) => Self::Crossed { along, down },
            (Some(_), None) if !matches!(columns, Self::Fill(_)) => columns,
            _ => rows,
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
            Self::Misfit { access, misfit: AccessError::NotContiguous { along, .. }, .. }
                if *along == dimension =>
            {
                Some(*access)
            }
            _ => None,
        }
    }
}
