//! A route found from columns, a unit for each bit of lane and wave, equals the definition, which goes through every lane of
//! every wave.

extern crate std;

use super::*;
use crate::chip::{Transfer, gfx942, gfx950};
use crate::direct::{Order, Request, Source};
use crate::recipe;
use support::fuzz::{Dice, cases, seed};
use tiledesc_transforms::Plan;

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
