//! A verdict counts many lanes or instructions at once where a few checks allow it. Here are accesses on which
//! one of these checks alone decides: without it a number would be wrong, or a refusal would be missing.
//!
//! | test | checks |
//! |---|---|
//! | `lanes_in_runs` | runs of lanes: jumps of different lengths, rows off the alignment, strides that overlap, lanes of one dword in different phases |
//! | `a_table_row_past_its_end` | a pack that does not begin at a multiple of packs leaves the row |
//! | `two_addresses_off_the_dword` | the second address repeats the first only where both are whole units behind the lane's |
//! | `an_index_with_a_frozen_xor` | an index that is xor-ed with a constant adds to an offset only above its bits |
//!
//! Every count is made lane by lane, by [`counted`].

use crate::short_list::counted;
use tiledesc::access::{Addresses, Placed};
use tiledesc::bank::conflicts;
use tiledesc::chip::{Instruction, Phases, gfx942, sm_90};
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::search::Use;
use tiledesc::{List, Op, Plan};

/// An instruction of 64 lanes.
fn row(at: impl Fn(u32) -> Option<[u32; 2]>) -> Row {
    core::array::from_fn(|lane| at(lane as u32).map(|[m, k]| List::pair(m, k)))
}

/// Whether a verdict is that of each lane of each instruction, and shows the first phase of the fullest; false where it is
/// refused.
fn is_counted(plan: &Plan, bits: u32, lanes: Lanes<'_>, read: &Instruction) -> bool {
    let Ok(placed) = Placed::new(plan, bits, lanes, read) else { return false };
    let wanted = counted(plan, bits, &Use::new(lanes, read)).map(|[own, _]| own);
    let Ok(verdict) = placed.verdict() else {
        assert_eq!(wanted, None, "{lanes:?} {}", read.name());
        return false;
    };
    assert_eq!(Some(verdict.active_cycles()), wanted, "{lanes:?} {}", read.name());
    // Addresses of the instruction that is shown, which say nothing of how they were found.
    let touched = placed.touched(verdict.shown()).unwrap();
    let byte = |lane: u32| {
        let at = touched.coordinate(lane as usize)?;
        Some(plan.offset(at.as_slice()).unwrap() * bits / 8)
    };
    let shown = conflicts(&Addresses::from_fn(byte), read).unwrap();
    let said = verdict.conflicts();
    assert_eq!(
        (said.degree(), said.conflict_cycles),
        (shown.degree(), shown.conflict_cycles),
        "{lanes:?} {}",
        read.name()
    );
    // A rank names the first phase, as all are alike.
    assert_eq!(said.phase, shown.phase, "{lanes:?} {}", read.name());
    true
}

#[test]
fn lanes_in_runs() {
    let wide = &sm_90::ld_shared_b128;
    // Twelve packs to a row of 208 bytes, three rows to a plane: from plane to plane another jump than from row to row.
    for further in [0, 8, 24, 40, 56, 72] {
        let plan = Plan::naive(&[8, 3, 96], &[3 * 104 + further, 104, 1]).unwrap();
        assert!(is_counted(&plan, 16, Lanes::row_major(), wide), "{further}");
    }
    // Lanes along a row of 512 halves; each instruction begins a row, of which every second is 8 bytes off.
    let along = [("m", &[("again", 4)][..]), ("k", &[("lane", 64), ("pack", 8)][..])];
    let rows = Encoding::named(&[], &along, &[], &["lane"], &["again", "pack"]).unwrap();
    let rows = Lanes::distributed(&rows);
    for (stride, is_aligned) in [(520, true), (516, false)] {
        let plan = Plan::naive(&[4, 512], &[stride, 1]).unwrap();
        assert_eq!(is_counted(&plan, 16, rows, &gfx942::ds_read_b128), is_aligned, "{stride}");
    }
    // Rows begin within the one before: what lanes share is read once.
    for stride in [1, 2, 3, 4, 8, 12, 16] {
        let plan = Plan::naive(&[64, 32], &[stride, 1]).unwrap();
        for lanes in [Lanes::row_major(), Lanes::rows(16), Lanes::column()] {
            assert!(is_counted(&plan, 32, lanes, &gfx942::ds_read_b32), "{stride}");
        }
    }
    for stride in [4, 12, 20, 24] {
        let plan = Plan::naive(&[64, 24], &[stride, 1]).unwrap();
        assert!(is_counted(&plan, 32, Lanes::row_major(), &gfx942::ds_read_b32), "{stride}");
    }
    // Even lanes and odd lanes: those that share a dword are in different phases.
    let (mut even, mut odd) = ([0; 16], [0; 16]);
    for i in 0..16 {
        (even[i], odd[i]) = (2 * i, 2 * i + 1);
    }
    let apart = Phases::groups(&[&even, &odd]);
    for (bytes, stride) in [(1, 24), (1, 28), (1, 40), (2, 26), (2, 40)] {
        let read = Instruction::read("narrow", bytes).phases(apart).banks(8);
        let plan = Plan::naive(&[32, 24], &[stride, 1]).unwrap();
        assert!(is_counted(&plan, bytes * 8, Lanes::row_major(), &read), "{bytes} {stride}");
    }
}

/// Rows of 16 halves are 20 apart. Eight of them from (1, 12) on are 64 bytes behind those from (0, 0) on, and four of them
/// are behind the row.
#[test]
fn a_table_row_past_its_end() {
    let plan = Plan::naive(&[4, 16], &[20, 1]).unwrap();
    let one = |at: [u32; 2]| row(move |lane| (lane == 0).then_some(at));
    let cycles = |table: &[Row]| {
        let placed = Placed::new(&plan, 16, Lanes::table(table, 1), &gfx942::ds_read_b128).unwrap();
        placed.verdict().map(|verdict| verdict.active_cycles())
    };
    assert!(cycles(&[one([0, 0]), one([2, 0])]).is_ok());
    assert!(cycles(&[one([1, 12])]).is_err());
    assert!(cycles(&[one([0, 0]), one([1, 12])]).is_err());
}

/// Two bytes behind the first halves of dwords are the second ones, behind the second ones the next dwords; four bytes
/// behind all of them are the next dwords.
#[test]
fn two_addresses_off_the_dword() {
    let pair = Instruction::read("half", 2).phases(Phases::contiguous(64)).banks(32);
    let pair = pair.paired("two halves", 2);
    // 33 dwords apart: of 32 rows each is in a bank of its own, and a row and the next dword of that before in one.
    let lanes = Addresses::from_fn(|lane| Some(132 * (lane / 2) + 2 * (lane % 2)));
    let cycles = |first, second| {
        conflicts(&lanes, &pair.offsets(first, second)).map(|found| found.conflict_cycles)
    };
    assert_eq!([cycles(0, 2), cycles(2, 4)], [Ok(0), Ok(0)]);
    assert_eq!([cycles(1, 3), cycles(1, 2), cycles(2, 1)], [Ok(2), Ok(1), Ok(1)]);
}

/// Index `c` of 240 is at `stride * (c ^ constant)`: instructions that are some `c` apart are the same, moved, only above the
/// bits that the constant flips.
#[test]
fn an_index_with_a_frozen_xor() {
    for (constant, stride) in [(1, 3), (4, 3), (4, 5), (8, 6), (16, 7)] {
        let two = Plan::naive(&[128, 256], &[0, stride]).unwrap();
        let crossed = Op::Xor { length0: 128, length1: 256 };
        let frozen = [Op::Freeze { index: constant }, Op::PassThrough { length: 256 }];
        let first = Op::Slice { low_length: 256, begin: 0, end: 240 };
        let plan = two.transform(&[crossed], &[&[0, 1]], &[&[0, 1]]).unwrap();
        let plan = plan.transform(&frozen, &[&[0], &[1]], &[&[], &[0]]).unwrap();
        let plan = plan.transform(&[first], &[&[0]], &[&[0]]).unwrap();
        for (lanes, pattern) in
            [(4, Lanes::strided(3)), (4, Lanes::strided(5)), (6, Lanes::row_major())]
        {
            let phases = Phases::contiguous(lanes).of_wave(lanes);
            let read = Instruction::read("half", 2).phases(phases).banks(16);
            assert!(is_counted(&plan, 16, pattern, &read), "{constant} {stride}");
        }
    }
}
