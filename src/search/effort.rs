//! How much a search may do: counted in units that are placed, so that it ends the same everywhere.
//!
//! Nearly every search ends by itself. One of a hundred instructions by a table, each lane asked for each of
//! 63 pads, would keep the compiler for a minute. A statement has the effort of a fraction of a second, and says
//! where it ended; who asks at run time, as the command line does, may wait longer.
//!
//! Charged is all that is dear, at its [price](super::price): accesses that are laid over the tile and put on lists, lanes
//! that are placed, looks at masks, steps of the dense search. To lay each access once leaves a quarter of the effort at
//! least: no answer can do without.
//!
//! ```text
//!   192x100 halves, all of ds_read_u16 by Strided<3>    pads that are tried
//!   `synthesize!`: 56,000 units                         not all, and "the search was ended"
//!   at run time: 1,000,000,000 units                    all
//! ```

use super::places::MOST_COLUMNS;
use super::price::{LOOK, STEP};
use tiledesc_transforms::List;

/// What is left of it, in units: a unit is one lane of an instruction placed by one layout of rows.
///
/// ```
/// use tiledesc::search::{Effort, Optimality, Shape, Use};
/// use tiledesc::{chip::gfx942::ds_read_u16, pattern::Lanes};
///
/// let tile = Shape { rows: 192, columns: 100, bits: 16 };
/// let read = Use::new(Lanes::strided(3), &ds_read_u16);
/// let stated = tile.synthesize_within(&[read], Effort::STATEMENT)?;
/// assert_eq!((stated.optimality(), stated.cycles()), (Optimality::Ended, 400));
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    left: u64,
    /// Cycles that are enough: what takes no more ends the search.
    enough: u64,
    has_ended: bool,
    /// Whether a candidate was left out that would have taken more than was left.
    has_left_out: bool,
    /// Columns of packs that an answer may have: a declared type holds fewer than a list.
    columns: u32,
}

impl Effort {
    /// Of `synthesize!`: 56,000 units, a fraction of a second of the compiler.
    pub const STATEMENT: Self = Self {
        left: 56_000,
        enough: 0,
        has_ended: false,
        has_left_out: false,
        columns: MOST_COLUMNS,
    };

    /// Of the layouts that a refused statement suggests: less, because its verdicts came first.
    pub(crate) const REFUSED: Self = Self { left: 27_000, ..Self::STATEMENT };

    /// Of the other accesses that it suggests: all tries together, laying each included.
    pub(crate) const CHANGE: Self = Self { left: 12_000, ..Self::STATEMENT };

    /// At run time: a thousand million units.
    pub const RUN_TIME: Self =
        Self { left: 1_000_000_000, columns: List::CAPACITY as u32, ..Self::STATEMENT };

    /// A statement's, of this many units.
    ///
    /// ```
    /// use tiledesc::search::Effort;
    ///
    /// assert_eq!(Effort::of_units(56_000), Effort::STATEMENT);
    /// ```
    #[must_use]
    pub const fn of_units(units: u64) -> Self {
        Self { left: units, ..Self::STATEMENT }
    }

    /// The same where this many cycles are enough: a layout that takes no more ends the search.
    ///
    /// ```
    /// use tiledesc::search::{Effort, Optimality, Shape, Use};
    /// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes};
    ///
    /// // Of 64 rows of 96 halves no layout is free in both reads.
    /// let tile = Shape { rows: 64, columns: 96, bits: 16 };
    /// let reads = [16, 32].map(|rows| Use::new(Lanes::rows(rows), &ds_read_b128));
    /// let found = tile.synthesize_within(&reads, Effort::RUN_TIME.until(450))?;
    /// assert_eq!(found.optimality(), Optimality::Enough);
    /// assert!(found.cycles() <= 450);
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    #[must_use]
    pub const fn until(self, enough: u64) -> Self {
        Self { enough, ..self }
    }

    /// Columns of packs that an answer may have.
    pub(crate) const fn columns(&self) -> u32 {
        self.columns
    }

    /// Cycles that are enough.
    pub(crate) const fn enough(&self) -> u64 {
        self.enough
    }

    /// Whether this many cycles are enough.
    pub(crate) const fn is_enough(&self, cycles: u64) -> bool {
        cycles <= self.enough
    }

    /// How many looks at masks can be taken, at most `most`.
    pub(crate) const fn looks(&self, most: u32) -> u32 {
        let left = if self.has_ended { 0 } else { self.left / LOOK };
        if left < most as u64 { left as u32 } else { most }
    }

    /// Takes looks that were taken of this many that could be; `is_cut` if these were not enough.
    pub(crate) const fn look(&mut self, looks: u32, most: u32, is_cut: bool) {
        self.has_ended |= is_cut && self.looks(most) < most;
        self.left = self.left.saturating_sub(looks as u64 * LOOK);
    }

    /// Takes what it cost to lay accesses, without which there is no answer, and leaves a quarter at least.
    pub(crate) const fn lay(&mut self, units: u64) {
        let least = self.left / 4;
        let left = self.left.saturating_sub(units);
        self.left = if left < least { least } else { left };
    }

    /// Takes so much of it; false if there is not enough left, and from then on.
    pub(crate) const fn spend(&mut self, units: u64) -> bool {
        if self.has_ended || units > self.left {
            self.has_ended = true;
            return false;
        }
        self.left -= units;
        true
    }

    /// Takes so much of it for one candidate that is dear; false if there is not enough left: then this one is left
    /// out, and what is cheaper may follow.
    pub(crate) const fn afford(&mut self, units: u64) -> bool {
        let is_left = self.allows(units);
        self.has_left_out |= !is_left;
        is_left
    }

    /// The same for work that only chooses among candidates of equal cycles: leaving it out does not cut the search short.
    pub(crate) const fn allows(&mut self, units: u64) -> bool {
        let is_left = !self.has_ended && units <= self.left;
        if is_left {
            self.left -= units;
        }
        is_left
    }

    /// Whether `units` are left; if not, the work that needs them is left out.
    pub(crate) const fn affords(&mut self, units: u64) -> bool {
        self.has_left_out |= self.has_ended || units > self.left;
        !self.has_ended && units <= self.left
    }

    /// Takes `units` for work that more valuable work follows; false if they exceed half of what is left: then the work is
    /// left out.
    pub(crate) const fn spare(&mut self, units: u64) -> bool {
        if units > self.left / 2 {
            self.has_left_out = true;
            return false;
        }
        self.afford(units)
    }

    /// Steps that are left, each at the price of a step.
    pub(crate) const fn steps(&self) -> u64 {
        if self.has_ended { 0 } else { self.left / STEP }
    }

    /// Takes this many steps; false if fewer are left: then what they were for is left out.
    pub(crate) const fn step(&mut self, steps: u64) -> bool {
        self.afford(steps.saturating_mul(STEP))
    }

    /// Charges steps that were already done: takes all that is left and returns false if they exceed it.
    pub(crate) const fn has_stepped(&mut self, steps: u64) -> bool {
        let is_enough = self.step(steps);
        if !is_enough {
            self.left = 0;
        }
        is_enough
    }

    /// Half of what is left, for a search after which others follow.
    pub(crate) const fn half(&self) -> Self {
        Self { left: self.left / 2, ..*self }
    }

    /// Takes what was taken of half.
    pub(crate) const fn take_of_half(&mut self, half: &Self) {
        self.left -= self.left / 2 - half.left;
    }

    /// Whether nothing is tried any more.
    pub(crate) const fn is_spent(&self) -> bool {
        self.has_ended
    }

    /// Whether something was left out.
    pub(crate) const fn has_ended(&self) -> bool {
        self.has_ended || self.has_left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::gfx942::ds_read_u16;
    use crate::pattern::Lanes;
    use crate::search::{Extent, Optimality, Shape, Use};

    /// As in the picture of the module, of whole tiles: a statement leaves pads out and says so, and at run time all are tried.
    #[test]
    fn where_a_search_ended_is_said() {
        let tile = Shape { rows: 192, columns: 100, bits: 16 };
        let said = |mut effort: Effort| {
            let read = Use::new(Lanes::strided(3), &ds_read_u16);
            let found = tile.propose(&[read], &mut effort).unwrap().found;
            let searched = found.searched();
            (searched.pads, searched.has_ended, found.optimality())
        };
        let (pads, ended, optimality) = said(Effort::STATEMENT);
        assert_ne!(pads, Extent::All);
        assert_eq!((ended, optimality), (true, Optimality::Ended));
        let (pads, ended, optimality) = said(Effort::RUN_TIME);
        assert_eq!((pads, ended, optimality), (Extent::All, false, Optimality::Open));
    }

    /// All of it can be spent and no more, and what was refused once is refused from then on.
    #[test]
    fn an_effort_ends_once() {
        let mut effort = Effort::STATEMENT;
        assert!(!effort.afford(56_001) && effort.has_ended());
        let mut effort = Effort::STATEMENT;
        assert!(effort.spend(56_000) && !effort.has_ended());
        assert!(!effort.spend(1) && effort.has_ended());
        assert!(!effort.spend(0) && effort.looks(9) == 0);
        // Choosing among equals may be left out without ending the search.
        let mut effort = Effort::of_units(10);
        assert!(
            !effort.allows(11) && effort.allows(10) && !effort.allows(1) && !effort.has_ended()
        );
        // Work that turns out to exceed what was left takes all of it.
        let mut effort = Effort::of_units(9 * STEP);
        assert!(effort.has_stepped(4) && effort.steps() == 5);
        assert!(!effort.has_stepped(6) && effort.steps() == 0);
    }

    /// Work that other work follows takes half of the effort at most; what cannot be afforded is left out, and reported.
    #[test]
    fn what_is_spared_leaves_half() {
        let mut effort = Effort::of_units(10);
        assert!(effort.spare(5) && !effort.has_ended());
        assert!(!effort.spare(3) && effort.has_ended() && !effort.is_spent());
        let mut effort = Effort::of_units(10);
        assert!(effort.affords(10) && effort.affords(10) && !effort.has_ended());
        assert!(!effort.affords(11) && effort.has_ended() && !effort.is_spent());
    }
}
