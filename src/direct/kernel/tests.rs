//! Random plans, loaded by a kernel byte by byte: the tile is there, and the tiles beside it are untouched.
//!
//! | random | |
//! |---|---|
//! | tile | any number of rows; rows with pads, by columns, xor-ed with the row, rotated, several in a line, pads at intervals |
//! | load | 4 and 16 bytes a lane, 1, 2 or 4 waves, either order, with idle lanes |
//! | source | rows of a pitch, of which nothing lies past the last |
//!
//! The layouts are written here a second time, as formulas. A plan that has no kernel form has an error with the reason.

extern crate std;

use super::*;
use crate::chip::{Transfer, gfx942, gfx950};
use crate::direct::{Order, Request, Source};
use std::{boxed::Box, collections::BTreeMap, println, string::String, vec, vec::Vec};
use support::fuzz::{Dice, cases};
use tiledesc_transforms::{Op, Plan};

/// The places of a tile's elements: the plan, and a formula for it.
struct Tile {
    lengths: [u32; 2],
    plan: Plan,
    at: Box<dyn Fn(u32, u32) -> u32>,
}

fn tile(dice: &mut Dice, bytes: u32) -> Tile {
    let columns = (1 << dice.below(5)) * dice.of(&[8, 8, 8, 24, 40]);
    let rows = (1 + dice.below(70)).min(40_000 / (columns * bytes));
    let lengths = [rows, columns];
    let pack = dice.of(&[4, 8, 16]).min(1 << columns.trailing_zeros());
    // Rows of 24 and 40 that are 32 and 64 apart, too: nearly linear.
    let to_a_power = columns.next_power_of_two() - columns;
    let pitch = columns + dice.of(&[0, 0, to_a_power, 8, 16, 64]);
    let all: &[&[u32]] = &[&[0, 1], &[2]];
    let merge = |a, b| Op::Merge { lengths: List::new(&[a, b]) };
    let pass = |length| Op::PassThrough { length };
    let chunks = columns / pack;
    match dice.below(7) {
        0 => {
            let plan = Plan::naive(&[columns, rows], &[rows, 1]).unwrap();
            let swap = [pass(columns), pass(rows)];
            let plan = plan.transform(&swap, &[&[0], &[1]], &[&[1], &[0]]).unwrap();
            Tile { lengths, plan, at: Box::new(move |r, c| c * rows + r) }
        }
        // Packs xor-ed with the row, of a tile whose last rows are cut off.
        1 | 2 if chunks.is_power_of_two() => {
            let whole = rows.next_power_of_two();
            let base = Plan::naive(&[whole, chunks, pack], &[pitch, pack, 1]).unwrap();
            let xor = Op::Xor { length0: whole, length1: chunks };
            let base = base.transform(&[xor, pass(pack)], all, all).unwrap();
            let cut = Op::Slice { low_length: whole, begin: 0, end: rows };
            let ops = [cut, merge(chunks, pack)];
            let plan = base.transform(&ops, &[&[0], &[1, 2]], &[&[0], &[1]]).unwrap();
            let at = move |r, c| r * pitch + ((c / pack) ^ (r % chunks)) * pack + c % pack;
            Tile { lengths, plan, at: Box::new(at) }
        }
        3 => {
            let plan = crate::recipe::RowShift::<crate::F8>([rows, columns, pack]).unwrap();
            let at = move |r, c| r * columns + (c / pack + r) % chunks * pack + c % pack;
            Tile { lengths, plan, at: Box::new(at) }
        }
        // A pad behind groups of rows.
        4 => {
            let b = (1..=rows).rev().find(|b| rows.is_multiple_of(*b) && *b <= 8).unwrap();
            let (a, gap) = (rows / b, b * columns + pitch - columns);
            let base = Plan::naive(&[a, b, columns], &[gap, columns, 1]).unwrap();
            let ops = [merge(a, b), pass(columns)];
            let plan = base.transform(&ops, &[&[0, 1], &[2]], &[&[0], &[1]]).unwrap();
            Tile { lengths, plan, at: Box::new(move |r, c| r / b * gap + r % b * columns + c) }
        }
        // Rows in another order, the lower digit slower, and the first ones cut off: holes in the first loads.
        5 => {
            let (a, b) = (dice.of(&[2, 4, 8]), dice.of(&[2, 4, 8]));
            let whole = a * b;
            let begin = dice.below(whole);
            let base = Plan::naive(&[a, b, columns], &[b * columns, columns, 1]).unwrap();
            let ops = [merge(b, a), pass(columns)];
            let base = base.transform(&ops, &[&[1, 0], &[2]], &[&[0], &[1]]).unwrap();
            let cut = [Op::Slice { low_length: whole, begin, end: whole }, pass(columns)];
            let plan = base.transform(&cut, &[&[0], &[1]], &[&[0], &[1]]).unwrap();
            let at = move |r: u32, c| {
                let row = r + begin;
                (row % a * b + row / a) * columns + c
            };
            Tile { lengths: [whole - begin, columns], plan, at: Box::new(at) }
        }
        _ => {
            let plan = Plan::naive(&lengths, &[pitch, 1]).unwrap();
            Tile { lengths, plan, at: Box::new(move |r, c| r * pitch + c) }
        }
    }
}

/// The constants that a kernel has of a plan, those of its trait, as values.
struct Kernel {
    table: LoadTable,
    moves: [BitMoves; List::CAPACITY],
}

impl Kernel {
    fn new(plan: &DirectLoad<'_>) -> Result<Self, Text> {
        let table = LoadTable::new(plan)?;
        let moves = all_moves(plan)?;
        Ok(Self { table, moves })
    }

    /// As [`DirectLoads::each`] does.
    fn each(&self, wave: u32, lane: u32, mut f: impl FnMut(u32, [u32; 2], bool)) {
        let first = [0, 1].map(|d| self.moves[d].apply(wave, lane));
        for load in 0..self.table.count as usize {
            let further = Further::<2>::new(&self.table, load);
            let base = further.base + wave * self.table.share;
            f(base, further.apply(first), self.table.loads[load].loading.holds(base, lane));
        }
    }
}

/// Bytes of a neighbour.
const BESIDE: u8 = 0xee;

/// Loads the tile beside neighbours; the number of lanes that were idle.
fn load(kernel: &Kernel, plan: &DirectLoad<'_>, tile: &Tile, [bytes, pitch]: [u32; 2]) -> u32 {
    let ([rows, columns], data) = (tile.lengths, plan.transfer().data() as usize);
    let end = (bytes * ((rows - 1) * pitch + columns)) as usize;
    let source: Vec<u8> = (0..end).map(|byte| (byte * 7 + byte / 251) as u8 & 0x7f).collect();
    let space = (tile.plan.element_space() * u64::from(bytes)) as usize;
    let (before, behind) = (256, 1024);
    let mut lds = vec![BESIDE; before + space + behind];
    let mut wanted = lds.clone();
    for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
        let to = before + (bytes * (tile.at)(r, c)) as usize;
        let from = (bytes * (r * pitch + c)) as usize;
        wanted[to..to + bytes as usize].copy_from_slice(&source[from..from + bytes as usize]);
    }
    let stride = plan.transfer().stride().unwrap() as usize;
    let mut idle = 0;
    for (wave, lane) in
        (0..plan.waves()).flat_map(|w| (0..plan.transfer().wave()).map(move |lane| (w, lane)))
    {
        kernel.each(wave, lane, |base, [row, column], valid| {
            if !valid {
                idle += 1;
                return;
            }
            // What the hardware does.
            let to = before + base as usize + stride * lane as usize;
            let from = (bytes * (row * pitch + column)) as usize;
            lds[to..to + data].copy_from_slice(&source[from..from + data]);
        });
    }
    assert!(lds == wanted, "{rows}x{columns}: LDS is not the tile beside its neighbours");
    idle
}

#[test]
fn kernels_of_random_plans_load_the_tile_and_nothing_else() {
    let (mut loaded, mut idle, mut planless) = (0, 0, 0);
    let mut refused: BTreeMap<String, u32> = BTreeMap::new();
    for number in 0..cases("kernels of direct loads") {
        let mut dice = Dice(u64::from(number) * 6151 + 5);
        let bytes: u32 = dice.of(&[1, 2, 2, 4]);
        let tile = tile(&mut dice, bytes);
        let transfer: Transfer =
            dice.of(&[gfx942::global_load_lds_b32, gfx950::global_load_lds_b128]);
        let pitch = tile.lengths[1] + dice.of(&[0, 0, 16, 48]);
        let request = Request::new(&tile.plan, 8 * bytes, Source::rows(pitch), &transfer)
            .waves(dice.of(&[1, 1, 2, 4]))
            .order(dice.of(&[Order::Blocked, Order::Interleaved]));
        let request = if dice.one_in(5) { request } else { request.idle_lanes() };
        let Ok(plan) = request.plan() else {
            planless += 1;
            continue;
        };
        match Kernel::new(&plan) {
            Ok(kernel) => {
                let switched_off = load(&kernel, &plan, &tile, [bytes, pitch]);
                assert_eq!(switched_off, plan.idle(), "case {number}");
                loaded += 1;
                idle += u32::from(switched_off > 0);
            }
            Err(text) => {
                let words = text.as_str().replace(|letter: char| letter.is_ascii_digit(), "");
                *refused.entry(words).or_default() += 1;
            }
        }
    }
    println!("{loaded} loaded, {idle} with idle lanes; {planless} without a plan; {refused:#?}");
    assert!(idle > loaded / 4 && loaded > planless / 4, "{loaded} {idle} {planless}");
}

/// Rows at 0, 3, 2 and 5: of the first load the upper lanes are idle, and in the second they have a row that does not
/// follow from the lower ones'.
#[test]
fn lanes_that_load_nothing_first_are_asked() {
    let base = Plan::naive(&[2, 2, 64], &[2 * 64, 3 * 64, 1]).unwrap();
    let ops = [Op::Merge { lengths: List::new(&[2, 2]) }, Op::PassThrough { length: 64 }];
    let plan = base.transform(&ops, &[&[0, 1], &[2]], &[&[0], &[1]]).unwrap();
    let request = Request::new(&plan, 16, Source::rows(64), &gfx942::global_load_lds_b32);
    let load = request.idle_lanes().plan().unwrap();
    assert_eq!((load.unit(0, 0, 32), load.unit(0, 1, 32).unwrap().coordinate().at(0)), (None, 1));
    let refused = Kernel::new(&load).err().map(|text| String::from(text.as_str()));
    let sentence = "load 1 is neither a step nor an xor from load 0: ask the plan";
    assert_eq!(refused.as_deref(), Some(sentence));
}
