//! Pads at intervals: some elements after every interval, wherever a row ends.
//!
//! A pad behind each row of 64 bytes is four times the pads that 64 banks need. A pad after a power of two of bytes
//! knows nothing of rows. It is what the tensor data mover of gfx1250 writes, and what Triton's `padded_shared` and
//! TensileLite's `LdsBlockSizePerPad` say:
//!
//! ```text
//!   128x32 halves on gfx1250, 64 banks, read by 16 rows in packs of 16 bytes
//!
//!   16 bytes after each row of 64 bytes    free    2,032 bytes more
//!   16 bytes after every 256 bytes         free      496 bytes more
//! ```
//!
//! As with [pads behind rows](super::pads) the accesses are asked once. Two instructions that differ by whole
//! intervals do the same to the banks, so that of most patterns one stands for all. The largest interval comes
//! first, and of each the smallest pad: that is the order of bytes, so the first of the fewest cycles is the least.

use super::candidate::Candidate;
use super::effort::Effort;
use super::question::Question;
use super::searched::Extent;
use super::shot::Place;
use super::shots::{Shots, Together};
use super::spec::Spec;

/// The intervals that are tried, in bytes: those of the tensor data mover, but for the smallest, whose pads are a
/// quarter of the tile and more.
const LOG2_INTERVALS: [u32; 2] = [6, 10];

/// A pad after every `1 << log2_every` bytes.
#[derive(Clone, Copy)]
struct Interval {
    log2_every: u32,
    /// The same in elements.
    every: u32,
    pad: u32,
}

impl Question<'_, '_> {
    /// Tries pads at intervals, up to one round of all banks, as far as the effort reaches.
    pub(super) const fn intervals(
        &self,
        tables: &Option<Shots>,
        best: &mut Candidate,
        effort: &mut Effort,
    ) -> Extent {
        let Some(shots) = self.interval_shots(tables, effort) else { return Extent::Nothing };
        let mut log2_every = LOG2_INTERVALS[1];
        let mut extent = Extent::Nothing;
        while log2_every >= LOG2_INTERVALS[0] {
            if let Some(every) = self.interval_of(log2_every) {
                extent = Extent::All;
                if !self.pads_of(log2_every, every, &shots, best, effort) {
                    return Extent::Part;
                }
            }
            log2_every -= 1;
        }
        extent
    }

    /// The least pad of each interval: for a table of candidates.
    pub(super) const fn least_of_interval(&self, log2_every: u32) -> Option<Candidate> {
        let mut effort = Effort::RUN_TIME;
        let Some(every) = self.interval_of(log2_every) else { return None };
        let Some(shots) = self.interval_shots(&None, &mut effort) else { return None };
        let mut best = self.bare_plain().weighing(u64::MAX);
        self.pads_of(log2_every, every, &shots, &mut best, &mut effort);
        if best.layout().scheme().is_padded() { Some(self.priced(best)) } else { None }
    }

    /// The intervals of a table, as powers of two of bytes: from one to another.
    pub(super) const fn interval_range() -> [u32; 2] {
        LOG2_INTERVALS
    }

    /// Tries the pads of one interval; false if the effort was spent first.
    const fn pads_of(
        &self,
        log2_every: u32,
        every: u32,
        shots: &Shots,
        best: &mut Candidate,
        effort: &mut Effort,
    ) -> bool {
        let (step, round) =
            (self.base.tile.pad_step(self.uses()), self.base.tile.pad_round(self.uses()));
        let mut pad = step;
        while step > 0 && pad < round {
            let interval = Interval { log2_every, every, pad };
            let bytes = self.bytes_of(&interval);
            // Of as many cycles the one of more bytes comes too late.
            let room = best.weight().saturating_sub(self.floor).saturating_add(1);
            if best.weight() == self.floor && bytes >= best.bytes() {
                break;
            }
            let (candidate, units) = self.padded_at(&interval, shots, room, bytes);
            if !effort.spend(units) {
                return false;
            }
            if let Some(candidate) = candidate
                && candidate.is_less(best)
                && self.can_be(&candidate)
            {
                *best = candidate;
            }
            pad += step;
        }
        true
    }

    const fn padded_at(
        &self,
        interval: &Interval,
        shots: &Shots,
        room: u64,
        bytes: u64,
    ) -> (Option<Candidate>, u64) {
        let Interval { log2_every, every, pad } = *interval;
        let place = Place::Intervals { log2_every, pad };
        match shots.lost(&self.base, &place, room) {
            Some(lost) => {
                let layout = self.base.layout(Spec::interval_pad(every, pad));
                (Some(self.counted(layout, &lost, bytes)), lost.units)
            }
            None => (None, shots.units() * place.price()),
        }
    }

    /// The elements of an interval; `None` where it is not whole packs, or the tile not whole intervals, or where
    /// it is a row: a pad behind rows has fewer terms.
    const fn interval_of(&self, log2_every: u32) -> Option<u32> {
        let tile = self.base.recipe_tile;
        let bits = 8u64 << log2_every;
        if tile.bits == 0 || !bits.is_multiple_of(tile.bits as u64) {
            return None;
        }
        let every = (bits / tile.bits as u64) as u32;
        let elements = tile.rows as u64 * tile.columns as u64;
        let step = self.base.tile.pad_step(self.uses());
        if step == 0 || every < step || !every.is_multiple_of(step) || every == tile.columns {
            return None;
        }
        if elements > every as u64 && elements.is_multiple_of(every as u64) {
            Some(every)
        } else {
            None
        }
    }

    const fn bytes_of(&self, interval: &Interval) -> u64 {
        let tile = self.base.recipe_tile;
        let elements = tile.rows as u64 * tile.columns as u64;
        let pads = elements / interval.every as u64 - 1;
        ((elements + pads * interval.pad as u64) * tile.bits as u64).div_ceil(8)
    }

    /// The accesses as lists that all intervals share: those of the largest.
    ///
    /// `None` where a lane may move several units, between which a pad could come: of 12 bytes, or aligned to less.
    const fn interval_shots(&self, tables: &Option<Shots>, effort: &mut Effort) -> Option<Shots> {
        let mut i = 0;
        while i < self.uses().len() {
            let row = self.uses()[i].instruction;
            if row.bytes() != row.alignment() {
                return None;
            }
            i += 1;
        }
        let mut log2_every = LOG2_INTERVALS[1];
        while log2_every >= LOG2_INTERVALS[0] {
            if let Some(period) = self.interval_of(log2_every) {
                let together = Together::Numbered { period: period as u64 };
                return self.listed(u64::MAX, together, tables, effort);
            }
            log2_every -= 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::{gfx1250::ds_load_b128, sm_90};
    use crate::pattern::Lanes;
    use crate::search::base::Base;
    use crate::search::price::{BEGUN, CLASSED, LISTED};
    use crate::search::{Shape, Use};

    /// The table of the module.
    #[test]
    fn a_quarter_of_the_pads() {
        let tile = Shape { rows: 128, columns: 32, bits: 16 };
        let read = [Use::new(Lanes::rows(16), &ds_load_b128)];
        for (layout, more) in [(Spec::row_pad(8), 2032), (Spec::interval_pad(128, 8), 496)] {
            let plan = layout.plan(tile).unwrap();
            assert!(layout.is_free(tile, &read), "{layout:?}");
            assert_eq!(plan.element_space() * 2, 128 * 32 * 2 + more);
        }
        let mut effort = Effort::STATEMENT;
        assert_eq!(tile.free_pad(&read, false, &mut effort), Some(Spec::interval_pad(128, 8)));
    }

    /// Each class of an access is charged as a list, once the classes are known; no list is made that the effort does not
    /// cover.
    #[test]
    fn lists_of_classes_are_charged() {
        let tile = Shape { rows: 128, columns: 80, bits: 32 };
        let uses = [
            Use::new(Lanes::column(), &sm_90::st_shared_b128),
            Use::new(Lanes::rows(16), &sm_90::ld_shared_b64),
        ];
        let question = Base::rows(tile).question(&uses).unwrap();
        let made = |units: u64| {
            let mut effort = Effort::of_units(units);
            let shots = question.interval_shots(&None, &mut effort);
            (shots.map(|shots| shots.len() as u64), effort)
        };
        let lists = made(1_000_000).0.unwrap();
        let price = BEGUN + 2 * CLASSED + lists * LISTED * 32;
        assert!(lists > 20, "{lists}");
        assert_eq!(made(price), (Some(lists), Effort::of_units(0)));
        assert_eq!(made(price - 1).0, None);
    }
}
