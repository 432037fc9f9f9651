//! The order of an access on a layout that stays: what is proposed is counted, and where nothing is, nothing is better.
//!
//! | test | promise |
//! |---|---|
//! | `every_order` | of random accesses on layouts of every kind: the cycles of what is proposed, that each lane touches the same elements, and that no other order by any row takes fewer |
//! | `a_row_each` | lanes that read a row each begin at another column |
//! | `halves_of_an_accumulator` | two stores for each, of which some lanes do the second first |
//! | `rows_of_a_table` | lanes take the rows of a table in turns |
//! | `what_has_no_order` | tables of one row, instructions that hand round, free accesses |

use crate::changed::holds_the_same;
use crate::costs::{Laid, accesses, costs};
use support::asked::{Question, distribution, fits, told};
use support::fuzz::{Dice, cases, seed};
use tiledesc::List;
use tiledesc::chip::{CHIPS, Instruction, gfx942, gfx950, sm_90};
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;
use tiledesc_host::search::{Reordered, reorder};

/// Weight and cycles on a layout, by counting.
fn counted(tile: Shape, layout: Spec, one: Use<'_>) -> Option<[u64; 2]> {
    let uses = [one];
    let costs = costs(&Laid::of(tile, layout)?, &accesses(tile, &uses)?)?;
    Some([costs.weight, costs.cycles])
}

/// Every order by every row that moves as much or less.
fn every_order<'a>(one: Use<'a>) -> Vec<(Use<'a>, [u32; 2])> {
    let own = one.instruction;
    let chip = CHIPS.iter().find(|chip| chip.name() == own.chip()).unwrap();
    let takes_part = |row: &&Instruction| row.is_plain_as(own) && row.bytes() <= own.bytes();
    let mut all = Vec::new();
    for row in chip.rows().iter().filter(takes_part) {
        for (parts, bit) in [2, 4, 8, 16, 32, 64]
            .into_iter()
            .flat_map(|parts| [0, 1, 2, 4, 8, 16, 32].map(|bit| (parts, bit)))
        {
            let with = one.lanes.split(parts, bit);
            all.extend(with.map(|lanes| (Use { lanes, instruction: row, ..one }, [parts, bit])));
        }
    }
    all
}

fn check(tile: Shape, layout: Spec, one: Use<'_>) -> Result<Option<[u32; 2]>, String> {
    let plan = layout.plan(tile).unwrap();
    let Some([own, _]) = counted(tile, layout, one) else { return Ok(None) };
    let least = reorder(&plan, tile.bits, &one);
    let weight = match least {
        Some(Reordered { with, split, cycles, is_free, .. }) => {
            let words = one.lanes.split(split[0], split[1]);
            let [weight, by_row] = counted(tile, layout, with).ok_or("not held")?;
            let floor = accesses(tile, &[with]).unwrap()[0].floor();
            match () {
                () if words != Some(with.lanes) => return Err("other words".to_owned()),
                () if by_row != cycles => return Err(format!("{by_row} cycles")),
                () if weight >= own => return Err("no fewer cycles".to_owned()),
                () if is_free != (weight == floor) => return Err(format!("floor {floor}")),
                () if !holds_the_same(tile, layout, &with, &one) => {
                    return Err("lanes hold other elements".to_owned());
                }
                () => weight,
            }
        }
        None => own,
    };
    let own_row = one.instruction;
    let can_be = own_row.parts() == 1 && !own_row.hands_round();
    for (with, split) in every_order(one).into_iter().filter(|_| can_be) {
        let is_less = counted(tile, layout, with).is_some_and(|[less, _]| less < weight);
        if is_less && holds_the_same(tile, layout, &with, &one) {
            return Err(format!("{} by {split:?} takes less", with.instruction.name()));
        }
    }
    Ok(least.map(|least| least.split))
}

/// A layout of any kind.
fn layout(dice: &mut Dice) -> Spec {
    let pack = 1 << dice.below(4);
    let one = match dice.below(6) {
        0 => Spec::row_pad(1 + dice.below(32)),
        1 => Spec::gemm_xor(pack),
        2 => Spec::gemm_xor_layer(pack, 1 << dice.below(3)),
        3 => Spec::interval_pad(64, 1 + dice.below(16)),
        _ => Spec::row_major(),
    };
    if dice.one_in(4) { one.transposed() } else { one }
}

#[test]
fn every_order_is_counted() {
    let (mut dice, all) = (Dice(seed(12)), cases("orders of accesses"));
    let (mut judged, mut kinds) = (0, [0; 3]);
    for case in 0..all {
        let question = match dice.below(2) {
            0 => Question::random(&mut dice, 96),
            _ => held(&mut dice),
        };
        let Some(Question { tile, uses }) = question else { continue };
        let layout = layout(&mut dice);
        if layout.plan(tile).is_err() {
            continue;
        }
        for one in uses.iter().map(|one| Use { fill: None, ..*one }) {
            judged += 1;
            match check(tile, layout, one) {
                Ok(None) => {}
                Ok(Some([_, 0])) => kinds[0] += 1,
                Ok(Some([parts, _])) => {
                    let wide = one.instruction.bytes() * 8 / tile.bits;
                    kinds[1 + usize::from(parts > wide)] += 1;
                }
                Err(error) => {
                    panic!("case {case}: {layout:?} of {tile:?}: {error}\n{}", told(&[one]))
                }
            }
        }
    }
    println!(
        "{judged} accesses: {kinds:?} in order, crossed, crossed and more parts than elements"
    );
    assert!(kinds[0] + kinds[1] > 0, "{kinds:?}");
}

/// Lanes that hold a distribution.
fn held(dice: &mut Dice) -> Option<Question> {
    let held: &'static Encoding = Box::leak(Box::new(distribution(dice)));
    let bits = dice.of(&[8, 16, 32]);
    let tile = Shape { rows: held.lengths().at(0), columns: held.lengths().at(1), bits };
    let rows = dice.of(&[&gfx942, &gfx950, &sm_90]).rows();
    let of = |dice: &mut Dice| &rows[dice.below(rows.len() as u32) as usize];
    let uses = (0..4).map(|_| Use::new(Lanes::distributed(held), of(dice)));
    let uses: Vec<_> = uses.filter(|one| fits(tile, one)).collect();
    (!uses.is_empty()).then_some(Question { tile, uses })
}

#[test]
fn a_row_each() {
    let tile = Shape { rows: 32, columns: 32, bits: 32 };
    let plan = Spec::row_major().plan(tile).unwrap();
    let read = Use::new(Lanes::column(), &sm_90::ld_shared_b32);
    let other = reorder(&plan, 32, &read).unwrap();
    assert_eq!((other.split, other.cycles, other.is_free), ([32, 1], 32, true));
    assert_eq!(counted(tile, Spec::row_major(), read), Some([1024, 1024]));
    let text = other.text(&read, |[parts, bit]| format!("split {parts} {bit}"));
    assert_eq!(
        text,
        "ld.shared.b32 in another order, where lane l takes part i ^ l % 32 in the i-th (`split 32 1`)"
    );
}

#[test]
fn halves_of_an_accumulator() {
    let tile = Shape { rows: 8, columns: 32, bits: 32 };
    let plan = Spec::gemm_xor(4).plan(tile).unwrap();
    let (m, n) = ([("row", 8)], [("j", 4), ("part", 4), ("two", 2)]);
    let held = Encoding::named(&[], &[("m", &m), ("n", &n)], &[], &["row", "part"], &["j", "two"])
        .unwrap();
    let write = Use::new(Lanes::distributed(&held), &sm_90::st_shared_b64);
    let other = reorder(&plan, 32, &write).unwrap();
    assert_eq!((other.split, other.with.instruction.name()), ([2, 2], "st.shared.b32"));
    assert_eq!((other.cycles, other.is_free), (8, true));
}

/// Two reads that each lane has one after the other, of columns that are in one bank: half of the lanes take the second first.
#[test]
fn rows_of_a_table() {
    let tile = Shape { rows: 32, columns: 32, bits: 32 };
    let plan = Spec::row_major().plan(tile).unwrap();
    let row = |step: u32| -> Row {
        core::array::from_fn(|lane| (lane < 32).then(|| List::pair(lane as u32, 16 * step)))
    };
    let table = [row(0), row(1)];
    let read = Use::new(Lanes::table(&table, 1), &sm_90::ld_shared_b32);
    let other = reorder(&plan, 32, &read).unwrap();
    assert_eq!((other.split, other.cycles, other.is_free), ([2, 1], 32, false));
    assert_eq!(counted(tile, Spec::row_major(), read), Some([64, 64]));
    assert_eq!(counted(tile, Spec::row_major(), other.with).map(|all| all[1]), Some(32));
}

#[test]
fn what_has_no_order() {
    let tile = Shape { rows: 64, columns: 64, bits: 16 };
    let plan = Spec::row_major().plan(tile).unwrap();
    let row: Row = core::array::from_fn(|lane| Some(List::pair(lane as u32, 0)));
    let table = [row];
    for one in [
        Use::new(Lanes::table(&table, 1), &gfx942::ds_read_b128),
        Use::new(Lanes::rows(16), &gfx950::ds_read_b64_tr_b16),
        Use::new(Lanes::row_major(), &gfx942::ds_write_b128),
    ] {
        assert!(reorder(&plan, 16, &one).is_none(), "{}", told(&[one]));
    }
}
