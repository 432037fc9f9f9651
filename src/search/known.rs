//! A verdict that a statement hands to the search for what would be free instead.
//!
//! A statement is refused by a verdict on the layout that it names, and the search begins with one on the tile's rows in
//! order. Where these are the same layout it is one verdict: of a table of 39 instructions, of which 26 are counted, each
//! by two sources, that is 720 million instructions of the compiler.

use crate::access::placed::Placed;
use crate::bank::verdict::Verdict;
use crate::search::price::Price;

/// The verdict on an access, on the layout that a statement names.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a, 'u> {
    access: usize,
    verdict: &'a Verdict<'u>,
    /// Whether the layout is the tile's rows in order.
    in_order: bool,
    /// How many instructions were counted, of a table, and what that took, in units.
    counted: u64,
    units: u64,
}

impl<'a, 'u> Known<'a, 'u> {
    /// Of an access to a layout; of a table so many instructions were counted.
    pub(crate) const fn of(
        access: usize,
        placed: &Placed<'_, '_>,
        verdict: &'a Verdict<'u>,
        counted: u64,
    ) -> Self {
        let units = if counted > 0 { Price::of_table(placed, counted).laid } else { 0 };
        Self { access, verdict, in_order: placed.is_rows_in_order(), counted, units }
    }

    /// What it took, in units: of a table only, as others take next to nothing.
    pub(crate) const fn units(&self) -> u64 {
        self.units
    }

    /// The verdict on the rows in order, if it is on this access, and how many instructions of a table were counted for it.
    pub(super) const fn on(&self, access: usize) -> Option<(&'a Verdict<'u>, u64)> {
        if self.in_order && self.access == access {
            Some((self.verdict, self.counted))
        } else {
            None
        }
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

    /// A known verdict gives the same question and is not charged again; a verdict on another layout is ignored.
    #[test]
    fn is_not_asked_again() {
        let (table, row) = (table(), &gfx950::ds_read_b32);
        let uses = [
            Use::new(Lanes::rows(16), &gfx950::ds_read_b128),
            Use::new(Lanes::table(&table, 1), row),
        ];
        let asked = TILE.question(&uses).unwrap();
        let plans = [160, 189].map(|pitch| Plan::naive(&[128, 160], &[pitch, 1]).unwrap());
        let known_on = |plan| {
            let placed = Placed::new(plan, 32, uses[1].lanes, row).unwrap();
            let mut counted = 0;
            (placed.judged_counting(true, &mut counted).unwrap(), placed, counted)
        };
        let [(verdict, in_order, counted), (other, padded, _)] = plans.each_ref().map(known_on);
        assert!(verdict.active_cycles() < other.active_cycles());

        let knowing = |known| TILE.question_knowing(&uses, Some(known)).unwrap();
        let stated = Known::of(1, &in_order, &verdict, counted);
        let known = knowing(stated);
        assert_eq!(known.plain().weight(), asked.plain().weight());
        assert_eq!((known.floor, known.rival_floor), (asked.floor, asked.rival_floor));
        assert_eq!(known.unclaimed(), asked.unclaimed());
        // A verdict that is handed over is trusted, unless its access is not asked for or its layout is another.
        assert!(
            knowing(Known { verdict: &other, ..stated }).plain().weight() > asked.plain().weight()
        );
        for strange in [Known { access: 2, ..stated }, Known::of(1, &padded, &other, counted)] {
            let known = knowing(strange);
            assert_eq!(known.plain().weight(), asked.plain().weight());
            assert_eq!(known.laid_units(), asked.laid_units());
        }

        // 64 lanes of 9 instructions, each compared; 4 are counted, by two sources.
        assert_eq!(counted, 4);
        let judged = 64 * 9 * 3 + 64 * 4 * (12 + 6);
        assert_eq!(stated.units(), CLAIMED + judged);
        assert_eq!(asked.laid_units() - known.laid_units(), judged);
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
