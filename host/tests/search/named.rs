//! The smallest questions that a search once answered wrongly, by name: what is right is counted here.
//!
//! | test | what was once answered |
//! |---|---|
//! | `a_pad_of_one_element` | pads were whole dwords alone: 4 cycles where 2 are enough |
//! | `a_pad_of_columns` | columns were not tried where each lane moves one element: 4 where 2 are enough |
//! | `an_interval_of_columns` | nor pads at intervals: 2 where 1 is enough |
//! | `a_pad_of_the_other_source` | pads ended after a round of the 32 banks of a row's own source, where another says 64 |
//! | `a_table_at_intervals` | pads at intervals were whole packs alone |
//! | `what_tears_an_access_is_not_listed` | a transposed tile, of which no lane has its elements together |
//! | `a_split_holds_the_same` | parts of a distribution whose lanes would then hold other elements |
//! | `twelve_bytes_apart` | the least pad by bytes was passed over |
//! | `masks_where_pads_conflict` | 448 and 832 cycles where 352 are enough |
//! | `a_halo_is_free` | 140 where 138 are enough |

use crate::changed::holds_the_same;
use crate::costs::{Laid, accesses, costs};
use support::asked::told;
use tiledesc::List;
use tiledesc::chip::{Instruction, gfx942, gfx950, gfx1100, sm_86, sm_90, sm_121};
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;
use tiledesc_host::search::{Answer, candidates, change, find};

fn tile(bits: u32, [rows, columns]: [u32; 2]) -> Shape {
    Shape { rows, columns, bits }
}

/// The cycles of a layout, by counting; `None` if it does not hold an access.
fn counted(tile: Shape, layout: Spec, uses: &[Use<'_>]) -> Option<u64> {
    costs(&Laid::of(tile, layout)?, &accesses(tile, uses)?).map(|costs| costs.cycles)
}

/// An answer whose cycles are counted.
fn found(tile: Shape, uses: &[Use<'_>]) -> Answer {
    let found = find(tile, uses).unwrap();
    assert_eq!(counted(tile, found.best.layout, uses), Some(found.best.cycles), "{found}");
    found
}

#[test]
fn a_pad_of_one_element() {
    let tile = tile(16, [68, 16]);
    let uses = [Use::new(Lanes::strided(17), &sm_90::st_shared_b16)];
    let of = |layout| counted(tile, layout, &uses);
    assert_eq!([Spec::row_major(), Spec::row_pad(1)].map(of), [Some(4), Some(2)]);
    // Of all pads of whole dwords none takes as few.
    assert!((2..192).step_by(2).all(|pad| of(Spec::row_pad(pad)) > Some(2)));
    let found = found(tile, &uses);
    assert!(found.best.cycles <= 2, "{found}");
}

#[test]
fn a_pad_of_columns() {
    let tile = tile(16, [64, 12]);
    let uses = [Use::new(Lanes::diagonal(), &sm_86::st_shared_b16)];
    let of = |layout: Spec| counted(tile, layout, &uses);
    let by_columns = [Spec::row_pad(32), Spec::interval_pad(64, 32)].map(Spec::transposed);
    assert_eq!(of(Spec::row_major()), Some(4));
    assert_eq!(by_columns.map(of), [Some(2), Some(2)]);
    let found = found(tile, &uses);
    assert!(found.best.cycles <= 2, "{found}");
}

#[test]
fn an_interval_of_columns() {
    let tile = tile(8, [32, 76]);
    let uses = [Use::new(Lanes::strided(18).first(), &sm_121::ld_shared_b8)];
    let of = |layout: Spec| counted(tile, layout, &uses);
    assert_eq!(of(Spec::interval_pad(128, 81).transposed()), Some(1));
    let found = found(tile, &uses);
    assert_eq!((found.best.cycles, found.is_free()), (1, true), "{found}");
}

/// By three disputed rows, weighed by the conflicts of both sources.
#[test]
fn a_pad_of_the_other_source() {
    let tile = tile(16, [16, 48]);
    let uses = [
        Use::new(Lanes::rows(16).first(), &gfx950::ds_read_u16_d16).times(3),
        Use::new(Lanes::repeated_rows(16), &gfx950::ds_read_b32),
        Use::new(Lanes::rows(16).first(), &gfx950::ds_read_b96).times(2),
    ];
    let all = accesses(tile, &uses).unwrap();
    let weight = |pad| costs(&Laid::of(tile, Spec::row_pad(pad))?, &all).map(|costs| costs.weight);
    let least = |pads: core::ops::Range<u32>| pads.filter_map(weight).min().unwrap();
    assert!(least(64..128) < least(0..64));
    let found = found(tile, &uses);
    assert!(found.best.weight <= least(0..256), "{found}");
}

/// Down a row of pairs of halves that are 64 bytes apart: 2 elements after every 64 bring them into banks of their own.
#[test]
fn a_table_at_intervals() {
    let tile = tile(16, [9, 64]);
    let at = |lane: u32| List::pair(lane % 9, lane / 9 * 32 % 64);
    let table: [Row; 1] = [core::array::from_fn(|lane| (lane < 32).then(|| at(lane as u32)))];
    let uses = [Use::new(Lanes::table(&table, 1), &gfx1100::ds_load_u16)];
    let of = |layout: Spec| counted(tile, layout, &uses).unwrap();
    let interval = of(Spec::interval_pad(64, 2));
    assert!(interval < of(Spec::row_major()), "{interval}");
    let found = found(tile, &uses);
    assert!(found.best.cycles <= interval, "{found}: {interval}");
}

/// `m [a 8], k [b 3, c 2, d 16, e 4]; wave (b), lane (d, c), thread (a, e)`: four halves of a column are one lane's, of two
/// rows they are not.
#[test]
fn what_tears_an_access_is_not_listed() {
    for (rows, by_columns) in [(8, Some(384)), (2, None)] {
        let (m, k) = ([("a", rows)], [("b", 3), ("c", 2), ("d", 16), ("e", 4)]);
        let (lane, thread) = (["d", "c"], ["a", "e"]);
        let held = Encoding::named(&[], &[("m", &m), ("k", &k)], &["b"], &lane, &thread).unwrap();
        let tile = tile(16, [rows, 384]);
        let uses = [Use::new(Lanes::distributed(&held), &sm_86::ld_shared_b64)];
        assert_eq!(counted(tile, Spec::row_major().transposed(), &uses), by_columns);
        found(tile, &uses);
        for one in candidates(tile, &uses).unwrap() {
            assert_eq!(counted(tile, one.layout, &uses), Some(one.cycles), "{one:?}");
        }
    }
}

/// `m [a 4, b 8], k [c 2, d 8, e 8]` by `ds_write_b64`, and reads that leave conflicts: lanes of bit 4 that took the second
/// half first would hold other elements.
#[test]
fn a_split_holds_the_same() {
    let (m, k) = ([("a", 4), ("b", 8)], [("c", 2), ("d", 8), ("e", 8)]);
    let mut changes = 0;
    for lane in [["b", "d"], ["d", "b"]] {
        for thread in [["a", "c", "e"], ["c", "a", "e"], ["e", "a", "c"], ["c", "e", "a"]] {
            let held = Encoding::named(&[], &[("m", &m), ("k", &k)], &[], &lane, &thread).unwrap();
            let tile = tile(16, [32, 128]);
            for write in [&gfx942::ds_write_b64, &gfx942::ds_write_b128] {
                for other in
                    [Lanes::column(), Lanes::rows(16), Lanes::strided(3), Lanes::diagonal()]
                {
                    let reads = [&gfx942::ds_read_u16, &gfx942::ds_read_b64, &gfx942::ds_read_b128];
                    changes += reads
                        .map(|read| splits(tile, &held, write, Use::new(other, read)))
                        .into_iter()
                        .sum::<u32>();
                }
            }
        }
    }
    assert!(changes > 0);
}

/// How many changes are proposed of a distribution that is written and of a read: one or none.
fn splits(tile: Shape, held: &Encoding, write: &'static Instruction, read: Use<'_>) -> u32 {
    let uses = [Use::new(Lanes::distributed(held), write), read];
    let Ok(found) = find(tile, &uses) else { return 0 };
    let Some(change) = change(tile, &uses, &found) else { return 0 };
    let best = change.answer.best.layout;
    let is_same = holds_the_same(tile, best, &change.with, &uses[change.access]);
    assert!(change.split.is_none() || is_same, "{change:?}\n{}", told(&uses));
    1
}

#[test]
fn twelve_bytes_apart() {
    let tile = tile(16, [8, 48]);
    let uses = [Use::new(Lanes::row_major(), &gfx942::ds_read_b96)];
    let of = |layout| counted(tile, layout, &uses);
    let all = (1..64).map(|pad| (of(Spec::row_pad(pad)), pad));
    let (least, pad) = all.filter(|(cycles, _)| cycles.is_some()).min().unwrap();
    assert_eq!(pad, 16);
    let found = found(tile, &uses);
    assert!(Some(found.best.cycles) <= least, "{found}: {least:?}");
    let bytes = Laid::of(tile, Spec::row_pad(pad)).unwrap().bytes;
    assert!(Some(found.best.cycles) < least || found.best.bytes <= bytes, "{found}");
}

#[test]
fn masks_where_pads_conflict() {
    let tile = tile(16, [64, 96]);
    let write = Use::new(Lanes::row_major(), &gfx942::ds_write_b128);
    let [one, other] = [16, 32].map(|rows| Use::new(Lanes::rows(rows), &gfx942::ds_read_b128));
    let uses = [write, one, other];
    let of = |layout| counted(tile, layout, &uses);
    let pads = (0..64).filter_map(|pad| of(Spec::row_pad(pad))).min();
    assert!(pads > Some(352), "{pads:?}");
    assert_eq!(of(Spec::dense_xor(8, 8, List::new(&[2, 3]))), Some(352));
    assert_eq!((found(tile, &uses).best.cycles, found(tile, &uses).floor), (352, 288));
}

/// A tile of 32x64 floats with its halo, stored in order by a wave of which the last lanes are idle, and read down the
/// columns.
#[test]
fn a_halo_is_free() {
    let tile = tile(32, [34, 66]);
    let halo = |step: u32, lane: u32| {
        let number = 64 * step + lane;
        (number < 34 * 66).then(|| List::pair(number / 66, number % 66))
    };
    let down = |step: u32, lane: u32| Some(List::pair(lane % 32 + 1, 2 * step + lane / 32));
    let table = |steps: u32, of: &dyn Fn(u32, u32) -> Option<List>| {
        let row = |step| core::array::from_fn(|lane| of(step, lane as u32));
        (0..steps).map(row).collect::<Vec<Row>>()
    };
    let (halo, down) = (table(36, &halo), table(33, &down));
    let uses = [
        Use::new(Lanes::table(&halo, 1), &gfx942::ds_write_b32),
        Use::new(Lanes::table(&down, 1), &gfx942::ds_read_b32),
    ];
    let found = found(tile, &uses);
    assert_eq!((found.best.cycles, found.is_free()), (138, true), "{found}");
}
