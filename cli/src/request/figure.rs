//! The figures by the names that `--figure` takes: `phases`, `grid`, `timeline`, ..

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Banks by phase: who waits for whom
    Phases,
    /// The tile by coordinates: offset and bank
    Grid,
    /// The cycles of one instruction
    Timeline,
    /// The matrix over bits, with byte, bank and key
    Bits,
    /// LDS as lines of banks, padding hatched
    Ladder,
    /// A coordinate on its way through the transforms
    Journey,
    /// One offset in the words of CuTe, CK Tile and Triton
    Fields,
    /// Registers and immediates of an unrolled loop
    Addresses,
    /// Row pads by degree, in all accesses
    Pads,
    /// Xor keys by degree, in all accesses on all chips
    Keys,
    /// The layout and what `find` proposes: cycles, bytes, address instructions
    Compare,
    /// What the lanes of the first direct load bring, of a tile with a `fill`
    Direct,
    /// Lanes that are served together
    Served,
    /// Who holds each coordinate, of an access by a distribution
    Distribution,
    /// How sure the rows of the chips are
    Evidence,
}

impl Kind {
    /// Returns whether the figure is of an access; others are of the tile, or of its chips.
    pub(crate) fn is_of_access(self) -> bool {
        matches!(
            self,
            Self::Phases
                | Self::Timeline
                | Self::Bits
                | Self::Ladder
                | Self::Addresses
                | Self::Served
                | Self::Distribution
        )
    }

    /// Returns whether the figure is of all accesses of a tile.
    pub(crate) fn is_of_all(self) -> bool {
        matches!(self, Self::Pads | Self::Keys | Self::Compare)
    }

    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
    }
}
