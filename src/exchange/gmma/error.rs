//! What no matrix instruction reads: in sentences with the name of the atom.

use super::Mode;
use crate::exchange::cute::CuteError;
use tiledesc_transforms::{Text, say};

/// Why there is no such operand.
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
    /// Elements of which CuTe has no atoms.
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
        /// Where it is read, in elements.
        read: u32,
        /// Where it lies.
        lies: u32,
    },
    /// A base that shifts the pattern.
    Base {
        /// The atom.
        name: &'static str,
        /// The byte address of the tile.
        base: u32,
        /// What it must be a multiple of, in bytes.
        alignment: u32,
    },
}

impl GmmaError {
    /// The sentence.
    #[must_use]
    pub const fn text(&self) -> Text {
        let text = Text::new();
        match *self {
            Self::Name => text.str(
                "CuTe has no atom of this name; a name is Layout_K_SW128_Atom, \
                                    K or MN, INTER, SW32, SW64, SW128, or MN with SW128_32B",
            ),
            Self::NoAtom { mode, k_major } => {
                say!(text:
                    "no matrix instruction takes ", str(mode.name()), " with ",
                    str(if k_major { "K contiguous" } else { "M or N contiguous" })
                )
            }
            Self::Width { bits: 6 } => text.str(
                "elements of 6 bits lie in a byte each: the atom is that of elements of 8 bits",
            ),
            Self::Width { bits } => {
                say!(text: "atoms are of elements of 4, 8, 16, 32 or 64 bits, not of ", bits)
            }
            Self::Tile { name, tile, atom } => {
                let text = pair(say!(text: str(name), ": a tile of "), tile);
                pair(text.str(" is not made of whole atoms of "), atom)
            }
            Self::Form(refused) => refused.text(),
            Self::Elsewhere { name, index, read, lies } => {
                say!(text:
                    str(name), ": element ", coordinate(&index), " is read at ", read,
                    " and lies at ", lies
                )
            }
            Self::Base { name, base, alignment } => {
                say!(text:
                    str(name), ": a tile at byte ", base,
                    " would be read with the pattern shifted: its base must be a multiple of ",
                    alignment
                )
            }
        }
    }
}

const fn pair(text: Text, [a, b]: [u32; 2]) -> Text {
    say!(text: a, " x ", b)
}

impl core::fmt::Display for GmmaError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl core::error::Error for GmmaError {}
