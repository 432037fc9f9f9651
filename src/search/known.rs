//! A verdict that a statement hands to the search for what would be free instead.
//!
//! A statement is refused by a verdict on the layout that it names, and the search begins with one on the tile's rows in
//! order. Where these are the same layout it is one verdict: of 39 instructions by a table, none the one before, moved, that
//! is 750 million instructions of the compiler, half of what the refusal cost.

use crate::access::placed::Placed;
use crate::bank::verdict::Verdict;

/// An access of which the verdict on the tile's rows in order is known.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a, 'u> {
    access: usize,
    verdict: &'a Verdict<'u>,
}

impl<'a, 'u> Known<'a, 'u> {
    /// The verdict on an access to a layout, if that is the tile's rows in order.
    pub(crate) const fn of(
        access: usize,
        placed: &Placed<'_, '_>,
        verdict: &'a Verdict<'u>,
    ) -> Option<Self> {
        if placed.is_rows_in_order() { Some(Self { access, verdict }) } else { None }
    }

    /// The verdict, if it is on this access.
    pub(super) const fn on(&self, access: usize) -> Option<&'a Verdict<'u>> {
        if self.access == access { Some(self.verdict) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::gfx950;
    use crate::pattern::{Lanes, Row};
    use crate::search::base::Base;
    use crate::search::price::{BEGUN, CLAIMED, SAMPLED};
    use crate::search::{Shape, Use};
    use tiledesc_transforms::{List, Plan};

    const TILE: Shape = Shape { rows: 128, columns: 160, bits: 32 };

    /// Lanes down a diagonal of three columns a row, which come to the ends of rows and columns elsewhere in each
    /// instruction.
    fn table() -> [Row; 9] {
        core::array::from_fn(|step| {
            let step = step as u32;
            core::array::from_fn(|lane| {
                let lane = lane as u32;
                Some(List::pair((lane + 6 * step) % 128, (3 * lane + step) % 160))
            })
        })
    }

    /// The question is the same with a verdict that is known, and does not pay for it; one on another layout is none.
    #[test]
    fn is_not_asked_again() {
        let (table, row) = (table(), &gfx950::ds_read_b32);
        let uses = [
            Use::new(Lanes::rows(16), &gfx950::ds_read_b128),
            Use::new(Lanes::table(&table, 1), row),
        ];
        let asked = TILE.question(&uses).unwrap();
        let verdict_on = |pitch: u32| {
            let plan = Plan::naive(&[128, 160], &[pitch, 1]).unwrap();
            let placed = Placed::new(&plan, 32, uses[1].lanes, row).unwrap();
            let verdict = placed.verdict().unwrap();
            (Known::of(1, &placed, &verdict).is_some(), verdict)
        };
        let ((in_order, verdict), (padded, other)) = (verdict_on(160), verdict_on(189));
        assert!(in_order && !padded && verdict.active_cycles() < other.active_cycles());

        let knowing =
            |verdict| TILE.question_knowing(&uses, Some(Known { access: 1, verdict })).unwrap();
        let known = knowing(&verdict);
        assert_eq!(known.plain().weight(), asked.plain().weight());
        assert_eq!((known.floor, known.rival_floor), (asked.floor, asked.rival_floor));
        assert_eq!(known.unclaimed(), asked.unclaimed());
        // What is handed over is believed.
        assert!(knowing(&other).plain().weight() > asked.plain().weight());

        // 64 lanes of 9 instructions, each compared, every second one judged by two sources.
        let judged = 64 * 9 * 2 + 32 * 9 * (12 + 6);
        assert_eq!(asked.laid_units() - known.laid_units(), judged);
        assert_eq!(known.stated_units(), asked.laid_units() + CLAIMED);
        let by_columns = Base::columns(TILE).question(&uses[1..]).unwrap();
        assert_eq!(by_columns.laid_units(), BEGUN + SAMPLED + CLAIMED + judged);
    }

    /// Rows in order from byte 0, with nothing between or behind them.
    #[test]
    fn rows_in_order() {
        let is = |lengths: [u32; 2], strides: [u32; 2], offset: u32| {
            let plan = Plan::naive_with_offset(&lengths, &strides, offset).unwrap();
            let row = &gfx950::ds_read_b32;
            Placed::new(&plan, 32, Lanes::row_major().first(), row).unwrap().is_rows_in_order()
        };
        assert!(is([32, 80], [80, 1], 0) && is([64, 64], [64, 1], 0));
        assert!(!is([32, 80], [84, 1], 0) && !is([32, 80], [80, 1], 4));
        assert!(!is([64, 64], [1, 64], 0) && !is([64, 64], [0, 1], 0));
    }
}
