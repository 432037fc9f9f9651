//! The errors of tiles that no matrix instruction reads: sentences with the name of the atom.
//!
//! [`GmmaError`] has the table of its families: the atom, a tile of it, an operand.

use super::Mode;
use crate::exchange::cute::CuteError;
use core::fmt;

/// Why an operand does not exist.
///
/// Reported where an atom is named or used: by [`Atom::named`](super::Atom::named) and its like, by
/// [`Atom::tile_to`](super::Atom::tile_to), and by [`Atom::accepts_plan`](super::Atom::accepts_plan) and
/// [`Atom::accepts_base`](super::Atom::accepts_base) for an operand.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | which atom | `Name`, `NoAtom`, `Width` | [`Atom::named`](super::Atom::named), [`Atom::k_major`](super::Atom::k_major), [`Atom::mn_major`](super::Atom::mn_major) |
/// | a tile of it | `Tile` | [`Atom::tile_to`](super::Atom::tile_to), [`Atom::accepts_plan`](super::Atom::accepts_plan) |
/// | an operand that is read elsewhere | `Elsewhere`, `Base` | [`Atom::accepts_plan`](super::Atom::accepts_plan), [`Atom::accepts_base`](super::Atom::accepts_base) |
///
/// It wraps [`CuteError`] (`Form`). Nothing wraps it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_host::exchange::gmma::GmmaError;
///
/// let name = "Layout_K_SW128_Atom";
///
/// let printed = [
///     (
///         GmmaError::Width { bits: 12 },
///         "an atom has elements of 4, 8, 16, 32 or 64 bits, not 12",
///     ),
///     (
///         GmmaError::Tile { name, tile: [12, 64], atom: [8, 64] },
///         "Layout_K_SW128_Atom: a tile of 12 x 64 is not made of whole atoms of 8 x 64",
///     ),
///     (
///         GmmaError::Elsewhere { name, index: [1, 0], read: 64, lies: 72 },
///         "Layout_K_SW128_Atom: element (1, 0) is read at 64 and lies at 72",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GmmaError {
    /// A name that CuTe does not have.
    Name,
    /// A mode and a dimension that no instruction takes together.
    NoAtom {
        /// The mode.
        mode: Mode,
        /// Whether K would be contiguous.
        k_major: bool,
    },
    /// Elements for which CuTe has no atoms.
    Width {
        /// Bits of an element.
        bits: u32,
    },
    /// A tile that is not a multiple of the atom.
    Tile {
        /// The atom.
        name: &'static str,
        /// Lengths of the tile, (mn, k).
        tile: [u32; 2],
        /// Lengths of the atom.
        atom: [u32; 2],
    },
    /// A form that there is not, such as a tile of more than 2^32 elements, or a plan that
    /// has none, such as one of three dimensions.
    Form(CuteError),
    /// An element that is not where the instruction reads it.
    Elsewhere {
        /// The atom.
        name: &'static str,
        /// The element, (mn, k).
        index: [u32; 2],
        /// The offset at which it is read, in elements.
        read: u32,
        /// The offset at which it is, in elements.
        lies: u32,
    },
    /// A base that shifts the pattern.
    Base {
        /// The atom.
        name: &'static str,
        /// The byte address of the tile.
        base: u32,
        /// The alignment of a base, in bytes.
        alignment: u32,
    },
}

impl fmt::Display for GmmaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => f.write_str(
                "CuTe has no atom of this name; a name is Layout_K_SW128_Atom, K or MN, INTER, SW32, SW64, SW128, or MN with \
                 SW128_32B",
            ),
            Self::NoAtom { mode, k_major } => {
                let major = if *k_major { "K" } else { "M or N" };
                write!(f, "no matrix instruction takes {} with {major} contiguous", mode.name())
            }
            Self::Width { bits: 6 } => f.write_str(
                "elements of 6 bits lie in a byte each: the atom is that of elements of 8 bits",
            ),
            Self::Width { bits } => {
                write!(f, "an atom has elements of 4, 8, 16, 32 or 64 bits, not {bits}")
            }
            Self::Tile { name, tile: [mn, k], atom: [rows, columns] } => write!(
                f,
                "{name}: a tile of {mn} x {k} is not made of whole atoms of {rows} x {columns}"
            ),
            Self::Form(refused) => write!(f, "{refused}"),
            Self::Elsewhere { name, index: [mn, k], read, lies } => {
                write!(f, "{name}: element ({mn}, {k}) is read at {read} and lies at {lies}")
            }
            Self::Base { name, base, alignment } => write!(
                f,
                "{name}: a tile at byte {base} would be read with the pattern shifted: its base must be a multiple of \
                 {alignment}"
            ),
        }
    }
}

impl core::error::Error for GmmaError {}
