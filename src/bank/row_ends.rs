//! Counting a whole tile at once: where in a phase a row ends.
//!
//! Lanes that are counted over all instructions go through row after row, so each instruction begins elsewhere in a row:
//!
//! ```text
//!   64 lanes read rows of 100 floats, 416 bytes apart, in phases of 32 lanes on gfx942
//!
//!   phase                  0     1     2     3     4     5     6     7     8    ..   49     of 25 instructions
//!   its first float        0    32    64    96    28    60    92    24    56         68     each multiple of 4 twice
//!   the next row begins                      4                 8                            lanes after that
//! ```
//!
//! What the first lane has, all lanes have, and it turns all banks alike. So only a row's end within the phase makes a
//! difference: of the 50 phases 8 are asked, 7 with an end and one without. And from one of these to the next only the
//! lanes that cross the end are counted again: they leave their banks for those of the next row. Phases whose lanes lie
//! alike go through the same places.

use super::planes::{PLANES, add_word, fullest, take_word};
use super::runs::{RunWords, turned};
use crate::access::runs::{Rows, Runs};
use crate::chip::phases::Phases;

/// What all instructions of a tile do to the banks.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    pub(super) conflict_cycles: u64,
    pub(super) degree: u32,
}

/// The phases of one kind: how its lanes lie, beside which place of a row the first is at.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    /// The bits of the first lane that other lanes flip, not add.
    flipped: u64,
    /// How far after a multiple of the places that instructions are apart.
    after: u64,
}

impl RunWords<'_> {
    /// What all instructions do together, where their lanes go through the rows one after another; `None` where they do
    /// not, or do not begin equally often at each place in a row.
    pub(super) const fn whole(&mut self, runs: &Runs, instructions: u64) -> Option<Whole> {
        match runs.rows() {
            // Each is the first, moved.
            Some(Rows { length: 0, .. }) => {
                let found = self.conflicts(runs, 0);
                let conflict_cycles = found.conflict_cycles as u64 * instructions;
                Some(Whole { conflict_cycles, degree: found.degree() })
            }
            Some(rows) => self.whole_rows(&rows, instructions),
            None => None,
        }
    }

    /// The same of rows that end.
    const fn whole_rows(&self, rows: &Rows, instructions: u64) -> Option<Whole> {
        let apart = gcd(rows.length, rows.lanes);
        let turns = instructions / (rows.length / apart);
        if turns * (rows.length / apart) != instructions {
            return None;
        }
        let (mut kinds, mut counted) = ([Kind { flipped: 0, after: 0 }; Phases::LANES], 0);
        let mut of_kind = [0; Phases::LANES];
        let mut whole = Whole { conflict_cycles: 0, degree: 1 };
        let (mut phase, mut i) = (0, 0);
        while phase < self.phases().count() {
            let lane = self.first_lane(i);
            i = self.phases().end(phase);
            phase += 1;
            let least = self.lanes_beside(lane).trailing_zeros() as u64;
            let (flipped, after) = (lane & self.further_masks(), least % apart);
            let mut kind = 0;
            while kind < counted && (kinds[kind].flipped != flipped || kinds[kind].after != after) {
                kind += 1;
            }
            if kind == counted {
                let Whole { conflict_cycles, degree } = self.of_lane(rows, lane, apart);
                (kinds[kind], of_kind[kind]) = (Kind { flipped, after }, conflict_cycles);
                whole.degree = if degree > whole.degree { degree } else { whole.degree };
                counted += 1;
            }
            whole.conflict_cycles += of_kind[kind] * turns;
        }
        Some(whole)
    }

    /// What phases do whose first lane is this one, at each place of a row once that their least lane has.
    ///
    /// From a place to the next all banks are turned, which changes no degree, but for the lanes that cross the end of a
    /// row: only these are counted again.
    const fn of_lane(&self, rows: &Rows, lane: u64, apart: u64) -> Whole {
        let (length, lanes) = (rows.length, self.lanes_beside(lane));
        let least = lanes.trailing_zeros() as u64;
        // By how far each is behind the beginning of a row, where the phase is at the first place.
        let lanes = lanes >> (least - least % apart);
        let mut counts = Counts { ones: 0, planes: [0; PLANES], is_crowded: false };
        self.count(&mut counts, rows, lanes, [0, length], false);
        // By how far each is behind the beginning of its own row.
        let (mut folded, mut end) = (lanes, length);
        while end < LANES {
            folded |= lanes >> end;
            end += length;
        }
        let mut whole = Whole { conflict_cycles: 0, degree: 1 };
        let mut place = 0;
        loop {
            let left = length - place;
            // Lanes that cross an end before the first one does.
            let ahead = if left < LANES { folded & ((1 << left) - 1) & !1 } else { folded & !1 };
            let next = if ahead > 1 { LANES - 1 - ahead.leading_zeros() as u64 } else { 0 };
            let times = (left - next - 1) / apart + 1;
            if counts.is_crowded {
                let degree = fullest(counts.ones, &counts.planes);
                whole.conflict_cycles += (degree - 1) as u64 * times;
                whole.degree = if degree > whole.degree { degree } else { whole.degree };
            }
            place += times * apart;
            if place >= length {
                return whole;
            }
            self.count(&mut counts, rows, lanes, [length - place, apart], true);
        }
    }

    /// Counts lanes from a place of the phase on, and the same of each row behind it; or moves them into the next row.
    ///
    /// All in one, since calls are expensive in a constant (see DESIGN).
    const fn count(
        &self,
        counts: &mut Counts,
        rows: &Rows,
        lanes: u64,
        [mut begin, width]: [u64; 2],
        moves: bool,
    ) {
        let Counts { mut ones, mut planes, mut is_crowded } = *counts;
        let (shift, groups) = (self.grid.shift(), self.grid.groups() as u32);
        let window = if width < LANES { (1 << width) - 1 } else { u64::MAX };
        let (turn, mut further) = (rows.jump >> shift & (groups - 1) as u64, 0);
        while begin < LANES {
            let (mut left, mut first) = (lanes >> begin & window, begin);
            while left != 0 {
                let skipped = left.trailing_zeros() as u64;
                left >>= skipped;
                first += skipped;
                let run = (!left).trailing_zeros() as u64;
                let run = if run < self.longest { run } else { self.longest };
                let group = (((first * rows.distance) >> shift) + further) & (groups - 1) as u64;
                let word = turned!(self, run, group, groups);
                if moves {
                    let next = (group + turn) & (groups - 1) as u64;
                    take_word!(ones, planes, word);
                    let word = turned!(self, run, next, groups);
                    is_crowded |= add_word!(ones, planes, word);
                } else {
                    is_crowded |= add_word!(ones, planes, word);
                }
                left = if run < LANES { left >> run } else { 0 };
                first += run;
            }
            (begin, further) = (begin + rows.length, further + turn);
        }
        *counts = Counts { ones, planes, is_crowded };
    }
}

/// How many lanes are in each group of banks.
struct Counts {
    ones: u64,
    planes: [u64; PLANES],
    /// Whether two were ever in one.
    is_crowded: bool,
}

/// The lanes of a word.
const LANES: u64 = u64::BITS as u64;

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::access::placed::Placed;
    use crate::chip::CHIPS;
    use crate::chip::instruction::{Instruction, Service};
    use crate::pattern::Lanes;
    use std::collections::{BTreeMap, BTreeSet};
    use std::{format, println, vec::Vec};
    use support::fuzz::{Dice, cases};
    use tiledesc_transforms::Plan;

    /// A tile of rows of `columns` elements, `pitch` elements apart, and the order in which lanes take its packs.
    #[derive(Clone, Copy, Debug)]
    struct Tile {
        bytes: u32,
        rows: u32,
        columns: u32,
        pitch: u32,
        down: bool,
    }

    impl Tile {
        fn random(dice: &mut Dice, row: &Instruction) -> Option<Self> {
            let bytes = dice.of(&[1, 2, 2, 4, 4, 8]);
            let pack = row.bytes() / bytes;
            if pack * bytes != row.bytes() {
                return None;
            }
            let most = dice.of(&[40, 40, 150]);
            // Rows of so many that phases begin at different places of them, too.
            let packs = if dice.one_in(3) { 8 * (1 + dice.below(6)) } else { 1 + dice.below(most) };
            let (columns, aligned) = (packs * pack, (row.alignment() / bytes).max(1));
            let pad = match dice.below(4) {
                0 => 0,
                1 => dice.below(5) * aligned,
                2 => dice.below(33) * aligned,
                _ => dice.below(40),
            };
            let rows = dice.of(&[16, 32, 64, 64, 96, 50]);
            Some(Self { bytes, rows, columns, pitch: columns + pad, down: dice.one_in(6) })
        }

        /// The byte of the lane of this number.
        fn byte(&self, number: u32, pack: u32) -> u32 {
            let packs = self.columns / pack;
            let [m, k] = if self.down {
                [number % self.rows, number / self.rows]
            } else {
                [number / packs, number % packs]
            };
            (m * self.pitch + k * pack) * self.bytes
        }
    }

    /// Conflict cycles, degree and shown instruction and phase, dword by dword.
    fn counted(
        tile: &Tile,
        row: &Instruction,
        service: &Service,
        instructions: u32,
    ) -> (u64, u32, (u64, usize)) {
        let (pack, lanes) = (row.bytes() / tile.bytes, service.phases.addressed() as u32);
        let (mut cycles, mut degree, mut shown) = (0, 0, (0, 0));
        for step in 0..instructions {
            for phase in 0..service.phases.count() {
                let mut banks: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
                for lane in service.phases.lanes(phase) {
                    let byte = tile.byte(step * lanes + u32::from(*lane), pack);
                    for dword in byte / 4..(byte + row.bytes()).div_ceil(4) {
                        banks.entry(dword % service.banks).or_default().insert(dword);
                    }
                }
                let here = banks.values().map(BTreeSet::len).max().unwrap() as u32;
                cycles += u64::from(here - 1);
                if here > degree {
                    (degree, shown) = (here, (u64::from(step), phase));
                }
            }
        }
        (cycles, degree, shown)
    }

    /// As sets of dwords say it, of tiles and instructions of all chips.
    #[test]
    fn as_sets_of_dwords() {
        let every: Vec<_> = CHIPS.iter().flat_map(|chip| chip.rows()).collect();
        let disputed: Vec<_> = every.iter().copied().filter(|row| row.rival().is_some()).collect();
        let (mut dice, mut asked, mut at_once, mut met, mut rivals) = (Dice(71), 0, 0, 0, 0);
        let all = cases("tiles of rows");
        while asked < all {
            let is_disputed = dice.one_in(8);
            let row = dice.of(if is_disputed { &disputed } else { &every });
            let Some(tile) = Tile::random(&mut dice, row) else { continue };
            let plan = Plan::naive(&[tile.rows, tile.columns], &[tile.pitch, 1]).unwrap();
            let lanes = if tile.down { Lanes::column() } else { Lanes::row_major() };
            // One instruction begins at one place of a row only.
            let lanes = if dice.one_in(8) { lanes.first() } else { lanes };
            let Ok(placed) = Placed::new(&plan, tile.bytes * 8, lanes, row) else { continue };
            let Some(strides) = placed.strides() else { continue };
            let Some(runs) = placed.runs(&strides) else { continue };
            let Some(mut words) = RunWords::of(&runs, row, row.service()) else { continue };
            let instructions = placed.instructions();
            let (cycles, degree, shown) = counted(&tile, row, row.service(), instructions as u32);
            let of = format!("{} on {}, {tile:?}", row.name(), row.chip());
            if let Some(whole) = words.whole(&runs, instructions) {
                assert_eq!((whole.conflict_cycles, whole.degree), (cycles, degree), "{of}");
                at_once += 1;
            }
            let verdict = placed.verdict().unwrap();
            assert_eq!((verdict.conflict_cycles(), verdict.degree()), (cycles, degree), "{of}");
            assert_eq!(verdict.base_cycles(), row.service().phases.count() as u64 * instructions);
            assert_eq!((verdict.shown(), verdict.conflicts().phase), shown, "{of}");
            assert_eq!(placed.judged(false).unwrap().worst_degree(), verdict.worst_degree());
            if let Some(rival) = row.rival() {
                let (cycles, degree, _) = counted(&tile, row, rival, instructions as u32);
                let base = rival.phases.count() as u64 * instructions;
                let wanted = (Some(degree), Some(base + cycles));
                assert_eq!((verdict.rival_degree(), verdict.rival_cycles()), wanted, "{of}");
                rivals += 1;
            }
            asked += 1;
            met += u32::from(degree > 1);
        }
        println!("{asked} tiles, {at_once} at once, {met} with conflicts, {rivals} by two sources");
        assert!(
            at_once > all / 2 && met > all / 3 && rivals > all / 40,
            "{at_once} {met} {rivals}"
        );
    }
}
