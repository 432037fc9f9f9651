//! What answers a question, in the order in which it is asked.
//!
//! A search for masks takes up to 2,500 looks, and the first recipe a few numbers; where that one is free, nothing else
//! matters. So candidates are asked by what they cost to ask, and each is left at its first cycle too many:
//!
//! ```text
//!   recipes of one shift    a few numbers each
//!   masks over lines        at most 2,500 looks, and later as many as the effort has
//!   the dense offset        of lengths that are not powers of two
//!   linear packs            if the bound for them says that one may be free
//!   pads and intervals      where nothing else is free
//! ```

use super::candidate::Candidate;
use super::descent::MOST_NODES;
use super::effort::Effort;
use super::masks::Layering;
use super::places::{MOST_LOOKS, Places};
use super::question::Question;
use super::remedy::MOST_LAYERS;
use super::searched::{Extent, Searched};
use super::shape::Shape;
use super::spec::{Scheme, Spec};
use tiledesc_transforms::List;

/// The least candidate so far, if there is one, of at most `most` cycles.
#[derive(Clone, Copy)]
struct Best {
    candidate: Option<Candidate>,
    most: u64,
}

impl Best {
    /// The cycles that a further one may have.
    const fn most(&self) -> u64 {
        match &self.candidate {
            Some(candidate) => candidate.weight,
            None => self.most,
        }
    }

    /// The cycles that masks must stay below: a layout that only equals the best so far is not taken.
    const fn below(&self) -> u64 {
        match &self.candidate {
            Some(candidate) => candidate.weight,
            None => self.most.saturating_add(1),
        }
    }

    const fn is_above(&self, floor: u64) -> bool {
        self.below() > floor
    }

    /// Whether there is one, of as few cycles as were asked for.
    const fn is_enough(&self, effort: &Effort) -> bool {
        match &self.candidate {
            Some(best) => effort.is_enough(best.weight),
            None => false,
        }
    }
}

impl Question<'_, '_> {
    /// The least of all candidates, and what was searched for it.
    pub(crate) const fn answer(&self, effort: &mut Effort) -> (Candidate, Searched) {
        if !self.is_linear() {
            return match self.dense_below_plain(effort) {
                Ok(best) => (best, Searched::NOTHING),
                Err(dense) => {
                    let (best, searched) = self.mixed(effort);
                    (best, searched.with_dense(&dense))
                }
            };
        }
        // First what reaches the floor: all else is left at its first conflict.
        let (at_floor, masks) = self.swizzle([0, self.floor], FIRST_LOOKS, effort);
        if let Some(best) = at_floor {
            return (best, Searched::NOTHING);
        }
        let dense = match self.dense_below_plain(effort) {
            Ok(best) => return (best, Searched::NOTHING),
            Err(dense) => dense,
        };
        let least = match self.places() {
            Some(places) => places.least(self.claims.as_slice()) - self.claims.rival_cycles(),
            None => u64::MAX,
        };
        if least == self.floor
            && let (Some(best), _) = self.linear(self.floor + 1, effort)
        {
            return (best, Searched::NOTHING);
        }
        let proven = if matches!(masks, Extent::Part) { 0 } else { self.floor + 1 };
        let (best, searched) = self.above_floor([proven, least], effort);
        (best, searched.with_dense(&dense))
    }

    /// The least where no swizzle takes fewer cycles than `proven`, and no linear layout fewer than `least`.
    const fn above_floor(
        &self,
        [proven, least]: [u64; 2],
        effort: &mut Effort,
    ) -> (Candidate, Searched) {
        let (mut best, masks) = match self.swizzle([proven, u64::MAX], MOST_NODES, effort) {
            (Some(best), masks) => (best, masks),
            (None, masks) => (self.plain, masks),
        };
        let mut searched = Searched { masks, recipes: Extent::All, ..Searched::NOTHING };
        if best.weight() <= least && least != u64::MAX {
            searched.linear = Extent::All;
        } else if least < best.weight() && !effort.is_enough(best.weight()) {
            let (found, is_cut) = self.linear(best.weight(), effort);
            if let Some(found) = found {
                best = found;
            }
            searched.linear = if is_cut { Extent::Part } else { Extent::All };
        }
        if !effort.is_enough(best.weight()) && best.weight() > self.floor {
            searched = self.padded_below(searched, &None, &mut best, effort);
            if best.weight() > self.floor
                && !matches!(searched.linear, Extent::All)
                && let Some(found) = self.climb(&best, effort)
            {
                best = found;
            }
        }
        searched.is_enough = effort.is_enough(best.weight());
        searched.has_ended = effort.has_ended();
        (best, searched)
    }

    /// The bits that any linear layout of packs places, where there are such layouts.
    pub(super) const fn places(&self) -> Option<Places> {
        if self.claims.len() == 0 {
            return None;
        }
        Places::of(&self.claims, self.base.recipe_tile, self.pack)
    }

    /// Of all linear layouts of packs that of the fewest cycles below this many, and whether others were
    /// left out. Its address instructions are not counted: it is taken for its cycles, and routing every instruction
    /// takes the compiler a second.
    pub(crate) const fn linear(
        &self,
        below: u64,
        effort: &mut Effort,
    ) -> (Option<Candidate>, bool) {
        let Some(places) = self.places() else { return (None, true) };
        let (claims, below) = (&self.claims, below.saturating_add(self.claims.rival_cycles()));
        let most = effort.looks(MOST_LOOKS);
        let found = places.search(claims.as_slice(), below, most);
        effort.look(found.looks, MOST_LOOKS, found.is_cut && found.looks >= most);
        let Some(cycles) = found.cycles else { return (None, found.is_cut) };
        let pack = places.pack(self.base.recipe_tile.bits);
        let layout = self.base.layout(Spec::linear_packs(pack, found.columns));
        let weight = cycles - self.claims.rival_cycles();
        let candidate = Candidate::new(layout, weight, self.plain.bytes);
        let candidate = if self.can_be(&candidate) { Some(candidate) } else { None };
        (candidate, found.is_cut || candidate.is_none())
    }

    /// The least of the recipes and masks of at most this many cycles, and how far masks were searched;
    /// nothing takes fewer than `least`. Each search for masks ends after this many looks.
    const fn swizzle(
        &self,
        [least, most]: [u64; 2],
        looks: u32,
        effort: &mut Effort,
    ) -> (Option<Candidate>, Extent) {
        let plain = if self.plain.weight <= most { Some(self.plain) } else { None };
        let (mut best, mut next) = (Best { candidate: plain, most }, 0);
        // A swizzle has a term more than the plain tile; with no further address it is the least.
        let terms = (Spec::row_major().terms(self.base.recipe_tile) + 1) * self.uses.len() as u32;
        while next < Self::READY_MADE && !self.is_least(&mut best, terms, effort) {
            if let Some(recipe) = self.ready_made(next) {
                let found = if matches!(recipe.scheme(), Scheme::RotatedRows) {
                    self.turned(recipe, &None, best.below(), effort)
                } else {
                    self.recipe(recipe, best.most())
                };
                best.candidate = self.better(best.candidate, found, effort);
            }
            next += 1;
        }
        let (mut number, mut masks) = (self.searches(), self.masks_of_tile());
        while number > 0 && best.is_above(self.floor) {
            if best.is_enough(effort) {
                masks = Extent::Part;
                break;
            }
            number -= 1;
            if let Some((found, cut)) = self.searched(number, [least, best.below()], looks, effort)
            {
                if cut {
                    masks = Extent::Part;
                }
                best.candidate = self.better(best.candidate, found, effort);
            }
        }
        (best.candidate, masks)
    }

    /// The better of two candidates; the first if they are equal. Counting address instructions costs as much as counting
    /// cycles, so it is done only where cycles and bytes are equal, and as far as the effort reaches.
    const fn better(
        &self,
        best: Option<Candidate>,
        found: Option<Candidate>,
        effort: &mut Effort,
    ) -> Option<Candidate> {
        let (mut best, mut found) = match (best, found) {
            (Some(best), Some(found)) => (best, found),
            (Some(one), None) | (None, Some(one)) => return Some(one),
            (None, None) => return None,
        };
        if best.is_tied(&found)
            && !(self.price(&mut best, effort) && self.price(&mut found, effort))
        {
            return Some(best);
        }
        Some(if found.is_less(&best) { found } else { best })
    }

    /// Whether the best has no conflict, and no address instructions beyond these, or none that can be counted.
    const fn is_least(&self, best: &mut Best, addresses: u32, effort: &mut Effort) -> bool {
        match &mut best.candidate {
            Some(candidate) if candidate.weight == self.floor => {
                !self.price(candidate, effort) || candidate.address_instructions <= addresses
            }
            _ => false,
        }
    }

    /// What is searched of masks if no search is cut: all, where rows in lines that fill the banks, or as
    /// many rows as make a line, are packs in a power of two.
    const fn masks_of_tile(&self) -> Extent {
        let columns = self.base.recipe_tile.columns;
        match columns.checked_div(self.pack) {
            Some(packs) if packs.is_power_of_two() && columns.is_power_of_two() => Extent::All,
            _ => Extent::Nothing,
        }
    }

    /// How many recipes need no search.
    pub(super) const READY_MADE: u32 = 3 + MOST_LAYERS.ilog2() + 1;

    /// One of the recipes that need no search: xors of a single shift, and the rotation; `None` where another of
    /// them is the same, or does the same with fewer instructions. Each is made when its turn comes, as the first
    /// often ends the search.
    pub(super) const fn ready_made(&self, number: u32) -> Option<Spec> {
        let (pack, [natural, other]) = (self.pack, self.natural);
        let columns = self.base.recipe_tile.columns;
        if pack == 0 || !columns.is_multiple_of(pack) {
            return None;
        }
        // Layers are powers of two, so a row whose packs are not a power of two can only be rotated; where they are one, an
        // xor does the same with fewer instructions.
        let is_last = number + 1 == Self::READY_MADE;
        if is_last == (columns / pack).is_power_of_two() {
            return None;
        }
        match number {
            _ if is_last => Some(Spec::row_shift(pack)),
            0 => Some(gemm_xor_on(self.banks[0], pack)),
            1 if other != natural => Some(gemm_xor_on(self.banks[1], pack)),
            1 => None,
            _ => {
                let layers = 1 << (number - 2);
                if layers == natural || layers == other {
                    return None;
                }
                Some(Spec::gemm_xor_layer(pack, layers))
            }
        }
    }

    /// The end of the bits that choose a bank, of all accesses with a claim: 0 where none has.
    const fn bank_bits_end(&self) -> u32 {
        if self.claims.len() > 0 { self.claims.bank_bits() + 1 } else { 0 }
    }

    /// The searches for masks, from the last down: over rows, layers of which fill all banks, and
    /// then over lines of rows that fill them more than once.
    pub(crate) const fn searches(&self) -> u32 {
        2 * self.bank_bits_end()
    }

    /// The masks of one of them, of the fewest cycles below `below`, where none take fewer than
    /// `least`, and whether the search was cut; `None` if there is no such search.
    pub(crate) const fn searched(
        &self,
        number: u32,
        [least, below]: [u64; 2],
        looks: u32,
        effort: &mut Effort,
    ) -> Option<(Option<Candidate>, bool)> {
        let (pack, masks) = (self.pack, List::EMPTY);
        let layout = if number >= self.bank_bits_end() {
            let Some(layers) = self.layers_on(number - self.bank_bits_end()) else { return None };
            Spec::gemm_xor_bits(pack, layers, masks)
        } else {
            let Some(lines) = self.lines_on(number) else { return None };
            Spec::gemm_xor_bits(pack, 1, masks).joined(lines)
        };
        let layers = layout.layers(self.base.recipe_tile);
        let tile = layout.recipe_tile(self.base.recipe_tile);
        let Some(layering) = Layering::new(tile, pack, layers) else {
            return None;
        };
        let rivals = self.claims.rival_cycles();
        let within = [least + rivals, below.saturating_add(rivals)];
        let most = effort.looks(looks);
        let (found, masks) = layering.least(&self.claims, within, most);
        effort.look(found.nodes, looks, found.is_cut);
        let candidate = match found.cycles {
            Some(cycles) => {
                let layout = self.base.layout(layout.with_list(masks));
                Some(self.swizzled(layout, cycles - rivals))
            }
            None => None,
        };
        Some((candidate, found.is_cut))
    }

    /// The rows that fill 2^`bank_bits` banks; `None` if no access has that many, or if as many rows fill a
    /// larger number of banks that an access has.
    const fn layers_on(&self, bank_bits: u32) -> Option<u32> {
        if !self.claims.has_bank_bits(bank_bits) {
            return None;
        }
        let (layers, mut more) = (self.rows_of_line(bank_bits), bank_bits + 1);
        while more < self.bank_bits_end() {
            if self.claims.has_bank_bits(more) && self.rows_of_line(more) == layers {
                return None;
            }
            more += 1;
        }
        Some(layers)
    }

    /// The rows that fill 2^`bank_bits` banks; if the tile's are not a multiple of that, of the powers of two that
    /// they are a multiple of the largest: every mask over fewer rows is one over these.
    const fn rows_of_line(&self, bank_bits: u32) -> u32 {
        let tile = self.base.recipe_tile;
        let (layers, most) = (tile.layers_on(1 << bank_bits), tile.rows & tile.rows.wrapping_neg());
        if layers.is_power_of_two() && most < layers { most } else { layers }
    }

    /// The lines of 2^`bank_bits` banks that a row fills; `None` if no access has that many banks, or if a
    /// row does not fill several.
    const fn lines_on(&self, bank_bits: u32) -> Option<u32> {
        let Shape { columns, bits, .. } = self.base.recipe_tile;
        let (row_bits, line_bits) = (columns as u64 * bits as u64, 32 << bank_bits);
        let lines = (row_bits / line_bits) as u32;
        if lines < 2 || !row_bits.is_multiple_of(line_bits) || !columns.is_multiple_of(lines) {
            return None;
        }
        if self.claims.has_bank_bits(bank_bits) { Some(lines) } else { None }
    }
}

/// CK's xor recipe for a chip of this many banks.
const fn gemm_xor_on(banks: u32, pack: u32) -> Spec {
    if banks == 64 { Spec::gemm_xor_64(pack) } else { Spec::gemm_xor(pack) }
}

/// Looks at masks before linear layouts are tried, which need some hundred: of 213 tiles of GEMMs no search that
/// found masks took more than 2,017.
const FIRST_LOOKS: u32 = 2_500;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::gfx942::ds_read_b128;
    use crate::pattern::Lanes;
    use crate::search::base::Base;
    use crate::search::price::ADDRESSED;
    use crate::search::shape::Use;

    /// Of two layouts of equal cycles and bytes the one with fewer address instructions is taken, if the effort covers
    /// counting them: 16 reads for each.
    #[test]
    fn address_instructions_decide_between_equals() {
        let tile = Shape { rows: 128, columns: 64, bits: 16 };
        let read = [Use::new(Lanes::rows(32), &ds_read_b128)];
        let question = Base::rows(tile).question(&read).unwrap();
        let weighing =
            |layout, weight| Some(question.swizzled(question.base.layout(layout), weight));
        let (xor, plain) = (weighing(Spec::gemm_xor(8), 9), weighing(Spec::row_major(), 9));
        let better = |best, found, units| {
            let mut effort = Effort::of_units(units);
            let better: Candidate = question.better(best, found, &mut effort).unwrap();
            (better.layout(), better.address_instructions(), effort)
        };
        let units = 2 * 16 * ADDRESSED;
        let [by_xor, in_order] = [xor, plain].map(|one| one.unwrap().layout());
        assert_eq!(better(xor, plain, units), (in_order, 2, Effort::of_units(0)));
        assert_eq!(better(plain, xor, units), (in_order, 2, Effort::of_units(0)));
        assert_eq!(better(xor, plain, units - 1).0, by_xor);
        // The other recipe has one layer too, so they are equal, and the first stays.
        let layer = weighing(Spec::gemm_xor_layer(8, 1), 9);
        let by_layer = layer.unwrap().layout();
        assert_eq!(better(xor, layer, units), (by_xor, 6, Effort::of_units(0)));
        assert_eq!(better(layer, xor, units), (by_layer, 6, Effort::of_units(0)));
        // Where cycles decide, nothing else is counted.
        let less = weighing(Spec::gemm_xor(8), 8);
        assert_eq!(better(plain, less, units), (by_xor, 0, Effort::of_units(units)));
    }
}
