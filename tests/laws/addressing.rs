//! Immediate offsets: the address that each route gives is the one that the layout gives, and
//! the instruction can encode it.
//!
//! `cargo xtask test --deep` asks for more placements (`tests/support/fuzz.rs`).

use std::collections::BTreeSet;
use support::fuzz::{Dice, cases};
use tiledesc::access::Addresses;
use tiledesc::access::Route;
use tiledesc::chip::gfx942::{self, ds_read_b64, ds_read_b128, ds_write_b128};
use tiledesc::chip::sm_90;
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::prelude::*;
use tiledesc::{List, Op, access::Placed, bank::conflicts, chip::Instruction};

/// Whether an assembler takes the instruction with so many bytes more than its own offsets: 16
/// bits in bytes, or for two addresses 8 bits each in units; on NVIDIA 24 bits with a sign.
fn encoded(row: &Instruction, offset: u32) -> bool {
    if row.name().contains("shared") || row.name().contains("matrix") {
        return i32::try_from(offset).is_ok_and(|offset| offset < 1 << 23);
    }
    if row.parts() == 1 {
        return u16::try_from(offset).is_ok();
    }
    let element = row.bytes();
    let unit = if row.name().contains("st64") { 64 * element } else { element };
    (0..2).all(|part| {
        let all = row.part(part) + offset;
        all.is_multiple_of(unit) && u8::try_from(all / unit).is_ok()
    })
}

/// Follows the routes as a kernel would, and compares every lane's address. Returns
/// registers, immediates, xors, and what is computed besides the first.
fn followed(plan: &Plan, bits: u32, lanes: Lanes, row: &Instruction) -> [usize; 4] {
    let found = Placed::new(plan, bits, lanes, row).and_then(|placed| placed.addressing()).unwrap();
    let at = |step: usize, lane| {
        let touched = Placed::new(plan, bits, lanes, row)
            .and_then(|placed| placed.touched(step as u64))
            .unwrap();
        touched.addresses().get(lane)
    };
    let mut registers: Vec<usize> = Vec::new();
    for (step, route) in found.routes().iter().enumerate() {
        for lane in 0..64 {
            let Some(wanted) = at(step, lane) else { continue };
            let reached = match *route {
                Route::Computed => wanted,
                Route::Xor { constant } => at(0, lane).unwrap() ^ constant,
                Route::Immediate { register, offset } => {
                    assert!(encoded(row, offset), "{offset} bytes in {}", row.name());
                    at(registers[register], lane).unwrap() + offset
                }
            };
            assert_eq!(reached, wanted, "access {step}, lane {lane}: {route:?}");
        }
        if !matches!(route, Route::Immediate { .. }) {
            registers.push(step);
        }
    }
    assert_eq!(registers.len(), found.registers());
    [found.registers(), found.immediates(), found.xors(), found.computed() - 1]
}

descriptor! {
    type Rotated:
        naive [8, 128, 8] strides [8, 64, 1];
        cyclic_shift[128, 8] (1, 0) -> (1, 0),   pass[8] (2) -> (2);
        pass[128] (1) -> (0),                    merge[8, 8] (0, 2) -> (1);
}

#[test]
fn routes_of_known_tiles() {
    let rows = |lanes: u32| Lanes::rows(lanes);
    let plain = Plan::naive(&[128, 64], &[64, 1]).unwrap();
    let padded = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    let xor = recipe::gemm_xor(128, 64, 8, 1).unwrap();
    let rotated = <Rotated as Adaptor>::PLAN.unwrap();
    assert_eq!(followed(&plain, 16, rows(16), &ds_read_b128), [1, 15, 0, 0]);
    assert_eq!(followed(&padded, 16, rows(16), &ds_read_b128), [1, 15, 0, 0]);
    assert_eq!(followed(&xor, 16, rows(16), &ds_read_b128), [2, 14, 1, 0]);
    // Half a turn flips a bit.
    assert_eq!(followed(&rotated, 16, rows(16), &ds_read_b128), [2, 14, 1, 0]);
    // The write's steps are rows: the key does not change, nor does a register.
    assert_eq!(followed(&xor, 16, Lanes::row_major(), &ds_write_b128), [1, 15, 0, 0]);
    assert_eq!(followed(&plain, 16, rows(32), &ds_read_b128), [1, 15, 0, 0]);
    assert_eq!(followed(&xor, 16, rows(32), &ds_read_b128), [4, 12, 3, 0]);
    assert_eq!(followed(&rotated, 16, rows(32), &ds_read_b128), [4, 12, 1, 2]);
}

#[test]
fn layered_rows_take_eight_addresses() {
    let plan = recipe::gemm_xor(64, 32, 8, 2).unwrap();
    let found = followed(&plan, 16, Lanes::rows(16), &ds_read_b64);
    assert_eq!(found.iter().skip(1).sum::<usize>() + 1, 8);
}

/// A distance that does not fit into 16 bits, or is negative, needs a register.
#[test]
fn what_an_immediate_cannot_hold() {
    let far = Plan::naive(&[64, 16], &[16, 2048]).unwrap();
    let found =
        Placed::new(&far, 32, Lanes::column(), &ds_read_b64).and_then(|placed| placed.addressing());
    assert!(found.is_err(), "columns are not packs");
    let wide = Plan::naive(&[128, 4], &[1024, 1]).unwrap();
    let word = Instruction::read("b128", 16);
    let found = Placed::new(&wide, 32, Lanes::column(), &word)
        .and_then(|placed| placed.addressing())
        .unwrap();
    assert_eq!((found.routes().len(), found.registers()), (2, 2));
    assert_eq!(found.routes()[1], Route::Xor { constant: 64 * 4096 });
    let falling = Plan::naive(&[64, 2, 4], &[8, 4, 1]).unwrap();
    let row = tiledesc::chip::Instruction::read("b128", 16);
    let found = Placed::new(&falling, 32, Falling::LANES, &row)
        .and_then(|placed| placed.addressing())
        .unwrap();
    assert_eq!(found.routes(), [Route::Computed, Route::Xor { constant: 16 }]);
}

use tiledesc::pattern::Pattern;
pattern! {
    /// The second pack first.
    Falling(lane, step in 2) => [lane, 1 - step, 0];
}

#[test]
fn too_many_accesses() {
    let found = |rows| {
        let tile = Plan::packed(&[rows, 64]).unwrap();
        let row = Instruction::read("x", 16);
        Placed::new(&tile, 16, Lanes::rows(16), &row).and_then(|placed| placed.addressing())
    };
    assert_eq!(found(4096).unwrap().routes().len(), 512);
    assert_eq!(
        found(8192).unwrap_err().to_string(),
        "the pattern has 1024 instructions; addresses are made for at most 512"
    );
}

/// The distances of a swizzle that two addresses cannot encode: 2048 is past 255 * 8, and 8320
/// is not a multiple of 256.
#[test]
fn what_two_addresses_cannot_encode() {
    let xor = recipe::gemm_xor(128, 16, 4, 1).unwrap();
    let row = gfx942::ds_read2_b64.offsets(0, 1);
    let routes = |plan: &Plan, bits, lanes: Lanes, row: &Instruction| {
        let placed = Placed::new(plan, bits, lanes, row).unwrap();
        placed.addressing().map(|found| found.routes().to_vec())
    };
    // The second wave of a diagonal is 64 rows of 32 bytes further.
    let found = routes(&xor, 16, Lanes::table(&[DOWN, FAR_DOWN], 1), &row).unwrap();
    assert_eq!(found, [Route::Computed, Route::Xor { constant: 2048 }]);
    let single = routes(&xor, 16, Lanes::table(&[DOWN, FAR_DOWN], 1), &ds_read_b64).unwrap();
    assert_eq!(single[1], Route::Immediate { register: 0, offset: 2048 });

    let padded = Plan::naive(&[64, 64], &[65, 1]).unwrap();
    let far = gfx942::ds_read2st64_b32.offsets(0, 1);
    let found = routes(&padded, 32, Lanes::table(&[DOWN, ROWS_DOWN], 1), &far).unwrap();
    assert_eq!(found[1], Route::Xor { constant: 8320 });
    let near = gfx942::ds_read2_b32.offsets(0, 255);
    assert!(!near.reaches(4) && gfx942::ds_read2_b32.offsets(0, 254).reaches(4));
    assert!(gfx942::ds_read2st64_b64.offsets(3, 1).reaches(252 * 512));
    assert!(!gfx942::ds_read2st64_b64.offsets(3, 1).reaches(253 * 512));
    assert!(ds_read_b64.reaches(65_535) && !ds_read_b64.reaches(65_536));
    assert!(sm_90::ldmatrix_x4.reaches(8_388_607) && !sm_90::ldmatrix_x4.reaches(8_388_608));
}

/// Lane l in row l mod `rows`, from a row on.
const fn rows_from(first: u32, rows: u32) -> Row {
    let (mut row, mut lane) = ([None; 64], 0);
    while lane < 64 {
        row[lane as usize] = Some(List::new(&[first + lane % rows, 0]));
        lane += 1;
    }
    row
}

const DOWN: Row = rows_from(0, 16);
const FAR_DOWN: Row = rows_from(64, 16);
const ROWS_DOWN: Row = rows_from(32, 16);

/// A layout that begins anywhere at a multiple of its alignment, from 0 to 2^20.
fn check_bases(plan: &Plan, bits: u32, lanes: Lanes, row: &Instruction, base: u64) -> [usize; 3] {
    let Ok(placed) = Placed::new(plan, bits, lanes, row) else { return [0; 3] };
    let Ok(found) = placed.addressing() else { return [0; 3] };
    let touched: Vec<Addresses> = (0..found.routes().len() as u64)
        .map(|step| *placed.touched(step).unwrap().addresses())
        .collect();
    let at = |step: usize, lane, base: u64| {
        touched[step].get(lane).map(|address| base + u64::from(address))
    };
    let aligned = base * found.alignment();
    let mut registers = Vec::new();
    for (step, route) in found.routes().iter().enumerate() {
        for lane in 0..64 {
            let Some(wanted) = at(step, lane, aligned) else { continue };
            match *route {
                Route::Computed => {}
                Route::Xor { constant } => {
                    let constant = u64::from(constant);
                    assert_eq!(at(0, lane, aligned).unwrap() ^ constant, wanted, "{route:?}");
                    // The alignment is no larger than it must be.
                    let half = route.alignment() / 2;
                    assert_ne!(
                        at(0, lane, half).unwrap() ^ constant,
                        at(step, lane, half).unwrap()
                    );
                }
                Route::Immediate { register, offset } => {
                    assert!(encoded(row, offset), "{offset} bytes in {row:?}");
                    let from: usize = registers[register];
                    assert_eq!(at(from, lane, aligned).unwrap() + u64::from(offset), wanted);
                }
            }
        }
        if !matches!(route, Route::Immediate { .. }) {
            registers.push(step);
        }
    }
    // Whether what took a register could have been an immediate of one that there was.
    for (i, &step) in registers.iter().enumerate() {
        for &from in &registers[..i] {
            let distances: BTreeSet<i64> = (0..64)
                .filter_map(|lane| Some((at(step, lane, 0)?, at(from, lane, 0)?)))
                .map(|(to, from)| to as i64 - from as i64)
                .collect();
            let active = |step: usize| touched[step].active();
            if let [distance] = distances.into_iter().collect::<Vec<_>>()[..]
                && active(step) == active(from)
                && let Ok(distance) = u32::try_from(distance)
            {
                assert!(!encoded(row, distance), "{distance} of {row:?} is an immediate");
            }
        }
    }
    [found.immediates(), found.xors(), found.computed()]
}

#[test]
fn every_route_is_true_and_encoded() {
    let cases = cases("addressing");
    let rows: Vec<Instruction> = tiledesc::chip::CHIPS
        .iter()
        .flat_map(|chip| chip.rows().iter().copied())
        .filter(|row| row.bytes() != 12)
        .collect();
    let mut dice = Dice(5);
    let mut below = |end: u32| dice.below(end);
    let mut all = [0; 3];
    for _ in 0..cases {
        let row = rows[below(rows.len() as u32) as usize];
        let row = if row.parts() == 2 { row.offsets(below(32) as u8, below(4) as u8) } else { row };
        let bits = 8 << below(3);
        let pack = (row.bytes() * 8 / bits).max(1);
        let (m, k) = (16 << below(5), (4 * pack) << below(4));
        let plan = match below(4) {
            0 => Plan::naive(&[m, k], &[k + pack * below(5), 1]),
            1 => Plan::naive(&[m, k], &[k + below(70), 1]),
            2 => recipe::gemm_xor(m, k, pack, 1 << below(3)),
            _ => recipe::gemm_xor(m, k, 2 * pack, 1),
        };
        let Ok(plan) = plan else { continue };
        let lanes = match below(5) {
            0 => Lanes::rows(16),
            1 => Lanes::rows(32),
            2 => Lanes::row_major(),
            3 => Lanes::column(),
            _ => Lanes::diagonal(),
        };
        let found = check_bases(&plan, bits, lanes, &row, u64::from(below(1 << 14)));
        (0..3).for_each(|i| all[i] += found[i]);
    }
    println!("{} immediates, {} xors, {} computed in {cases} placements", all[0], all[1], all[2]);
    assert!(all.iter().all(|count| *count > 0));
}

/// The routes of accesses by what `touched` says of every lane of every wave: the first register that a constant
/// reaches, else an xor of the first, else a register of its own.
fn routes_lane_by_lane(placed: &Placed<'_, '_>, waves: u64) -> Vec<Route> {
    let accesses = placed.instructions() / waves;
    let touched: Vec<Addresses> =
        (0..placed.instructions()).map(|step| *placed.touched(step).unwrap().addresses()).collect();
    // What `of` two addresses is, if it is the same in every lane of every wave.
    let same = |from: u64, to: u64, of: fn(u32, u32) -> i64| -> Option<i64> {
        let pairs = (0..waves * 64).map(|at| (at / 64 * accesses, (at % 64) as usize));
        let all: BTreeSet<i64> = pairs
            .filter_map(|(wave, lane)| {
                let [from, to] =
                    [from, to].map(|access| touched[(wave + access) as usize].get(lane));
                Some(of(from?, to?))
            })
            .collect();
        (all.len() == 1).then(|| all.into_iter().next().unwrap())
    };
    let (mut registers, mut routes) = (Vec::new(), Vec::new());
    for access in 0..accesses {
        let reached = registers.iter().enumerate().find_map(|(register, from)| {
            let offset = same(*from, access, |from, to| i64::from(to) - i64::from(from))?;
            let offset = u32::try_from(offset).ok()?;
            encoded(placed.instruction(), offset).then_some(Route::Immediate { register, offset })
        });
        routes.push(reached.unwrap_or_else(|| {
            registers.push(access);
            let xor =
                if access == 0 { None } else { same(0, access, |from, to| i64::from(from ^ to)) };
            xor.map_or(Route::Computed, |constant| Route::Xor { constant: constant as u32 })
        }));
    }
    routes
}

/// Packs rotated by the row, forth or back, of rows that may be padded.
fn rotated(dice: &mut Dice, [rows, chunks, pack]: [u32; 3]) -> Result<Plan, tiledesc::Error> {
    let stride = chunks * pack + pack * dice.below(3);
    let plan = Plan::naive(&[rows, chunks, pack], &[stride, pack, 1])?;
    let turn = match dice.below(2) {
        0 => Op::CyclicShift { length0: rows, length1: chunks },
        _ => Op::InverseCyclicShift { length0: rows, length1: chunks },
    };
    let pass = |length| Op::PassThrough { length };
    let plan = plan.transform(&[turn, pass(pack)], &[&[0, 1], &[2]], &[&[0, 1], &[2]])?;
    let row = Op::Merge { lengths: List::pair(chunks, pack) };
    plan.transform(&[pass(rows), row], &[&[0], &[1, 2]], &[&[0], &[1]])
}

/// A swizzle of the number of an element.
fn swizzled_number(dice: &mut Dice, [rows, columns]: [u32; 2]) -> Result<Plan, tiledesc::Error> {
    let swizzled = Plan::packed(&[rows * columns])?.xor_fields(5 + dice.below(3), 3, 2)?;
    let rows = Op::Unmerge { lengths: List::pair(rows, columns) };
    swizzled.transform(&[rows], &[&[0]], &[&[0, 1]])
}

/// A pad after every so many elements.
fn padded_at_intervals(
    dice: &mut Dice,
    [rows, columns]: [u32; 2],
) -> Result<Plan, tiledesc::Error> {
    let every = 32 << dice.below(4);
    let lines = (rows * columns).div_ceil(every);
    let plan = Plan::naive(&[lines, every], &[every + 8 * dice.below(3), 1])?;
    let merge = Op::Merge { lengths: List::pair(lines, every) };
    let one = plan.transform(&[merge], &[&[0, 1]], &[&[0]])?;
    let strides = List::pair(columns, 1);
    one.transform(&[Op::Embed { lengths: List::pair(rows, columns), strides }], &[&[0]], &[&[0, 1]])
}

/// Rows within longer ones: a sum of indices, of several transforms.
fn part_of_a_line(dice: &mut Dice, [rows, columns]: [u32; 2]) -> Result<Plan, tiledesc::Error> {
    let line = columns + 8 * dice.below(3) + 2;
    let lines = Plan::packed(&[rows + 3, line])?;
    let merge = |of, length, apart| Op::Embed {
        lengths: List::pair(of, length),
        strides: List::pair(apart, 1),
    };
    let [of, within] = [1 + dice.below(2), 2 + 2 * dice.below(2)];
    let parts = lines.transform(
        &[merge(rows.div_ceil(of), of, of), merge(columns / within, within, within)],
        &[&[0], &[1]],
        &[&[0, 1], &[2, 3]],
    )?;
    let whole = [(rows.div_ceil(of), of), (columns / within, within)]
        .map(|(count, of)| Op::Merge { lengths: List::pair(count, of) });
    parts.transform(&whole, &[&[0, 1], &[2, 3]], &[&[0], &[1]])
}

/// Of several waves, lane 0 of each instruction tells what all lanes would.
#[test]
fn routes_are_those_of_every_lane_of_every_wave() {
    let mut dice = Dice(19);
    let (mut all, mut met) = ([0; 3], [0; 9]);
    for _ in 0..cases("addressing") / 2 {
        let row = dice.of(&[gfx942::ds_read_b32, ds_read_b64, ds_read_b128, sm_90::ld_shared_b128]);
        let lanes: u32 = if row.name().contains("shared") { 32 } else { 64 };
        let pack = row.bytes() / 2;
        let mut length = |most: u32| if dice.below(4) == 0 { 3 } else { 1 << dice.below(most) };
        let (again, waves, deep) = (length(3), length(3), length(3));
        let rows_of_a_wave = 1 << dice.below(5);
        let parts = lanes / rows_of_a_wave;
        let orders = [
            ["again", "wave", "row"],
            ["wave", "again", "row"],
            ["wave", "row", "again"],
            ["row", "again", "wave"],
        ];
        let lengths = |name| match name {
            "again" => again,
            "wave" => waves,
            _ => rows_of_a_wave,
        };
        let m = dice.of(&orders).map(|name| (name, lengths(name)));
        let k = if dice.below(2) == 0 {
            [("deep", deep), ("part", parts), ("pack", pack)]
        } else {
            [("part", parts), ("deep", deep), ("pack", pack)]
        };
        let held = Encoding::named(
            &[],
            &[("m", &m), ("k", &k)],
            &["wave"],
            &["row", "part"],
            &["deep", "again", "pack"],
        );
        let held = held.unwrap();
        let (rows, columns) = (again * waves * rows_of_a_wave, deep * parts * pack);
        let which = dice.below(9);
        let plan = match which {
            0 => Plan::naive(&[rows, columns], &[columns + pack * dice.below(5), 1]),
            1 => Plan::naive(&[rows, columns], &[columns + 2 * dice.below(70), 1]),
            5 => rotated(&mut dice, [rows, columns / pack, pack]),
            6 => swizzled_number(&mut dice, [rows, columns]),
            7 => padded_at_intervals(&mut dice, [rows, columns]),
            8 => part_of_a_line(&mut dice, [rows, columns]),
            // So far apart that no immediate reaches.
            2 => Plan::naive(&[rows, columns], &[1 << 14, 1]),
            3 => recipe::gemm_xor(rows, columns, pack, 1 << dice.below(3)),
            _ => recipe::gemm_xor(rows, columns, 2 * pack, 1),
        };
        let Ok(plan) = plan else { continue };
        let Ok(placed) = Placed::new(&plan, 16, Lanes::distributed(&held), &row) else { continue };
        let Ok(found) = placed.addressing() else { continue };
        assert_eq!(
            found.routes(),
            routes_lane_by_lane(&placed, u64::from(waves)),
            "{m:?} {k:?} {plan:?} {row:?}"
        );
        for step in 0..placed.instructions() {
            conflicts(placed.touched(step).unwrap().addresses(), &row).unwrap();
        }
        met[which as usize] += 1;
        for (count, of) in all.iter_mut().zip([found.computed(), found.xors(), found.immediates()])
        {
            *count += of;
        }
    }
    println!("{met:?} placements: {} computed, {} xors, {} immediates", all[0], all[1], all[2]);
    assert!(met.iter().all(|met| *met > 3) && all.iter().all(|count| *count > 0), "{met:?}");
}
