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
use super::error::{MOST_BITS, SynthesisError};
use super::laid::Laid;
use super::masks::{Layering, Masked};
use super::places::Places;
use super::remedy::MOST_LAYERS;
use super::shape::{Needs, Shape, Use, unfilled};
use super::spec::{Scheme, Spec};
use super::steps::AddressSteps;
use crate::access::columns::Columns;
use crate::access::error::AccessError;
use crate::access::in_order::in_order;
use crate::access::placed::Placed;
use crate::access::refusal::AddressError;
use crate::distribution::Walk;
use crate::pattern::Row;
use tiledesc_transforms::{Digits, Error, List, Plan, Text, attempt, say};

/// What is known of the layouts that were not chosen.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, search::{Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// assert_eq!(tile.synthesize(&[read])?.optimality(), tiledesc::search::Optimality::Floor);
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimality {
    /// The cycles are those of the instructions without any conflict: no layout of any kind
    /// takes fewer with these instructions.
    Floor,
    /// No linear layout of packs as wide as the widest access takes fewer, all of them considered.
    Linear,
    /// No masks over packs take fewer, nor over lines of rows that fill all banks more than
    /// once, all of them considered.
    Exhausted,
    /// The least of those tried: masks were not searched, or the search was cut at 20,000 nodes.
    Open,
}

impl Optimality {
    /// The sentence, where the floor is so many cycles.
    ///
    /// ```
    /// use tiledesc::search::Optimality;
    ///
    /// let text = Optimality::Linear.text(16);
    /// assert_eq!(text.as_str(), "floor 16: no linear layout of packs does better");
    /// ```
    #[must_use]
    pub const fn text(self, floor: u64) -> Text {
        self.explain(Text::new(), floor)
    }

    /// Appends the same.
    pub(crate) const fn explain(self, text: Text, floor: u64) -> Text {
        let known = match self {
            Self::Floor => return text.str("the floor: no layout does better"),
            Self::Linear => "no linear layout of packs does better",
            Self::Exhausted => "no masks over packs do better",
            Self::Open => "the least of those tried",
        };
        say!(text: "floor ", floor, ": ", str(known))
    }
}

impl Shape {
    /// What the uses ask of columns that are contiguous, where the best by rows has conflicts and no
    /// access needs rows to be.
    pub(crate) const fn other_question<'a, 'u>(
        self,
        uses: &'a [Use<'u>],
        best: &Candidate,
        floor: u64,
    ) -> Option<Question<'a, 'u>> {
        if best.cycles == floor || best.layout.is_transposed() {
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
        let rows = match Base::rows(self).question(uses) {
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
    const fn question<'a, 'u>(
        self,
        uses: &'a [Use<'u>],
    ) -> Result<Question<'a, 'u>, SynthesisError> {
        if uses.is_empty() {
            return Err(SynthesisError::NoUse);
        }
        let mut i = 0;
        while i < uses.len() {
            if uses[i].times == 0 {
                return Err(SynthesisError::Unweighted { access: i as u32 + 1 });
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
            is_linear: true,
            pack: match (needs.widest * 8).checked_div(bits) {
                Some(pack) => pack,
                None => 0,
            },
            banks,
            natural: [tile.layers_on(banks[0]), tile.layers_on(banks[1])],
            floor: 0,
            plain: Candidate {
                layout: self.layout(Spec::row_major()),
                cycles: 0,
                bytes: (rows as u64 * columns as u64 * bits as u64).div_ceil(8),
                address_instructions: 0,
            },
        };
        // Most tiles and accesses do without a plan.
        let next = if needs.is_filled { 0 } else { question.add_in_order() };
        if next < uses.len() {
            attempt!(question.add_placed(next));
        }
        Ok(question)
    }
}

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
    uses: &'a [Use<'u>],
    claims: Claims,
    steps: [AddressSteps; Claims::MOST],
    /// Of a tile whose rows are contiguous.
    pub(super) laid: Laid,
    /// Whether all uses have claims.
    is_linear: bool,
    /// The packs that stay together, in elements.
    pack: u32,
    /// The most banks of all, and the other number of 32 and 64; CK's MLdsLayer for each.
    banks: [u32; 2],
    natural: [u32; 2],
    pub(crate) floor: u64,
    /// The tile in order; its address instructions are not counted yet.
    plain: Candidate,
}

/// The least candidate so far, if there is one, of at most so many cycles.
#[derive(Clone, Copy)]
struct Best {
    candidate: Option<Candidate>,
    most: u64,
}

impl Best {
    /// The cycles that a further one may have.
    const fn most(&self) -> u64 {
        match &self.candidate {
            Some(candidate) => candidate.cycles,
            None => self.most,
        }
    }

    /// The cycles that masks must stay below: one of as many comes too late.
    const fn below(&self) -> u64 {
        match &self.candidate {
            Some(candidate) => candidate.cycles,
            None => self.most.saturating_add(1),
        }
    }

    const fn is_above(&self, floor: u64) -> bool {
        self.below() > floor
    }

    /// Whether it has no conflict, and no address instructions beyond these.
    const fn is_least(&self, floor: u64, addresses: u32) -> bool {
        match &self.candidate {
            Some(best) => best.cycles == floor && best.address_instructions <= addresses,
            None => false,
        }
    }

    /// Of both the lesser.
    const fn or(self, other: Option<Candidate>) -> Self {
        match (&self.candidate, &other) {
            (Some(best), Some(candidate)) if !candidate.is_less(best) => self,
            (_, Some(_)) => Self { candidate: other, ..self },
            (_, None) => self,
        }
    }
}

impl Question<'_, '_> {
    /// The tile in order, with what its addresses take.
    pub(crate) const fn plain(&self) -> Candidate {
        let mut plain = self.plain;
        if let Ok(plan) = plain.layout.plan(self.base.tile) {
            plain.address_instructions = self.addresses(plain.layout, &plan);
        }
        plain
    }

    /// Adds the first uses, as far as they are known without a plan; how many these are.
    const fn add_in_order(&mut self) -> usize {
        let Shape { rows, columns, bits } = self.base.tile;
        let along = if self.base.is_transposed() { 0 } else { 1 };
        let mut i = 0;
        while i < self.uses.len() {
            let Use { lanes, instruction, .. } = self.uses[i];
            match in_order([rows, columns], along, bits, lanes, instruction) {
                Some((walk, columns)) if self.claim(i, &columns, &walk, &[]) => {
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
        self.plain.cycles += taken.cycles;
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
                Err(misfit) => return Err(misfit_of(access, misfit)),
            };
        if let Some(columns) = columns(&placed)
            && self.claim(i, &columns, placed.walk(), lanes.table_rows())
        {
            if placed.alike().is_some() {
                self.keep(i, &columns);
            }
            return Ok(());
        }
        let times = times as u64;
        self.is_linear = false;
        let verdict = match placed.verdict() {
            Ok(verdict) => verdict,
            Err(misfit) => return Err(misfit_of(access, misfit)),
        };
        if let Some([one, other]) = verdict.conflicts().race {
            let lanes = [one as u32, other as u32];
            // Without a second address the lanes touch the same elements, wherever these are.
            return Err(match instruction.parts() {
                1 => SynthesisError::Race { access, lanes },
                _ => SynthesisError::RaceInOrder { access, lanes },
            });
        }
        self.floor += verdict.base_cycles() * times;
        self.plain.cycles += match cycles_of(plan, digits, self.base.tile.bits, &self.uses[i]) {
            Some(cycles) => cycles,
            None => 0,
        };
        Ok(())
    }

    /// The least of all candidates.
    pub(crate) const fn answer(&self) -> (Candidate, Optimality) {
        // First what reaches the floor: all else is left at its first conflict.
        let at_floor = if self.is_linear { self.swizzle(0, self.floor) } else { (None, false) };
        if let (Some(best), _) = at_floor {
            return (best, Optimality::Floor);
        }
        let least = match self.places() {
            Some(places) => places.least(self.claims.as_slice()) - self.claims.rival_cycles(),
            None => u64::MAX,
        };
        if least == self.floor
            && let (Some(best), _) = self.linear(self.floor + 1)
        {
            return (best, Optimality::Floor);
        }
        self.above_floor(least)
    }

    /// The least where no swizzle is at the floor, and no linear layout takes fewer cycles than `least`.
    const fn above_floor(&self, least: u64) -> (Candidate, Optimality) {
        let (mut best, is_cut) = match self.swizzle(self.floor + 1, u64::MAX) {
            (Some(best), is_cut) => (best, is_cut),
            (None, is_cut) => (self.plain(), is_cut),
        };
        let mut optimality = match is_cut || !self.is_linear {
            true => Optimality::Open,
            false => Optimality::Exhausted,
        };
        if best.cycles == least {
            optimality = Optimality::Linear;
        } else if least < best.cycles {
            let (found, is_cut) = self.linear(best.cycles);
            if let Some(found) = found {
                best = found;
            }
            if !is_cut {
                optimality = Optimality::Linear;
            }
        }
        if best.cycles > self.floor {
            self.pads(&mut best);
        }
        if best.cycles == self.floor { (best, Optimality::Floor) } else { (best, optimality) }
    }

    /// The bits that any linear layout of packs places, where there are such layouts.
    const fn places(&self) -> Option<Places> {
        if !self.is_linear {
            return None;
        }
        Places::of(&self.claims, self.base.recipe_tile, self.pack)
    }

    /// Of all linear layouts of packs that of the fewest cycles below so many, and whether others were
    /// left out.
    pub(crate) const fn linear(&self, below: u64) -> (Option<Candidate>, bool) {
        let Some(places) = self.places() else { return (None, true) };
        let (claims, below) = (&self.claims, below.saturating_add(self.claims.rival_cycles()));
        let found = places.search(claims.as_slice(), below);
        if found.cycles.is_none() {
            return (None, found.is_cut);
        }
        let pack = places.pack(self.base.recipe_tile.bits);
        let layout = Spec::linear_packs(pack, found.columns);
        let candidate = self.candidate(self.base.layout(layout));
        (candidate, found.is_cut || candidate.is_none())
    }

    /// The least of the recipes and masks of at most so many cycles, and whether the search was
    /// cut; nothing takes fewer than `least`.
    const fn swizzle(&self, least: u64, most: u64) -> (Option<Candidate>, bool) {
        let plain = if self.plain.cycles <= most { Some(self.plain()) } else { None };
        let (mut best, mut next) = (Best { candidate: plain, most }, 0);
        // A swizzle has a term more than the plain tile; with no further address it is the least.
        let terms = (Spec::row_major().terms(self.base.recipe_tile) + 1) * self.uses.len() as u32;
        let ready = self.ready_made();
        while next < ready.len() && !best.is_least(self.floor, terms) {
            if let Some(recipe) = ready[next] {
                best = best.or(self.recipe(recipe, best.most()));
            }
            next += 1;
        }
        let (mut number, mut is_cut) = (self.searches(), false);
        while number > 0 && best.is_above(self.floor) {
            number -= 1;
            if let Some((found, cut)) = self.searched(number, least, best.below()) {
                is_cut = is_cut || cut;
                best = best.or(found);
            }
        }
        (best.candidate, is_cut)
    }

    /// The recipes that need no search: xors of a single shift, and the rotation.
    pub(crate) const fn ready_made(&self) -> [Option<Spec>; 7] {
        let (pack, [natural, other]) = (self.pack, self.natural);
        let mut ready =
            [Some(gemm_xor_on(self.banks[0], pack)), None, None, None, None, None, None];
        if other != natural {
            ready[1] = Some(gemm_xor_on(self.banks[1], pack));
        }
        let (mut layers, mut i) = (1, 2);
        while layers <= MOST_LAYERS {
            if layers != natural && layers != other {
                ready[i] = Some(Spec::gemm_xor_layer(pack, layers));
            }
            layers *= 2;
            i += 1;
        }
        // Where rows are packs in a power of two a xor does the same with fewer instructions.
        if pack > 0 && !(self.base.recipe_tile.columns / pack).is_power_of_two() {
            ready[6] = Some(Spec::row_shift(pack));
        }
        ready
    }

    /// One of them with its costs; `None` if it is not of this tile, or above so many cycles.
    pub(crate) const fn recipe(&self, recipe: Spec, most: u64) -> Option<Candidate> {
        let layers = recipe.layers(self.base.recipe_tile);
        let layout = self.base.layout(recipe);
        if !self.is_linear || matches!(recipe.scheme(), Scheme::RotatedRows) {
            return self.candidate(layout);
        }
        let Some(layering) = Layering::new(self.base.recipe_tile, self.pack, layers) else {
            return None;
        };
        let rivals = self.claims.rival_cycles();
        let most = most.saturating_add(rivals);
        let cycles = layering.cycles(&self.claims, most);
        if cycles > most {
            return None;
        }
        let masks = layering.single_bits();
        Some(self.masked(layout, &Masked { layering: Some(layering), masks }, cycles - rivals))
    }

    /// A layout with its costs; `None` if it cannot be, or not hold the accesses.
    pub(crate) const fn candidate(&self, layout: Spec) -> Option<Candidate> {
        if self.pack == 0 {
            return None;
        }
        let Ok(plan) = layout.plan(self.base.tile) else { return None };
        if unfilled(&plan, self.base.tile.bits, self.uses).is_some() {
            return None;
        }
        let Some(cycles) = cycles(&plan, self.base.tile.bits, self.uses) else { return None };
        Some(Candidate {
            layout,
            cycles,
            bytes: (plan.element_space() * self.base.tile.bits as u64).div_ceil(8),
            address_instructions: self.addresses(layout, &plan),
        })
    }

    /// A swizzle whose cycles are known; it takes no byte more than the plain tile.
    const fn masked(&self, layout: Spec, masked: &Masked, cycles: u64) -> Candidate {
        let (terms, mut address_instructions, mut i) = (masked.terms(), 0, 0);
        while i < self.uses.len() {
            let row = self.uses[i].instruction;
            address_instructions += self.steps[i].instructions(row, masked, terms);
            i += 1;
        }
        Candidate { layout, cycles, address_instructions, ..self.plain }
    }

    /// The end of the bits that choose a bank, of all accesses: 0 where masks are not searched.
    const fn bank_bits_end(&self) -> u32 {
        if self.is_linear { self.claims.bank_bits() + 1 } else { 0 }
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
        least: u64,
        below: u64,
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
        let (found, masks) = layering.least(&self.claims, within);
        let candidate = match found.cycles {
            Some(cycles) => {
                let masked = Masked { layering: Some(layering), masks };
                let layout = self.base.layout(layout.with_list(masks));
                Some(self.masked(layout, &masked, cycles - rivals))
            }
            None => None,
        };
        Some((candidate, found.is_cut))
    }

    /// The rows that fill 2^`bank_bits` banks; `None` if no access has so many, or if as many rows fill a
    /// larger number of banks that an access has.
    const fn layers_on(&self, bank_bits: u32) -> Option<u32> {
        if !self.claims.has_bank_bits(bank_bits) {
            return None;
        }
        let (layers, mut more) = (self.base.recipe_tile.layers_on(1 << bank_bits), bank_bits + 1);
        while more < self.bank_bits_end() {
            if self.claims.has_bank_bits(more)
                && self.base.recipe_tile.layers_on(1 << more) == layers
            {
                return None;
            }
            more += 1;
        }
        Some(layers)
    }

    /// The lines of 2^`bank_bits` banks that a row fills; `None` if no access has so many banks, or if a
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

    /// Rows, or columns, with elements after each.
    pub(crate) const fn pad(&self, elements: u32) -> Option<Candidate> {
        self.candidate(self.base.layout(Spec::row_pad(elements)))
    }

    /// Tries the row pads, up to one round of all banks.
    const fn pads(&self, best: &mut Candidate) {
        let (step, round) =
            (self.base.tile.pad_step(self.uses), self.base.tile.pad_round(self.uses));
        let mut elements = step;
        while step > 0 && elements < round {
            if let Some(candidate) = self.pad(elements)
                && candidate.is_less(best)
            {
                *best = candidate;
            }
            elements += step;
        }
    }

    /// Address instructions of all uses.
    const fn addresses(&self, layout: Spec, plan: &Plan) -> u32 {
        if self.is_linear
            && let Some(masked) = layout.masked(self.base.tile)
        {
            return self.masked(layout, &masked, 0).address_instructions;
        }
        let (mut sum, mut i) = (0, 0);
        while i < self.uses.len() {
            let Use { lanes, instruction, .. } = self.uses[i];
            if let Ok(placed) = Placed::new(plan, self.base.tile.bits, lanes, instruction) {
                sum += match placed.routed() {
                    Ok(addressing) => {
                        addressing.instructions(layout.terms(self.base.tile) as usize) as u32
                    }
                    // More than are looked at: each may be computed.
                    Err(_) => placed.accesses() as u32 * layout.terms(self.base.tile),
                };
            }
            i += 1;
        }
        sum
    }
}

/// CK's xor recipe for a chip of so many banks.
const fn gemm_xor_on(banks: u32, pack: u32) -> Spec {
    if banks == 64 { Spec::gemm_xor_64(pack) } else { Spec::gemm_xor(pack) }
}

/// The cycles of all uses of a layout; `None` if it does not hold one.
pub(crate) const fn cycles(plan: &Plan, bits: u32, uses: &[Use<'_>]) -> Option<u64> {
    let (digits, mut sum, mut i) = (plan.digits(), 0, 0);
    while i < uses.len() {
        match cycles_of(plan, &digits, bits, &uses[i]) {
            Some(cycles) => sum += cycles,
            None => return None,
        }
        i += 1;
    }
    Some(sum)
}

/// Those of one, and where two sources disagree the conflicts of the other too.
const fn cycles_of(
    plan: &Plan,
    digits: &Option<Digits>,
    bits: u32,
    access: &Use<'_>,
) -> Option<u64> {
    let Use { lanes, instruction: row, times, .. } = *access;
    let Ok(placed) = Placed::with_digits(plan, *digits, bits, lanes, row) else { return None };
    let Ok(verdict) = placed.verdict() else { return None };
    let mut cycles = verdict.active_cycles();
    if row.rival().is_some() && !row.is_settled() && !verdict.is_free() {
        let rival = row.as_rival();
        let placed = Placed::with_digits(plan, *digits, bits, lanes, &rival);
        let Ok(placed) = placed else { return None };
        let Ok(verdict) = placed.verdict() else { return None };
        cycles += verdict.conflict_cycles();
    }
    Some(cycles * times as u64)
}
