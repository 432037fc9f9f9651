//! The ready-made patterns: what each is on a tile, as digits of instructions and lanes.
//!
//! | pattern | first index | last index |
//! |---|---|---|
//! | `MfmaRows<R>`, `LdmatrixRows<R>` | lane % R, instruction % again * R | lane / R packs, instruction / again blocks |
//! | `Column` | the same, where R is the number of lanes | |
//! | `WmmaRows<R>` | the same | instruction / again packs |
//! | `RowMajor` | counted lane / packs | counted lane % packs, packs |
//! | `ColumnMajor` | counted lane % packs, packs | counted lane / packs |
//! | `Strided<S>` | counted lane * S / length | counted lane * S % length |
//! | `Diagonal` | counted lane | counted lane % packs, packs |
//!
//! So they are on any tile. Where they divide it they are distributions: the table of
//! [`pattern`](super).

use crate::distribution::{Counter, Reach, Walk};
use tiledesc_transforms::{List, any};

/// The rows of A, or columns of B, that matrix instructions of a wave have; of other waves than 64 and 32 nothing is
/// known. MFMA has 4, 16 and 32, and 64 where the other operand is repeated (CK Tile's 64x4); WMMA 16; `mma` 16 of A and
/// 8 of B, and `ldmatrix.x4` takes up to 32 rows.
pub(crate) const fn operand_rows(wave: u32) -> &'static [u32] {
    match wave {
        64 => &[4, 16, 32, 64],
        32 => &[8, 16, 32],
        _ => &[],
    }
}

/// A ready-made pattern, before it has a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ready {
    /// Counted lanes in the order of the tile, each at the next pack.
    InOrder { first_is_fastest: bool },
    /// Counted lanes row by row, `stride` elements apart.
    Strided { stride: u32 },
    /// Counted lanes, each in a row of its own and a pack further than the one before.
    Diagonal,
    /// Blocks of as many rows as there are lanes.
    Column,
    /// Blocks of this many rows. The lanes left take further packs, or the same once more.
    Blocks { rows: u32, repeated: bool },
}

impl Ready {
    /// The rows of an operand that no matrix instruction of such a wave has.
    pub(super) const fn misfit(self, wave: u32) -> Option<u32> {
        let Self::Blocks { rows, .. } = self else { return None };
        let known = operand_rows(wave);
        // Each verdict asks: no more than it must.
        let fits = any!(i, 0..known.len(), known[i] == rows);
        if fits || known.is_empty() && wave.is_multiple_of(rows) { None } else { Some(rows) }
    }

    /// The dimension along which a lane takes its elements.
    pub(super) const fn along(self, rank: usize) -> usize {
        if matches!(self, Self::InOrder { first_is_fastest: true }) {
            return 0;
        }
        rank.saturating_sub(1)
    }

    /// Returns whether it has a meaning for tiles of any rank.
    pub(super) const fn takes_any_rank(self) -> bool {
        matches!(self, Self::InOrder { .. } | Self::Strided { .. })
    }

    /// Returns whether its coordinates count whole packs of the tile.
    pub(super) const fn takes_packs(self) -> bool {
        !matches!(self, Self::Strided { .. })
    }

    /// Returns whether it has a meaning for a tile, and packs fit it.
    pub(super) const fn takes(self, reach: &Reach) -> bool {
        let rank = reach.tile.len();
        (rank == 2 || rank > 0 && self.takes_any_rank())
            && (!self.takes_packs() || reach.tile.at(reach.along).is_multiple_of(reach.pack))
    }

    /// The part of a tile that one instruction covers: the rows and columns of a block, or 0 and the number of elements taken in
    /// order.
    pub(super) const fn covers(self, reach: &Reach) -> [u32; 2] {
        let Reach { lanes, pack, .. } = *reach;
        match self {
            Self::InOrder { .. } => [0, pack.saturating_mul(lanes)],
            Self::Strided { stride } => [0, stride.saturating_mul(lanes)],
            Self::Diagonal => [lanes, reach.tile.at(1)],
            Self::Blocks { rows, repeated: false } if rows < lanes => {
                [rows, (lanes / rows).saturating_mul(pack)]
            }
            Self::Blocks { rows, .. } => [rows, pack],
            Self::Column => [lanes, pack],
        }
    }

    /// The number of bits of a lane's number that count rows, and of those after them that count packs, in the order of a tile
    /// whose rows are a power of two; `None` where only a [walk](Self::walk) decides it. Packs and lanes are powers of two.
    pub(super) const fn lane_bits(
        self,
        tile: &List,
        pack: u32,
        lanes: u32,
        whole: bool,
    ) -> Option<[u32; 2]> {
        let (m, k) = (tile.at(0), tile.at(1));
        let all = lanes.trailing_zeros();
        match self {
            Self::InOrder { first_is_fastest: false } => {
                let (step, elements) = (pack as u64 * lanes as u64, m as u64 * k as u64);
                let fills = if whole { elements % step == 0 } else { step <= elements };
                if fills { Some([0, all]) } else { None }
            }
            Self::Column | Self::Blocks { .. } => {
                let (rows, repeated) = match self {
                    Self::Blocks { rows, repeated } => (rows, repeated),
                    _ => (lanes, false),
                };
                if rows == 0 || rows & (rows - 1) != 0 || rows > lanes {
                    return None;
                }
                let depth = if repeated { pack } else { lanes / rows * pack };
                let fills = if whole { m % rows == 0 } else { rows <= m };
                if !fills || depth > k {
                    return None;
                }
                let down = rows.trailing_zeros();
                Some([down, if repeated { 0 } else { all - down }])
            }
            _ => None,
        }
    }

    /// Returns the walk of the pattern on a tile: of its first instruction, or of all that cover the tile.
    pub(super) const fn walk(self, reach: &Reach, whole: bool) -> Walk {
        match self {
            Self::InOrder { first_is_fastest } => {
                counted(reach, [reach.pack, 1], first_is_fastest, whole)
            }
            Self::Strided { stride } => {
                let packs =
                    stride == reach.pack && reach.tile.at(reach.along).is_multiple_of(stride);
                let apart = if packs { [stride, 1] } else { [1, stride] };
                counted(reach, apart, false, whole)
            }
            Self::Diagonal => diagonal(reach, whole),
            Self::Column => blocks(reach, reach.lanes, false, whole),
            Self::Blocks { rows, repeated } => blocks(reach, rows, repeated, whole),
        }
    }
}

/// Lanes `times` units of `unit` elements apart, from the fastest dimension on.
const fn counted(
    reach: &Reach,
    [unit, times]: [u32; 2],
    first_is_fastest: bool,
    whole: bool,
) -> Walk {
    let (rank, mut walk) = (reach.tile.len(), Walk::new(reach.tile.len(), reach.lanes));
    let (mut below, mut stride, mut i) = (1u32, unit, 0);
    while i < rank {
        let dimension = if first_is_fastest { i } else { rank - 1 - i };
        i += 1;
        let length = if i == rank { 0 } else { reach.tile.at(dimension) / stride };
        walk.digit(Counter::Counted, [below, length], dimension, stride);
        // No number has a digit beyond 32 bits.
        let Some(next) = below.checked_mul(length) else { break };
        (below, stride) = (next, 1);
    }
    let (apart, elements) = (unit as u64 * times as u64, reach.tile.elements());
    let step = apart * reach.lanes as u64;
    let instructions = if whole && step > 0 { elements.div_ceil(step) } else { 1 };
    let fills = if whole { elements.is_multiple_of(step) } else { step <= elements };
    let packs = apart.is_multiple_of(reach.pack as u64)
        && reach.tile.at(reach.along).is_multiple_of(reach.pack);
    walk.apart(times).with_instructions(instructions, packs && fills)
}

/// Each lane a row further; its pack is that of its row, counted around the row.
const fn diagonal(reach: &Reach, whole: bool) -> Walk {
    let (lanes, pack, [m, k]) = (reach.lanes, reach.pack, [reach.tile.at(0), reach.tile.at(1)]);
    let mut walk = Walk::new(2, lanes);
    walk.digit(Counter::Counted, [1, 0], 0, 1);
    walk.digit(Counter::Counted, [1, k / pack], 1, pack);
    let instructions = if whole { m.div_ceil(lanes) } else { 1 };
    walk.with_instructions(instructions as u64, is_filled([m, k], [lanes, pack], whole))
}

/// Blocks of `rows`, one below the other and then beside it.
const fn blocks(reach: &Reach, rows: u32, repeated: bool, whole: bool) -> Walk {
    let Reach { lanes, pack, .. } = *reach;
    let m = reach.tile.at(0);
    let k = reach.tile.at(1);
    let parts = if repeated || rows > lanes { 1 } else { lanes / rows };
    let depth = parts.saturating_mul(pack);
    let mut instructions = 1;
    let mut walk = Walk::new(2, lanes);
    walk.digit(Counter::Lane, [1, rows], 0, 1);
    if !repeated && rows < lanes {
        walk.digit(Counter::Lane, [rows, 0], 1, pack);
    }
    if whole {
        let again = m.div_ceil(rows);
        walk.digit(Counter::Step, [1, again], 0, rows);
        walk.digit(Counter::Step, [again, 0], 1, depth);
        instructions = again as u64 * k.div_ceil(depth) as u64;
    }
    // Lanes that do not fill a whole number of these columns continue in the column beside the block.
    let is_block = repeated || rows > lanes || lanes.is_multiple_of(rows);
    walk.with_instructions(instructions, is_block && is_filled([m, k], [rows, depth], whole))
}

/// Returns whether blocks of these lengths fill a tile; one block, whether it fits.
const fn is_filled([m, k]: [u32; 2], [rows, depth]: [u32; 2], whole: bool) -> bool {
    if whole { m.is_multiple_of(rows) && k.is_multiple_of(depth) } else { rows <= m && depth <= k }
}
