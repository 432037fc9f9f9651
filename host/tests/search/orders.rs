//! Rows and columns: what is found of a tile is found of the tile turned over, and what holds in one order alone is found
//! there.
//!
//! | test | promise |
//! |---|---|
//! | `a_tile_turned_over` | of accesses with rows and columns exchanged the answer takes as many cycles, bytes and instructions |
//! | `two_addresses` | a layout on which lanes race is no answer, and one on which they do not is found though the tile in order races |
//! | `fills` | of a tile that a direct load fills every candidate can be filled, and no pad that can be is lost |
//! | `refusals` | what cannot be searched, with the numbers |

use crate::costs::{Laid, accesses, costs};
use support::asked::DIRECT_LOADS;
use support::fuzz::Dice;
use tiledesc::List;
use tiledesc::chip::{gfx942, gfx950};
use tiledesc::direct::Fill;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::{Scheme, Shape, Spec};
use tiledesc::search::Use;
use tiledesc_host::search::{Answer, candidates, find};

fn is_held(tile: Shape, layout: Spec, uses: &[Use<'_>]) -> bool {
    let all = accesses(tile, uses).unwrap();
    Laid::of(tile, layout).is_some_and(|laid| costs(&laid, &all).is_some())
}

/// Lanes at random xors of rows and packs, or at any, by rows and by columns.
fn tables(dice: &mut Dice, tile: Shape, pack: u32) -> [Vec<Row>; 2] {
    let flips: Vec<[u32; 2]> =
        (0..6).map(|_| [dice.below(tile.rows), dice.below(tile.columns / pack)]).collect();
    let is_xor = dice.one_in(2);
    let lanes: Vec<[u32; 2]> = (0..64_usize)
        .map(|lane| {
            let chosen = flips.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 == 1);
            let xor = chosen.fold([0, 0], |[m, k], (_, flip)| [m ^ flip[0], k ^ flip[1]]);
            let any = [dice.below(tile.rows), dice.below(tile.columns / pack)];
            let [m, k] = if is_xor { xor } else { any };
            [m % tile.rows, k % (tile.columns / pack) * pack]
        })
        .collect();
    let row = |turned: bool| -> Row {
        core::array::from_fn(|lane| {
            let [m, k] = lanes[lane];
            Some(if turned { List::pair(k, m) } else { List::pair(m, k) })
        })
    };
    [false, true].map(|turned| vec![row(turned)])
}

#[test]
fn a_tile_turned_over() {
    let (mut dice, mut conflicts) = (Dice(3), 0);
    for case in 0..12 {
        let tile = Shape { rows: 32 << dice.below(2), columns: dice.of(&[32, 64, 96]), bits: 16 };
        let reads = [&gfx942::ds_read_b128, &gfx950::ds_read_b64, &gfx942::ds_read_b32];
        let reads: Vec<_> = reads.into_iter().take(1 + dice.below(3) as usize).collect();
        let lanes: Vec<_> =
            reads.iter().map(|row| tables(&mut dice, tile, row.bytes() / 2)).collect();
        let uses = |turned: usize| -> Vec<Use<'_>> {
            let tables = lanes.iter().map(|tables| Lanes::table(&tables[turned], 1 - turned));
            tables.zip(&reads).map(|(lanes, row)| Use::new(lanes, row)).collect()
        };
        let told = |answer: Answer| {
            let best = answer.best;
            let costs = (best.weight, best.bytes, best.address_instructions);
            (costs, answer.floor, answer.searched)
        };
        let one = told(find(tile, &uses(0)).unwrap());
        let other = told(find(tile.transposed(), &uses(1)).unwrap());
        assert_eq!(one, other, "case {case}: {tile:?}");
        conflicts += u32::from(one.0.0 > one.1);
    }
    assert!(conflicts > 0);
}

#[test]
fn two_addresses() {
    let (mut free, mut none) = (0, 0);
    for (columns, second) in [2, 4, 8, 16].into_iter().flat_map(|k| (1..=16).map(move |n| (k, n))) {
        let tile = Shape { rows: 64, columns, bits: 32 };
        let write = gfx942::ds_write2_b32.offsets(0, second);
        let uses = [Use::new(Lanes::row_major().first(), &write)];
        let is_out = !is_held(tile, Spec::row_major(), &uses);
        match find(tile, &uses) {
            Ok(found) => {
                assert!(is_held(tile, found.best.layout, &uses), "{found}");
                if second == 11 {
                    let all = candidates(tile, &uses).unwrap();
                    assert!(all.iter().all(|one| is_held(tile, one.layout, &uses)));
                }
                free += u32::from(is_out && found.is_free());
            }
            Err(error) => {
                let pads = || (1..32).map(Spec::row_pad).flat_map(|pad| [pad, pad.transposed()]);
                assert!(is_out && pads().all(|pad| !is_held(tile, pad, &uses)), "{error}");
                none += 1;
            }
        }
    }
    println!("{free} free where the tile in order races, {none} on no layout");
    assert!(free > 10, "{free} {none}");
}

#[test]
fn fills() {
    let (mut tiles, mut pads) = (0, 0);
    for (transfer, load, operand) in DIRECT_LOADS {
        for [rows, columns] in [[32, 32], [64, 96], [32, 512]] {
            let (tile, fill) = (Shape { rows, columns, bits: 16 }, Fill::by(transfer, 2));
            let read = Use::new(Lanes::rows(operand), load);
            let can_be = |layout: Spec| {
                layout.plan(tile).is_ok_and(|plan| fill.plan(&plan, tile.bits).is_ok())
            };
            let (Ok(filled), Ok(stored)) =
                (candidates(tile, &[read.filled_by(fill)]), candidates(tile, &[read]))
            else {
                continue;
            };
            tiles += 1;
            assert!(filled.iter().all(|one| can_be(one.layout)), "{tile:?}");
            let is_pad = |layout: Spec| layout.scheme() == Scheme::PaddedRows;
            for pad in stored.iter().filter(|one| is_pad(one.layout) && can_be(one.layout)) {
                assert!(filled.iter().any(|one| one.layout == pad.layout), "{tile:?}: {pad:?}");
                pads += 1;
            }
            let [most, least] = [&filled, &stored].map(|all| all[0].weight);
            assert!(least <= most, "{tile:?}: stored {least}, filled {most}");
        }
    }
    println!("{tiles} tiles, {pads} pads");
    assert!(tiles > 5 && pads > 20, "{tiles} {pads}");
}

#[test]
fn refusals() {
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let read = Use::new(Lanes::rows(16), &gfx942::ds_read_b128);
    let write = Use::new(Lanes::row_major(), &gfx942::ds_write_b128);
    let columns = Use::new(Lanes::column_major(), &gfx942::ds_write_b128);
    let race = Use::new(Lanes::repeated_rows(16), &gfx942::ds_write_b128);
    let on_gfx950 = Use::new(Lanes::rows(16), &gfx950::ds_read_b128);
    let filled = read.filled_by(Fill::by(&gfx950::global_load_lds_b128, 4));
    for (tile, uses, says) in [
        (tile, &[][..], "no access is stated, so every layout is free"),
        (
            Shape { columns: 16, ..tile },
            &[write, read],
            "access 2: lane 32 would touch (0, 16), outside the tile of [128, 16]: dimension 1 needs a length of 32 or \
             more",
        ),
        (
            Shape { rows: 1024, ..tile },
            &[read],
            "access 1: the layout takes 131072 bytes, but a block has 65536",
        ),
        (
            Shape { rows: 1 << 20, ..tile },
            &[read],
            "the tile has 1048576 * 64 elements; more than 2^20 are not searched",
        ),
        (
            tile,
            &[on_gfx950.filled_by(Fill::by(&gfx950::global_load_lds_b128, 3))],
            "a direct load cannot fill the tile row by row: 16 chunks of 1024 bytes cannot be divided evenly among 3 waves",
        ),
        (tile, &[race], "access 1: lanes 0 and 16 write the same byte, whatever the layout"),
        (
            tile,
            &[read, read.times(0)],
            "access 2: its weight is 0: leave it out, or weigh it at least 1",
        ),
        (
            tile,
            &[columns, read],
            "access 2 moves several elements of a row, access 1 several of a column: no layout has both contiguous",
        ),
        (
            tile,
            &[filled],
            "access 1: it is of gfx942, but the tile is filled by a direct load of gfx950",
        ),
        (Shape { bits: 0, ..tile }, &[read], "an element has 0 bits"),
    ] {
        assert_eq!(find(tile, uses).unwrap_err().to_string(), says);
        assert_eq!(candidates(tile, uses).unwrap_err().to_string(), says);
    }
    let tile = Shape { rows: 64, columns: 64, bits: 24 };
    let found = find(tile, &[Use::new(Lanes::rows(16), &gfx942::ds_read_b96)]).unwrap();
    println!("{found}");
    assert!(found.to_string().contains("<E, M<64>, K<64>"), "{found}");
}
