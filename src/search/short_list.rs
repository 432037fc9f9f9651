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

use super::MOST_PADS;
use super::masks::Layering;
use super::question::Question;
use super::shape::{Shape, Use, unfilled};
use super::spec::Spec;
use super::weight::Weight;
use crate::access::placed::Placed;
use tiledesc_transforms::List;

/// Instructions that are counted for all candidates together, each in about a millisecond of the compiler's: where a
/// layout is to be found, and where a statement is refused, whose own verdict took as long.
pub(crate) const TO_FIND: u64 = 512;
pub(crate) const TO_REFUSE: u64 = 24;

/// Choices of masks that are looked at in all, each in half a million of rustc's instructions: of 213 tiles of GEMMs none
/// takes more than 19.
const MOST_LOOKS: u32 = 1_000;

/// The most rows to a line of CK Tile's xors.
const MOST_LAYERS: u32 = 8;

/// Packs to a line and masks of the swizzles of the dense offset: of 492 tiles with rows of any length they free all that
/// nothing before frees, but two.
const DENSE: [(u32, &[u32]); 5] = [(8, &[1]), (8, &[1, 2]), (8, &[2]), (16, &[1]), (16, &[1, 2])];

/// The least so far.
#[derive(Clone, Copy)]
pub(super) struct Best {
    pub(super) layout: Spec,
    /// By both sources together: `u64::MAX` of none.
    pub(super) weight: u64,
    /// Instructions that may still be counted, and masks that may be looked at.
    pub(super) left: u64,
    looks: u32,
}

impl Question<'_, '_> {
    /// The least of the list, the first of equals.
    pub(super) const fn least(&self, most: u64) -> Best {
        let weight = match self.plain {
            Some(plain) => plain.sum,
            None => u64::MAX,
        };
        let layout = self.layout(Spec::row_major());
        let mut best = Best { layout, weight, left: most, looks: MOST_LOOKS };
        let mut number = 0;
        while number < Self::XORS && best.weight > self.floor {
            if let Some(recipe) = self.xor(number) {
                self.offer(&mut best, recipe);
            }
            number += 1;
        }
        // First of rows, for the most banks, then of lines of rows.
        let ends = self.claims.bank_bits() + 1;
        let mut number = 2 * ends;
        while self.is_linear && number > 0 && best.weight > self.floor {
            number -= 1;
            self.offer_masks(&mut best, number % ends, number < ends);
        }
        // Where masks were searched they are among these.
        let is_new = !(self.is_linear && self.recipe_tile.columns.is_power_of_two());
        let mut number = 0;
        while is_new && number < DENSE.len() && best.weight > self.floor {
            let (line, masks) = DENSE[number];
            self.offer(&mut best, Spec::dense_xor(self.pack, line, List::new(masks)));
            number += 1;
        }
        if best.weight > self.floor {
            self.offer_pads(&mut best);
        }
        best
    }

    /// The first pad of the list without any conflict, if what a search has left over suffices.
    pub(super) const fn free_pad(&self, found: &Best) -> Option<Spec> {
        let mut best = Best { weight: self.floor.saturating_add(1), ..*found };
        self.offer_pads(&mut best);
        if best.weight == self.floor { Some(best.layout) } else { None }
    }

    const fn offer_pads(&self, best: &mut Best) {
        let step = self.tile.pad_step(self.uses);
        let mut packs = 1;
        while packs <= MOST_PADS && best.weight > self.floor {
            if step > 0 && packs * step < self.tile.pad_round(self.uses) {
                self.offer(best, Spec::row_pad(packs * step));
            }
            packs += 1;
        }
    }

    const fn offer(&self, best: &mut Best, recipe: Spec) {
        if let Some(weight) = self.weight_of(recipe, best)
            && weight < best.weight
        {
            (best.layout, best.weight) = (self.layout(recipe), weight);
        }
    }

    /// What a recipe weighs, or some number above the best; `None` of one that cannot be, and where too much was judged.
    const fn weight_of(&self, recipe: Spec, best: &mut Best) -> Option<u64> {
        if self.is_linear
            && let Some(layering) = recipe.xor_layering(self.recipe_tile)
            && !self.is_filled()
        {
            let most = best.weight.saturating_add(self.claims.rival_cycles());
            return Some(layering.cycles(&self.claims, most) - self.claims.rival_cycles());
        }
        match self.judged(self.layout(recipe), &mut best.left, best.weight) {
            Some(weight) => Some(weight.sum),
            None => None,
        }
    }

    /// What a layout weighs by the verdict, which counts no more instructions than are left; `None` of one that cannot be,
    /// and as soon as it loses too much to weigh less than `most`. From the last access on: writes come first and lose least.
    pub(super) const fn judged(&self, layout: Spec, left: &mut u64, most: u64) -> Option<Weight> {
        let (tile, uses) = (self.tile, self.uses);
        let Ok(plan) = layout.plan(tile) else { return None };
        if unfilled(&plan, tile.bits, uses).is_some() {
            return None;
        }
        let (digits, mut sum) = (plan.digits(), Weight::NONE);
        let (mut lost, mut i) = (0, uses.len());
        while i > 0 {
            i -= 1;
            let Use { lanes, instruction: row, times, .. } = uses[i];
            let Ok(placed) = Placed::with_digits(&plan, digits, tile.bits, lanes, row) else {
                return None;
            };
            let Some(rest) = left.checked_sub(placed.counted()) else { return None };
            *left = rest;
            match placed.judged(false) {
                Ok(verdict) if verdict.conflicts().race.is_none() => {
                    let weight = Weight::of(&verdict, times);
                    lost += weight.sum - verdict.base_cycles() * times as u64;
                    sum = sum.and(weight);
                }
                _ => return None,
            }
            if self.floor + lost >= most {
                return None;
            }
        }
        Some(sum)
    }

    const fn is_filled(&self) -> bool {
        let mut i = 0;
        while i < self.uses.len() && self.uses[i].fill.is_none() {
            i += 1;
        }
        i < self.uses.len()
    }

    /// How many xors of CK Tile there may be.
    const XORS: u32 = 3 + MOST_LAYERS.ilog2();

    /// One of them; `None` where another is the same, or where a row's packs are no power of two.
    const fn xor(&self, number: u32) -> Option<Spec> {
        let Self { pack, recipe_tile: tile, .. } = *self;
        if pack == 0
            || !tile.columns.is_multiple_of(pack)
            || !(tile.columns / pack).is_power_of_two()
        {
            return None;
        }
        let (most, other) = if self.banks > 32 { (64, 32) } else { (32, 64) };
        let layers = [tile.layers_on(most), tile.layers_on(other)];
        match number {
            0 if most == 64 => Some(Spec::gemm_xor_64(pack)),
            0 => Some(Spec::gemm_xor(pack)),
            1 if layers[0] == layers[1] => None,
            1 if other == 64 => Some(Spec::gemm_xor_64(pack)),
            1 => Some(Spec::gemm_xor(pack)),
            _ if layers[0] == 1 << (number - 2) || layers[1] == 1 << (number - 2) => None,
            _ => Some(Spec::gemm_xor_layer(pack, 1 << (number - 2))),
        }
    }

    /// The masks of the fewest cycles where 2^`bank_bits` banks, which some access has, are a line: of rows, or several to
    /// a row.
    const fn offer_masks(&self, best: &mut Best, bank_bits: u32, is_of_lines: bool) {
        let lines = if is_of_lines { self.lines_of_row(bank_bits) } else { 1 };
        if !self.claims.has_bank_bits(bank_bits) || is_of_lines && lines == 1 {
            return;
        }
        let layers = if is_of_lines { 1 } else { self.rows_of_line(bank_bits) };
        let recipe = Spec::gemm_xor_bits(self.pack, layers, List::EMPTY).joined(lines);
        let tile = self.recipe_tile.in_lines(lines);
        let Some(layering) = Layering::new(tile, self.pack, recipe.layers(tile)) else { return };
        let rivals = self.claims.rival_cycles();
        let within = [self.floor + rivals, best.weight.saturating_add(rivals)];
        let (found, masks) = layering.least(&self.claims, within, best.looks);
        best.looks -= found.nodes;
        if let Some(cycles) = found.cycles {
            let layout = self.layout(recipe.with_list(masks));
            if !self.is_filled() || self.judged(layout, &mut best.left, u64::MAX).is_some() {
                (best.layout, best.weight) = (layout, cycles - rivals);
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
