//! What a layout weighs: the cycles of all uses, each as often as it is issued, and where two sources disagree on a
//! row the conflicts of the other source too.
//!
//! ```text
//!   a read of 4 phases     by its own source    by the other    weighs
//!   free by both                           4               4         4
//!   2-way by the other                     4               8         8
//! ```

use crate::bank::verdict::Verdict;

/// What a search weighs a layout by.
#[derive(Clone, Copy)]
pub(crate) struct Weight {
    /// The cycles by the rows, and where two sources disagree on one the conflicts of the other too.
    pub(crate) sum: u64,
    /// The cycles by the rows, and by the others where rows are disputed.
    pub(crate) by_source: [u64; 2],
}

impl Weight {
    /// Of nothing.
    pub(crate) const NONE: Self = Self { sum: 0, by_source: [0; 2] };

    /// What a verdict on an access that is issued so often adds.
    pub(crate) const fn of(verdict: &Verdict<'_>, times: u32) -> Self {
        let (own, times) = (verdict.active_cycles(), times as u64);
        let rival = match verdict.rival_cycles() {
            Some(rival) if !verdict.instruction().is_settled() => rival,
            _ => own,
        };
        let sum = (own + verdict.disputed_cycles()) * times;
        Self { sum, by_source: [own * times, rival * times] }
    }

    /// Of both.
    pub(crate) const fn and(self, other: Self) -> Self {
        let ([own, rival], [more, more_rival]) = (self.by_source, other.by_source);
        let by_source = [own + more, rival + more_rival];
        Self { sum: self.sum.saturating_add(other.sum), by_source }
    }
}
