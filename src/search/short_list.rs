//! The layouts that the compiler tries, each in milliseconds; `tiledesc find` and `tiledesc_host::search` try all others.
//!
//! | layouts | of which accesses | weighed by |
//! |---|---|---|
//! | row by row | all | verdict |
//! | CK Tile's xors: for 32 and 64 banks, with 1 to 8 rows to a line | all | rank, else verdict |
//! | masks over lines of rows, or of parts of rows | xors of columns | rank, by a [descent](super::descent) |
//! | five swizzles of the dense offset | all | verdict |
//! | pads of one to four packs | all | verdict |
//!
//! ```text
//!   GEMM tiles that have a free layout      by the list
//!   lengths of powers of two, of 213        213
//!   rows of any length, of 492              490
//! ```
//!
//! A verdict counts lanes where these are no xors of columns, which takes the compiler about a millisecond an instruction.
//! So 512 of them are counted for all candidates together, and 24 where a statement is refused.

use super::masks::Layering;
use super::question::{MOST_PADS, Question};
use super::weight::Weight;
use crate::recipe::{Shape, Spec};
use tiledesc_transforms::List;

/// Instructions that are counted for all candidates together, each in about a millisecond of the compiler's: where a
/// layout is to be found, and where a statement is refused, whose own verdict took as long.
pub(crate) const TO_FIND: u64 = 512;
pub(crate) const TO_REFUSE: u64 = 24;

/// Instructions of a refused statement that are counted over the tile in order, before any candidate: of more, as long tables
/// have, none is tried.
pub(crate) const TO_LAY: u64 = 192;

/// Accesses for which a layout is searched, since 64 take a second. A statement of more is judged, but no remedy is tried.
pub(crate) const MOST_USES: usize = 64;

/// Choices of masks that are looked at in all, each in half a million of rustc's instructions: of 213 tiles of GEMMs none
/// takes more than 19.
const MOST_LOOKS: u32 = 1_000;

/// Packs to a line and masks of the swizzles of the dense offset: of 492 tiles with rows of any length they free all that
/// nothing before frees, but two.
const DENSE: [(u32, &[u32]); 5] = [(8, &[1]), (8, &[1, 2]), (8, &[2]), (16, &[1]), (16, &[1, 2])];

/// The least so far.
#[derive(Clone, Copy)]
pub(super) struct Best {
    pub(super) layout: Spec,
    /// Cycles of conflicts, by both sources together: `u64::MAX` of none.
    pub(super) lost: u64,
    /// All cycles by each source, if a verdict has counted them.
    pub(super) by_source: Option<[u64; 2]>,
    /// Instructions that may still be counted, and masks that may be looked at.
    pub(super) left: u64,
    looks: u32,
}

impl Question<'_, '_> {
    /// The least of the list, the first of equals.
    pub(super) const fn least(&self, most: u64) -> Best {
        let layout = self.layout(Spec::row_major());
        let lost = if self.misfit.is_some() { u64::MAX } else { self.weight.lost };
        let by_source = Some(self.weight.by_source);
        let mut best = Best { layout, lost, by_source, left: most, looks: MOST_LOOKS };
        self.offer_xors(&mut best);
        // First of rows, for the most banks, then of lines of rows.
        let ends = self.claims.most_bank_bits() + 1;
        let mut number = 2 * ends;
        while self.is_linear && number > 0 && best.lost > 0 {
            number -= 1;
            self.offer_masks(&mut best, number % ends, number < ends);
        }
        // Where masks were searched they are among these.
        let is_new = !(self.is_linear && self.recipe_tile.columns.is_power_of_two());
        let mut number = 0;
        while is_new && number < DENSE.len() && best.lost > 0 {
            let (line, masks) = DENSE[number];
            let recipe = Spec::dense_xor(self.pack(), line, List::new(masks));
            self.offer(&mut best, self.layout(recipe));
            number += 1;
        }
        self.offer_pads(&mut best);
        best
    }

    /// The first pad of the list without any conflict, if what a search has left over suffices.
    pub(super) const fn free_pad(&self, found: &Best) -> Option<Spec> {
        let mut best = Best { lost: 1, ..*found };
        self.offer_pads(&mut best);
        if best.lost == 0 { Some(best.layout) } else { None }
    }

    const fn offer_pads(&self, best: &mut Best) {
        let mut packs = 1;
        while packs <= MOST_PADS && best.lost > 0 {
            if let Some(pad) = self.pad(packs) {
                self.offer(best, pad);
            }
            packs += 1;
        }
    }

    /// Takes a layout by its verdict, if that is less than the best and not too much was judged.
    const fn offer(&self, best: &mut Best, layout: Spec) {
        let judged = Weight::judged(layout, self.tile, self.uses, &mut best.left, best.lost);
        if let Some(Weight { lost, by_source, .. }) = judged {
            (best.layout, best.lost, best.by_source) = (layout, lost, Some(by_source));
        }
    }

    /// CK Tile's xors; the rank of each decides where every access is linear.
    const fn offer_xors(&self, best: &mut Best) {
        let (tile, mut number) = (self.recipe_tile, 0);
        while number < Spec::CK_XORS && best.lost > 0 {
            if let Some(recipe) = Spec::ck_xor(tile, self.pack(), self.needs.banks, number) {
                self.offer_xor(best, self.layout(recipe), recipe.layers(tile));
            }
            number += 1;
        }
    }

    /// Offers an xor whose lines have `rows` rows; its rank decides where every access is linear.
    const fn offer_xor(&self, best: &mut Best, layout: Spec, rows: u32) {
        if self.is_linear
            && !self.needs.is_filled
            && let Some(layering) = Layering::new(self.recipe_tile, self.pack(), rows)
        {
            let lost = layering.lost(&self.claims, best.lost);
            if lost < best.lost {
                (best.layout, best.lost, best.by_source) = (layout, lost, None);
            }
        } else {
            self.offer(best, layout);
        }
    }

    /// The masks of the fewest cycles where 2^`bank_bits` banks, which some access has, are a line: of rows, or several to
    /// a row.
    const fn offer_masks(&self, best: &mut Best, bank_bits: u32, is_of_lines: bool) {
        let (lines, rows) = match is_of_lines {
            true => (self.lines_of_row(bank_bits), 1),
            false => (1, self.rows_of_line(bank_bits)),
        };
        if !self.claims.has_bank_bits(bank_bits) || is_of_lines && lines == 1 {
            return;
        }
        let tile = self.recipe_tile.in_lines(lines);
        let Some(layering) = Layering::new(tile, self.pack(), rows) else { return };
        let base_cycles = self.claims.base_cycles;
        let below = base_cycles.saturating_add(best.lost);
        let (found, masks) = layering.least(&self.claims, below, best.looks);
        best.looks -= found.nodes;
        let Some(cycles) = found.cycles else { return };
        let layout = self.layout(Spec::gemm_xor_bits(self.pack(), rows, masks).joined(lines));
        match self.needs.is_filled {
            // It may not be one that the direct load can fill.
            true => self.offer(best, layout),
            false => {
                (best.layout, best.lost, best.by_source) = (layout, cycles - base_cycles, None);
            }
        }
    }

    /// The rows that fill 2^`bank_bits` banks; if the tile's are no multiple of that, the largest power of two that they
    /// are a multiple of: every mask over fewer rows is one over these.
    const fn rows_of_line(&self, bank_bits: u32) -> u32 {
        let tile = self.recipe_tile;
        let (layers, most) = (tile.layers_on(1 << bank_bits), tile.rows & tile.rows.wrapping_neg());
        if layers.is_power_of_two() && most < layers { most } else { layers }
    }

    /// The lines of 2^`bank_bits` banks that a row fills; 1 if it does not fill several.
    const fn lines_of_row(&self, bank_bits: u32) -> u32 {
        let Shape { columns, bits, .. } = self.recipe_tile;
        let (row_bits, line_bits) = (columns as u64 * bits as u64, 32u64 << bank_bits);
        let lines = (row_bits / line_bits) as u32;
        if lines < 2 || !row_bits.is_multiple_of(line_bits) || !columns.is_multiple_of(lines) {
            return 1;
        }
        lines
    }
}
