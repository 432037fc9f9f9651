//! What a layout weighs: the cycles of all uses, each as often as it is issued, and where two sources disagree on a
//! row the conflicts of the other source too.
//!
//! ```text
//!   a read of 4 phases     by its own source    by the other    weighs
//!   free by both                           4               4         4
//!   2-way by the other                     4               8         8
//! ```

use super::shape::Use;
use crate::access::placed::Placed;
use tiledesc_transforms::{Digits, Plan};

/// What a search weighs a layout by: the cycles of all uses, and where two sources disagree on a row the
/// conflicts of the other too; `None` if it does not hold one.
pub(super) const fn weight(plan: &Plan, bits: u32, uses: &[Use<'_>]) -> Option<u64> {
    let (digits, mut sum, mut i) = (plan.digits(), 0, 0);
    while i < uses.len() {
        match weight_of(plan, &digits, bits, &uses[i]) {
            Some(cycles) => sum += cycles,
            None => return None,
        }
        i += 1;
    }
    Some(sum)
}

/// The cycles of all uses by the rows, and by the others where rows are disputed; `None` if the layout does not
/// hold one.
pub(super) const fn by_source(plan: &Plan, bits: u32, uses: &[Use<'_>]) -> Option<[u64; 2]> {
    let (digits, mut sums, mut i) = (plan.digits(), [0, 0], 0);
    while i < uses.len() {
        let Use { lanes, instruction: row, times, .. } = uses[i];
        let Ok(placed) = Placed::with_digits(plan, digits, bits, lanes, row) else { return None };
        let Ok(verdict) = placed.judged(false) else { return None };
        let own = verdict.active_cycles();
        let rival = match verdict.rival_cycles() {
            Some(rival) if !row.is_settled() => rival,
            _ => own,
        };
        sums = [sums[0] + own * times as u64, sums[1] + rival * times as u64];
        i += 1;
    }
    Some(sums)
}

/// What one use adds to it.
pub(super) const fn weight_of(
    plan: &Plan,
    digits: &Option<Digits>,
    bits: u32,
    access: &Use<'_>,
) -> Option<u64> {
    let Use { lanes, instruction: row, times, .. } = *access;
    let Ok(placed) = Placed::with_digits(plan, *digits, bits, lanes, row) else { return None };
    let Ok(verdict) = placed.judged(false) else { return None };
    if verdict.conflicts().race.is_some() {
        return None;
    }
    let cycles = verdict.active_cycles() + verdict.disputed_cycles();
    Some(cycles * times as u64)
}
