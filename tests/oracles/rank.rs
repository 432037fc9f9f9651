//! The closed form is the count: verdicts by rank, and on instructions that are alike, against
//! every lane of every instruction by sets of bytes.
//!
//! `cargo xtask test --deep` asks for more than the thousands of every run (`tests/support/fuzz.rs`).

use core::cell::Cell;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeSet;
use support::count::counted;
use support::fuzz::cases;
use tiledesc::bank;
use tiledesc::pattern::Lanes;
use tiledesc::{
    Linear, List, Op, Plan,
    access::{AccessError, Placed},
    chip::{self, Instruction, Phases},
    recipe,
};
use tiledesc_host::exchange::linear;

fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        max_global_rejects: u32::MAX,
        max_local_rejects: u32::MAX,
        ..Config::default()
    }
}

/// A wave's instructions, one after the other, lane by lane.
#[derive(Debug, Default, PartialEq, Eq)]
struct Slow {
    instructions: u64,
    base_cycles: u64,
    conflict_cycles: u64,
    degree: u32,
    race: bool,
}

fn slow(placed: &Placed<'_, '_>) -> Result<Slow, AccessError> {
    let row = placed.instruction();
    let mut all = Slow::default();
    for step in 0..placed.instructions() {
        let touched = placed.touched(step)?;
        // Refused addresses have no count.
        bank::conflicts(touched.addresses(), row).map_err(AccessError::Address)?;
        let one = counted(touched.addresses(), row);
        all.instructions += 1;
        all.base_cycles += u64::from(one.base_cycles);
        all.conflict_cycles += u64::from(one.conflict_cycles);
        all.degree = all.degree.max(one.degree);
        all.race |= one.race;
    }
    Ok(all)
}

/// Compares both; says whether there was a verdict.
fn check(plan: &Plan, bits: u32, lanes: Lanes<'_>, row: &Instruction) -> bool {
    let Ok(placed) = Placed::new(plan, bits, lanes, row) else { return false };
    if placed.instructions() > 64 {
        return false;
    }
    let (fast, slow) = (placed.verdict(), slow(&placed));
    let context = || {
        let digits = plan.digits().map_or(0, |digits| digits.count());
        let tile = (plan.lengths(), digits, bits);
        format!("{lanes:?}, {} of {}, lengths, digits and bits {tile:?}", row.name(), row.chip())
    };
    let (verdict, slow) = match (fast, slow) {
        (Ok(verdict), Ok(slow)) => (verdict, slow),
        (Err(fast), Err(slow)) => {
            assert_eq!(fast, slow, "{}", context());
            return false;
        }
        (fast, slow) => panic!("{fast:?} but {slow:?}: {}", context()),
    };
    let found = Slow {
        instructions: verdict.instructions(),
        base_cycles: verdict.base_cycles(),
        conflict_cycles: verdict.conflict_cycles(),
        // Of a race the instruction is shown that has it.
        degree: if slow.race { slow.degree } else { verdict.degree() },
        race: verdict.conflicts().race.is_some(),
    };
    assert_eq!(found, slow, "{}", context());
    // The lanes that are named meet, in the instruction that is named.
    let touched = placed.touched(verdict.shown()).unwrap();
    if !slow.race {
        let phase = verdict.conflicts().phase;
        let crowd = bank::phase(touched.addresses(), row, phase).unwrap();
        assert_eq!((crowd.degree, crowd.pair()), (slow.degree, verdict.pair()), "{}", context());
    }
    true
}

/// Any 2^`bits` elements as a linear map, those of a vector in their order.
fn linear() -> impl Strategy<Value = Plan> {
    (0..=4u32, 6..=12u32, 3..=8u32, any::<[u32; 16]>()).prop_filter_map(
        "columns that are not a basis",
        |(vector, bits, rows, draws)| {
            let (high, rows) = (bits - vector, rows.min(bits));
            let column = |b: u32| match b.checked_sub(vector) {
                None => 1 << b,
                Some(above) => (draws[above as usize] % (1 << high)) << vector,
            };
            let columns: Vec<u32> = (0..bits).map(column).collect();
            let map = Linear::new(&columns, 0).ok()?;
            let plan = linear::plan(&map, &[1 << rows, 1 << (bits - rows)]).ok()?;
            (map.rank() == bits).then_some(plan)
        },
    )
}

/// Tiles as kernels have them: powers of two and others, padded, swizzled, turned.
fn tile() -> impl Strategy<Value = Plan> {
    let rows = prop_oneof![Just(8u32), Just(16), Just(32), Just(48), Just(64), Just(96), Just(128)];
    let columns = prop_oneof![Just(8u32), Just(16), Just(32), Just(64), Just(128), Just(40)];
    (rows, columns, 0..8u32, 0..24u32, 0..4u32, any::<[u32; 5]>()).prop_filter_map(
        "a recipe that refuses these numbers",
        |(m, k, kind, pad, log, draws)| {
            let (pack, layers) = (1 << (draws[4] % 5), 1 << log);
            let chunks = (k / pack * layers).max(1);
            let masks = draws.map(|draw| draw % chunks);
            match kind {
                0 => Plan::naive(&[m, k], &[k + pad, 1]),
                1 => Plan::naive(&[m, k], &[1, m + pad]),
                2 => recipe::GemmXorBits::<tiledesc::F8>([m, k, pack, layers], &masks),
                3 => recipe::gemm_xor(m, k, pack, layers),
                4 => recipe::FlatmmPad::<tiledesc::F8>([m, k, pack]),
                5 => Plan::packed(&[m / 2, 2, k]),
                6 => {
                    // Padded rows of which the first is not the memory's, nor begins at 0.
                    let begin = draws[0] % 3;
                    let strides = [k + pad, 1];
                    let base =
                        Plan::naive_with_offset(&[m + begin, k], &strides, 8 * (draws[1] % 9));
                    let rows = Op::Slice { low_length: m + begin, begin, end: m + begin };
                    let ops = [rows, Op::PassThrough { length: k }];
                    base.ok()?.transform(&ops, &[&[0], &[1]], &[&[0], &[1]])
                }
                _ => {
                    // A swizzle below a pad.
                    let base = Plan::naive(&[m, k], &[k + 8 * (pad % 3), 1]).ok()?;
                    let xor = [Op::XorBits { length0: m, length1: k, masks: List::new(&masks) }];
                    base.transform(&xor, &[&[0, 1]], &[&[0, 1]])
                }
            }
            .ok()
        },
    )
}

fn lanes() -> impl Strategy<Value = Lanes<'static>> {
    let power = (0..7u32).prop_map(|log| 1 << log);
    (0..7u32, power, 1..40u32, any::<bool>()).prop_map(|(kind, rows, stride, whole)| {
        let lanes = match kind {
            0 => Lanes::row_major(),
            1 => Lanes::column_major(),
            2 => Lanes::column(),
            3 => Lanes::strided(if stride % 2 == 0 { rows } else { stride }),
            4 => Lanes::diagonal(),
            5 => Lanes::rows(if stride == 3 { stride } else { rows }),
            _ => Lanes::repeated_rows(rows),
        };
        if whole { lanes } else { lanes.first() }
    })
}

fn row() -> impl Strategy<Value = Instruction> {
    let rows: Vec<Instruction> = chip::CHIPS.iter().flat_map(|chip| chip.rows().to_vec()).collect();
    (proptest::sample::select(rows), any::<[u8; 2]>()).prop_map(|(row, [first, second])| {
        if row.parts() == 2 { row.offsets(first % 16, second % 16) } else { row }
    })
}

fn bits() -> impl Strategy<Value = u32> {
    proptest::sample::select(vec![4u32, 6, 8, 16, 32, 64])
}

/// Whether more than one in twenty of a fuzzer's cases have a verdict.
fn run(target: &str, plans: impl Strategy<Value = Plan>) -> bool {
    let (verdicts, count) = (Cell::new(0), cases(target));
    let cases = (plans, bits(), lanes(), row());
    TestRunner::new(config(count))
        .run(&cases, |(plan, bits, lanes, row)| {
            verdicts.set(verdicts.get() + u32::from(check(&plan, bits, lanes, &row)));
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    println!("{count} {target}: {}", verdicts.get());
    verdicts.get() > count / 20
}

#[test]
fn verdicts_of_linear_maps_are_counts() {
    assert!(run("verdicts of linear maps", linear()));
}

#[test]
fn verdicts_of_tiles_are_counts() {
    assert!(run("verdicts of tiles", tile()));
}

/// Every row of every chip, its own pack, over a tile that it fits: each gives a verdict, the count of what is served so.
#[test]
fn every_row_of_every_chip_has_verdicts() {
    let (mut verdicts, mut counted, mut services) = (0, 0, BTreeSet::new());
    for row in chip::CHIPS.iter().flat_map(|chip| chip.rows()) {
        let row = if row.parts() == 2 { row.offsets(0, 8) } else { *row };
        let (bits, elements) = (8, 64 * 64 * row.bytes() / 16);
        for (pad, lanes) in [(0, Lanes::row_major()), (0, Lanes::rows(16)), (16, Lanes::rows(16))] {
            let plan = Plan::naive(&[64, elements / 32], &[elements / 32 + pad, 1]).unwrap();
            let placed = Placed::new(&plan, bits, lanes, &row);
            verdicts += u32::from(placed.is_ok_and(|placed| placed.verdict().is_ok()));
            // Counted once for all rows that are served alike.
            let service =
                format!("{:?} {} {} {pad} {lanes:?}", row.service(), row.bytes(), row.parts());
            if services.insert(service) {
                counted += u32::from(check(&plan, bits, lanes, &row));
            }
        }
    }
    println!("{verdicts} verdicts, {counted} counted");
    assert!(verdicts > 700 && counted > 60, "{verdicts}, {counted}");
}

/// Who meets is told with their bytes: lanes of rows that are 128 bytes long, and of swizzled ones.
#[test]
fn lanes_that_meet_are_told_with_their_bytes() {
    let said = |plan: &Plan, rows, row: &Instruction, wanted| {
        let placed = Placed::new(plan, 16, Lanes::rows(rows), row).unwrap();
        let sentence = placed.verdict().unwrap().to_string();
        assert!(sentence.contains(wanted), "{sentence}");
    };
    let (plain, swizzled) =
        (Plan::packed(&[128, 64]).unwrap(), recipe::gemm_xor(128, 64, 8, 1).unwrap());
    let meeting = "lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0.";
    said(&plain, 16, &chip::gfx942::ds_read_b128, meeting);
    let meeting = "lanes 0 and 24, (0, 0) and (24, 0), bytes 0 and 3072, bank 0.";
    said(&swizzled, 32, &chip::gfx950::ds_read_b128, meeting);
}

/// Rows that begin within a dword: of a row of one's own that serves 64 lanes in one phase, 64 halves
/// from byte 0 are 32 dwords, free on 32 banks, and from byte 2 they are 33. So the first instruction
/// does not stand for all, nor do two of the tile's dimensions.
#[test]
fn rows_that_begin_within_a_dword() {
    let read = Instruction::read("u16", 2).banks(32).phases(Phases::contiguous(64));
    for (pad, degree) in [(0, 1), (1, 2), (2, 1), (3, 2)] {
        let plane = Plan::naive(&[4, 128], &[128 + pad, 1]).unwrap();
        let bits = Plan::naive(&[4, 2, 2, 2, 2, 2, 2], &[64 + pad, 32, 16, 8, 4, 2, 1]).unwrap();
        for plan in [plane, bits] {
            assert!(check(&plan, 16, Lanes::row_major(), &read));
            let placed = Placed::new(&plan, 16, Lanes::row_major(), &read).unwrap();
            assert_eq!(placed.verdict().unwrap().degree(), degree, "a pad of {pad}");
        }
    }
}

/// Two addresses that are half a dword apart: the first 64 halves are 32 dwords, the second ones 33.
#[test]
fn pairs_half_a_dword_apart() {
    let read = Instruction::read("u16", 2).banks(32).phases(Phases::contiguous(64));
    let plan = Plan::packed(&[2, 128]).unwrap();
    for (second, degree) in [(1, 2), (2, 1), (3, 2), (64, 1)] {
        let pair = read.paired("u16x2", 2).offsets(0, second);
        let lanes = Lanes::row_major().first();
        assert!(check(&plan, 16, lanes, &pair));
        let placed = Placed::new(&plan, 16, lanes, &pair).unwrap();
        assert_eq!(placed.verdict().unwrap().degree(), degree, "halves {second} apart");
    }
}

/// Rows of 2^24 bytes and more, as far as an address reaches: 64 lanes at as many rows begin in one bank.
#[test]
fn rows_that_are_far_apart() {
    for (bits, bytes, k) in [(4, 1, 1 << 25), (8, 1, 1 << 25), (16, 2, 1 << 24), (32, 4, 1 << 23)] {
        let read = Instruction::read("one", bytes).banks(32).phases(Phases::contiguous(64));
        let plan = Plan::naive(&[64, k], &[k, 1]).unwrap();
        let placed = Placed::new(&plan, bits, Lanes::rows(64), &read).unwrap();
        assert_eq!(placed.verdict().unwrap().degree(), 64, "{bits} bits");
    }
}
