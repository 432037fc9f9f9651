//! Which layout costs least: for a tile and everything that a kernel does to it.
//!
//! ```text
//!   128x32 halves on gfx950: written row by row, read as operands of 16 rows and of 32 rows
//!
//!   recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>
//!   128 cycles, the floor: no layout does better
//! ```
//!
//! | candidate, in this order | cycles by |
//! |---|---|
//! | row by row | rank |
//! | [`GemmXor`](type@crate::recipe::GemmXor), [`GemmXor64`](type@crate::recipe::GemmXor64), [`GemmXorLayer`](type@crate::recipe::GemmXorLayer) of 1, 2, 4, 8 | rank |
//! | [`GemmXorBits`](type@crate::recipe::GemmXorBits), all masks | rank, by a search that ends with a proof |
//! | the same of the lines of a row, in a [`Joined`](crate::recipe::Joined), where it fills all banks more than once | as those |
//! | [`LinearPacks`](type@crate::recipe::LinearPacks), where these have conflicts | rank, by another such search |
//! | [`RowPad`](type@crate::recipe::RowPad), [`RowShift`](type@crate::recipe::RowShift) | verdict |
//! | each of these in a [`Transposed`](crate::recipe::Transposed): where some access moves several elements of a column, these alone; where each moves one and rows have conflicts, these too | as it is |
//!
//! The least is that of the fewest cycles; of those of the fewest bytes, of those of the fewest
//! address instructions, of those the first. Whatever is found, the analyzer judges before it is
//! handed out: the search proposes, [`Verdict`](crate::bank::Verdict) decides.
//!
//! Where lanes are not xors of columns (lengths that are not powers of two, inactive lanes, tables)
//! every candidate is judged by its verdict, and masks are not searched.

use super::base::Base;
use super::candidate::Candidate;
use super::effort::Effort;
use super::error::SynthesisError;
use super::laid::Laid;
use super::question::Question;
use super::searched::{Optimality, Searched};
use super::shape::{Shape, Use, unfilled};
use super::spec::{Scheme, Spec};
use super::weight::weight;
use tiledesc_transforms::{Error, List, Plan, Text, attempt, say};

/// The layout of the fewest cycles that was found, and what is proven of all others.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, search::{Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// let found = tile.synthesize(&[read])?;
/// assert_eq!((found.cycles(), found.floor()), (128, 128));
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Synthesis {
    tile: Shape,
    /// What is printed of its element.
    element: &'static str,
    best: Candidate,
    layers: u32,
    masks: List,
    floor: u64,
    optimality: Optimality,
    searched: Searched,
    is_refuted: bool,
}

/// What is said where the verdict contradicts the search.
const REFUTED: &str = "; the verdict contradicts the search, so another layout may take fewer cycles: \
                       this is a bug in tiledesc, please report the tile and its accesses";

/// What was found, not judged yet, and the accesses as the search laid them over the tile in order.
#[derive(Clone, Copy)]
pub(crate) struct Proposal {
    pub(crate) found: Synthesis,
    pub(crate) laid: Laid,
}

impl Shape {
    /// The layout of this tile that costs least in all uses together.
    ///
    /// ```
    /// use tiledesc::search::{Optimality, Shape, Use};
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
    ///      224 cycles, the floor: no layout does better"
    /// );
    /// assert_eq!((found.cycles(), found.floor()), (224, 224));
    /// assert_eq!((found.layers(), found.masks().as_slice()), (4, &[3, 2][..]));
    /// assert_eq!(found.plan()?.offset(&[4, 0]), Ok(128 + 3 * 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SynthesisError`].
    pub const fn synthesize(self, uses: &[Use<'_>]) -> Result<Synthesis, SynthesisError> {
        self.synthesize_within(uses, Effort::RUN_TIME)
    }

    /// The same as far as an effort reaches.
    ///
    /// ```
    /// use tiledesc::search::{Effort, Optimality, Shape, Use};
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let read = [Use::new(Lanes::rows(16), &ds_read_b128)];
    /// let found = tile.synthesize_within(&read, Effort::of_units(0))?;
    /// assert_eq!((found.cycles(), found.optimality()), (128, Optimality::Floor));
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SynthesisError`].
    pub const fn synthesize_within(
        self,
        uses: &[Use<'_>],
        mut effort: Effort,
    ) -> Result<Synthesis, SynthesisError> {
        let Proposal { found, .. } = attempt!(self.propose(uses, &mut effort));
        self.judged(uses, found)
    }

    /// The cheaper of the two orders of memory: columns are searched, too, where rows are free, and of as many cycles
    /// the fewer bytes decide, then the fewer address instructions. So the answer does not cost more because of the order
    /// in which the dimensions are named.
    ///
    /// ```
    /// use tiledesc::search::{Shape, Spec, Use};
    /// use tiledesc::{chip::sm_75::st_shared_b32, pattern::Lanes};
    ///
    /// // 8 rows of 32 floats, written down the columns.
    /// let tile = Shape { rows: 8, columns: 32, bits: 32 };
    /// let down = [Use::new(Lanes::column_major(), &st_shared_b32)];
    /// assert_eq!(tile.synthesize(&down)?.layout().list().as_slice(), [4, 8, 16]);
    /// assert_eq!(tile.synthesize_both_ways(&down)?.layout(), Spec::row_major().transposed());
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SynthesisError`], if neither order holds all uses.
    pub const fn synthesize_both_ways(self, uses: &[Use<'_>]) -> Result<Synthesis, SynthesisError> {
        let rows = self.synthesize_one_way(Base::rows(self), uses);
        let columns = self.synthesize_one_way(Base::columns(self), uses);
        match (rows, columns) {
            (Ok(rows), Ok(columns)) => Ok(rows.or_cheaper(columns)),
            (Ok(found), Err(_)) | (Err(_), Ok(found)) => Ok(found),
            // In the words for both.
            (Err(_), Err(_)) => self.synthesize(uses),
        }
    }

    const fn synthesize_one_way(
        self,
        base: Base,
        uses: &[Use<'_>],
    ) -> Result<Synthesis, SynthesisError> {
        let question = attempt!(base.question(uses));
        let mut effort = Effort::RUN_TIME;
        effort.lay(question.laid_units());
        let found = Synthesis::of(&question, &mut effort);
        match question.out {
            Some(error) if found.best.weight == Candidate::OUT => Err(error),
            _ => self.judged(uses, found),
        }
    }

    /// What was found, with what the analyzer says of it.
    const fn judged(self, uses: &[Use<'_>], found: Synthesis) -> Result<Synthesis, SynthesisError> {
        // By rank the cycles are known; the verdict counts them once more.
        let judged = match found.plan() {
            Ok(plan) if unfilled(&plan, self.bits, uses).is_some() => None,
            Ok(plan) => match weight(&plan, self.bits, uses) {
                Some(weight) => Some(weight.sum),
                None => None,
            },
            Err(_) => None,
        };
        match judged {
            Some(judged) if judged == found.best.weight => {
                Ok(Synthesis { best: self.priced(uses, found.best), ..found })
            }
            // Only a fault of the search leads here: it is said, and no family counts as searched.
            Some(weight) => {
                let best = attempt!(self.question(uses)).settled(found.best.weighing(weight));
                Ok(Synthesis::new(self, best, found.floor, Searched::NOTHING).refuted())
            }
            None => {
                let question = attempt!(self.question(uses));
                let plain = question.settled(question.plain());
                Ok(Synthesis::new(self, plain, found.floor, Searched::NOTHING).refuted())
            }
        }
    }

    /// A candidate with its address instructions, if the search did without.
    const fn priced(self, uses: &[Use<'_>], best: Candidate) -> Candidate {
        if best.address_instructions() > 0 {
            return best;
        }
        let base =
            if best.layout().is_transposed() { Base::columns(self) } else { Base::rows(self) };
        match base.question(uses) {
            Ok(question) => question.priced(best),
            Err(_) => best,
        }
    }

    /// The same, not yet judged: for a statement, which judges it.
    pub(crate) const fn propose(
        self,
        uses: &[Use<'_>],
        effort: &mut Effort,
    ) -> Result<Proposal, SynthesisError> {
        let question = attempt!(self.question(uses));
        self.propose_by(&question, uses, effort)
    }

    /// The same of a question that was asked already.
    pub(crate) const fn propose_by(
        self,
        question: &Question<'_, '_>,
        uses: &[Use<'_>],
        effort: &mut Effort,
    ) -> Result<Proposal, SynthesisError> {
        effort.lay(question.laid_units());
        let proposal = Proposal { found: Synthesis::of(question, effort), laid: question.laid };
        if let Some(error) = question.out
            && proposal.found.best.weight == Candidate::OUT
        {
            return Err(error);
        }
        let is_free = proposal.found.best.weight() == proposal.found.floor;
        if is_free || effort.is_enough(proposal.found.best.weight()) {
            return Ok(proposal);
        }
        // To lay all accesses once more, over columns, costs as much again.
        if !effort.affords(question.laid_units()) {
            return Ok(Proposal { found: proposal.found.ended(), ..proposal });
        }
        match self.other_question(uses, &proposal.found.best, proposal.found.floor) {
            Some(question) => {
                effort.lay(question.laid_units());
                let found = Synthesis::of(&question, effort);
                Ok(proposal.or(Proposal { found, laid: question.laid }))
            }
            None => Ok(proposal),
        }
    }
}

impl Proposal {
    /// Of two that were searched one after the other: the first, unless the second takes fewer cycles.
    const fn or(self, other: Self) -> Self {
        let found = self.found.or(other.found);
        let laid = if other.found.is_less(&self.found) { other.laid } else { self.laid };
        Self { found, laid }
    }
}

impl Synthesis {
    const fn of(question: &Question<'_, '_>, effort: &mut Effort) -> Self {
        let (best, searched) = question.answer(effort);
        Self::new(question.base.tile, question.settled(best), question.floor, searched)
    }

    const fn new(tile: Shape, best: Candidate, floor: u64, searched: Searched) -> Self {
        let masks = match best.layout.scheme() {
            Scheme::MaskedLayers => best.layout.list(),
            _ => match best.layout.masked(tile) {
                Some(masked) => masked.masks,
                None => List::EMPTY,
            },
        };
        let optimality = Optimality::of(&searched, best.weight == floor);
        let layers = best.layout.layers(tile);
        let element = tile.element();
        Self { tile, element, best, layers, masks, floor, optimality, searched, is_refuted: false }
    }

    /// The same where the effort did not reach for other layouts.
    const fn ended(self) -> Self {
        let searched = Searched { has_ended: true, ..self.searched };
        Self { optimality: Optimality::of(&searched, false), searched, ..self }
    }

    /// The same of elements of this name, which a [`Shape`] does not know.
    pub(crate) const fn of_element(self, element: &'static str) -> Self {
        Self { element, ..self }
    }

    const fn refuted(self) -> Self {
        Self { is_refuted: true, ..self }
    }

    /// Whether it takes fewer cycles than another.
    const fn is_less(&self, other: &Self) -> bool {
        self.best.weight < other.best.weight
    }

    /// Of two that were searched one after the other: the first, unless the second takes fewer cycles.
    const fn or(self, other: Self) -> Self {
        let less = if other.is_less(&self) { other } else { self };
        let is_floor = matches!(less.optimality, Optimality::Floor);
        let searched = self.searched.and(other.searched);
        Self { optimality: Optimality::of(&searched, is_floor), searched, ..less }
    }

    /// Of two orders of memory: the first, unless the second costs less. What is searched of both is searched.
    const fn or_cheaper(self, other: Self) -> Self {
        let less = if other.best.is_less(&self.best) { other } else { self };
        let is_floor = matches!(less.optimality, Optimality::Floor);
        let searched = self.searched.and(other.searched);
        Self { optimality: Optimality::of(&searched, is_floor), searched, ..less }
    }

    /// The tile row by row, of which nothing is known: what a declaration that is refused names.
    pub(crate) const fn unknown(tile: Shape) -> Self {
        let layout = Spec::row_major();
        let plain = Candidate::new(layout, 0, 0);
        Self { optimality: Optimality::Open, ..Self::new(tile, plain, 0, Searched::NOTHING) }
    }

    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> Spec {
        self.best.layout
    }

    /// The tile.
    #[must_use]
    pub const fn tile(&self) -> Shape {
        self.tile
    }

    /// The layout with its costs.
    #[must_use]
    pub const fn best(&self) -> &Candidate {
        &self.best
    }

    /// Its cycles, of all accesses as often as they are done.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.best.cycles()
    }

    /// Its cycles by the source that counts more: what `at most` compares with.
    ///
    /// ```
    /// use tiledesc::search::{Shape, Use};
    /// use tiledesc::{chip::gfx950, pattern::Lanes};
    ///
    /// let tile = Shape { rows: 64, columns: 4, bits: 32 };
    /// let found = tile.synthesize(&[
    ///     Use::new(Lanes::column().first(), &gfx950::ds_read_b32),
    ///     Use::new(Lanes::column().first(), &gfx950::ds_read_b128),
    /// ])?;
    /// assert_eq!((found.cycles(), found.most_cycles()), (12, 12));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn most_cycles(&self) -> u64 {
        let [own, rival] = [self.best.cycles(), self.best.rival_cycles()];
        if own < rival { rival } else { own }
    }

    /// The cycles of the same instructions without any conflict.
    #[must_use]
    pub const fn floor(&self) -> u64 {
        self.floor
    }

    /// How far each family of layouts was searched for fewer cycles.
    #[must_use]
    pub const fn searched(&self) -> &Searched {
        &self.searched
    }

    /// What is known of all other layouts.
    #[must_use]
    pub const fn optimality(&self) -> Optimality {
        self.optimality
    }

    /// Whether the verdict refused the layout that the search proposed, or counted other cycles. That is a bug in this
    /// library; [`text_of`](Self::text_of) says so, and the answer is the proposal with the cycles of its verdict,
    /// or the tile row by row if the proposal cannot hold the accesses.
    ///
    /// ```
    /// use tiledesc::{List, chip::gfx950::ds_read_b96, pattern::Lanes, search::{Shape, Use}};
    ///
    /// // 64 lanes read three floats each of a single column: rows further apart would tear every read.
    /// let lane = |l: u32| Some(List::pair(16 * (3 * l % 5) + l % 3, 0));
    /// let table = [core::array::from_fn(|l| lane(l as u32))];
    /// let read = Use::new(Lanes::table(&table, 0), &ds_read_b96);
    /// let found = Shape { rows: 192, columns: 1, bits: 32 }.synthesize(&[read])?;
    /// assert_eq!((found.cycles(), found.floor(), found.is_refuted()), (22, 8, false));
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    #[must_use]
    pub const fn is_refuted(&self) -> bool {
        self.is_refuted
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

    /// The line that a user pastes, for elements of this name; then the cycles, and what they say.
    /// The search knows only how many bits an element has.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, search::{Shape, Use}};
    ///
    /// let tile = Shape { rows: 128, columns: 64, bits: 16 };
    /// let found = tile.synthesize(&[Use::new(Lanes::rows(16), &ds_read_b128)])?;
    /// assert_eq!(
    ///     found.text_of("BF16").as_str(),
    ///     "recipe::GemmXor<BF16, M<128>, K<64>, KPack<8>>: \
    ///      128 cycles, the floor: no layout does better",
    /// );
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    #[must_use]
    pub const fn text_of(&self, element: &str) -> Text {
        self.explain(Text::new(), element)
    }

    /// Appends the same.
    pub(crate) const fn explain(&self, text: Text, element: &str) -> Text {
        let text = self.best.layout.explain(text, element, self.tile);
        let [own, rival] = [self.best.cycles(), self.best.rival_cycles()];
        let text = say!(text: ": ", own, " cycles, ");
        if self.is_refuted {
            return say!(text: "floor ", self.floor, str(REFUTED));
        }
        if self.best.weight() == self.floor {
            return self.optimality.explain(text, self.floor);
        }
        // No fewer by the rows, but the other source still finds conflicts.
        if own == self.floor {
            let text = say!(text: "the floor by its own rows; ", rival, " by the other source, with conflicts");
            return say!(text: ": ", str(self.optimality.known()));
        }
        let text = if rival == own { text } else { say!(text: rival, " by the other source, ") };
        self.optimality.explain(text, self.floor)
    }

    /// The same for the element that [`synthesize!`](crate::synthesize!) names. Of a search at run time for halves and
    /// other ready-made elements of as many bits, for `E` where there is none.
    #[must_use]
    pub const fn text(&self) -> Text {
        self.text_of(self.element)
    }
}

impl core::fmt::Display for Synthesis {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::searched::Extent;
    use alloc::string::ToString;

    /// Which of two sources a figure is of, and which of them is at the floor.
    #[test]
    fn two_sources_are_told_apart() {
        let tile = Shape { rows: 64, columns: 4, bits: 32 };
        let masks = Searched { masks: Extent::All, ..Searched::NOTHING };
        let says = |[own, rival]: [u64; 2], weight: u64| {
            let best = Candidate::new(Spec::row_major(), weight, 1024).by_source([own, rival]);
            Synthesis::new(tile, best, 22, masks).to_string()
        };
        let layout = "recipe::RowMajor<F32, M<64>, K<4>>: ";
        for (cycles, weight, sentence) in [
            ([22, 22], 22, "22 cycles, the floor: no layout does better"),
            ([23, 23], 23, "23 cycles, floor 22: no masks over packs do better"),
            ([26, 26], 26, "26 cycles, floor 22: no masks over packs do better"),
            (
                [26, 14],
                28,
                "26 cycles, 14 by the other source, floor 22: no masks over packs do better",
            ),
            (
                [22, 12],
                24,
                "22 cycles, the floor by its own rows; 12 by the other source, with conflicts: \
                 no masks over packs do better",
            ),
        ] {
            assert_eq!(says(cycles, weight), [layout, sentence].concat());
        }
    }
}
