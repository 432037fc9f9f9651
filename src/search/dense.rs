//! Swizzles of the dense offset that are free of conflicts: of tiles whose rows are any length.
//!
//! In a tile of 64x96 halves 96 is not an xor of columns, so that nothing of the [masks](super::masks) over rows
//! holds. But a swizzle of the dense offset is linear over the bits of that one number, and so the question
//! is again a few numbers: two lanes of a phase meet in a bank exactly if their numbers differ in what the
//! masks put into bank 0.
//!
//! ```text
//!   64x96 halves on gfx942, packs of 8, 8 packs to a line; numbers of packs: 12 * row + pack
//!
//!   lanes of a phase   numbers   xor        line  place      masks must not make of the line
//!   rows 0 and 2       0, 24     24         3     0          0
//!   rows 1 and 3       12, 36    40         5     0          0
//!   rows 2 and 3       24, 36    60         7     4          4
//! ```
//!
//! What pairs of lanes forbid is a [table](super::forbidden), and masks are sought that meet none of it. But a lane
//! is placed in a few steps, and its pairs with all others take a hundred. So each instruction is placed by the masks
//! that are free so far, and only of one that conflicts the pairs are added and other masks sought. What is found is
//! free, what is not found does not exist: of all masks from `SOURCES` bits of a line's number.
//!
//! A sum with `96 * row` carries, so instructions differ. They are asked by [classes](crate::access::numbered),
//! fewer bits of a line's number first, since these have fewer.

use super::candidate::Candidate;
use super::effort::Effort;
use super::forbidden::{Forbidden, Lines, MOST_SOURCES, pairs_of};
use super::price::{CLASSED, PAIR, PLACED};
use super::question::Question;
use super::searched::{Extent, Searched};
use super::shape::{Use, unfilled};
use super::spec::Spec;
use crate::access::addresses::Addresses;
use crate::access::classes::NumberClasses;
use crate::access::placed::Placed;
use crate::bank::conflicts::service;
use crate::chip::instruction::{Instruction, Service};
use crate::chip::phases::Phases;
use tiledesc_transforms::{List, Plan, attempt};

/// Bits of a line's number that flip places: few first, for most tiles need no more.
const SOURCES: [u32; 2] = [4, MOST_SOURCES];

/// Masks that are free in the instructions asked so far, and what these forbid.
struct Tried<'a> {
    forbidden: Forbidden,
    lines: &'a Lines,
    /// The masks, and by a line's number what they flip in bytes.
    masks: List,
    flips: [u32; 1 << MOST_SOURCES],
    /// Whether all that instructions forbid is asked for before masks are sought once more: with less of it the
    /// search was cut.
    is_eager: bool,
}

impl<'a> Tried<'a> {
    /// Those that come first, where nothing is forbidden.
    const fn new(lines: &'a Lines) -> Self {
        let (forbidden, masks) = (Forbidden::NOTHING, Forbidden::NOTHING.masks(lines, 0).masks);
        let mut tried = Self {
            forbidden,
            lines,
            masks: List::EMPTY,
            flips: [0; 1 << MOST_SOURCES],
            is_eager: false,
        };
        if let Some(masks) = masks {
            tried.take(masks);
        }
        tried
    }

    /// Takes other masks.
    const fn take(&mut self, masks: List) {
        let (shift, mut line) = (self.lines.log2_pack_bits - 3, 1usize);
        self.masks = masks;
        // Lines that differ only in higher bits are flipped alike.
        while line < 1 << masks.len() {
            let bit = line.trailing_zeros() as usize;
            self.flips[line] = self.flips[line & (line - 1)] ^ (masks.at(bit) << shift);
            line += 1;
        }
    }

    /// Elements after which masks do the same again, as far as instructions are asked.
    const fn period(&self) -> u64 {
        let lines = self.lines;
        let sources = if self.is_eager { lines.sources } else { self.masks.len() as u32 };
        (lines.pack as u64) << (lines.log2_width + sources)
    }

    /// Asks all instructions of an access; whether they are free by the masks that there were before. If there are no
    /// masks, how many were asked.
    const fn ask(
        &mut self,
        placed: &Placed<'_, '_>,
        strides: &List,
        bits: u32,
        known: &mut Known,
        effort: &mut Effort,
    ) -> Result<bool, Extent> {
        let row = placed.instruction();
        if row.parts() > 1 || row.bytes() != row.alignment() {
            return Err(Extent::Nothing);
        }
        let mut are_kept = true;
        // As often as other masks are sought, whose period may be another.
        loop {
            let period = self.period();
            if known.period != period {
                if !effort.afford(CLASSED) {
                    return Err(Extent::Part);
                }
                let Some(classes) = placed.number_classes_by(strides, period) else {
                    return Err(Extent::Nothing);
                };
                *known = Known { period, classes };
            }
            let is_free = match Apart::of(row, &known.classes, bits) {
                Some(apart) => attempt!(self.are_free(row, &apart, &known.classes, effort)),
                None => return Err(Extent::Nothing),
            };
            if is_free {
                return Ok(are_kept);
            }
            attempt!(self.seek(effort));
            are_kept = false;
        }
    }

    /// Whether each class is free by the masks. Of the first that is not, what it forbids is added; where that is
    /// asked of all, of each.
    const fn are_free(
        &mut self,
        row: &Instruction,
        apart: &Apart,
        classes: &NumberClasses,
        effort: &mut Effort,
    ) -> Result<bool, Extent> {
        let rival = if row.is_settled() { None } else { row.rival() };
        let mut class = 0;
        while class < classes.count() {
            let Some(addresses) = apart.addresses(classes, class) else {
                return Err(Extent::Nothing);
            };
            if !effort.step(2 * apart.lanes as u64) {
                return Err(Extent::Part);
            }
            let (served, _) = service(&addresses, row);
            let is_free = !self.is_eager
                && self.is_free(&addresses, served)
                && match rival {
                    Some(rival) => self.is_free(&addresses, rival),
                    None => true,
                };
            if !is_free {
                if !effort.afford(pairs_of(served, rival) * PAIR) {
                    return Err(Extent::Part);
                }
                if !self.forbidden.add(&addresses, served, rival, self.lines) {
                    return Err(Extent::All);
                }
                if !self.is_eager {
                    return Ok(false);
                }
            }
            class += 1;
        }
        Ok(true)
    }

    /// Looks for masks that avoid everything forbidden; on failure says how much of the family was tried.
    const fn seek(&mut self, effort: &mut Effort) -> Result<(), Extent> {
        let found = self.forbidden.masks(self.lines, effort.steps());
        if !effort.has_stepped(found.steps) {
            return Err(Extent::Part);
        }
        match found.masks {
            Some(masks) => self.take(masks),
            None if !found.is_cut => return Err(Extent::All),
            None if self.is_eager => return Err(Extent::Part),
            None => self.is_eager = true,
        }
        Ok(())
    }

    /// The masks after all accesses were asked.
    const fn whole(&mut self, effort: &mut Effort) -> Result<List, Extent> {
        if self.is_eager {
            attempt!(self.seek(effort));
        }
        Ok(self.masks)
    }

    /// Whether an instruction has no conflict by the masks, with its addresses in the dense tile.
    const fn is_free(&self, addresses: &Addresses, service: &Service) -> bool {
        let shift = self.lines.log2_pack_bits - 3 + self.lines.log2_width;
        let (last, banks) = ((1 << self.masks.len()) - 1, service.banks - 1);
        let (count, mut phase) = (service.phases.count(), 0);
        while phase < count {
            let lanes = service.phases.lanes(phase);
            let (mut taken, mut dwords, mut i) = (0u64, [0; 64], 0);
            while i < lanes.len() {
                let address = addresses.bytes[lanes[i] as usize];
                let dword = (address ^ self.flips[(address >> shift & last) as usize]) >> 2;
                let bank = dword & banks;
                if taken >> bank & 1 == 1 && dwords[bank as usize] != dword {
                    return false;
                }
                taken |= 1 << bank;
                dwords[bank as usize] = dword;
                i += 1;
            }
            phase += 1;
        }
        true
    }
}

/// The classes of an access by the period that it was asked by last; 0 before that.
#[derive(Clone, Copy)]
struct Known {
    period: u64,
    classes: NumberClasses,
}

impl Known {
    const NOTHING: Self = Self { period: 0, classes: NumberClasses::NONE };

    /// Accesses of which they are kept; those after them share the last place.
    const MOST: usize = 8;
}

/// How far each lane is behind lane 0, in bytes of the dense tile: the same in all instructions.
struct Apart {
    bytes: [u32; Phases::LANES],
    lanes: usize,
    /// Bits of an element, and of what a lane moves.
    bits: u64,
    unit: u64,
}

impl Apart {
    /// `None` where lanes are not apart by whole units of what they move.
    const fn of(row: &Instruction, classes: &NumberClasses, bits: u32) -> Option<Self> {
        let (lanes, unit) = (row.service().phases.addressed(), 8 * row.bytes() as i64);
        let (mut bytes, mut lane) = ([0; Phases::LANES], 0);
        while lane < lanes {
            let apart = classes.lanes()[lane] as i64 - classes.lanes()[0] as i64;
            if apart * bits as i64 % unit != 0 {
                return None;
            }
            bytes[lane] = (apart * bits as i64 / 8) as u32;
            lane += 1;
        }
        Some(Self { bytes, lanes, bits: bits as u64, unit: unit as u64 })
    }

    /// The addresses of the first instruction of a class; `None` where they are off their alignment.
    const fn addresses(&self, classes: &NumberClasses, class: usize) -> Option<Addresses> {
        let bit = classes.number(class, 0) as u64 * self.bits;
        if !bit.is_multiple_of(self.unit) {
            return None;
        }
        let (first, mut bytes, mut lane) = ((bit / 8) as u32, self.bytes, 0);
        while lane < self.lanes {
            bytes[lane] = bytes[lane].wrapping_add(first);
            lane += 1;
        }
        Some(Addresses { bytes, active: u64::MAX >> (Phases::LANES - self.lanes) })
    }
}

impl Question<'_, '_> {
    /// The same, where the tile in order has conflicts.
    pub(super) const fn dense_below_plain(
        &self,
        effort: &mut Effort,
    ) -> Result<Candidate, Searched> {
        if self.bare_plain().weight() > self.floor {
            self.dense(effort)
        } else {
            Err(Searched::NOTHING)
        }
    }

    /// A swizzle of the dense offset that is free in all accesses, of rows that are not a power of two; if there is
    /// none, what was searched of them. It has a share of the effort, and what is left of it goes to pads.
    pub(crate) const fn dense(&self, effort: &mut Effort) -> Result<Candidate, Searched> {
        let mut share = effort.half();
        let found = self.dense_within(&mut share);
        effort.take_of_half(&share);
        match found {
            Ok(candidate) => Ok(candidate),
            Err(dense) => {
                Err(Searched { dense, has_ended: share.has_ended(), ..Searched::NOTHING })
            }
        }
    }

    /// The same within an effort; on failure says how much of the family was tried.
    const fn dense_within(&self, effort: &mut Effort) -> Result<Candidate, Extent> {
        let tile = self.base.recipe_tile;
        if self.pack == 0 || tile.columns.is_power_of_two() || self.has_table() {
            return Err(Extent::Nothing);
        }
        // Less would end before the first instruction, so that the plan would be made for nothing.
        if !effort.affords(PLACED + CLASSED) {
            return Err(Extent::Part);
        }
        let Ok(plan) = self.bare_plain().layout().plan(self.base.tile) else {
            return Err(Extent::Nothing);
        };
        // Masks of more bits are those of fewer too: the last decides, of both widths of a line.
        let (mut i, mut extent) = (0, Extent::Nothing);
        while i < SOURCES.len() {
            let (mut banks, before) = (0, extent);
            let mut of_widths = None;
            while banks < self.banks.len() {
                let lines = Lines::of(tile, self.pack, self.banks[banks], SOURCES[i]);
                if let Some(lines) = lines {
                    let here = match self.dense_in(&plan, &lines, effort) {
                        Ok(candidate) => return Ok(candidate),
                        Err(here) => here,
                    };
                    of_widths = match of_widths {
                        Some(extent) => Some(here.and(extent)),
                        None => Some(here),
                    };
                }
                banks += 1;
            }
            extent = match of_widths {
                Some(Extent::Nothing) | None if !matches!(before, Extent::Nothing) => Extent::Part,
                Some(extent) => extent,
                None => Extent::Nothing,
            };
            i += 1;
        }
        Err(extent)
    }

    /// The same in lines of one width.
    const fn dense_in(
        &self,
        plan: &Plan,
        lines: &Lines,
        effort: &mut Effort,
    ) -> Result<Candidate, Extent> {
        let masks = attempt!(self.masks_of(plan, Tried::new(lines), effort));
        let Some(classes) = self.dense_classes(plan, lines) else { return Err(Extent::Nothing) };
        match self.dense_by(lines.layout(masks), classes) {
            Some(candidate) => Ok(candidate),
            // Another one perhaps.
            None => Err(Extent::Part),
        }
    }

    /// Masks that are free in all accesses, beginning with those that are tried on; on failure says how much of the
    /// family was tried.
    const fn masks_of(
        &self,
        plan: &Plan,
        mut tried: Tried<'_>,
        effort: &mut Effort,
    ) -> Result<List, Extent> {
        let (bits, strides) = (self.base.tile.bits, self.base.strides());
        let (digits, count) = (plan.digits(), self.uses().len());
        // Each access is asked once, and again where masks changed after it.
        let (mut i, mut kept) = (0, 0);
        let mut known = [Known::NOTHING; Known::MOST];
        while kept < count {
            let Use { lanes, instruction, .. } = self.uses()[i];
            if !effort.afford(PLACED) {
                return Err(Extent::Part);
            }
            let placed = Placed::with_digits(plan, digits, bits, lanes, instruction);
            let Ok(placed) = placed else { return Err(Extent::Nothing) };
            let place = if i < Known::MOST { i } else { Known::MOST - 1 };
            if count > Known::MOST && place == Known::MOST - 1 {
                known[place] = Known::NOTHING;
            }
            let are_kept = attempt!(tried.ask(&placed, &strides, bits, &mut known[place], effort));
            kept = if are_kept { kept + 1 } else { 1 };
            i = if i + 1 == count { 0 } else { i + 1 };
        }
        tried.whole(effort)
    }

    /// Instructions of all accesses that need an address of their own; `None` if these are too many.
    const fn dense_classes(&self, plan: &Plan, lines: &Lines) -> Option<u32> {
        let period = (lines.pack as u64) << (lines.log2_width + lines.sources);
        let (digits, mut classes, mut i) = (plan.digits(), 0, 0);
        while i < self.uses().len() {
            let Use { lanes, instruction, .. } = self.uses()[i];
            let bits = self.base.tile.bits;
            let Ok(placed) = Placed::with_digits(plan, digits, bits, lanes, instruction) else {
                return None;
            };
            match placed.number_classes_by(&self.base.strides(), period) {
                Some(found) => classes += found.count() as u32,
                None => return None,
            }
            i += 1;
        }
        Some(classes)
    }

    /// Whether the lanes of some use are listed one by one, so that their numbers are no sums.
    const fn has_table(&self) -> bool {
        let mut i = 0;
        while i < self.uses().len() && self.uses()[i].lanes.table_rows().is_empty() {
            i += 1;
        }
        i < self.uses().len()
    }

    /// A layout that is free in all accesses, of which `classes` instructions need an address of their own.
    const fn dense_by(&self, recipe: Spec, classes: u32) -> Option<Candidate> {
        let layout = self.base.layout(recipe);
        let Ok(plan) = layout.plan(self.base.tile) else { return None };
        if unfilled(&plan, self.base.tile.bits, self.uses()).is_some() {
            return None;
        }
        let terms = layout.terms(self.base.tile);
        let plain = self.bare_plain().weighing(self.floor);
        Some(Candidate { layout, address_instructions: classes * terms, ..plain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::{gfx942, gfx950, sm_90};
    use crate::pattern::Lanes;
    use crate::search::Shape;
    use crate::search::base::Base;
    use crate::search::descent::tests::Random;
    use crate::search::price::STEP;
    use alloc::vec::Vec;

    fn random_uses(random: &mut Random) -> Vec<Use<'static>> {
        let rows = [
            [&gfx942::ds_read_b128, &gfx942::ds_write_b64, &gfx942::ds_read_b32],
            [&gfx950::ds_read_b128, &gfx950::ds_read_u16, &gfx950::ds_read_b64],
            [&sm_90::ld_shared_b128, &sm_90::ld_shared_b64, &sm_90::st_shared_b32],
        ];
        let (chip, count) = (random.below(3) as usize, 1 + random.below(3));
        let mut access = || {
            let lanes = match random.below(7) {
                0 => Lanes::row_major(),
                1 => Lanes::column(),
                2 => Lanes::diagonal(),
                3 => Lanes::strided(2 + random.below(4)),
                4 => Lanes::rows(16),
                5 => Lanes::rows(4),
                _ => Lanes::rows(32),
            };
            Use::new(lanes, rows[chip][random.below(3) as usize])
        };
        (0..count).map(|_| access()).collect()
    }

    /// Masks that are sought instruction by instruction are those of a table of all pairs of lanes, and as much is said of
    /// the others.
    #[test]
    fn as_by_a_table_of_all() {
        let (mut random, mut found, mut none, mut cut) = (Random(3), 0, 0, 0);
        for _ in 0..400 {
            let columns = 8 * [3, 5, 6, 9, 10, 12, 13, 20][random.below(8) as usize];
            let tile = Shape { rows: 16 * (1 + random.below(12)), columns, bits: 16 };
            let uses = random_uses(&mut random);
            let Ok(question) = Base::rows(tile).question(&uses) else { continue };
            let Ok(plan) = question.bare_plain().layout().plan(tile) else { continue };
            for (banks, sources) in [(32, 4), (64, 4), (32, MOST_SOURCES), (64, MOST_SOURCES)] {
                let Some(lines) = Lines::of(tile, question.pack, banks, sources) else { continue };
                let of = |is_eager| {
                    let tried = Tried { is_eager, ..Tried::new(&lines) };
                    question.masks_of(&plan, tried, &mut { Effort::RUN_TIME })
                };
                // Of classes beyond those that are kept there is no table.
                let (masks, wanted) = (of(false), of(true));
                if wanted != Err(Extent::Nothing) {
                    assert_eq!(masks, wanted, "{tile:?} {uses:?} {banks} {sources}");
                }
                found += u32::from(wanted.is_ok());
                none += u32::from(wanted == Err(Extent::All));
                cut += u32::from(wanted == Err(Extent::Part));
            }
        }
        assert!(found > 100 && none > 30 && cut > 30, "{found} {none} {cut}");
    }

    /// What the effort does not reach is not said to be all, and it says that more of it would go on.
    #[test]
    fn a_search_ends_with_its_share_of_the_effort() {
        let tile = Shape { rows: 256, columns: 24, bits: 32 };
        let uses =
            [&gfx942::ds_read_b128, &gfx942::ds_read_b64].map(|row| Use::new(Lanes::rows(32), row));
        let question = Base::rows(tile).question(&uses).unwrap();
        let said = |mut effort: Effort| {
            let searched = question.dense(&mut effort).unwrap_err();
            (searched.dense, searched.has_ended, effort.has_ended())
        };
        assert_eq!(said(Effort::of_units(100)), (Extent::Part, true, false));
        assert_eq!(said(Effort::RUN_TIME), (Extent::All, false, false));
        // What it takes is gone for what follows.
        let (mut effort, before) = (Effort::RUN_TIME, Effort::RUN_TIME.steps());
        question.dense(&mut effort).unwrap_err();
        assert!(before - effort.steps() > 10_000, "{}", before - effort.steps());
        // Half of it is not enough to lay one access, or to sort its instructions into classes.
        let left = |units: u64| {
            let mut effort = Effort::of_units(units);
            question.dense(&mut effort).unwrap_err();
            effort
        };
        let least = PLACED + CLASSED;
        assert_eq!(left(2 * least - 2), Effort::of_units(2 * least - 2));
        assert_eq!(left(2 * least), Effort::of_units(least));
    }

    /// Pairs of lanes are charged before they are looked at: where the effort falls short, none is.
    #[test]
    fn pairs_are_charged() {
        let tile = Shape { rows: 256, columns: 24, bits: 32 };
        let row = &gfx942::ds_read_b128;
        let plan = tile.rows_in_order().unwrap();
        let placed = Placed::with_digits(&plan, plan.digits(), 32, Lanes::rows(32), row).unwrap();
        let lines = Lines::of(tile, 4, 32, 4).unwrap();
        let asked = |units: u64| {
            let (mut tried, mut effort) = (Tried::new(&lines), Effort::of_units(units));
            let strides = Base::rows(tile).strides();
            let classes = placed.number_classes_by(&strides, tried.period()).unwrap();
            let apart = Apart::of(row, &classes, 32).unwrap();
            let is_free = tried.are_free(row, &apart, &classes, &mut effort).ok();
            (is_free, tried.forbidden.masks(&lines, u64::MAX).steps > 1, effort.steps())
        };
        // 64 lanes are placed, and 8 are served at a time: 8 times 28 pairs.
        let (lanes, pairs) = (2 * 64 * STEP, 8 * 28 * PAIR);
        assert_eq!(asked(lanes + pairs - 1).0, None);
        assert!(!asked(lanes + pairs - 1).1);
        assert_eq!(asked(lanes + pairs), (Some(false), true, 0));
    }

    /// Each of two sources has its own pairs, and a search for masks that exceeds what was left takes all of it.
    #[test]
    fn what_is_sought_is_charged() {
        let row = &gfx950::ds_read_b32;
        let [own, rival] = [row.service(), row.rival().unwrap()];
        let both = pairs_of(own, Some(rival));
        assert_eq!(both, pairs_of(own, None) + pairs_of(rival, None));
        let lines = Lines::of(Shape { rows: 256, columns: 24, bits: 32 }, 4, 32, 4).unwrap();
        let left = |units: u64| {
            let (mut tried, mut effort) = (Tried::new(&lines), Effort::of_units(units));
            (tried.seek(&mut effort).is_ok(), effort.steps())
        };
        assert_eq!(left(STEP), (true, 0));
        assert_eq!(left(9 * STEP), (true, 8));
        assert_eq!(left(STEP - 1), (false, 0));
    }
}
