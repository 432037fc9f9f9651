//! Which layout costs least: for a tile and everything that a kernel does to it.
//!
//! ```text
//!   128x32 halves on gfx950: written row by row, read as operands of 16 rows and of 32 rows
//!
//!   recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>
//!   48 cycles, the floor: no layout does better
//! ```
//!
//! | candidate, in this order | cycles by |
//! |---|---|
//! | row by row | rank |
//! | [`GemmXor`](struct@crate::recipe::GemmXor), [`GemmXor64`](struct@crate::recipe::GemmXor64), [`GemmXorLayer`](struct@crate::recipe::GemmXorLayer) of 1, 2, 4, 8 | rank |
//! | [`GemmXorBits`](struct@crate::recipe::GemmXorBits), all masks | rank, by a search that ends with a proof |
//! | [`RowPad`](struct@crate::recipe::RowPad), [`RowShift`](struct@crate::recipe::RowShift) | verdict |
//! | each of these in a [`Transposed`](crate::recipe::Transposed): where some access moves several elements of a column, these alone; where each moves one and rows have conflicts, these too | as it is |
//!
//! The least is that of the fewest cycles; of those of the fewest bytes, of those of the fewest
//! address instructions, of those the first. Whatever is found, the analyzer judges before it is
//! handed out: the search proposes, [`Verdict`](crate::Verdict) decides.
//!
//! Where lanes are no xor of columns (lengths that are no powers of two, inactive lanes, tables)
//! every candidate is judged by its verdict, and masks are not searched.

use super::base::Base;
use super::claims::{Claims, columns};
pub use super::fill::Fill;
use super::masks::{Layering, Masked};
use super::remedy::{MOST_LAYERS, Remedy};
pub use super::shape::{Shape, Use};
use super::shape::{most_banks, unfilled, widest};
use super::steps::Steps;
use crate::access::direct::DirectError;
use crate::access::error::AccessError;
use crate::access::placed::Placed;
use tiledesc_transforms::{Digits, Error, List, Plan, Text, attempt, say};

/// A layout with what it costs.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, remedy::{Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// let all = tile.candidates(&[read])?;
/// let least = all.as_slice()[0];
/// assert_eq!((least.cycles(), least.bytes()), (8, 16_384));
/// # Ok::<(), tiledesc::synthesis::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    layout: Remedy,
    cycles: u64,
    bytes: u64,
    address_instructions: u32,
}

impl Candidate {
    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> Remedy {
        self.layout
    }

    /// Cycles of all accesses; where two sources disagree on a row, with the conflicts of both.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Bytes of the layout.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Address instructions of one lane for all accesses, each once: an address takes as many as
    /// the offset has terms, one that is a xor away takes one, and a constant of the instruction none.
    #[must_use]
    pub const fn address_instructions(&self) -> u32 {
        self.address_instructions
    }

    /// Whether it comes before another: fewer cycles, bytes, address instructions.
    pub(crate) const fn is_less(&self, other: &Self) -> bool {
        if self.cycles != other.cycles {
            return self.cycles < other.cycles;
        }
        if self.bytes != other.bytes {
            return self.bytes < other.bytes;
        }
        self.address_instructions < other.address_instructions
    }
}

/// What is known of the layouts that were not chosen.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, remedy::{Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// assert_eq!(tile.synthesize(&[read])?.optimality(), tiledesc::synthesis::Optimality::Floor);
/// # Ok::<(), tiledesc::synthesis::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimality {
    /// The cycles are those of the instructions without any conflict: no layout of any kind
    /// takes fewer with these instructions.
    Floor,
    /// No masks over rows of packs take fewer, all of them considered.
    Exhausted,
    /// The least of those tried: masks were not searched, or the search was cut at 20,000 nodes.
    Open,
}

/// The layout of the fewest cycles that was found, and what its cycles say of all others.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, remedy::{Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// let found = tile.synthesize(&[read])?;
/// assert_eq!((found.cycles(), found.floor()), (8, 8));
/// # Ok::<(), tiledesc::synthesis::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Synthesis {
    tile: Shape,
    best: Candidate,
    layers: u32,
    masks: List,
    floor: u64,
    optimality: Optimality,
}

/// Why there is nothing to search for.
///
/// Its `Display` is the sentence that the compiler prints for the same mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SynthesisError {
    /// No access: every layout is free.
    NoUse,
    /// A tile of more elements than 20 bits count.
    Coordinates {
        /// Rows.
        rows: u32,
        /// Columns.
        columns: u32,
    },
    /// The tile itself cannot be.
    Layout(Error),
    /// An access does not fit the tile, whatever the layout.
    Misfit {
        /// Its number, from 1.
        access: u32,
        /// Why.
        misfit: AccessError,
    },
    /// Two lanes write the same byte, whatever the layout.
    Race {
        /// Its number, from 1.
        access: u32,
        /// The lanes.
        lanes: [u32; 2],
    },
    /// A direct load cannot fill the tile row by row, and so no swizzle of it.
    Fill(DirectError),
    /// One access moves several elements of a row, another several of a column.
    Crossed {
        /// The number of the one along a row, from 1.
        along: u32,
        /// The number of the one down a column, from 1.
        down: u32,
    },
}

/// Bits of coordinates: more than any chip's memory has.
const MOST_BITS: u32 = 20;

impl Shape {
    /// The layout of this tile that costs least in all uses together.
    ///
    /// ```
    /// use tiledesc::synthesis::{Optimality, Shape, Use};
    /// use tiledesc::{chip::gfx950, pattern::Lanes};
    ///
    /// let tile = Shape { rows: 128, columns: 32, bits: 16 };
    /// let found = tile.synthesize(&[
    ///     Use::new(Lanes::row_major(), &gfx950::ds_write_b128),
    ///     Use::new(Lanes::rows(16), &gfx950::ds_read_b128),
    ///     Use::new(Lanes::rows(32), &gfx950::ds_read_b128).times(4),
    /// ])?;
    /// assert_eq!(
    ///     found.to_string(),
    ///     "recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>: \
    ///      28 cycles, the floor: no layout does better"
    /// );
    /// assert_eq!((found.cycles(), found.floor()), (28, 28));
    /// assert_eq!((found.layers(), found.masks().as_slice()), (4, &[3, 2][..]));
    /// assert_eq!(found.plan()?.offset(&[4, 0]), Ok(128 + 3 * 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SynthesisError`].
    pub const fn synthesize(self, uses: &[Use<'_>]) -> Result<Synthesis, SynthesisError> {
        let found = attempt!(self.propose(uses));
        // By rank the cycles are known; the verdict counts them once more.
        let judged = match found.plan() {
            Ok(plan) if unfilled(&plan, self.bits, uses).is_some() => None,
            Ok(plan) => cycles(&plan, self.bits, uses),
            Err(_) => None,
        };
        match judged {
            Some(judged) if judged == found.best.cycles => Ok(found),
            Some(cycles) => {
                let best = Candidate { cycles, ..found.best };
                Ok(Synthesis { best, optimality: Optimality::Open, ..found })
            }
            None => {
                let plain = attempt!(self.question(uses)).plain();
                Ok(Synthesis::new(self, plain, found.floor, Optimality::Open))
            }
        }
    }

    /// The same, not yet judged: for a statement, which judges it.
    #[doc(hidden)]
    pub const fn propose(self, uses: &[Use<'_>]) -> Result<Synthesis, SynthesisError> {
        let question = attempt!(self.question(uses));
        let found = question.found();
        match self.other_question(uses, &found.best, found.floor) {
            Some(question) => Ok(found.or(question.found())),
            None => Ok(found),
        }
    }

    /// What the uses ask of columns that are contiguous, where the best by rows has conflicts and no
    /// access needs rows to be.
    pub(crate) const fn other_question<'a, 'u>(
        self,
        uses: &'a [Use<'u>],
        best: &Candidate,
        floor: u64,
    ) -> Option<Question<'a, 'u>> {
        if best.cycles == floor || best.layout.is_by_columns() {
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
        let tile = self.recipe_tile();
        let Shape { rows, columns, bits } = tile;
        if rows as u64 * columns as u64 > 1 << MOST_BITS {
            let Shape { rows, columns, .. } = self.tile;
            return Err(SynthesisError::Coordinates { rows, columns });
        }
        let in_order = self.layout(Remedy::InOrder);
        let plan = attempt!(in_order.plan(self.tile) => SynthesisError::Layout);
        let (banks, line) = if most_banks(uses) > 32 { ([64, 32], 6) } else { ([32, 64], 5) };
        let mut question = Question {
            tile: self.tile,
            base: self,
            recipe_tile: tile,
            uses,
            claims: Claims::NONE,
            steps: [Steps::NONE; Claims::MOST],
            is_linear: true,
            pack: match (widest(uses) * 8).checked_div(bits) {
                Some(pack) => pack,
                None => 0,
            },
            banks,
            natural: [layers_of(tile, line), layers_of(tile, 11 - line)],
            floor: 0,
            plain: Candidate {
                layout: in_order,
                cycles: 0,
                bytes: (plan.element_space() * bits as u64).div_ceil(8),
                address_instructions: 0,
            },
        };
        if let Some(error) = unfilled(&plan, bits, uses) {
            return Err(SynthesisError::Fill(error));
        }
        let (digits, mut i) = (plan.digits(), 0);
        while i < uses.len() {
            attempt!(question.add(&plan, &digits, i));
            i += 1;
        }
        Ok(question)
    }
}

/// A tile and its uses, as the candidates are measured by.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a, 'u> {
    tile: Shape,
    base: Base,
    /// The tile that recipes are of.
    recipe_tile: Shape,
    uses: &'a [Use<'u>],
    claims: Claims,
    steps: [Steps; Claims::MOST],
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
    /// What was found, not judged yet.
    const fn found(&self) -> Synthesis {
        let (best, optimality) = self.answer();
        Synthesis::new(self.tile, best, self.floor, optimality)
    }

    /// The tile in order, with what its addresses take.
    pub(crate) const fn plain(&self) -> Candidate {
        let mut plain = self.plain;
        if let Ok(plan) = plain.layout.plan(self.tile) {
            plain.address_instructions = self.addresses(plain.layout, &plan);
        }
        plain
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
        let placed = match Placed::with_digits(plan, *digits, self.tile.bits, lanes, instruction) {
            Ok(placed) => placed,
            Err(misfit) => return Err(SynthesisError::Misfit { access, misfit }),
        };
        let times = times as u64;
        if i < Claims::MOST
            && let Some(columns) = columns(&placed)
            && let Some(taken) =
                self.claims.add(&columns, instruction, placed.instructions() * times)
        {
            self.floor += taken.floor;
            self.plain.cycles += taken.cycles;
            self.steps[i] = Steps::of(&placed, &self.base, &columns);
            return Ok(());
        }
        self.is_linear = false;
        let verdict = match placed.verdict() {
            Ok(verdict) => verdict,
            Err(misfit) => return Err(SynthesisError::Misfit { access, misfit }),
        };
        if let Some([one, other]) = verdict.conflicts().race {
            let lanes = [one as u32, other as u32];
            return Err(SynthesisError::Race { access, lanes });
        }
        self.floor += verdict.base_cycles() * times;
        self.plain.cycles += match cycles_of(plan, digits, self.tile.bits, &self.uses[i]) {
            Some(cycles) => cycles,
            None => 0,
        };
        Ok(())
    }

    /// The least of all candidates.
    const fn answer(&self) -> (Candidate, Optimality) {
        // First what reaches the floor: all else is left at its first conflict.
        let at_floor = if self.is_linear { self.swizzle(0, self.floor) } else { (None, false) };
        if let (Some(best), _) = at_floor {
            return (best, Optimality::Floor);
        }
        let (mut best, is_cut) = match self.swizzle(self.floor + 1, u64::MAX) {
            (Some(best), is_cut) => (best, is_cut),
            (None, is_cut) => (self.plain(), is_cut),
        };
        if best.cycles > self.floor {
            self.pads(&mut best);
        }
        let optimality = if best.cycles == self.floor {
            Optimality::Floor
        } else if is_cut || !self.is_linear {
            Optimality::Open
        } else {
            Optimality::Exhausted
        };
        (best, optimality)
    }

    /// The least of the recipes and masks of at most so many cycles, and whether the search was
    /// cut; nothing takes fewer than `least`.
    const fn swizzle(&self, least: u64, most: u64) -> (Option<Candidate>, bool) {
        let plain = if self.plain.cycles <= most { Some(self.plain()) } else { None };
        let (mut best, mut next) = (Best { candidate: plain, most }, 0);
        // A swizzle has a term more than the plain tile; with no further address it is the least.
        let terms = (Remedy::InOrder.terms(self.recipe_tile) + 1) * self.uses.len() as u32;
        while next < self.recipes() && !best.is_least(self.floor, terms) {
            best = best.or(self.recipe(next, best.most()));
            next += 1;
        }
        let (mut line, mut is_cut) = (self.lines(), false);
        while line > 0 && best.is_above(self.floor) {
            line -= 1;
            if let Some((found, cut)) = self.searched(line, least, best.below()) {
                is_cut = is_cut || cut;
                best = best.or(found);
            }
        }
        (best.candidate, is_cut)
    }

    /// How many recipes of a single shift there are, and the rotation.
    pub(crate) const fn recipes(&self) -> u32 {
        7
    }

    /// One of them; `None` if it is not of this tile, as one before, or above so many cycles.
    pub(crate) const fn recipe(&self, number: u32, most: u64) -> Option<Candidate> {
        let (pack, [natural, other]) = (self.pack, self.natural);
        let (layout, layers) = match number {
            0 => (Remedy::Xor { pack, banks: self.banks[0] }, natural),
            1 if other != natural => (Remedy::Xor { pack, banks: self.banks[1] }, other),
            2..6 if MOST_LAYERS >> (number - 2) > 0 => {
                let layers = 1 << (number - 2);
                if layers == natural || layers == other {
                    return None;
                }
                (Remedy::XorLayer { pack, layers }, layers)
            }
            // Where rows are packs in a power of two a xor does the same with fewer instructions.
            6 if pack > 0 && !(self.recipe_tile.columns / pack).is_power_of_two() => {
                return self.candidate(self.base.layout(Remedy::Rotated { pack }));
            }
            _ => return None,
        };
        let layout = self.base.layout(layout);
        if !self.is_linear {
            return self.candidate(layout);
        }
        let Some(layering) = Layering::new(self.recipe_tile, pack, layers) else { return None };
        let masks = layering.single_bits();
        let rivals = self.claims.rivals();
        let cycles = layering.cycles(&self.claims, &masks, most.saturating_add(rivals));
        if cycles > most.saturating_add(rivals) {
            return None;
        }
        Some(self.masked(layout, &Masked { layering: Some(layering), masks }, cycles - rivals))
    }

    /// A layout with its costs; `None` if it cannot be, or not hold the accesses.
    pub(crate) const fn candidate(&self, layout: Remedy) -> Option<Candidate> {
        if self.pack == 0 {
            return None;
        }
        let Ok(plan) = layout.plan(self.tile) else { return None };
        if unfilled(&plan, self.tile.bits, self.uses).is_some() {
            return None;
        }
        let Some(cycles) = cycles(&plan, self.tile.bits, self.uses) else { return None };
        Some(Candidate {
            layout,
            cycles,
            bytes: (plan.element_space() * self.tile.bits as u64).div_ceil(8),
            address_instructions: self.addresses(layout, &plan),
        })
    }

    /// A swizzle whose cycles are known; it takes no byte more than the plain tile.
    const fn masked(&self, layout: Remedy, masked: &Masked, cycles: u64) -> Candidate {
        let (terms, mut address_instructions, mut i) = (masked.terms(), 0, 0);
        while i < self.uses.len() {
            let row = self.uses[i].instruction;
            address_instructions += self.steps[i].instructions(row, masked, terms);
            i += 1;
        }
        Candidate { layout, cycles, address_instructions, ..self.plain }
    }

    /// The end of the numbers of lines.
    pub(crate) const fn lines(&self) -> u32 {
        if self.is_linear { self.claims.line() + 1 } else { 0 }
    }

    /// The masks of the fewest cycles below `below`, where none take fewer than `least`, of rows
    /// that fill 2^`line` banks, and whether the search was cut; `None` if no access has such
    /// banks, or more of them have the same rows.
    pub(crate) const fn searched(
        &self,
        line: u32,
        least: u64,
        below: u64,
    ) -> Option<(Option<Candidate>, bool)> {
        if !self.claims.has_line(line) {
            return None;
        }
        let (pack, layers) = (self.pack, layers_of(self.recipe_tile, line));
        let mut more = line + 1;
        while more < self.lines() {
            if self.claims.has_line(more) && layers_of(self.recipe_tile, more) == layers {
                return None;
            }
            more += 1;
        }
        let Some(layering) = Layering::new(self.recipe_tile, pack, layers) else { return None };
        let rivals = self.claims.rivals();
        let within = [least + rivals, below.saturating_add(rivals)];
        let (found, masks) = layering.least(&self.claims, within);
        let candidate = match found.cycles {
            Some(cycles) => {
                let layout = self.base.layout(Remedy::XorBits { pack, layers, masks });
                let masked = Masked { layering: Some(layering), masks };
                Some(self.masked(layout, &masked, cycles - rivals))
            }
            None => None,
        };
        Some((candidate, found.is_cut))
    }

    /// Rows, or columns, with elements after each.
    pub(crate) const fn pad(&self, elements: u32) -> Option<Candidate> {
        self.candidate(self.base.layout(Remedy::RowPad { elements }))
    }

    /// Tries the row pads, up to one round of all banks.
    const fn pads(&self, best: &mut Candidate) {
        let (step, round) = (self.tile.pad_step(self.uses), self.tile.pad_round(self.uses));
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
    const fn addresses(&self, layout: Remedy, plan: &Plan) -> u32 {
        if self.is_linear
            && let Some(masked) = layout.masked(self.tile)
        {
            return self.masked(layout, &masked, 0).address_instructions;
        }
        let (mut sum, mut i) = (0, 0);
        while i < self.uses.len() {
            let Use { lanes, instruction, .. } = self.uses[i];
            if let Ok(placed) = Placed::new(plan, self.tile.bits, lanes, instruction) {
                sum += match placed.addressing() {
                    Ok(addressing) => {
                        addressing.instructions(layout.terms(self.tile) as usize) as u32
                    }
                    // More than are looked at: each may be computed.
                    Err(_) => placed.accesses() as u32 * layout.terms(self.tile),
                };
            }
            i += 1;
        }
        sum
    }
}

/// The rows that fill 2^`line` banks, as [`mlds_layer`](crate::recipe::mlds_layer) has them: whose
/// formula costs the compiler 1 ms each time.
const fn layers_of(tile: Shape, line: u32) -> u32 {
    match (32u64 << line).checked_div(tile.columns as u64 * tile.bits as u64) {
        Some(layers) if layers > 1 => layers as u32,
        _ => 1,
    }
}

/// The cycles of all uses of a layout; `None` if it does not hold one.
const fn cycles(plan: &Plan, bits: u32, uses: &[Use<'_>]) -> Option<u64> {
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

impl Synthesis {
    const fn new(tile: Shape, best: Candidate, floor: u64, optimality: Optimality) -> Self {
        let masks = match best.layout.masked(tile) {
            Some(masked) => masked.masks,
            None => List::EMPTY,
        };
        Self { tile, best, layers: best.layout.rows_to_a_line(tile), masks, floor, optimality }
    }

    /// Of two that were searched one after the other: the first, unless the second takes fewer cycles.
    const fn or(self, other: Self) -> Self {
        let less = if other.best.cycles < self.best.cycles { other } else { self };
        match (self.optimality, other.optimality) {
            (_, Optimality::Floor) | (Optimality::Exhausted, Optimality::Exhausted) => less,
            _ => Self { optimality: Optimality::Open, ..less },
        }
    }

    /// The tile row by row, of which nothing is known: what a declaration that is refused names.
    #[doc(hidden)]
    #[must_use]
    pub const fn unknown(tile: Shape) -> Self {
        let layout = Remedy::InOrder;
        let plain = Candidate { layout, cycles: 0, bytes: 0, address_instructions: 0 };
        Self::new(tile, plain, 0, Optimality::Open)
    }

    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> Remedy {
        self.best.layout
    }

    /// The tile that the recipe is of.
    const fn recipe_tile(&self) -> Shape {
        if self.best.layout.is_by_columns() { self.tile.transposed() } else { self.tile }
    }

    /// The recipe of that tile.
    const fn recipe(&self) -> Remedy {
        match self.best.layout {
            Remedy::ByColumns(by) => by.recipe(),
            layout => layout,
        }
    }

    /// The layout with its costs.
    #[must_use]
    pub const fn best(&self) -> &Candidate {
        &self.best
    }

    /// Its cycles, of all accesses as often as they are done.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.best.cycles
    }

    /// The cycles of the same instructions without any conflict.
    #[must_use]
    pub const fn floor(&self) -> u64 {
        self.floor
    }

    /// What is known of all other layouts.
    #[must_use]
    pub const fn optimality(&self) -> Optimality {
        self.optimality
    }

    /// The layout as a plan.
    ///
    /// # Errors
    ///
    /// None of a layout that was judged.
    pub const fn plan(&self) -> Result<Plan, Error> {
        self.best.layout.plan(self.tile)
    }

    /// What each bit of a line's number flips, in packs; empty of a layout without a swizzle.
    #[must_use]
    pub const fn masks(&self) -> List {
        self.masks
    }

    /// Rows to a line; 1 of a layout without a swizzle.
    #[must_use]
    pub const fn layers(&self) -> u32 {
        self.layers
    }

    /// The form of the type that `synthesize!` declares: masks, a pad, a rotation; the same three of
    /// columns. A tile that masks have no place in is a pad of 0.
    #[doc(hidden)]
    #[must_use]
    pub const fn form(&self) -> usize {
        let form = match self.recipe() {
            Remedy::InOrder | Remedy::RowPad { .. } => 1,
            Remedy::Rotated { .. } => 2,
            _ => 0,
        };
        if self.best.layout.is_by_columns() { form + 3 } else { form }
    }

    /// M of the recipe.
    #[doc(hidden)]
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.recipe_tile().rows as usize
    }

    /// Its K.
    #[doc(hidden)]
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.recipe_tile().columns as usize
    }

    /// Its KPack.
    #[doc(hidden)]
    #[must_use]
    pub const fn pack(&self) -> usize {
        self.best.layout.pack() as usize
    }

    /// Its padding.
    #[doc(hidden)]
    #[must_use]
    pub const fn padding(&self) -> usize {
        match self.recipe() {
            Remedy::RowPad { elements } => elements as usize,
            _ => 0,
        }
    }

    /// The line that a user pastes, for elements of this name; then the cycles, and what they say.
    /// The search knows only how many bits an element has.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, remedy::{Shape, Use}};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let found = tile.synthesize(&[Use::new(Lanes::rows(16), &ds_read_b128)])?;
    /// assert_eq!(
    ///     found.text_of("BF16").as_str(),
    ///     "recipe::GemmXor<BF16, M<128>, K<64>, KPack<8>>: \
    ///      8 cycles, the floor: no layout does better",
    /// );
    /// # Ok::<(), tiledesc::synthesis::SynthesisError>(())
    /// ```
    #[must_use]
    pub const fn text_of(&self, element: &str) -> Text {
        self.explain(Text::new(), element)
    }

    /// Appends the same.
    pub(crate) const fn explain(&self, text: Text, element: &str) -> Text {
        let text = self.best.layout.explain(text, element, self.tile);
        let text = say!(text: ": ", self.best.cycles, " cycles, ");
        match self.optimality {
            Optimality::Floor => text.str("the floor: no layout does better"),
            Optimality::Exhausted => {
                say!(text: "floor ", self.floor, ": no masks over rows of packs do better")
            }
            Optimality::Open => say!(text: "floor ", self.floor, ": the least of those tried"),
        }
    }

    /// The same for halves and other ready-made elements of as many bits.
    #[must_use]
    pub const fn text(&self) -> Text {
        self.text_of(self.tile.element())
    }
}

impl core::fmt::Display for Synthesis {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl SynthesisError {
    /// The access that is at fault, from 1.
    pub(crate) const fn access(&self) -> Option<usize> {
        match self {
            Self::Misfit { access, .. } | Self::Race { access, .. } => Some(*access as usize),
            _ => None,
        }
    }

    /// The access that moves several elements along a dimension which are not contiguous.
    const fn needs_together(&self, dimension: u32) -> Option<u32> {
        match self {
            Self::Misfit { access, misfit: AccessError::NotContiguous { along, .. } }
                if *along == dimension =>
            {
                Some(*access)
            }
            _ => None,
        }
    }

    /// Appends the sentence to a text.
    pub(crate) const fn explain(self, text: Text) -> Text {
        let text = match self.access() {
            Some(access) => say!(text: "access ", access, ": "),
            None => text,
        };
        self.reason(text)
    }

    /// The same without the access.
    pub(crate) const fn reason(self, text: Text) -> Text {
        match self {
            Self::NoUse => text.str("no access is named: every layout is free"),
            Self::Coordinates { rows, columns } => say!(text:
                "the tile has ", rows, " * ", columns, " elements; more than 2^", MOST_BITS,
                " are not searched"
            ),
            Self::Layout(error) => error.explain(text),
            Self::Crossed { along, down } => say!(text:
                "access ", along, " moves several elements of a row, access ", down,
                " several of a column: no layout has both contiguous"
            ),
            Self::Misfit { misfit, .. } => misfit.explain(text),
            Self::Race { lanes, .. } => say!(text:
                "lanes ", lanes[0], " and ", lanes[1], " write the same byte, whatever the layout"
            ),
            Self::Fill(error) => {
                error.explain(text.str("a direct load cannot fill the tile row by row: "))
            }
        }
    }
}

impl core::fmt::Display for SynthesisError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for SynthesisError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::mlds_layer;

    #[test]
    fn layers_are_those_of_the_recipe() {
        for (columns, bits) in (0..300).flat_map(|columns| [4, 8, 16, 32].map(|b| (columns, b))) {
            let tile = Shape { rows: 1, columns, bits };
            for line in [4, 5, 6] {
                let wanted = mlds_layer(columns, bits, 1 << line);
                assert_eq!(layers_of(tile, line), wanted, "{tile:?}, 2^{line} banks");
            }
        }
    }
}
