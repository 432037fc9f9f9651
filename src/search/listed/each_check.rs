//! Tables of two instructions that only look like each other, moved: each has lists of its own, or verdicts are others.

use super::*;
use crate::chip::gfx942;
use crate::chip::instruction::Instruction;
use crate::pattern::Lanes;
use crate::search::shot::Place;
use crate::search::spec::Spec;
use crate::search::weight::weight;
use crate::search::{Effort, Shape, Use};
use tiledesc_transforms::List;

/// An instruction of 64 lanes.
fn row(at: impl Fn(u32) -> Option<[u32; 2]>) -> Row {
    core::array::from_fn(|lane| at(lane as u32).map(|[m, k]| List::pair(m, k)))
}

/// Whether the conflicts of each pad are those of the verdict.
fn are_counted(table: &[Row; 2], tile: Shape, read: &Instruction, step: u32) {
    let uses = [Use::new(Lanes::table(table, 1), read)];
    let (base, plain) = (Base::rows(tile), tile.rows_in_order().unwrap());
    let mut shots = Shots::NONE;
    assert!(
        shots.add(&base, &plain, &plain.digits(), &uses[0], Together::Moved, &mut {
            Effort::RUN_TIME
        })
    );
    let lost = |apart| shots.lost(&base, &Place::Rows { apart }, u64::MAX).unwrap().sum();
    let floor = weight(&plain, tile.bits, &uses).unwrap().sum - lost(tile.columns);
    for pad in (0..8).map(|pad| pad * step) {
        let plan = Spec::row_pad(pad).plan(tile).unwrap();
        let wanted = weight(&plan, tile.bits, &uses).unwrap().sum;
        assert_eq!(floor + lost(tile.columns + pad), wanted, "{pad} {table:?}");
    }
}

/// Lanes that hold nothing in one of them.
#[test]
fn idle_in_one_alone() {
    let tile = Shape { rows: 64, columns: 96, bits: 32 };
    let all = row(|lane| Some([lane % 32, 0]));
    let few = row(|lane| (lane < 2).then_some([lane, 4]));
    for table in [[all, few], [few, all]] {
        are_counted(&table, tile, &gfx942::ds_read_b32, 1);
    }
}

/// The same distances one after the other, of lanes that one phase serves, and of every second lane of two.
#[test]
fn alike_in_all_but_the_lanes() {
    let tile = Shape { rows: 64, columns: 96, bits: 32 };
    let half = row(|lane| (lane < 32).then_some([lane, 0]));
    let both = row(|lane| (lane % 2 == 0).then_some([lane / 2, 8]));
    for table in [[half, both], [both, half]] {
        are_counted(&table, tile, &gfx942::ds_read_b32, 1);
    }
}

/// Both halves of a dword, and then the second and the first of the next.
#[test]
fn moved_by_half_a_dword() {
    let tile = Shape { rows: 64, columns: 64, bits: 16 };
    let halves = [0, 1].map(|from| row(|lane| Some([lane / 2, lane % 2 + from])));
    are_counted(&halves, tile, &gfx942::ds_read_u16, 2);
}
