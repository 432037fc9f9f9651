//! The best layouts so far.
//!
//! A family counts phases; the library's verdict checks the bytes of every lane of every access: whether they are
//! together, aligned and in memory. What it refuses is no candidate, and what it counts is what a candidate costs.
//!
//! ```text
//!   layout                 cycles   bytes    the lesser is kept
//!   GemmXor                128      16384    kept
//!   RowPad, Padding<16>    128      20448    as many cycles, more bytes
//!   RowPad, Padding<4>                       refused: byte 136 of lane 1 is not aligned to 16
//! ```

use super::candidate::Candidate;
use super::question::Question;
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;

#[derive(Debug)]
pub(super) struct Best<'a> {
    tile: Shape,
    uses: &'a [Use<'a>],
    /// Whether all that was judged is kept, or only the least.
    wants_all: bool,
    /// Bytes of the tile without padding.
    packed_bytes: u64,
    /// The least first; of as much the first that was offered.
    pub(super) kept: Vec<Candidate>,
}

impl<'a> Best<'a> {
    pub(super) fn new(tile: Shape, uses: &'a [Use<'a>], wants_all: bool) -> Self {
        let elements = u64::from(tile.rows) * u64::from(tile.columns);
        let packed_bytes = (elements * u64::from(tile.bits)).div_ceil(8);
        Self { tile, uses, wants_all, packed_bytes, kept: Vec::new() }
    }

    /// The weight of the least so far.
    pub(super) fn weight(&self) -> u64 {
        self.kept.first().map_or(u64::MAX, |least| least.weight)
    }

    /// The cycles that a layout without padding must stay below to be less than the least.
    pub(super) fn to_beat(&self) -> u64 {
        let Some(least) = self.kept.first() else { return u64::MAX };
        least.weight.saturating_add(u64::from(least.bytes > self.packed_bytes))
    }

    /// The cycles that the least of a family without padding must stay below to be offered.
    pub(super) fn below(&self) -> u64 {
        if self.wants_all { u64::MAX } else { self.to_beat() }
    }

    /// The most cycles of a layout with padding that is offered, where less padding takes `least`.
    pub(super) fn most(&self, least: u64) -> u64 {
        if self.wants_all { u64::MAX } else { self.weight().min(least.saturating_sub(1)) }
    }

    /// Returns whether nothing more is to be offered: the least has no conflict and no padding.
    pub(super) fn is_done(&self, floor: u64) -> bool {
        let is_least = |one: &Candidate| one.weight <= floor && one.bytes <= self.packed_bytes;
        !self.wants_all && self.kept.first().is_some_and(is_least)
    }

    /// Offers a recipe of the tile whose rows are contiguous; the weight that the verdict gives it.
    pub(super) fn offer(&mut self, question: &Question<'_>, recipe: Spec) -> Option<u64> {
        let judged = Candidate::judge(self.tile, question.layout(recipe), self.uses)?;
        // Address instructions take long to count, and decide last.
        let is_less =
            |least: &Candidate| (judged.weight, judged.bytes) <= (least.weight, least.bytes);
        if self.wants_all || self.kept.first().is_none_or(is_less) {
            self.keep(judged.priced(self.tile, self.uses));
        }
        Some(judged.weight)
    }

    /// Returns whether the verdict takes a recipe of the tile whose rows are contiguous.
    pub(super) fn holds(&self, question: &Question<'_>, recipe: Spec) -> bool {
        Candidate::judge(self.tile, question.layout(recipe), self.uses).is_some()
    }

    /// Keeps one in its place, unless the same is kept.
    pub(super) fn keep(&mut self, one: Candidate) {
        let is_same =
            |other: &Candidate| other.costs() == one.costs() && self.are_same(other, &one);
        if !self.kept.iter().any(is_same) {
            let at = self.kept.partition_point(|other| other.costs() <= one.costs());
            self.kept.insert(at, one);
        }
    }

    /// Returns whether two layouts of the same costs put the elements whose numbers have one bit at the same places: of
    /// swizzles then all elements.
    fn are_same(&self, one: &Candidate, other: &Candidate) -> bool {
        if one.bytes.max(other.bytes) > self.packed_bytes {
            return one.layout == other.layout;
        }
        let Shape { rows, columns, .. } = self.tile;
        let offsets = |one: &Candidate| {
            let plan = one.layout.plan(self.tile).ok()?;
            let numbers =
                (0..u32::BITS).map(|bit| 1 << bit).take_while(|one| *one < rows * columns);
            let offset = |number| plan.offset(&[number / columns, number % columns]).ok();
            numbers.map(offset).collect::<Option<Vec<_>>>()
        };
        offsets(one) == offsets(other)
    }
}
