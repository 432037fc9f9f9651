//! Layouts of a tile by the recipe that makes them, and those that are free.
//!
//! A tile of 128x64 halves has seven row pads and four xor swizzles worth trying. Which of them are free
//! depends on all accesses together:
//!
//! ```text
//!   128x64 halves on gfx942, ds_read_b128     by 16 rows   by 32 rows
//!   RowMajor                                  4-way        8-way
//!   RowPad, Padding<8>                        2-way        free          2032 bytes more
//!   RowPad, Padding<16>                       free         2-way         4064 bytes more
//!   GemmXor, KPack<8>                         free         free
//! ```
//!
//! No pad frees both reads. So nothing is suggested by rule of thumb: each candidate is judged against every
//! access of the statement.
//! | candidate | costs |
//! |---|---|
//! | [`RowMajor`](type@crate::recipe::RowMajor) | nothing |
//! | [`GemmXor`](type@crate::recipe::GemmXor), or [`GemmXor64`](type@crate::recipe::GemmXor64) on 64 banks, with the MLdsLayer that CK takes | nothing |
//! | [`GemmXorLayer`](type@crate::recipe::GemmXorLayer), with another MLdsLayer up to 8 | nothing |
//! | [`GemmXorBits`](type@crate::recipe::GemmXorBits), with the masks of `masks` | nothing |
//! | the same in a [`Joined`](crate::recipe::Joined), of rows that are several rounds of all banks | nothing |
//! | [`LinearPacks`](type@crate::recipe::LinearPacks), where none of these is free | nothing |
//! | [`RowPad`](type@crate::recipe::RowPad), up to one round of all banks | its bytes |
//! | [`RowShift`](type@crate::recipe::RowShift), of rows that are not powers of two | a remainder for each address |
//! | each of these in a [`Transposed`](crate::recipe::Transposed), where lanes take packs of columns | as it does |

use super::masks::{Layering, Masked, distances_of};
use super::shape::{Shape, Use, unfilled};
use super::spec::{Scheme, Spec};
use crate::access::placed::Placed;
use tiledesc_transforms::List;

/// The largest MLdsLayer that is tried.
pub(crate) const MOST_LAYERS: u32 = 8;

impl Spec {
    /// The swizzle of a layout without padding: masks over a layering.
    pub(crate) const fn masked(&self, tile: Shape) -> Option<Masked> {
        let masks = match self.scheme() {
            Scheme::InOrder => return Some(Masked { layering: None, masks: List::EMPTY }),
            Scheme::Swizzled | Scheme::Swizzled64 | Scheme::SwizzledLayers => None,
            Scheme::MaskedLayers => Some(self.list()),
            Scheme::BitByBit
            | Scheme::DenseSwizzled
            | Scheme::PaddedRows
            | Scheme::PaddedIntervals
            | Scheme::RotatedRows => return None,
        };
        let layers = self.layers(tile);
        let Some(layering) = Layering::new(self.recipe_tile(tile), self.pack(), layers) else {
            return None;
        };
        let masks = match masks {
            Some(masks) => masks,
            None => layering.single_bits(),
        };
        Some(Masked { layering: Some(layering), masks })
    }

    /// Terms of an offset, about as many instructions as an address takes.
    pub(crate) const fn terms(&self, tile: Shape) -> u32 {
        if let Some(masked) = self.masked(tile) {
            return masked.terms();
        }
        match self.scheme() {
            // 11 gfx942 instructions, where an xor of three terms takes 4 (`tests/codegen`).
            Scheme::RotatedRows => 8,
            Scheme::BitByBit => distances(self.recipe_tile(tile), self.pack(), &self.list()),
            // Row and column, and a term for each distance by which bits of their sum move.
            Scheme::DenseSwizzled => 2 + distances_of(&self.list()),
            Scheme::PaddedRows => 2,
            Scheme::PaddedIntervals => 3,
            // Swizzles of lengths that are not powers of two, which are refused elsewhere.
            Scheme::InOrder
            | Scheme::Swizzled
            | Scheme::Swizzled64
            | Scheme::SwizzledLayers
            | Scheme::MaskedLayers => 2,
        }
    }

    /// Whether it is free of conflicts in every use.
    ///
    /// ```
    /// use tiledesc::search::{Shape, Spec, Use};
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes};
    ///
    /// let (tile, read) = (Shape { rows: 128, columns: 64, bits: 16 }, Lanes::rows(16));
    /// let uses = [Use::new(read, &ds_read_b128)];
    /// assert!(Spec::gemm_xor(8).is_free(tile, &uses) && !Spec::row_major().is_free(tile, &uses));
    /// ```
    ///
    /// False also of a layout that cannot be, that an
    /// access does not fit, or that the direct load of a use cannot fill.
    #[must_use]
    pub const fn is_free(&self, tile: Shape, uses: &[Use<'_>]) -> bool {
        let Ok(plan) = self.plan(tile) else { return false };
        if unfilled(&plan, tile.bits, uses).is_some() {
            return false;
        }
        let mut i = 0;
        while i < uses.len() {
            let placed = Placed::new(&plan, tile.bits, uses[i].lanes, uses[i].instruction);
            let Ok(placed) = placed else { return false };
            match placed.judged(false) {
                Ok(verdict) if verdict.is_free() => i += 1,
                _ => return false,
            }
        }
        true
    }
}

/// The terms of an offset that is placed bit by bit: the distances by which bits move, of rows and of
/// columns.
const fn distances(tile: Shape, pack: u32, columns: &List) -> u32 {
    let (first, deep) = (pack.trailing_zeros(), tile.columns.trailing_zeros());
    let all = (tile.rows.trailing_zeros() + deep) as usize;
    // What has no column stays, in packs of one element or more.
    let (mut moves, mut b) = ([0u64; 2], 0);
    while b < all {
        let (of_row, pack_bit) = (b >= deep as usize, b.wrapping_sub(first as usize));
        let mut place = 1 << b;
        if pack_bit < columns.len() {
            place = (columns.at(pack_bit) as u64) << first;
        }
        while place != 0 {
            moves[of_row as usize] |= 1 << (32 + place.trailing_zeros() - b as u32);
            place &= place - 1;
        }
        b += 1;
    }
    moves[0].count_ones() + moves[1].count_ones()
}

impl Shape {
    /// The smallest row pad that is free in every use, up to one round of all banks.
    ///
    /// ```
    /// use tiledesc::search::{Shape, Spec, Use};
    /// use tiledesc::{pattern::Lanes, chip::gfx942};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let rows16 = Use::new(Lanes::rows(16), &gfx942::ds_read_b128);
    /// let rows32 = Use::new(Lanes::rows(32), &gfx942::ds_read_b128);
    /// assert_eq!(tile.row_pad(&[rows16]), Some(Spec::row_pad(16)));
    /// assert_eq!(tile.row_pad(&[rows32]), Some(Spec::row_pad(8)));
    /// assert_eq!(tile.row_pad(&[rows16, rows32]), None);
    /// ```
    #[must_use]
    pub const fn row_pad(self, uses: &[Use<'_>]) -> Option<Spec> {
        self.pad(uses, false)
    }

    /// The smallest pad behind rows, or behind columns, that is free.
    pub(crate) const fn pad(self, uses: &[Use<'_>], by_columns: bool) -> Option<Spec> {
        let (step, round) = (self.pad_step(uses), self.pad_round(uses));
        let mut elements = step;
        while step > 0 && elements < round {
            let pad = Spec::row_pad(elements);
            let pad = if by_columns { pad.transposed() } else { pad };
            if pad.is_free(self, uses) {
                return Some(pad);
            }
            elements += step;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::gfx942::ds_read_b128;
    use crate::pattern::Lanes;

    /// The table of the module.
    #[test]
    fn no_pad_frees_both_reads() {
        let tile = Shape { rows: 128, columns: 64, bits: 16 };
        let uses = [16, 32].map(|rows| Use::new(Lanes::rows(rows), &ds_read_b128));
        assert_eq!(tile.pad_round(&uses).div_ceil(tile.pad_step(&uses)) - 1, 7);
        for (layout, degrees, more_bytes) in [
            (Spec::row_major(), [4, 8], 0),
            (Spec::row_pad(8), [2, 1], 2032),
            (Spec::row_pad(16), [1, 2], 4064),
            (Spec::gemm_xor(8), [1, 1], 0),
        ] {
            let plan = layout.plan(tile).unwrap();
            let degree = |one: Use<'_>| {
                let placed = Placed::new(&plan, tile.bits, one.lanes, one.instruction).unwrap();
                placed.verdict().unwrap().worst_degree()
            };
            assert_eq!(uses.map(degree), degrees, "{layout:?}");
            assert_eq!(plan.element_space() * 2, 16_384 + more_bytes, "{layout:?}");
        }
    }
}
