//! The least where some access is not an xor of columns: lanes three elements apart, a table, inactive lanes.
//!
//! Masks are found by the accesses that are linear, and judged by all. So an access more never takes away what
//! the others could have:
//!
//! ```text
//!   64x256 halves on gfx950, five accesses           GemmXorBits<.., seq![12, 1, 2, 4]>   24 cycles
//!   the same, and ds_read_u16 by Strided<3>          the same layout                      28 cycles, a pad 37
//! ```
//!
//! Linear accesses cost a rank, the others are counted on their [lists](super::shots), or where they have none
//! judged by the verdict, at ten times the effort.

use super::candidate::Candidate;
use super::descent::MOST_NODES;
use super::effort::Effort;
use super::price::{APART, LISTED, PLANNED};
use super::question::Question;
use super::searched::{Extent, Searched};
use super::shot::Place;
use super::shots::{Shots, Together};
use super::spec::{Scheme, Spec};
use super::weight::{Weight, weight_of};
use crate::chip::phases::Phases;

/// Lists are made only where the effort reaches to count at least this many layouts of rows on them.
const LEAST_TRIES: u64 = 4;

/// Lists that several layouts are counted on.
struct Lists {
    /// Every instruction of the tables, if there are such and each access without a claim is one.
    tables: Option<Shots>,
    /// Every instruction of all accesses without a claim, once a swizzle asked for them.
    of_unclaimed: Option<Shots>,
    are_made: bool,
}

impl Question<'_, '_> {
    /// The least of all candidates, and what was searched for it.
    pub(super) const fn mixed(&self, effort: &mut Effort) -> (Candidate, Searched) {
        let mut best = self.bare_plain();
        let least = if self.floor > effort.enough() { self.floor } else { effort.enough() };
        let mut searched = Searched::NOTHING;
        // Lists of every instruction serve each layout: of tables there are no others, and to make them is dear.
        let (tables, listed) = (self.tables(), self.claims_len() > 0 || self.are_tables());
        let tables = if best.weight() > least && tables != 0 && listed {
            self.listed(tables, Together::Apart, &None, effort)
        } else {
            None
        };
        let mut lists = Lists { tables, of_unclaimed: None, are_made: false };
        let mut number = self.searches();
        while number > 0 && best.weight() > least {
            number -= 1;
            if let Some((Some(found), _)) = self.searched(number, [0, u64::MAX], MOST_NODES, effort)
            {
                searched.masks = Extent::Part;
                self.take_mixed(found, &mut lists, &mut best, effort);
            }
        }
        let mut next = 0;
        while next < Self::READY_MADE && best.weight() > least {
            if let Some(recipe) = self.ready_made(next) {
                if matches!(recipe.scheme(), Scheme::RotatedRows) {
                    self.take_turned(recipe, &lists.tables, &mut best, effort);
                } else if let Some(found) = self.recipe_of_claims(recipe, u64::MAX - self.floor) {
                    self.take_mixed(found, &mut lists, &mut best, effort);
                } else if let Some(found) = self.judged(self.base.layout(recipe), effort) {
                    self.take(found, &mut best, effort);
                }
            }
            next += 1;
        }
        let is_cut = effort.has_ended() || next < Self::READY_MADE;
        searched.recipes = if is_cut { Extent::Part } else { Extent::All };
        if best.weight() > least
            && self.claims_len() > 0
            && let (Some(found), _) = self.linear(u64::MAX, effort)
        {
            searched.linear = Extent::Part;
            self.take_mixed(found, &mut lists, &mut best, effort);
        }
        if best.weight() > least {
            searched = self.padded_below(searched, &lists.tables, &mut best, effort);
        }
        searched.has_ended = effort.has_ended();
        searched.is_enough = effort.is_enough(best.weight());
        (best, searched)
    }

    /// A layout with the cycles of the linear accesses, judged by the others too.
    const fn take_mixed(
        &self,
        found: Candidate,
        lists: &mut Lists,
        best: &mut Candidate,
        effort: &mut Effort,
    ) {
        let [floor, rival_floor] = self.floors_of_unclaimed();
        let of_claims = found.weight() + floor;
        if of_claims > best.weight() {
            return;
        }
        // Lists know of units and not of accesses, some of which a swizzle may tear.
        let pack_bits = self.pack as u64 * self.base.tile.bits as u64;
        let masked = match found.layout().masked(self.base.tile) {
            Some(masked) if self.are_whole_in(pack_bits, self.unclaimed()) => Some(masked),
            _ => None,
        };
        // Rows that are no power of two mostly have no swizzle that asks for them.
        if !lists.are_made {
            let unclaimed = self.listed(self.unclaimed(), Together::Apart, &lists.tables, effort);
            (lists.of_unclaimed, lists.are_made) = (unclaimed, true);
        }
        let more = match (&lists.of_unclaimed, masked) {
            (Some(shots), Some(masked))
                if effort.spend(shots.units() * Place::Flipped(masked).price()) =>
            {
                let lost = shots.lost(&self.base, &Place::Flipped(masked), best.weight());
                match lost {
                    Some(lost) => Some(Weight {
                        sum: floor + lost.sum(),
                        by_source: [floor + lost.own, rival_floor + lost.rival + lost.settled],
                    }),
                    None => None,
                }
            }
            (Some(_), Some(_)) => None,
            _ => self.verdicts(found.layout(), effort),
        };
        if let Some(more) = more {
            let sum = found.weight() + more.sum;
            let of_claims = if self.is_disputed() && sum <= best.weight() {
                self.by_source_of_claims(found.layout())
            } else {
                None
            };
            let found = found.weighing(sum);
            let found = match of_claims {
                Some([own, rival]) => {
                    found.by_source([own + more.by_source[0], rival + more.by_source[1]])
                }
                None => found,
            };
            self.take(found, best, effort);
        }
    }

    /// The cycles of the uses that have claims, by each source: a rank each.
    const fn by_source_of_claims(&self, layout: Spec) -> Option<[u64; 2]> {
        match self.weight_of_those(layout, true) {
            Some(weight) => Some(weight.by_source),
            None => None,
        }
    }

    /// Takes a candidate if it is less than the best: of as many cycles and bytes by address instructions,
    /// which are counted only then.
    const fn take(&self, found: Candidate, best: &mut Candidate, effort: &mut Effort) {
        let mut found = Candidate { address_instructions: 0, ..found };
        if found.is_tied(best) {
            if !effort.afford(self.work()) {
                return;
            }
            found = self.priced(found);
            *best = self.priced(*best);
        }
        if found.is_less(best) && self.can_be(&found) {
            *best = found;
        }
    }

    /// A layout by the verdict on every access; `None` if it cannot be, or the effort is spent.
    const fn judged(&self, layout: Spec, effort: &mut Effort) -> Option<Candidate> {
        if effort.afford(PLANNED)
            && layout.plan(self.base.tile).is_ok()
            && effort.afford(self.work())
        {
            self.unpriced(layout)
        } else {
            None
        }
    }

    /// Rotated rows, which no claim knows: all accesses are counted.
    const fn take_turned(
        &self,
        recipe: Spec,
        tables: &Option<Shots>,
        best: &mut Candidate,
        effort: &mut Effort,
    ) {
        if let Some(candidate) = self.turned(recipe, tables, best.weight(), effort) {
            self.take(candidate, best, effort);
        }
    }

    /// Rotated rows of fewer cycles than this, if the effort reaches to count them. Their address instructions are not
    /// counted: no layout that is compared with them takes more.
    pub(super) const fn turned(
        &self,
        recipe: Spec,
        tables: &Option<Shots>,
        below: u64,
        effort: &mut Effort,
    ) -> Option<Candidate> {
        let pack_bits = recipe.pack() as u64 * self.base.tile.bits as u64;
        let layout = self.base.layout(recipe);
        // Pads come after it, take fewer instructions and mostly fewer lists.
        let are_listed = pack_bits.is_multiple_of(32) && self.are_whole_in(pack_bits, u64::MAX);
        let cost = if !are_listed {
            self.work()
        } else if tables.is_some() && self.are_tables() {
            0
        } else {
            LISTED * self.lanes()
        };
        if !effort.spare(cost) {
            return None;
        }
        let together = Together::Turned { pack: recipe.pack() };
        let shots =
            if are_listed { self.shots_of(u64::MAX, together, tables, effort) } else { None };
        let candidate = match shots {
            Some(shots) => {
                let place = Place::Turned { pack: recipe.pack() };
                if !effort.spend(shots.units() * place.price()) {
                    return None;
                }
                match shots.lost(&self.base, &place, below.saturating_sub(self.floor)) {
                    Some(lost) => Some(self.counted(layout, &lost, self.bare_plain().bytes())),
                    None => None,
                }
            }
            None if are_listed && !effort.spare(self.work()) => None,
            None => self.unpriced(layout),
        };
        match candidate {
            Some(candidate) if candidate.weight() < below => Some(candidate),
            _ => None,
        }
    }

    /// Lanes of all instructions.
    const fn lanes(&self) -> u64 {
        self.instructions() * Phases::LANES as u64
    }

    /// Whether the accesses of some uses, as bits, divide a pack of this many bits, so that moving packs neither tears
    /// nor misaligns them: 8 bytes in a pack of 12 begin at a multiple of 4, and 12 bytes that are aligned to 4 may begin
    /// within a pack.
    const fn are_whole_in(&self, pack_bits: u64, uses: u64) -> bool {
        let mut i = 0;
        while i < self.uses().len() {
            let row = self.uses()[i].instruction;
            let is_asked = i >= u64::BITS as usize || uses >> i & 1 == 1;
            let is_whole =
                row.bytes() == row.alignment() && pack_bits.is_multiple_of(row.bytes() as u64 * 8);
            if is_asked && !is_whole {
                return false;
            }
            i += 1;
        }
        true
    }

    /// What accesses without a claim weigh on a layout, by the verdict.
    const fn verdicts(&self, layout: Spec, effort: &mut Effort) -> Option<Weight> {
        if effort.afford(self.work()) { self.weight_of_those(layout, false) } else { None }
    }

    /// What the uses that have claims weigh on a layout, or all others.
    const fn weight_of_those(&self, layout: Spec, with_claims: bool) -> Option<Weight> {
        let Ok(plan) = layout.plan(self.base.tile) else { return None };
        let (digits, mut sum, mut i) = (plan.digits(), Weight::NONE, 0);
        while i < self.uses().len() {
            // Of more than 64 those behind have none.
            let has_claim = i < u64::BITS as usize && self.unclaimed() >> i & 1 == 0;
            if has_claim == with_claims {
                match weight_of(&plan, &digits, self.base.tile.bits, &self.uses()[i]) {
                    Some(weight) => sum = sum.and(weight),
                    None => return None,
                }
            }
            i += 1;
        }
        Some(sum)
    }

    /// Whether the lanes of all uses are listed one by one.
    const fn are_tables(&self) -> bool {
        let mut i = 0;
        while i < self.uses().len() && !self.uses()[i].lanes.table_rows().is_empty() {
            i += 1;
        }
        i == self.uses().len()
    }

    /// The uses without a claim, as bits, if the lanes of all of them are listed one by one; else none.
    const fn tables(&self) -> u64 {
        let mut i = 0;
        while i < self.uses().len() && i < u64::BITS as usize {
            if self.unclaimed() >> i & 1 == 1 && self.uses()[i].lanes.table_rows().is_empty() {
                return 0;
            }
            i += 1;
        }
        self.unclaimed()
    }

    /// Whether there are lists for every instruction of some accesses by tables.
    const fn have_room(&self, uses: u64) -> bool {
        let (mut instructions, mut i) = (0, 0);
        while i < self.uses().len() {
            if uses >> i & 1 == 1 {
                let lanes = &self.uses()[i].lanes;
                let rows = lanes.table_rows().len();
                instructions += if lanes.is_first() && rows > 1 { 1 } else { rows };
            }
            i += 1;
        }
        instructions <= Shots::MOST
    }

    /// Some accesses as lists, if the effort reaches for those that are new.
    pub(super) const fn listed(
        &self,
        uses: u64,
        together: Together,
        tables: &Option<Shots>,
        effort: &mut Effort,
    ) -> Option<Shots> {
        let new = if tables.is_some() { uses & !self.tables() } else { uses };
        let have_room = self.uses().len() <= u64::BITS as usize
            && (matches!(together, Together::Moved) || self.have_room(uses));
        // For a single layout they are not worth it: the first pad is rarely the one that is free.
        let units = self.list_units(new, together);
        let with_tries = units + units / LISTED * LEAST_TRIES * APART;
        if have_room && effort.affords(with_tries) && effort.afford(units) {
            self.shots_of(uses, together, tables, effort)
        } else {
            None
        }
    }

    /// Some accesses as lists, by classes or of every instruction: a swizzle moves two that are alike in rows
    /// to different banks. Lists of every instruction of the [tables](Self::tables) among them serve any layout.
    pub(super) const fn shots_of(
        &self,
        uses: u64,
        together: Together,
        tables: &Option<Shots>,
        effort: &mut Effort,
    ) -> Option<Shots> {
        // Uses are bits; of more, each candidate is asked for a verdict.
        if self.uses().len() > u64::BITS as usize {
            return None;
        }
        if !matches!(together, Together::Moved) && !self.have_room(uses) {
            return None;
        }
        let Ok(plan) = self.bare_plain().layout().plan(self.base.tile) else { return None };
        let (digits, mut are_tables) = (plan.digits(), false);
        let (mut shots, known) = match tables {
            Some(tables) if matches!(together, Together::Moved) => {
                (tables.once_each(), self.tables())
            }
            Some(tables) => (*tables, self.tables()),
            None => (Shots::NONE, 0),
        };
        // Tables last, of which each instruction may need a list: where there is no room for them, none is made.
        loop {
            let mut i = 0;
            while i < self.uses().len() {
                let is_asked = (uses & !known) >> i & 1 == 1
                    && self.uses()[i].lanes.table_rows().is_empty() != are_tables;
                if is_asked
                    && !shots.add(&self.base, &plan, &digits, &self.uses()[i], together, effort)
                {
                    return None;
                }
                i += 1;
            }
            if are_tables {
                break;
            }
            are_tables = true;
        }
        Some(shots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::gfx950;
    use crate::pattern::Lanes;
    use crate::search::base::Base;
    use crate::search::price::{BEGUN, CLAIMED};
    use crate::search::{Shape, Use};

    /// Rotated rows that no list counts take a verdict by a plan for each of 150 instructions: 576,000 units, which a
    /// statement does not have.
    #[test]
    fn rotated_rows_have_a_price() {
        let tile = Shape { rows: 32, columns: 200, bits: 32 };
        let uses = [
            Use::new(Lanes::strided(4), &gfx950::ds_read_b32),
            Use::new(Lanes::row_major(), &gfx950::ds_read_b64),
        ];
        let question = Base::rows(tile).question(&uses).unwrap();
        let is_counted = |mut effort: Effort| {
            question.turned(Spec::row_shift(2), &None, u64::MAX, &mut effort).is_some()
        };
        assert!(is_counted(Effort::RUN_TIME) && !is_counted(Effort::STATEMENT));
    }

    /// Making the plan of a layout is charged even where it fails: 32 rows cannot form layers of 64.
    #[test]
    fn plans_are_charged() {
        let tile = Shape { rows: 32, columns: 64, bits: 32 };
        let read = [Use::new(Lanes::strided(4), &gfx950::ds_read_b32)];
        let question = Base::rows(tile).question(&read).unwrap();
        let mut effort = Effort::of_units(2 * PLANNED - 1);
        assert!(question.judged(Spec::gemm_xor_layer(2, 64), &mut effort).is_none());
        assert_eq!(effort, Effort::of_units(PLANNED - 1));
        assert!(question.judged(Spec::gemm_xor_layer(2, 64), &mut effort).is_none());
        assert!(effort.has_ended());
    }

    /// Rows of 200 floats in order are one row to lanes that follow each other: nothing is looked at. Once rows lie apart an
    /// instruction of 256 floats begins at each eighth of a row, at 25 places: as many lists of its 64 lanes.
    #[test]
    fn sequences_are_lists_for_each_place() {
        let tile = Shape { rows: 32, columns: 200, bits: 32 };
        let read = [Use::new(Lanes::strided(4), &gfx950::ds_read_b32)];
        let base = Base::rows(tile);
        let question = base.question(&read).unwrap();
        assert_eq!((question.laid_units(), question.claims_len()), (BEGUN + CLAIMED, 2));
        let units = question.list_units(1, Together::Moved);
        assert_eq!(units, BEGUN + 25 * LISTED * Phases::LANES as u64);
        let mut shots = Shots::NONE;
        let plan = tile.rows_in_order().unwrap();
        assert!(shots.add(&base, &plan, &plan.digits(), &read[0], Together::Moved, &mut {
            Effort::RUN_TIME
        }));
        // Each by both sources of the row.
        assert_eq!(shots.len(), 2 * 25);
    }
}
