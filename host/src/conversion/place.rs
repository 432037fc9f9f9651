//! The bits of an offset above its vectors: which of them choose the bank.
//!
//! Two accesses to one tile touch different elements together, and each is free of conflicts only if no two of its
//! elements meet in a bank:
//!
//! ```text
//!   64x64 halves on gfx942: 16 bytes along a row are stored, one half of each of 64 lanes down a column loaded
//!
//!   bit of the element    0   1   2   3    4    5    6    7     8     9        10        11
//!   moves the offset by   2   4   1   8   16   32   64  128   256   512^8   1024^16   2048^32
//! ```
//!
//! Bits 0 to 5 of the offset choose the bank. Rows 8, 16 and 32 (bits 9 to 11) would all begin in bank 0; the
//! xor moves them to the banks of columns 8, 16 and 32.
//!
//! What is in bank 0 with element 0 is a space of numbers, N; what a phase touches is another, D. A phase has
//! no conflict exactly if D and N have only 0 in common (parts of one dword aside). So for two accesses one N
//! is wanted that avoids two spaces, and grows until the banks are full:
//!
//! ```text
//!   u in neither D1 + N nor D2 + N:   N grows by u
//!   there is no such u:               u outside D1 + N, w outside D2 + N; then u is in D2 + N and w in
//!                                     D1 + N, and u + w is in neither
//! ```
//!
//! It never gets stuck before D1 + N or D2 + N is everything; from then on that side loses a dimension with
//! each further number, which no other choice would have spared it.

use super::numbers::{NumberList, span, unseen, with};
use super::vectors::Vectors;
use tiledesc::Linear;
use tiledesc::bank::Span;

/// The demands of one side on the banks.
#[derive(Clone, Copy)]
pub(super) struct Demand {
    /// The numbers that a phase touches, and all parts of dwords.
    pub(super) touched: Span,
    /// Bits of an offset that choose bytes and banks.
    pub(super) bank_bits: usize,
    /// Cycles without conflicts.
    pub(super) base_cycles: u64,
}

/// The numbers whose offsets are single bits, the lowest first.
pub(super) fn places(vectors: &Vectors, demands: &[Demand; 2], bits: usize) -> Option<NumberList> {
    let masks = vectors.masks.as_slice();
    let above = bits - vectors.low.len();
    let room = Room::new(masks, bits);
    let mut bank_bits = demands.map(|demand| demand.bank_bits);
    bank_bits.sort_unstable();
    let [narrow, wide] = bank_bits.map(|bits| bits.saturating_sub(vectors.low.len()).min(above));
    if bank_bits[0] < vectors.low.len() {
        return None;
    }
    let touched = demands.map(|its| unseen(its.touched.numbers(), masks));
    // In bank 0 of the more banks first, which is in bank 0 of the fewer, too.
    let of_wider = room.apart(touched, NumberList::NONE, above - wide);
    let is_narrow = |side: usize| demands[side].bank_bits == bank_bits[0];
    let narrower = [0, 1].map(|side| if is_narrow(side) { touched[side] } else { Span::NONE });
    let of_narrower = room.apart(narrower, of_wider, above - narrow);
    Some(room.normal(&vectors.low, &of_wider, &of_narrower))
}

/// The numbers that are part of no vector.
pub(super) struct Room {
    units: NumberList,
}

impl Room {
    pub(super) fn new(masks: &[u32], bits: usize) -> Self {
        let all = (0..bits).map(|bit| 1 << bit);
        let left = unseen(all, masks);
        let mut units = Span::NONE;
        let single = (0..bits).map(|bit| 1 << bit).filter(|unit| left.holds(*unit));
        let numbers = single.chain(left.numbers()).filter(|number| units.add(*number));
        let units = NumberList::new(numbers);
        Self { units }
    }

    /// Single bits in which no vector has a part, the lowest first, and what else there is.
    pub(super) fn units(&self) -> impl Iterator<Item = u32> + '_ {
        self.units.iter()
    }

    pub(super) fn has(&self, unit: u32) -> bool {
        self.units.as_slice().contains(&unit)
    }

    /// Chooses `count` numbers of which no sum is in one of two spaces, as long as that can be.
    fn apart(&self, avoided: [Span; 2], first: NumberList, count: usize) -> NumberList {
        let mut chosen = first;
        let mut spaces = avoided.map(|space| with(space, first.iter()));
        while chosen.len() < count {
            let number = self.outside(&spaces, &chosen);
            chosen.push(number);
            for space in &mut spaces {
                space.add(number);
            }
        }
        chosen
    }

    /// A number outside both spaces, or outside the one that is not yet everything; if there are
    /// some, one of bits that no number has which was chosen before.
    fn outside(&self, spaces: &[Span; 2], chosen: &NumberList) -> u32 {
        let used = chosen.iter().fold(0, |used, number| used | number);
        let units = || {
            let units = || self.units.iter().rev();
            units().filter(|unit| unit & used == 0).chain(units())
        };
        let outside = |space: &Span| units().find(|unit| !space.holds(*unit));
        let both = |unit: &u32| spaces.iter().all(|space| !space.holds(*unit));
        if let Some(unit) = units().find(both) {
            return unit;
        }
        match spaces.each_ref().map(outside) {
            [Some(first), Some(second)] => first ^ second,
            [Some(one), None] | [None, Some(one)] => one,
            [None, None] => outside(&span(chosen.iter())).unwrap_or(0),
        }
    }

    /// Vectors, then single bits as far as the narrower banks reach, then what is in bank 0 of
    /// those, then of all: a single bit with what it flips of the bits before.
    fn normal(&self, low: &NumberList, wider: &NumberList, narrower: &NumberList) -> NumberList {
        let mut columns = *low;
        let mut taken = span(low.iter().chain(narrower.iter()));
        for unit in self.units.iter().filter(|unit| taken.add(*unit)) {
            columns.push(unit);
        }
        for inside in [narrower, wider] {
            let before = columns;
            // Between the two, all but what is in bank 0 of both.
            let left = if inside.len() > wider.len() { wider } else { &NumberList::NONE };
            let mut taken = span(before.iter().chain(left.iter()));
            for unit in self.units.iter().filter(|unit| taken.add(*unit)) {
                columns.push(flipped(unit, &before, inside));
            }
        }
        columns
    }
}

/// A single bit with what it flips of those before, such that it is a sum of `inside`.
fn flipped(unit: u32, before: &NumberList, inside: &NumberList) -> u32 {
    let both = NumberList::new(before.iter().chain(inside.iter()));
    let Some(back) = Linear::new(both.as_slice(), 0).ok().and_then(|map| map.inverse()) else {
        return unit;
    };
    let flips = back.apply(unit) & 1u32.unbounded_shl(before.len() as u32).wrapping_sub(1);
    unit ^ before.sum(flips)
}

#[cfg(test)]
mod tests {
    use crate::conversion::Conversion;
    use tiledesc::chip::gfx942;
    use tiledesc::distribution::Distribution;

    tiledesc::distribution! {
        type Rows: m [again 2, wave 4, row 8], k [chunk 8, half 8];
            wave (wave), lane (row, chunk), thread (again, half);
        type Columns: m [chunk 8, half 8], k [again 2, wave 4, column 8];
            wave (wave), lane (column, chunk), thread (again, half);
    }

    /// The example of the module.
    #[test]
    fn rows_that_begin_in_other_banks() {
        let (rows, columns) = (Rows::ENCODING.unwrap(), Columns::ENCODING.unwrap());
        let moved = Conversion::between(&rows, &columns, 16, &gfx942).unwrap();
        let layout = moved.plan().unwrap().linear().unwrap();
        assert_eq!(
            layout.columns(),
            [2, 4, 1, 8, 16, 32, 64, 128, 256, 512 ^ 8, 1024 ^ 16, 2048 ^ 32]
        );
        let write = moved.store();
        let order =
            |instruction| [0, 1, 2, 3, 4, 5, 6, 7].map(|at| write.register(instruction, at));
        assert_eq!(order(0), [0, 4, 1, 5, 2, 6, 3, 7]);
        assert_eq!(order(1), [8, 12, 9, 13, 10, 14, 11, 15]);
    }
}
