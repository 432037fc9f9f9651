//! The verdict on a table: instruction by instruction, but for those that are earlier ones, moved.
//!
//! A table that goes on along rows comes round to where it began. 32 lanes that take two floats each of rows of 72 begin
//! at float 0, 64, 56, .. of a row:
//!
//! ```text
//!   instruction   0   1   2   3  ..   7   8   9  10  ..
//!   begins at     0  64  56  48  ..  16   8   0  64  ..     all 32 within a row at 0 and at 8: 8 kinds, of 60 instructions
//! ```
//!
//! So the first of each kind is kept, with the kind that came after it: the next is that one mostly. Where it is not, one
//! number tells kinds apart, and only that with the same number is compared lane by lane.

use super::Verdict;
use crate::access::addresses::Addresses;
use crate::access::error::AccessError;
use crate::access::placed::Placed;
use tiledesc_transforms::{List, attempt};

/// Kinds that are kept.
const MOST: usize = 32;

/// The first instruction of each kind, its verdict, and the kind that came after it the last time.
struct Kinds<'i> {
    lanes: [Addresses; MOST],
    prints: [i64; MOST],
    verdicts: [Verdict<'i>; MOST],
    next: [usize; MOST],
    count: usize,
    last: usize,
    /// How many were ever kept.
    kept: u64,
}

impl<'i> Kinds<'i> {
    const fn of(lanes: Addresses, verdict: Verdict<'i>) -> Self {
        Self {
            lanes: [lanes; MOST],
            prints: [lanes.print(); MOST],
            verdicts: [verdict; MOST],
            next: [0; MOST],
            count: 1,
            last: 0,
            kept: 1,
        }
    }

    /// The kind that is expected next.
    const fn expected(&self) -> usize {
        self.next[self.last]
    }

    /// The kind of some lanes with this print, moved by whole units.
    const fn find(&self, lanes: &Addresses, print: i64, unit: u32) -> Option<usize> {
        let mut kind = 0;
        while kind < self.count {
            if self.prints[kind] == print && lanes.is_moved(&self.lanes[kind], unit) {
                return Some(kind);
            }
            kind += 1;
        }
        None
    }

    /// An instruction of a kind came; its verdict.
    const fn pass(&mut self, kind: usize) -> Verdict<'i> {
        self.next[self.last] = kind;
        self.last = kind;
        self.verdicts[kind]
    }

    /// The first instruction of another kind came; where there are too many, it takes the place of the last.
    const fn keep(&mut self, lanes: Addresses, print: i64, verdict: Verdict<'i>) {
        let kind = if self.count < MOST { self.count } else { MOST - 1 };
        self.count = kind + 1;
        self.kept += 1;
        (self.lanes[kind], self.prints[kind]) = (lanes, print);
        (self.verdicts[kind], self.next[kind]) = (verdict, kind);
        self.pass(kind);
    }
}

impl<'i> Placed<'_, 'i> {
    /// The verdict on all instructions of a table; who meets is not told.
    pub(super) const fn verdict_by_table(
        &self,
        strides: &Option<List>,
    ) -> Result<Verdict<'i>, AccessError> {
        // Lane 0 of wave 0 holds the first element of any tile.
        let first = attempt!(self.addresses_by(0, strides));
        let mut verdict = attempt!(self.verdict_of(0, &first, false, false));
        let mut kinds = Kinds::of(first, verdict);
        let alignment = self.instruction().alignment();
        let (unit, mut step) = (if alignment > 4 { alignment } else { 4 }, 1);
        while step < self.instructions() {
            let expected = kinds.expected();
            let is_expected = self.is_moved_in_table(step, strides, &kinds.lanes[expected], unit);
            if let Some(true) = is_expected {
                verdict = verdict.and(kinds.pass(expected));
            } else {
                let next = attempt!(self.addresses_by(step, strides));
                // An instruction whose lanes are all idle is not issued.
                if next.active() != 0 {
                    let one = attempt!(self.verdict_by_kind(step, next, &mut kinds, unit));
                    verdict = verdict.and(one);
                }
            }
            step += 1;
        }
        Ok(verdict)
    }

    /// The verdict on one instruction: that of its kind, or its own, which is then kept.
    const fn verdict_by_kind(
        &self,
        step: u64,
        lanes: Addresses,
        kinds: &mut Kinds<'i>,
        unit: u32,
    ) -> Result<Verdict<'i>, AccessError> {
        let print = lanes.print();
        if let Some(kind) = kinds.find(&lanes, print, unit) {
            return Ok(kinds.pass(kind));
        }
        let one = attempt!(self.verdict_of(step, &lanes, false, false));
        kinds.keep(lanes, print, one);
        Ok(one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::{gfx950, sm_90};
    use crate::pattern::{Lanes, Row};
    use alloc::vec::Vec;
    use tiledesc_transforms::Plan;

    /// Tables that come round, that go on, and that do neither, on rows padded and not: as the verdicts of all their
    /// instructions, each a table of its own.
    #[test]
    fn as_each_alone() {
        let (mut conflicts, mut most) = (0, 0);
        for (row, pack) in [
            (&sm_90::ld_shared_b64, 2u32),
            (&sm_90::st_shared_b32, 1),
            (&gfx950::ds_read_b32, 1),
            (&gfx950::ds_write_b64, 2),
        ] {
            let lanes = row.service().phases.addressed() as u32;
            let along = |n: u32| List::pair(n / 72 % 512, n % 72);
            let forms: [&dyn Fn(u32, u32) -> Option<List>; 4] = [
                &|step, lane| Some(along((lanes * step + lane) * pack)),
                &|step, lane| Some(along((lanes * step * 3 + lane * (1 + step % 2)) * pack)),
                &|step, lane| Some(List::pair(lane % 16 * 5 + step, (lane / 16 + step) * 2 % 70)),
                &|step, lane| (lane % 7 != step % 3).then(|| along((31 * step + 5 * lane) * 2)),
            ];
            for (apart, at) in
                [72, 74, 80].into_iter().flat_map(|apart| forms.map(|at| (apart, at)))
            {
                let plan = Plan::naive(&[512, 72], &[apart, 1]).unwrap();
                let in_row = |step| -> Row {
                    core::array::from_fn(|lane| {
                        (lane < lanes as usize).then(|| at(step, lane as u32)).flatten()
                    })
                };
                let table: Vec<Row> = (0..60).map(in_row).collect();
                let verdict = |rows: &[Row]| {
                    let placed = Placed::new(&plan, 32, Lanes::table(rows, 1), row).unwrap();
                    placed.verdict().unwrap()
                };
                let whole = verdict(&table);
                let each: Vec<_> = table.iter().map(|row| verdict(&[*row])).collect();
                let sum: u64 = each.iter().map(Verdict::conflict_cycles).sum();
                let degree = each.iter().map(Verdict::degree).max().unwrap();
                assert_eq!((whole.conflict_cycles(), whole.degree()), (sum, degree));
                conflicts += u32::from(sum > 0);
                most = most.max(degree);
            }
        }
        assert!(conflicts > 20 && most > 3, "{conflicts} {most}");
    }

    /// A lane that was idle meets another: no instruction before it, moved. An idle lane is at byte 0, and so would this one
    /// have been.
    #[test]
    fn one_more_lane() {
        let plan = Plan::packed(&[64, 64]).unwrap();
        let mut table: [Row; 2] = [[None; 64]; 2];
        table[0][1] = Some(List::pair(1, 0));
        (table[1][0], table[1][1]) = (Some(List::pair(0, 1)), Some(List::pair(1, 1)));
        let placed = Placed::new(&plan, 32, Lanes::table(&table, 1), &gfx950::ds_read_b32);
        assert_eq!(placed.unwrap().verdict().unwrap().degree(), 2);
    }
}
