//! What the work of a search costs, in [units](super::effort): a unit is a lane that a list places by rows apart, some
//! 25,000 instructions of the compiler.
//!
//! Where all that is dear is charged at its price, a search ends after about the same time whatever is asked. The prices
//! are ratios of instructions of rustc 1.95, each counted alone (cachegrind) on tiles of 64x64 to 192x100:
//!
//! ```text
//!   a lane placed by a list: rows apart                 1
//!                            pads at intervals          4
//!                            rotated or flipped         8
//!   a lane whose address is a sum, beside the others    7
//!                                   and its bank       12
//!   a lane of a table, compared with an earlier one     3
//!                      judged, where it is new         12
//!                      by two sources                  18
//!   classes of instructions by their numbers        1,300
//!   the plan of a layout                              500
//!   an access laid over a plan, before any lane       300
//!   a lane put on a list                               14
//!   a lane asked for its offset by a plan              60
//!   an instruction whose lanes are known as runs      100
//!   the question itself, and lists, before any lane 1,000
//!   an access of a swizzle, whose address may be that
//!                of an earlier one plus a constant     10
//!   a look at a mask                                   20
//!   a step of the dense search                          3
//!   a pair of lanes that it looks at                    1
//! ```

use super::base::Base;
use crate::access::placed::Placed;
use crate::chip::phases::Phases;
use crate::distribution::{Walk, gcd};

/// A lane that a list places by rows apart, by pads at intervals, by rows that are rotated or flipped.
pub(super) const APART: u64 = 1;
pub(super) const INTERVALS: u64 = 4;
pub(super) const FLIPPED: u64 = 8;

/// A look at a mask.
pub(super) const LOOK: u64 = 20;

/// A step of a few operations: a lane placed by a mask, a row of a table.
pub(super) const STEP: u64 = 3;

/// A pair of lanes that are served together: finding out what it forbids a swizzle.
pub(super) const PAIR: u64 = 1;

/// An access of a swizzle: finding out whether its address is an earlier one plus a constant.
pub(super) const ADDRESSED: u64 = 10;

/// A verdict on any layout, for each lane.
pub(super) const VERDICT: u64 = 60;

/// A lane of a tile in order, or padded: its address, and what it does to the banks.
pub(super) const ASKED: u64 = 12;

/// An instruction of which it is asked what each bit of a lane's number flips.
pub(super) const SAMPLED: u64 = 7 * LANES;

/// The classes of the instructions of an access, by their numbers.
pub(super) const CLASSED: u64 = 1_300;

/// An access laid over a plan, before anything is asked of it.
pub(super) const PLACED: u64 = 300;

/// All lanes of an instruction that are known as runs.
const RUN: u64 = 100;

/// The plan of a layout: 400 to 700, most of it for composing masks.
pub(super) const PLANNED: u64 = 500;

/// A lane that is put on a list.
pub(super) const LISTED: u64 = 14;

/// An access of which all instructions are alike, to lay.
pub(super) const CLAIMED: u64 = 100;

/// What a question, or the lists of its accesses, cost before the first lane: a plan and its digits.
pub(super) const BEGUN: u64 = 1_000;

/// A lane of a table: to find out whether its instruction is an earlier one, moved; and to judge it where it is not.
pub(super) const COMPARED: u64 = 3;
pub(super) const JUDGED: u64 = 12;

/// What the second source adds to that, where two disagree.
const DISPUTED: u64 = 6;

/// Of a table that goes on along the tile three instructions of four are others, moved; in other tables each is judged by
/// itself. Where that is not known yet the price lies between.
const KINDS: u64 = 2;

/// What an access without a claim costs.
#[derive(Clone, Copy)]
pub(super) struct Price {
    /// To lay it on the tile in order.
    pub(super) laid: u64,
    /// To list its instructions, those once that a layout of rows treats alike, or each.
    pub(super) moved: u64,
    pub(super) apart: u64,
}

impl Price {
    /// Of an access that has not been laid yet.
    pub(super) const NONE: Self = Self { laid: 0, moved: 0, apart: 0 };

    /// Of an access of which all instructions are alike on the tile in order: one list, or of consecutive lanes one for
    /// each place in a row at which an instruction begins.
    pub(super) const fn claimed(base: &Base, walk: &Walk, most: u64) -> Self {
        let row = base.recipe_tile.columns as u64;
        let begun = match walk.lane_apart(&base.strides()) {
            Some(apart) if apart > 0 => row / gcd(row, apart * walk.lanes() as u64),
            _ => 1,
        };
        let instructions = walk.instructions();
        let all = if instructions < most { instructions } else { most };
        let moved = if begun < all { begun } else { all };
        Self { laid: CLAIMED, moved: moved * LISTED * LANES, apart: all * LISTED * LANES }
    }

    /// The same where the claim was found by looking at lanes: the looks are charged separately.
    pub(super) const fn of_claim(self) -> Self {
        Self { laid: CLAIMED, ..self }
    }

    /// Of a table of which so many instructions are counted, and the others are these, moved. Rows that lie apart treat no
    /// more of them alike, and mostly fewer.
    pub(super) const fn of_table(placed: &Placed<'_, '_>, counted: u64) -> Self {
        let (row, instructions) = (placed.instruction(), placed.instructions());
        let lanes = row.service().phases.addressed() as u64;
        let other = if row.rival().is_some() { DISPUTED } else { 0 };
        let guess = instructions.div_ceil(KINDS);
        let lists = if counted > guess { counted } else { guess };
        let compared = instructions * lanes * COMPARED;
        let listed = compared + lists * lanes * (LISTED + other);
        let laid = CLAIMED + compared + counted * lanes * (JUDGED + other);
        Self { laid, moved: listed, apart: listed }
    }

    /// Of any other, of which at most so many lists are kept.
    pub(super) const fn of(base: &Base, placed: &Placed<'_, '_>, most: u64) -> Self {
        if placed.listed().is_some() {
            return Self::of_table(placed, placed.instructions().div_ceil(KINDS));
        }
        let strides = placed.strides();
        let repeats = placed.repeats_by(&strides);
        let (mut asked, mut step) = (0, 0);
        while step < repeats.end() {
            asked += if repeats.of(placed.walk(), step) > 0 { 1 } else { 0 };
            step += 1;
        }
        let are_runs = match &strides {
            Some(strides) => placed.runs(strides).is_some(),
            None => false,
        };
        let each = if are_runs { RUN } else { ASKED * LANES };
        let lists = if asked < most { asked } else { most };
        // Instructions that are the first, moved, differ by where in a unit they begin.
        let places = base.places_of_unit(placed.instruction().alignment());
        let moved = if repeats.are_moved() && places < lists { places } else { lists };
        Self {
            // What may leave the tile is checked before it is counted.
            laid: CLAIMED + repeats.end() + asked * each * if placed.are_inside() { 1 } else { 2 },
            moved: moved * LISTED * LANES,
            apart: lists * LISTED * LANES,
        }
    }
}

const LANES: u64 = Phases::LANES as u64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::sm_90;
    use crate::pattern::{Lanes, Row};
    use crate::search::{Shape, Use};
    use tiledesc_transforms::List;

    /// Three instructions whose lanes are exchanged, each by other bits: none is the one before, moved.
    #[test]
    fn samples_are_charged() {
        let tile = Shape { rows: 64, columns: 16, bits: 32 };
        let row = |step: u32| -> Row {
            core::array::from_fn(|lane| (lane < 32).then(|| List::pair(lane as u32 ^ step, 0)))
        };
        let table: [Row; 3] = core::array::from_fn(|step| row(step as u32));
        let read = [Use::new(Lanes::table(&table, 1), &sm_90::ld_shared_b32)];
        let question = Base::rows(tile).question(&read).unwrap();
        assert_eq!((question.claims_len(), question.is_linear()), (1, true));
        // The second and the third were compared with the first before.
        let compared = 2 * 32 * COMPARED;
        assert_eq!(question.laid_units(), BEGUN + CLAIMED + 3 * SAMPLED + compared);
    }
}
