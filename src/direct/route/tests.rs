//! A route found from columns, a unit for each bit of lane and wave, equals the definition, which goes through every lane of
//! every wave.

extern crate std;

use super::*;
use crate::chip::{Transfer, gfx942, gfx950};
use crate::direct::{Order, Request, Source};
use crate::recipe;
use std::vec::Vec;
use support::fuzz::{Dice, cases, seed};
use tiledesc_transforms::{Op, Plan};

/// Packs xor-ed with the row by any masks, of lengths that are powers of two.
fn tile(dice: &mut Dice) -> Option<([u32; 2], Plan)> {
    let (rows_in_line, groups) = (1 << dice.below(3), 1 + dice.below(6));
    let (m, k) = (rows_in_line << groups, 8 << dice.below(6));
    let pack = k.min(1 << dice.below(5));
    let mut masks = [0; 12];
    masks.fill_with(|| dice.below(rows_in_line * k / pack));
    let masks = &masks[..groups as usize];
    let plan = recipe::GemmXorBits::<crate::F8>([m, k, pack, rows_in_line], masks);
    Some(([m, k], plan.ok()?))
}

#[test]
fn of_linear_maps_as_lane_by_lane() {
    let (mut dice, mut steps, mut flips) = (Dice(seed(31)), 0, 0);
    for _ in 0..cases("routes of linear loads") {
        let Some(([_, k], plan)) = tile(&mut dice) else { continue };
        let transfers: [&Transfer; 2] =
            [&gfx950::global_load_lds_b128, &gfx942::global_load_lds_b32];
        let (transfer, bits) = (dice.of(&transfers), dice.of(&[8, 16, 32]));
        // With a pitch that is not a power of two, most xors of coordinates are not xors of bytes.
        let source = Source::rows(dice.of(&[k, 2 * k, k + 24, 8192]));
        let request = Request::new(&plan, bits, source, transfer).waves(1 << dice.below(4));
        let Ok(plan) = request.order(dice.of(&[Order::Blocked, Order::Interleaved])).plan() else {
            continue;
        };
        let lane_flips = plan.lane_flips(0, plan.waves());
        if lane_flips.is_none() {
            continue;
        }
        for load in 0..plan.loads() {
            let wanted = plan.compared(0, plan.waves(), load);
            assert_eq!(plan.route(load), wanted);
            for wave in 0..plan.waves() {
                assert_eq!(plan.route_of(wave, load), plan.compared(wave, wave + 1, load));
            }
            match (plan.coordinate_route(&lane_flips, load), wanted) {
                (SourceRoute::Uniform { .. }, _) => {
                    assert_eq!(plan.coordinate_route(&lane_flips, load), wanted);
                    steps += 1;
                }
                (
                    SourceRoute::Xor { coordinate, .. },
                    SourceRoute::Xor { coordinate: wanted, .. },
                ) => {
                    assert_eq!(coordinate, wanted);
                    flips += 1;
                }
                (found, wanted) => panic!("{found:?}, by lanes {wanted:?}"),
            }
        }
    }
    std::println!("{steps} steps, {flips} xors");
    assert!(steps > 100 && flips > 300, "{steps} steps, {flips} xors");
}

/// Tiles of any lengths: rows of a pitch, packs xor-ed with the row, pads after every eighth row.
fn any_tile(dice: &mut Dice) -> Option<Plan> {
    let columns = (1 << dice.below(6)) * dice.of(&[8, 8, 8, 24, 40]);
    let rows = (1 + dice.below(150)).min(24_000 / columns);
    match dice.below(4) {
        0 => Plan::naive(&[rows, columns], &[columns + dice.of(&[0, 0, 8, 16]), 1]).ok(),
        1 => {
            let pitch = 8 * columns + dice.of(&[0, 8, 64, 4 * columns]);
            let base = Plan::naive(&[rows.div_ceil(8), 8, columns], &[pitch, columns, 1]).ok()?;
            let ops = [
                Op::Merge { lengths: List::new(&[rows.div_ceil(8), 8]) },
                Op::PassThrough { length: columns },
            ];
            base.transform(&ops, &[&[0, 1], &[2]], &[&[0], &[1]]).ok()
        }
        2 => recipe::GemmXor64::<crate::F16>([rows, columns, 8]).ok(),
        _ => recipe::GemmXor::<crate::F16>([rows, columns, 8]).ok(),
    }
}

/// Steps or flips that all lanes of all waves have in common, lane by lane.
fn by_lanes(plan: &DirectLoad<'_>, load: u32) -> [Option<Vec<i64>>; 2] {
    let (mut steps, mut flips, lanes) = (Vec::new(), Vec::new(), plan.transfer().wave());
    for (wave, lane) in (0..plan.waves()).flat_map(|w| (0..lanes).map(move |lane| (w, lane))) {
        let Some(to) = plan.unit(wave, load, lane) else { continue };
        let Some(from) = plan.unit(wave, 0, lane) else { return [None, None] };
        let (to, from) = (to.coordinate(), from.coordinate());
        let pairs = || to.as_slice().iter().zip(from.as_slice());
        steps.push(pairs().map(|(to, from)| i64::from(*to) - i64::from(*from)).collect());
        flips.push(pairs().map(|(to, from)| i64::from(to ^ from)).collect());
    }
    [steps, flips].map(|mut all: Vec<Vec<i64>>| {
        all.dedup();
        if all.len() == 1 { all.pop() } else { None }
    })
}

#[test]
fn of_any_lengths_as_lane_by_lane() {
    let (mut dice, mut found) = (Dice(seed(32)), [0; 4]);
    for _ in 0..cases("routes of loads of any lengths") {
        let Some(plan) = any_tile(&mut dice) else { continue };
        let transfers: [&Transfer; 2] =
            [&gfx950::global_load_lds_b128, &gfx942::global_load_lds_b32];
        let source = Source::rows(8192);
        let request = Request::new(&plan, dice.of(&[8, 16, 32]), source, dice.of(&transfers));
        let request = request.waves(1 << dice.below(4)).idle_lanes();
        let Ok(plan) = request.order(dice.of(&[Order::Blocked, Order::Interleaved])).plan() else {
            continue;
        };
        for load in 0..plan.loads() {
            let [steps, flips] = by_lanes(&plan, load);
            match plan.compared_by_columns(load) {
                SourceRoute::Uniform { steps: Some(found), .. } => {
                    let found = [0, 1].map(|d| i64::from(found.along(d)));
                    assert_eq!(steps.as_deref(), Some(&found[..]), "load {load} of {plan:?}");
                }
                SourceRoute::Xor { coordinate: Some(found), .. } => {
                    let found = [0, 1].map(|d| i64::from(found.at(d)));
                    assert_eq!((steps, flips.as_deref()), (None, Some(&found[..])));
                }
                SourceRoute::Computed => assert_eq!((steps, flips), (None, None)),
                route => panic!("{route:?} has no coordinates"),
            }
        }
        let whole = (0..plan.waves()).filter(|wave| plan.follows_columns(*wave, 0)).count();
        found[usize::from(plan.idle() > 0) + 2 * usize::from(whole > 0)] += 1;
    }
    std::println!("{found:?}: lanes idle, and without columns or with them");
    assert!(found.iter().all(|count| *count > 20), "{found:?}");
}
