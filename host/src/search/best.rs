//! The best layouts so far.
//!
//! A family counts phases; the library's verdict asks every lane of every access for its bytes: whether they are
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
use tiledesc::Plan;
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The least alone.
    Least,
    /// Whatever was judged.
    All,
}

#[derive(Debug)]
pub(super) struct Best<'a> {
    tile: Shape,
    uses: &'a [Use<'a>],
    wanted: Wanted,
    /// Bytes of the tile without padding.
    packed_bytes: u64,
    /// The least first.
    kept: Vec<Candidate>,
}

impl<'a> Best<'a> {
    pub(super) fn new(tile: Shape, uses: &'a [Use<'a>], wanted: Wanted) -> Self {
        let elements = u64::from(tile.rows) * u64::from(tile.columns);
        let packed_bytes = (elements * u64::from(tile.bits)).div_ceil(8);
        Self { tile, uses, wanted, packed_bytes, kept: Vec::new() }
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
        if self.wanted == Wanted::All { u64::MAX } else { self.to_beat() }
    }

    /// The most cycles of a layout with padding that is offered, where less padding takes `least`.
    pub(super) fn most(&self, least: u64) -> u64 {
        if self.wanted == Wanted::All {
            u64::MAX
        } else {
            self.weight().min(least.saturating_sub(1))
        }
    }

    /// Whether nothing more is to be offered: the least has no conflict and no padding.
    pub(super) fn is_done(&self, floor: u64) -> bool {
        self.wanted == Wanted::Least
            && self.weight() <= floor
            && self.kept.first().is_some_and(|least| least.bytes <= self.packed_bytes)
    }

    pub(super) fn offer_in_order(&mut self, question: &Question<'_>) {
        self.offer(question, Spec::row_major());
    }

    /// Offers a recipe of the tile whose rows are contiguous; the weight that the verdict gives it.
    pub(super) fn offer(&mut self, question: &Question<'_>, recipe: Spec) -> Option<u64> {
        let layout = question.layout(recipe);
        let judged = Candidate::judge(self.tile, layout, self.uses)?;
        let weight = judged.weight;
        match self.wanted {
            Wanted::All => self.keep(judged.priced(self.tile, self.uses)),
            Wanted::Least => self.replace(judged),
        }
        Some(weight)
    }

    /// Whether the verdict takes a recipe of the tile whose rows are contiguous.
    pub(super) fn holds(&self, question: &Question<'_>, recipe: Spec) -> bool {
        Candidate::judge(self.tile, question.layout(recipe), self.uses).is_some()
    }

    /// Keeps the lesser of the least so far and another; what decides last is counted last.
    fn replace(&mut self, other: Candidate) {
        let Some(least) = self.kept.first_mut() else { return self.kept.push(other) };
        let costs = |one: &Candidate| (one.weight, one.bytes);
        if costs(&other) < costs(least) {
            *least = other;
        } else if costs(&other) == costs(least) {
            *least = least.priced(self.tile, self.uses);
            let other = other.priced(self.tile, self.uses);
            if other.costs() < least.costs() {
                *least = other;
            }
        }
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

    /// Whether two layouts of the same costs put the elements whose numbers have one bit at the same places: of swizzles
    /// then all elements.
    fn are_same(&self, one: &Candidate, other: &Candidate) -> bool {
        let is_padded = |one: &Candidate| one.bytes > self.packed_bytes;
        if is_padded(one) || is_padded(other) {
            return one.layout == other.layout;
        }
        let [Ok(one), Ok(other)] = [one, other].map(|one| one.layout.plan(self.tile)) else {
            return false;
        };
        let offset = |plan: &Plan, bit: u32| {
            let number = 1 << bit;
            plan.offset(&[number / self.tile.columns, number % self.tile.columns]).ok()
        };
        (0..u32::BITS)
            .take_while(|bit| {
                1u64 << bit < u64::from(self.tile.rows) * u64::from(self.tile.columns)
            })
            .all(|bit| offset(&one, bit) == offset(&other, bit))
    }

    /// The least of those that were offered, if one was taken.
    pub(super) fn least(&self) -> Option<Candidate> {
        self.kept.first().map(|least| least.priced(self.tile, self.uses))
    }

    /// All of them, the least first.
    pub(super) fn all(&self) -> &[Candidate] {
        &self.kept
    }
}
