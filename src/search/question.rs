//! The question of a search, what the accesses of a kernel ask of a tile, and the candidates that answer it.
//!
//! Each access is laid over the tile in order: what is wrong with it on any layout, its cycles without
//! conflicts, its claim. The candidates are asked by what they cost to ask, and what reaches the floor first
//! ends the search:
//!
//! ```text
//!   128x64 halves on gfx942   write along rows   read by 16 rows   read by 32 rows   sum
//!   floor                     8                  8                 8                 24
//!   row by row                8                  32                64                104
//!   GemmXor                   8                  8                 8                 24     the least
//! ```
//!
//! Of power-of-two lengths that takes no plan, and a swizzle costs a few numbers.
//!
//! What reaches the floor is asked first, so that all else is left at its first conflict.

use super::base::Base;
use super::candidate::Candidate;
use super::claims::{Claims, columns};
use super::effort::Effort;
use super::error::{MOST_BITS, SynthesisError};
use super::known::Known;
use super::laid::Laid;
use super::masks::Layering;
use super::price::{ADDRESSED, BEGUN, Price};
use super::shape::{Needs, Shape, Use, unfilled};
use super::shots::{Shots, Together};
use super::spec::{Scheme, Spec};
use super::steps::AddressSteps;
use super::weight::{Weight, weight};
use crate::access::columns::Columns;
use crate::access::error::AccessError;
use crate::access::in_order::in_order;
use crate::access::placed::Placed;
use crate::access::refusal::AddressError;
use crate::bank::verdict::Verdict;
use crate::distribution::Walk;
use crate::pattern::Row;
use tiledesc_transforms::number::is_same;
use tiledesc_transforms::{Digits, Error, Plan, attempt};

impl Shape {
    /// What the uses ask of columns that are contiguous, where the best by rows has conflicts and no
    /// access needs rows to be.
    pub(crate) const fn other_question<'a, 'u>(
        self,
        uses: &'a [Use<'u>],
        best: &Candidate,
        floor: u64,
    ) -> Option<Question<'a, 'u>> {
        if best.weight() == floor || best.layout.is_transposed() {
            return None;
        }
        match Base::columns(self).question(uses) {
            Ok(question) => Some(question),
            Err(_) => None,
        }
    }

    /// What the uses ask: of rows that are contiguous, or of columns where some access needs these.
    pub(crate) const fn question<'a, 'u>(
        self,
        uses: &'a [Use<'u>],
    ) -> Result<Question<'a, 'u>, SynthesisError> {
        self.question_knowing(uses, None)
    }

    /// The same where a verdict is known.
    pub(crate) const fn question_knowing<'a, 'u>(
        self,
        uses: &'a [Use<'u>],
        known: Option<Known<'a, 'u>>,
    ) -> Result<Question<'a, 'u>, SynthesisError> {
        let rows = match Base::rows(self).question_knowing(uses, known) {
            Err(rows) => rows,
            question => return question,
        };
        let Some(down) = rows.needs_together(0) else { return Err(rows) };
        match Base::columns(self).question(uses) {
            Err(columns) => match columns.needs_together(1) {
                Some(along) => Err(SynthesisError::Crossed { along, down }),
                None if matches!(columns, SynthesisError::Fill(_)) => Err(rows),
                None => Err(columns),
            },
            question => question,
        }
    }
}

impl Base {
    /// What the uses ask, judged on the tile in order.
    pub(super) const fn question<'a, 'u>(
        self,
        uses: &'a [Use<'u>],
    ) -> Result<Question<'a, 'u>, SynthesisError> {
        self.question_knowing(uses, None)
    }

    /// The same where a verdict on it is known.
    const fn question_knowing<'a, 'u>(
        self,
        uses: &'a [Use<'u>],
        known: Option<Known<'a, 'u>>,
    ) -> Result<Question<'a, 'u>, SynthesisError> {
        if uses.is_empty() {
            return Err(SynthesisError::NoUse);
        }
        let mut i = 0;
        while i < uses.len() {
            if uses[i].times == 0 {
                return Err(SynthesisError::Unweighted { access: i as u32 + 1 });
            }
            if let Some(fill) = &uses[i].fill {
                let (fill, chip) = (fill.transfer().chip(), uses[i].instruction.chip());
                if !fill.is_empty() && !chip.is_empty() && !is_same(fill, chip) {
                    return Err(SynthesisError::OtherChip { access: i as u32 + 1, chip, fill });
                }
            }
            i += 1;
        }
        let tile = self.recipe_tile;
        let Shape { rows, columns, bits } = tile;
        if bits == 0 {
            return Err(SynthesisError::Layout(Error::NoBits));
        }
        if rows as u64 * columns as u64 > 1 << MOST_BITS {
            let Shape { rows, columns, .. } = self.tile;
            return Err(SynthesisError::Coordinates { rows, columns });
        }
        let needs = Needs::of(uses);
        let banks = if needs.most_banks > 32 { [64, 32] } else { [32, 64] };
        let mut question = Question {
            base: self,
            uses,
            claims: Claims::NONE,
            steps: [AddressSteps::NONE; Claims::MOST],
            laid: Laid::NONE,
            unclaimed: 0,
            pack: match (needs.widest * 8).checked_div(bits) {
                Some(pack) => pack,
                None => 0,
            },
            banks,
            natural: [tile.layers_on(banks[0]), tile.layers_on(banks[1])],
            floor: 0,
            rival_floor: 0,
            unclaimed_floors: [0; 2],
            instructions: 0,
            prices: [Price::NONE; u64::BITS as usize],
            laid_units: BEGUN,
            known,
            plain: Candidate::new(
                self.layout(Spec::row_major()),
                0,
                (rows as u64 * columns as u64 * bits as u64).div_ceil(8),
            ),
            out: None,
        };
        // Most tiles and accesses do without a plan.
        let next = if needs.is_filled { 0 } else { question.add_in_order() };
        if next < uses.len() {
            attempt!(question.add_placed(next));
        }
        Ok(question)
    }
}

/// Lists that are kept of all accesses.
const MOST_LISTS: u64 = Shots::MOST as u64;

/// An access that does not fit the tile in order: on no layout, or on others perhaps.
const fn misfit_of(access: u32, misfit: AccessError) -> SynthesisError {
    match misfit {
        // Where an element is, and what is behind the last one, is the layout's.
        AccessError::BeyondSpace { .. } | AccessError::Address(AddressError::Misaligned { .. }) => {
            SynthesisError::MisfitInOrder { access, misfit }
        }
        _ => SynthesisError::Misfit { access, misfit },
    }
}

/// A tile and its uses, as the candidates are measured by.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a, 'u> {
    pub(crate) base: Base,
    pub(super) uses: &'a [Use<'u>],
    pub(super) claims: Claims,
    steps: [AddressSteps; Claims::MOST],
    /// Of a tile whose rows are contiguous.
    pub(super) laid: Laid,
    /// The uses that have no claim, as bits.
    unclaimed: u64,
    /// The packs that stay together, in elements.
    pub(super) pack: u32,
    /// The most banks of all, and the other number of 32 and 64; CK's MLdsLayer for each.
    pub(super) banks: [u32; 2],
    pub(super) natural: [u32; 2],
    pub(crate) floor: u64,
    /// The same as the other source counts it, where two disagree on a row.
    pub(super) rival_floor: u64,
    /// Of the floors the cycles of the uses without a claim.
    unclaimed_floors: [u64; 2],
    /// Wave instructions of all uses.
    instructions: u64,
    /// What each use costs; of the first 64, as those after them are never listed.
    prices: [Price; u64::BITS as usize],
    /// What it cost to lay the uses, in units.
    laid_units: u64,
    /// The verdict of whoever asks.
    known: Option<Known<'a, 'u>>,
    /// The tile in order; its address instructions are not counted yet. Of weight [`Candidate::OUT`] where some use
    /// does not fit it, and then why.
    pub(super) plain: Candidate,
    pub(super) out: Option<SynthesisError>,
}

impl Question<'_, '_> {
    /// Whether all uses have claims.
    pub(super) const fn is_linear(&self) -> bool {
        self.unclaimed == 0
    }

    /// Whether it is of columns that are contiguous.
    pub(crate) const fn is_by_columns(&self) -> bool {
        self.base.is_transposed()
    }

    /// The cycles without conflicts of the uses without a claim, by the rows and by the other sources.
    pub(super) const fn floors_of_unclaimed(&self) -> [u64; 2] {
        self.unclaimed_floors
    }

    pub(super) const fn instructions(&self) -> u64 {
        self.instructions
    }

    /// What it cost to lay the accesses over the tile, in units.
    pub(crate) const fn laid_units(&self) -> u64 {
        self.laid_units
    }

    /// What lists of some uses, as bits, cost.
    pub(super) const fn list_units(&self, uses: u64, together: Together) -> u64 {
        let (mut units, mut i) = (BEGUN, 0);
        while i < self.uses.len() && i < self.prices.len() {
            if uses >> i & 1 == 1 {
                units += match together {
                    Together::Moved => self.prices[i].moved,
                    // Classes are charged once they are counted.
                    Together::Numbered { .. } if self.uses[i].lanes.table_rows().is_empty() => 0,
                    _ => self.prices[i].apart,
                };
            }
            i += 1;
        }
        units
    }

    pub(super) const fn claims(&self) -> &Claims {
        &self.claims
    }

    pub(super) const fn claims_len(&self) -> usize {
        self.claims.len()
    }

    /// The tile in order; its address instructions are not counted.
    pub(super) const fn bare_plain(&self) -> Candidate {
        self.plain
    }

    /// A candidate with the cycles of each source, where some row is disputed.
    pub(super) const fn settled(&self, candidate: Candidate) -> Candidate {
        if !self.is_disputed() {
            return candidate;
        }
        // Lists have counted both.
        if candidate.is_by_source() {
            return candidate;
        }
        // Nothing conflicts by either source.
        if candidate.weight == self.floor {
            return candidate.by_source([self.floor, self.rival_floor]);
        }
        let Ok(plan) = candidate.layout.plan(self.base.tile) else { return candidate };
        match weight(&plan, self.base.tile.bits, self.uses) {
            Some(weight) => candidate.by_source(weight.by_source),
            None => candidate,
        }
    }

    /// Whether two sources disagree on the row of some use, and both count.
    pub(super) const fn is_disputed(&self) -> bool {
        let mut i = 0;
        while i < self.uses.len() {
            let row = self.uses[i].instruction;
            if row.rival().is_some() && !row.is_settled() {
                return true;
            }
            i += 1;
        }
        false
    }

    pub(super) const fn uses(&self) -> &[Use<'_>] {
        self.uses
    }

    /// The uses without a claim, as bits: of the first 64, as those after them never have one.
    pub(super) const fn unclaimed(&self) -> u64 {
        self.unclaimed
    }

    /// The tile in order, with what its addresses take.
    pub(crate) const fn plain(&self) -> Candidate {
        self.priced(self.plain)
    }

    /// Adds the first uses, as long as they can be described without a plan, and returns how many it added.
    const fn add_in_order(&mut self) -> usize {
        let Shape { rows, columns, bits } = self.base.tile;
        let along = if self.base.is_transposed() { 0 } else { 1 };
        let mut i = 0;
        while i < self.uses.len() {
            let Use { lanes, instruction, .. } = self.uses[i];
            match in_order([rows, columns], along, bits, lanes, instruction) {
                Some((walk, columns)) if self.claim(i, &columns, &walk, &[]) => {
                    self.charge(i, Price::claimed(&self.base, &walk, MOST_LISTS));
                    self.keep(i, &columns);
                }
                _ => break,
            }
            i += 1;
        }
        i
    }

    /// Adds the uses from one on, over the plan of the tile in order.
    const fn add_placed(&mut self, mut i: usize) -> Result<(), SynthesisError> {
        let Shape { bits, .. } = self.base.tile;
        let plan = attempt!(self.plain.layout.plan(self.base.tile) => SynthesisError::Layout);
        if let Some(error) = unfilled(&plan, bits, self.uses) {
            return Err(SynthesisError::Fill(error));
        }
        let digits = plan.digits();
        while i < self.uses.len() {
            attempt!(self.add(&plan, &digits, i));
            i += 1;
        }
        Ok(())
    }

    /// Keeps an access of which all instructions are alike, for the judge of a tile by rows.
    const fn keep(&mut self, i: usize, columns: &Columns) {
        if !self.base.is_transposed() {
            self.laid.keep(i, columns);
        }
    }

    /// What a use costs: to lay it at once, on lists where some are made.
    const fn charge(&mut self, i: usize, price: Price) {
        self.laid_units += price.laid;
        if i < self.prices.len() {
            self.prices[i] = price;
        }
    }

    /// Takes an access by its claim, if it has one and there are not too many.
    const fn claim(&mut self, i: usize, columns: &Columns, walk: &Walk, table: &[Row]) -> bool {
        let Use { instruction, times, .. } = self.uses[i];
        // Packs are aligned to themselves.
        if i >= Claims::MOST || columns.mask() & (instruction.bytes() - 1) != 0 {
            return false;
        }
        let times = walk.instructions() * times as u64;
        let Some(taken) = self.claims.add(columns, instruction, times) else { return false };
        self.floor += taken.floor;
        self.rival_floor += taken.rival_floor;
        self.instructions += walk.instructions();
        self.plain = self.plain.weighing_more(&taken.weight);
        self.steps[i] = AddressSteps::of(walk, table, &self.base, columns);
        true
    }

    /// Adds a use: what is wrong with it on any layout, its floor, its claim.
    const fn add(
        &mut self,
        plan: &Plan,
        digits: &Option<Digits>,
        i: usize,
    ) -> Result<(), SynthesisError> {
        let Use { lanes, instruction, times, .. } = self.uses[i];
        let access = i as u32 + 1;
        let placed =
            match Placed::with_digits(plan, *digits, self.base.tile.bits, lanes, instruction) {
                Ok(placed) => placed,
                Err(misfit) => return self.leave(i, misfit_of(access, misfit)),
            };
        let columns = columns(&placed, &mut self.laid_units);
        if let Some(columns) = columns
            && self.claim(i, &columns, placed.walk(), lanes.table_rows())
        {
            let price = if placed.alike().is_some() {
                self.keep(i, &columns);
                Price::claimed(&self.base, placed.walk(), MOST_LISTS)
            } else {
                Price::of(&self.base, &placed, MOST_LISTS).of_claim()
            };
            self.charge(i, price);
            return Ok(());
        }
        if i < u64::BITS as usize {
            self.unclaimed |= 1 << i;
        }
        let known = match &self.known {
            Some(known) => known.on(i),
            None => None,
        };
        let mut counted = 0;
        let verdict = match known {
            Some((verdict, by)) => {
                counted = by;
                Ok(*verdict)
            }
            None => placed.judged_counting(false, &mut counted),
        };
        let price = if counted > 0 {
            Price::of_table(&placed, counted)
        } else {
            Price::of(&self.base, &placed, MOST_LISTS)
        };
        self.charge(i, if known.is_some() { price.of_claim() } else { price });
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(misfit) => return self.leave(i, misfit_of(access, misfit)),
        };
        if let Some([one, other]) = verdict.conflicts().race {
            let lanes = [one as u32, other as u32];
            // Without a second address the lanes touch the same elements, wherever these are.
            return match instruction.parts() {
                1 => Err(SynthesisError::Race { access, lanes }),
                _ => self.leave(i, SynthesisError::RaceInOrder { access, lanes }),
            };
        }
        self.count(&verdict, placed.instructions(), times as u64);
        self.plain = self.plain.weighing_more(&Weight::of(&verdict, times));
        Ok(())
    }

    /// Counts an access without a claim, as it is where nothing conflicts.
    const fn count(&mut self, verdict: &Verdict, instructions: u64, times: u64) {
        let [floor, rival] = [verdict.base_cycles() * times, verdict.rival_base_cycles() * times];
        self.floor += floor;
        self.rival_floor += rival;
        self.unclaimed_floors[0] += floor;
        self.unclaimed_floors[1] += rival;
        self.instructions += instructions;
    }

    /// Leaves the tile in order out, which a use does not fit, if some pad bears it: the second address of an
    /// instruction is equally far behind the first on each layout, but lies elsewhere in each.
    const fn leave(&mut self, i: usize, error: SynthesisError) -> Result<(), SynthesisError> {
        if !matches!(
            error,
            SynthesisError::MisfitInOrder { .. } | SynthesisError::RaceInOrder { .. }
        ) {
            return Err(error);
        }
        let tile = self.base.tile;
        let Use { lanes, instruction, times, .. } = self.uses[i];
        let (step, round) = (tile.pad_step(self.uses), tile.pad_round(self.uses));
        let mut pad = step;
        while step > 0 && pad < round {
            self.laid_units += BEGUN;
            let Ok(plan) = self.base.layout(Spec::row_pad(pad)).plan(tile) else {
                return Err(error);
            };
            pad += step;
            let Ok(placed) = Placed::new(&plan, tile.bits, lanes, instruction) else { continue };
            self.laid_units += Price::of(&self.base, &placed, MOST_LISTS).laid;
            if let Ok(verdict) = placed.judged(false)
                && verdict.conflicts().race.is_none()
            {
                self.count(&verdict, placed.instructions(), times as u64);
                self.plain.weight = Candidate::OUT;
                if i < u64::BITS as usize {
                    self.unclaimed |= 1 << i;
                }
                self.out = Some(error);
                return Ok(());
            }
        }
        Err(error)
    }

    /// One of them with its costs; `None` if the tile has no such layout, or if it takes more than `most` cycles.
    pub(crate) const fn recipe(&self, recipe: Spec, most: u64) -> Option<Candidate> {
        if !self.is_linear() || matches!(recipe.scheme(), Scheme::RotatedRows) {
            return match self.candidate(self.base.layout(recipe)) {
                Some(candidate) if candidate.weight <= most => Some(candidate),
                _ => None,
            };
        }
        self.recipe_of_claims(recipe, most)
    }

    /// The same by the uses that have claims.
    pub(super) const fn recipe_of_claims(&self, recipe: Spec, most: u64) -> Option<Candidate> {
        let layers = recipe.layers(self.base.recipe_tile);
        let layout = self.base.layout(recipe);
        let Some(layering) = Layering::new(self.base.recipe_tile, self.pack, layers) else {
            return None;
        };
        let rivals = self.claims.rival_cycles();
        let most = most.saturating_add(rivals);
        let cycles = layering.cycles(&self.claims, most);
        if cycles > most {
            return None;
        }
        Some(self.swizzled(layout, cycles - rivals))
    }

    /// A layout with its costs; `None` if it cannot be, or not hold the accesses.
    pub(crate) const fn candidate(&self, layout: Spec) -> Option<Candidate> {
        let Some(candidate) = self.unpriced(layout) else { return None };
        Some(self.priced(candidate))
    }

    /// The same without its address instructions, which are as much work as the cycles where the layout is
    /// not linear.
    pub(super) const fn unpriced(&self, layout: Spec) -> Option<Candidate> {
        if self.pack == 0 {
            return None;
        }
        let Ok(plan) = layout.plan(self.base.tile) else { return None };
        if unfilled(&plan, self.base.tile.bits, self.uses).is_some() {
            return None;
        }
        let Some(weight) = weight(&plan, self.base.tile.bits, self.uses) else { return None };
        let bytes = (plan.element_space() * self.base.tile.bits as u64).div_ceil(8);
        Some(Candidate::new(layout, weight.sum, bytes).by_source(weight.by_source))
    }

    /// A candidate with its address instructions, if they were not counted yet.
    pub(super) const fn priced(&self, candidate: Candidate) -> Candidate {
        if candidate.address_instructions > 0 {
            return candidate;
        }
        let address_instructions = self.addresses(candidate.layout);
        Candidate { address_instructions, ..candidate }
    }

    /// The same of a swizzle, if the effort reaches.
    pub(super) const fn price(&self, candidate: &mut Candidate, effort: &mut Effort) -> bool {
        if candidate.address_instructions == 0 {
            let (mut accesses, mut i) = (0, 0);
            while i < self.uses.len() && i < self.steps.len() {
                accesses += self.steps[i].len() as u64;
                i += 1;
            }
            if !effort.allows(accesses * ADDRESSED) {
                return false;
            }
            *candidate = self.priced(*candidate);
        }
        true
    }

    /// A swizzle whose cycles are known; it takes no byte more than the plain tile.
    pub(super) const fn swizzled(&self, layout: Spec, weight: u64) -> Candidate {
        Candidate::new(layout, weight, self.plain.bytes)
    }

    /// What was found for the uses that have claims, with the cycles of all.
    pub(super) const fn of_all(&self, found: Candidate) -> Option<Candidate> {
        if self.is_linear() { Some(found) } else { self.candidate(found.layout) }
    }

    /// Rows, or columns, with elements after each.
    pub(crate) const fn pad(&self, elements: u32) -> Option<Candidate> {
        self.candidate(self.base.layout(Spec::row_pad(elements)))
    }

    /// Address instructions of all uses; 0 of a layout that cannot be.
    const fn addresses(&self, layout: Spec) -> u32 {
        let tile = self.base.tile;
        if self.is_linear()
            && let Some(masked) = layout.masked(tile)
        {
            let (terms, mut sum, mut i) = (masked.terms(), 0, 0);
            while i < self.uses.len() && i < self.steps.len() {
                sum += self.steps[i].instructions(self.uses[i].instruction, &masked, terms);
                i += 1;
            }
            return sum;
        }
        match layout.plan(tile) {
            Ok(plan) => addresses(tile, layout, &plan, self.uses),
            Err(_) => 0,
        }
    }
}

/// Address instructions of uses that a layout holds.
const fn addresses(tile: Shape, layout: Spec, plan: &Plan, uses: &[Use<'_>]) -> u32 {
    let (terms, mut sum, mut i) = (layout.terms(tile), 0, 0);
    while i < uses.len() {
        let Use { lanes, instruction, .. } = uses[i];
        if let Ok(placed) = Placed::new(plan, tile.bits, lanes, instruction) {
            sum += match placed.routed() {
                Ok(addressing) => addressing.instructions(terms as usize) as u32,
                // More than are looked at: each may be computed.
                Err(_) => placed.accesses() as u32 * terms,
            };
        }
        i += 1;
    }
    sum
}

impl Shape {
    /// What [`Candidate::address_instructions`] says, of these uses alone: of several chips a kernel is compiled for
    /// one. Of any number of accesses; `None` if the tile has no such layout, if it does not hold the uses, or if one
    /// needs more than 64 address registers.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, gfx950};
    /// use tiledesc::{pattern::Lanes, search::{Shape, Spec, Use}};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let [one, other] = [&gfx942::ds_read_b128, &gfx950::ds_read_b128].map(|row| Use::new(Lanes::rows(16), row));
    /// let candidates = tile.candidates(&[one, other])?;
    /// let best = candidates.as_slice()[0];
    /// assert_eq!(best.address_instructions(), 8);
    /// assert_eq!(tile.address_instructions(best.layout(), &[one]), Some(4));
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    #[must_use]
    pub const fn address_instructions(self, layout: Spec, uses: &[Use<'_>]) -> Option<u32> {
        let Ok(plan) = layout.plan(self) else { return None };
        let (terms, mut sum, mut i) = (layout.terms(self), 0, 0);
        while i < uses.len() {
            let Use { lanes, instruction, .. } = uses[i];
            let Ok(placed) = Placed::new(&plan, self.bits, lanes, instruction) else { return None };
            match placed.address_instructions(terms) {
                Some(more) => sum += more,
                None => return None,
            }
            i += 1;
        }
        Some(sum)
    }
}
