//! Patterns: which coordinate each lane of a wave touches in one instruction.
//!
//! ```text
//!   RowMajor, packs of 8 of a 64-wide row        MfmaRows<16>, packs of 8
//!   lane  0 -> (0,  0)    lane 8 -> (1, 0)       lane  0 -> (0, 0)   lane 16 -> (0, 8)
//!   lane  1 -> (0,  8)    ...                    lane  1 -> (1, 0)   ...
//! ```

use tiledesc_transforms::List;

/// Which coordinate each lane touches first; the instruction's width says how
/// many elements along the last dimension it takes from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lanes {
    /// Packs behind each other along the row, then the next row.
    RowMajor,
    /// Lane l at row l mod `rows`, pack l / `rows`: a matrix operand.
    Rows {
        /// Rows of the operand.
        rows: u32,
    },
}

impl Lanes {
    /// The coordinate that a lane touches first in a two-dimensional tile, in
    /// elements; outside the tile if that is too small. `pack` elements a lane.
    pub(crate) const fn coordinate(self, lane: u32, tile: &List, pack: u32) -> [u32; 2] {
        let columns = tile.as_slice()[1];
        let packs = if columns < pack { 1 } else { columns / pack };
        let (row, chunk) = match self {
            Self::RowMajor => (lane / packs, lane % packs),
            // An operand without rows touches nothing of any tile.
            Self::Rows { rows: 0 } => (u32::MAX, 0),
            Self::Rows { rows } => (lane % rows, lane / rows),
        };
        [row, chunk.saturating_mul(pack)]
    }
}

/// A pattern as a type, for [`assert_conflict_free!`](crate::assert_conflict_free!).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an access pattern",
    note = "use `RowMajor` or `MfmaRows<16>`"
)]
pub trait Pattern {
    /// The lanes.
    const LANES: Lanes;
}

/// A block of vectors, row by row: how a wave writes the tile it has loaded.
#[derive(Clone, Copy, Debug)]
pub struct RowMajor;

impl Pattern for RowMajor {
    const LANES: Lanes = Lanes::RowMajor;
}

/// The A or B operand of a matrix instruction with `R` rows (16 or 32): lane l
/// reads row l mod R, pack l / R along K.
#[derive(Clone, Copy, Debug)]
pub struct MfmaRows<const R: u32>;

impl<const R: u32> Pattern for MfmaRows<R> {
    const LANES: Lanes = {
        assert!(R > 0, "MfmaRows<0> has no rows");
        Lanes::Rows { rows: R }
    };
}
