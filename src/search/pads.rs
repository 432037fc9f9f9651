//! Pads behind rows, the smallest of the fewest cycles.
//!
//! ```text
//!   128x96 halves on gfx942, written row by row, read by 32 rows, all instructions
//!
//!   pad          0     8    16    24    32    40    48    56
//!   cycles     960   448   512   448   768   448   512   448     floor 384
//! ```
//!
//! A pad changes nothing but how far rows are apart, so the accesses are asked once, as [`Shots`], and each
//! pad is counted on those. A pad that has as many conflicts as the best so far is left.

use super::base::Base;
use super::candidate::Candidate;
use super::effort::Effort;
use super::price::{ASKED, VERDICT};
use super::question::Question;
use super::searched::{Extent, Searched};
use super::shape::{Shape, Use, unfilled};
use super::shot::{Lost, Place};
use super::shots::{Shots, Together};
use super::spec::Spec;
use crate::chip::phases::Phases;

impl Question<'_, '_> {
    /// Tries the row pads up to one round of all banks, as far as the effort reaches; and what one of them costs, in units.
    const fn pads(
        &self,
        tables: &Option<Shots>,
        best: &mut Candidate,
        effort: &mut Effort,
    ) -> (Extent, u64) {
        let (tile, mut elements) = (self.base.tile, self.base.tile.pad_step(self.uses()));
        let (step, round) = (elements, tile.pad_round(self.uses()));
        if step == 0 || step >= round {
            return (Extent::Nothing, 0);
        }
        if effort.is_spent() {
            return (Extent::Part, 0);
        }
        // Whatever moves along the tile is one list.
        let shots = self.listed(u64::MAX, Together::Moved, tables, effort);
        let units = match &shots {
            Some(shots) => shots.units(),
            None => self.padded_work(),
        };
        while elements < round {
            let (padded, work) = match &shots {
                Some(shots) => self.padded(shots, elements, best.weight()),
                None => (None, self.padded_work()),
            };
            if !effort.spend(work) {
                return (Extent::Part, units);
            }
            let padded = match &shots {
                Some(_) => padded,
                None => self.unpriced(self.base.layout(Spec::row_pad(elements))),
            };
            if let Some(candidate) = padded
                && candidate.is_less(best)
                && self.can_be(&candidate)
            {
                *best = candidate;
                // A wider pad has no fewer cycles than none, and more bytes.
                if best.weight() == self.floor || effort.is_enough(best.weight()) {
                    return (Extent::Part, units);
                }
            }
            elements += step;
        }
        (Extent::All, units)
    }

    /// Tries all pads: behind rows, and where these leave a conflict or take bytes at intervals.
    pub(super) const fn padded_below(
        &self,
        mut searched: Searched,
        tables: &Option<Shots>,
        best: &mut Candidate,
        effort: &mut Effort,
    ) -> Searched {
        let (pads, units) = self.pads(tables, best, effort);
        searched.pads = pads;
        // At intervals accesses are as many lists and more: without the effort for a single one none is made.
        if !effort.is_enough(best.weight()) {
            searched.intervals = if effort.affords(2 * units) {
                self.intervals(tables, best, effort)
            } else {
                Extent::Part
            };
        }
        searched
    }

    /// A layout of which lists counted the conflicts of every access.
    pub(super) const fn counted(&self, layout: Spec, lost: &Lost, bytes: u64) -> Candidate {
        let rival = self.rival_floor + lost.rival + lost.settled;
        let by_source = [self.floor + lost.own, rival];
        Candidate::new(layout, self.floor + lost.sum(), bytes).by_source(by_source)
    }

    /// What one verdict on each access costs.
    pub(super) const fn work(&self) -> u64 {
        self.instructions() * VERDICT * Phases::LANES as u64
    }

    /// The same on a padded layout, where addresses are sums.
    const fn padded_work(&self) -> u64 {
        self.instructions() * ASKED * Phases::LANES as u64
    }

    /// Rows with this many elements after each, if they take at most `most` cycles, and the units placed for it. Its address
    /// instructions are not counted: two pads that take equally many cycles differ in bytes.
    const fn padded(&self, shots: &Shots, elements: u32, most: u64) -> (Option<Candidate>, u64) {
        let tile = self.base.recipe_tile;
        let apart = tile.columns.saturating_add(elements);
        // Of as many cycles the narrower pad is less, and the tile without one.
        let room = most.saturating_sub(self.floor);
        let lost = shots.lost(&self.base, &Place::Rows { apart }, room);
        let Some(lost) = lost else {
            // Rows begin within a unit of some access. One whose instructions each touch a single row may still
            // find its units whole, which only the verdict says.
            let padded = self.unpriced(self.base.layout(Spec::row_pad(elements)));
            return (padded, shots.units() + self.padded_work());
        };
        let space = (tile.rows as u64 - 1) * apart as u64 + tile.columns as u64;
        let bytes = (space * tile.bits as u64).div_ceil(8);
        let layout = self.base.layout(Spec::row_pad(elements));
        (Some(self.counted(layout, &lost, bytes)), lost.units)
    }

    /// The pad of the fewest bytes that is free in every use, as far as the effort reaches: behind what is contiguous,
    /// or at intervals.
    pub(crate) const fn free_pad(&self, effort: &mut Effort) -> Option<Spec> {
        // Whatever the tile in order costs, only what is free is sought: all else is left at its first conflict.
        let mut best = self.bare_plain().weighing(self.floor.saturating_add(1));
        self.padded_below(Searched::NOTHING, &None, &mut best, effort);
        if best.layout().scheme().is_padded() && best.weight() == self.floor {
            Some(best.layout())
        } else {
            None
        }
    }

    /// Whether the layout fits into the memory of every chip, and the direct loads of all uses can fill it.
    pub(super) const fn can_be(&self, candidate: &Candidate) -> bool {
        let mut i = 0;
        while i < self.uses().len() {
            if !self.uses()[i].instruction.holds(candidate.bytes()) {
                return false;
            }
            i += 1;
        }
        let Ok(plan) = candidate.layout().plan(self.base.tile) else { return false };
        unfilled(&plan, self.base.tile.bits, self.uses()).is_none()
    }
}

impl Shape {
    /// The pad of the fewest bytes that is free in every use: behind rows, or at intervals. Of tiles whose rows are
    /// contiguous.
    ///
    /// ```
    /// use tiledesc::search::{Shape, Spec, Use};
    /// use tiledesc::{chip::gfx1250::ds_load_b128, pattern::Lanes};
    ///
    /// // Four rows of 64 bytes fill 64 banks: 16 bytes after every 256, as the tensor data mover can write them.
    /// let tile = Shape { rows: 128, columns: 32, bits: 16 };
    /// let read = [Use::new(Lanes::rows(16), &ds_load_b128)];
    /// assert_eq!(tile.least_pad(&read), Some(Spec::interval_pad(128, 8)));
    /// assert_eq!(tile.row_pad(&read), Some(Spec::row_pad(8)));
    /// ```
    #[must_use]
    pub const fn least_pad(self, uses: &[Use<'_>]) -> Option<Spec> {
        let mut effort = Effort::RUN_TIME;
        self.free_pad(uses, false, &mut effort)
    }

    /// The pad of the fewest bytes that is free in every use, as far as the effort reaches: behind rows or at
    /// intervals, or the same by columns.
    pub(crate) const fn free_pad(
        self,
        uses: &[Use<'_>],
        by_columns: bool,
        effort: &mut Effort,
    ) -> Option<Spec> {
        let base = if by_columns { Base::columns(self) } else { Base::rows(self) };
        match base.question(uses) {
            Ok(question) => question.free_pad(effort),
            Err(_) => None,
        }
    }
}
