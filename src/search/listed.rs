//! Accesses by a table as [lists of units](super::shots), of which many are others, moved.
//!
//! Nothing says beforehand which instructions of a table do the same. But most tables are of one form that goes on
//! along the tile, and a pad cannot tell two instructions from each other whose lanes are equally far apart:
//!
//! ```text
//!   34x66 floats read down columns by 33 instructions: lane l of instruction s at (l % 32 + 1, 2 * s + l / 32)
//!
//!   lanes of instruction 0     (1, 0) (2, 0) .. (32, 0) (1, 1) ..
//!   of instruction 7           (1, 14) (2, 14) ..                    each 14 further: one list for all 33
//! ```
//!
//! Each instruction is compared with the first of its kind lane by lane; a number made of all distances tells
//! which that can be.

use super::base::Base;
use super::shot::Unit;
use super::shots::{Shots, Together};
use crate::access::placed::Placed;
use crate::access::tables::TableLanes;
use crate::chip::phases::Phases;
use crate::pattern::Row;

/// The lanes of one instruction of a table.
struct Spread {
    units: [Unit; Phases::LANES],
    active: u64,
    /// Of instructions that are each other, moved, the same.
    key: u64,
}

/// Kinds that are compared before an instruction's key is made, which takes as much as a whole comparison.
const GUESSES: usize = 6;

/// The kinds that have lists: the first instruction of each, its key, from where to where its lists are, and the kind
/// that followed it last: a table whose lanes go along rows comes round to the same kinds again and again.
struct Kinds {
    first: [TableLanes; Shots::MOST],
    keys: [u64; Shots::MOST],
    lists: [[usize; 2]; Shots::MOST],
    next: [usize; Shots::MOST],
    count: usize,
    /// The kind of the instruction before.
    last: usize,
    /// Whether that was one of those before it: where one is new the next is mostly, too.
    goes_on: bool,
}

impl Shots {
    /// Adds an access by a table: of instructions that a layout treats alike the first, of others each.
    pub(super) const fn add_table(
        &mut self,
        base: &Base,
        placed: &Placed<'_, '_>,
        together: Together,
        shift: u32,
        times: u64,
    ) -> bool {
        let (Some(rows), row) = (placed.listed(), placed.instruction()) else { return false };
        let mut kinds = Kinds {
            first: [TableLanes::NONE; Self::MOST],
            keys: [0; Self::MOST],
            lists: [[0; 2]; Self::MOST],
            next: [0; Self::MOST],
            count: 0,
            last: 0,
            goes_on: true,
        };
        let lanes = row.service().phases.addressed();
        let are_moved = matches!(together, Together::Moved);
        let mut step = 0;
        while step < rows.len() && (step as u64) < placed.instructions() {
            let mut known =
                if kinds.goes_on { kinds.guess(base, &rows[step], shift) } else { None };
            let mut here = None;
            if known.is_none() {
                let spread = Spread::of(base, &rows[step], lanes, shift);
                known = kinds.of(base, &rows[step], shift, spread.key);
                here = Some(spread);
            }
            match (known, here) {
                (Some((kind, by)), _) => {
                    if are_moved {
                        self.repeat(kinds.lists[kind], times);
                    } else if !self.put_moved(kinds.lists[kind], by, times) {
                        return false;
                    }
                    kinds.pass(kind);
                    kinds.goes_on = true;
                }
                (None, Some(spread)) => {
                    let begin = self.len();
                    // Lanes that agree, which others moved do as well, may be served by other phases.
                    let is_put = if row.merged().is_some() {
                        let strides = placed.strides();
                        self.take(base, placed, step as u64, [shift as u64, times], &strides)
                    } else {
                        self.put_both(&spread.units, spread.active, row, false, shift, times)
                    };
                    if !is_put {
                        return false;
                    }
                    let first = TableLanes::of(&rows[step], lanes);
                    kinds.keep(&first, spread.key, [begin, self.len()]);
                }
                (None, None) => {}
            }
            step += 1;
        }
        true
    }
}

impl Spread {
    /// The unit of each lane, and a number by which lanes are apart.
    const fn of(base: &Base, row: &Row, lanes: usize, shift: u32) -> Self {
        let (mut units, mut active, mut key) = ([(0, 0); Phases::LANES], 0, 0u64);
        let bits = base.tile.bits as u64;
        let (to_row, to_column) = if base.is_transposed() { (1, 0) } else { (0, 1) };
        let mut lane = 0;
        while lane < lanes && row[lane].is_none() {
            lane += 1;
        }
        let (mut from_row, mut from_column) = (0, 0);
        if lane < lanes
            && let Some(at) = &row[lane]
        {
            // Less than any, so that no distance is below 0.
            from_row = at.at(to_row) as i64 - (1 << 32);
            from_column = at.at(to_column) as i64 - (1 << 32);
        }
        while lane < lanes {
            if let Some(at) = &row[lane] {
                let (items, _) = at.items();
                let (row, column) = (items[to_row], items[to_column]);
                units[lane] = (row as u16, ((column as u64 * bits / 8) >> shift) as u16);
                active |= 1 << lane;
                let apart = (row as i64 - from_row) << 20 ^ (column as i64 - from_column);
                key = key << 7 ^ key >> 43 ^ apart as u64;
            }
            lane += 1;
        }
        Self { units, active, key }
    }
}

impl Kinds {
    /// The kind that followed the one before the last time, or one of the next, if the instruction is of it, and by how
    /// much it is moved.
    const fn guess(&self, base: &Base, row: &Row, shift: u32) -> Option<(usize, Unit)> {
        if self.count == 0 {
            return None;
        }
        let (mut kind, mut tries) = (self.next[self.last], 0);
        while tries < GUESSES && tries < self.count {
            if let Some(by) = moved(base, row, &self.first[kind], shift) {
                return Some((kind, by));
            }
            kind = if tries == 0 { self.last } else { kind };
            kind = if kind + 1 < self.count { kind + 1 } else { 0 };
            tries += 1;
        }
        None
    }

    /// The kind that an instruction is, if one is there, and by how much it is moved.
    const fn of(&self, base: &Base, row: &Row, shift: u32, key: u64) -> Option<(usize, Unit)> {
        let mut kind = 0;
        while kind < self.count {
            if self.keys[kind] == key
                && let Some(by) = moved(base, row, &self.first[kind], shift)
            {
                return Some((kind, by));
            }
            kind += 1;
        }
        None
    }

    /// An instruction of a kind came.
    const fn pass(&mut self, kind: usize) {
        self.next[self.last] = kind;
        self.last = kind;
    }

    const fn keep(&mut self, first: &TableLanes, key: u64, lists: [usize; 2]) {
        let kind = self.count;
        // There are no more kinds than lists.
        if kind < Shots::MOST {
            self.first[kind] = *first;
            self.keys[kind] = key;
            self.lists[kind] = lists;
            self.next[kind] = kind;
            self.count += 1;
            self.pass(kind);
            self.goes_on = false;
        }
    }
}

/// By how many rows and units the lanes of one instruction are those of another, all moved by the same, along a row by
/// whole units; `None` if they are not.
const fn moved(base: &Base, row: &Row, first: &TableLanes, shift: u32) -> Option<Unit> {
    let along = if base.is_transposed() { 0 } else { 1 };
    let Some(by) = first.moved(row) else { return None };
    let bits = by[along] * base.tile.bits as i64;
    if bits % (8 << shift) != 0 {
        return None;
    }
    Some((by[1 - along] as u16, (bits >> (shift + 3)) as u16))
}

#[cfg(test)]
mod each_check;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::{gfx942, gfx950};
    use crate::pattern::Lanes;
    use crate::search::descent::tests::Random;
    use crate::search::shot::Place;
    use crate::search::spec::Spec;
    use crate::search::weight::weight;
    use crate::search::{Effort, Shape, Use};
    use alloc::vec::Vec;
    use tiledesc_transforms::List;

    /// Instructions that go on along the tile, and some that do not; some lanes hold nothing.
    fn table(random: &mut Random, tile: Shape, pack: u32) -> Vec<Row> {
        let [rows, packs] = [tile.rows, tile.columns / pack];
        let [down, along] = [random.below(2), random.below(3)];
        let (form, holes) = (random.below(2), random.below(3) == 0);
        let mut first = [[0; 2]; Phases::LANES];
        first.iter_mut().for_each(|at| *at = [random.below(rows / 2), random.below(packs / 2)]);
        let coordinate = |lane: usize, step: u32| {
            let [m, k] = match form {
                0 => [lane as u32 % (rows / 2), lane as u32 / (rows / 2)],
                _ => first[lane],
            };
            // The fourth of each is another.
            let [m, k] = if step % 4 == 3 && lane % 5 == 2 { [m, 0] } else { [m, k] };
            let [m, k] = [(m + step * down) % rows, (k + step * along) % packs];
            let is_idle = holes && (lane + step as usize / 4).is_multiple_of(9);
            (!is_idle).then(|| List::pair(m, k * pack))
        };
        let row = |step| core::array::from_fn(|lane| coordinate(lane, step));
        (0..1 + random.below(24)).map(row).collect()
    }

    /// As verdicts count every instruction, of rows in order and padded; and a table that goes on is a few lists.
    #[test]
    fn as_verdicts() {
        let reads = [&gfx942::ds_read_b32, &gfx942::ds_read_b64, &gfx950::ds_read_b32];
        let (mut random, mut compared, mut conflicts, mut fewer) = (Random(5), 0, 0, 0);
        let mut copied = 0;
        for _ in 0..300 {
            let (row, bits) = (reads[random.below(3) as usize], [16, 32][random.below(2) as usize]);
            let pack = row.bytes() * 8 / bits;
            let tile =
                Shape { rows: 4 + random.below(60), columns: 8 * (2 + random.below(9)), bits };
            let table = table(&mut random, tile, pack);
            let access = Use::new(Lanes::table(&table, 1), row).times(2);
            let (base, plain) = (Base::rows(tile), tile.rows_in_order().unwrap());
            let Some(in_order) = weight(&plain, bits, &[access]).map(|weight| weight.sum) else {
                continue;
            };
            let mut shots = Shots::NONE;
            if !shots.add(&base, &plain, &plain.digits(), &access, Together::Moved, &mut {
                Effort::RUN_TIME
            }) {
                continue;
            }
            let lost = |apart| shots.lost(&base, &Place::Rows { apart }, u64::MAX).unwrap().sum();
            // Lists of all instructions, of which many are copies that are moved; then each once.
            let mut each = Shots::NONE;
            if each.add(&base, &plain, &plain.digits(), &access, Together::Apart, &mut {
                Effort::RUN_TIME
            }) {
                let once = each.once_each();
                assert!(once.len() <= shots.len() + 8 && once.len() <= each.len());
                for apart in [tile.columns, tile.columns + pack, tile.columns + 3 * pack] {
                    let place = Place::Rows { apart };
                    let of = |shots: &Shots| shots.lost(&base, &place, u64::MAX).unwrap().sum();
                    assert_eq!([of(&each), of(&once)], [lost(apart); 2], "{tile:?} {apart}");
                }
                for (spec, pack) in [4, 8].map(|pack| (Spec::row_shift(pack), pack)) {
                    let Ok(plan) = spec.plan(tile) else { continue };
                    let Some(wanted) = weight(&plan, bits, &[access]).map(|weight| weight.sum)
                    else {
                        continue;
                    };
                    if pack * bits % 32 != 0 || (pack * bits) % (row.bytes() * 8) != 0 {
                        continue;
                    }
                    let turned = each.lost(&base, &Place::Turned { pack }, u64::MAX).unwrap();
                    assert_eq!(
                        in_order - lost(tile.columns) + turned.sum(),
                        wanted,
                        "{tile:?} {spec:?}"
                    );
                    copied += 1;
                }
            }
            let floor = in_order - lost(tile.columns);
            for pad in [0, pack, 3 * pack, 32 / (bits / 8)] {
                let plan = Spec::row_pad(pad).plan(tile).unwrap();
                let Some(wanted) = weight(&plan, bits, &[access]).map(|weight| weight.sum) else {
                    continue;
                };
                assert_eq!(floor + lost(tile.columns + pad), wanted, "{tile:?} pad {pad} {row:?}");
                compared += 1;
                conflicts += u32::from(wanted > floor);
            }
            fewer += u32::from(shots.len() < table.len());
        }
        assert!(compared > 500 && conflicts > 200 && fewer > 60, "{compared} {conflicts} {fewer}");
        assert!(copied > 50, "{copied}");
    }
}
