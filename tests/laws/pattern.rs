//! Patterns: what each lane touches, and that a whole pattern covers its tile.

use std::collections::BTreeMap;
use support::attempt::caught;
use tiledesc::access::{AddressError, Addresses};
use tiledesc::chip::{gfx942, gfx950, gfx1100, sm_90};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{
    Op,
    access::{AccessError, Placed},
    bank,
    chip::{Evidence, Instruction, Phases},
    pattern::Pattern,
};

fn tile(lengths: &[u32]) -> Plan {
    Plan::packed(lengths).unwrap()
}

/// Coordinates of lanes in instruction `step`, in a tile of halves.
fn at(
    lengths: &[u32],
    lanes: Lanes,
    row: &Instruction,
    step: u64,
    of: [usize; 3],
) -> [Vec<u32>; 3] {
    let touched = Placed::new(&tile(lengths), 16, lanes, row)
        .and_then(|placed| placed.touched(step))
        .unwrap();
    of.map(|lane| touched.coordinate(lane).unwrap().as_slice().to_vec())
}

#[test]
fn where_lanes_go() {
    let (wide, narrow) = (&gfx942::ds_read_b128, &gfx942::ds_read_u16);
    let case = |lanes: Lanes, step, expected: [[u32; 2]; 3]| {
        let found = at(&[128, 64], lanes, wide, step, [0, 17, 63]);
        assert_eq!(found, expected.map(Vec::from), "{lanes:?}, instruction {step}");
    };
    case(Lanes::row_major(), 0, [[0, 0], [2, 8], [7, 56]]);
    case(Lanes::row_major(), 3, [[24, 0], [26, 8], [31, 56]]);
    case(Lanes::column(), 0, [[0, 0], [17, 0], [63, 0]]);
    case(Lanes::column(), 2, [[0, 8], [17, 8], [63, 8]]);
    case(Lanes::rows(16), 0, [[0, 0], [1, 8], [15, 24]]);
    case(Lanes::rows(16), 9, [[16, 32], [17, 40], [31, 56]]);
    case(Lanes::rows(32), 4, [[0, 16], [17, 16], [31, 24]]);
    case(Lanes::repeated_rows(16), 0, [[0, 0], [1, 0], [15, 0]]);
    case(Lanes::repeated_rows(16), 8, [[0, 8], [1, 8], [15, 8]]);
    case(Lanes::strided(16), 1, [[16, 0], [20, 16], [31, 48]]);
    case(Lanes::diagonal(), 1, [[64, 0], [81, 8], [127, 56]]);
    // Three packs a row: the diagonal goes on where the wave before it stopped.
    let found = at(&[128, 24], Lanes::diagonal(), wide, 1, [0, 1, 2]);
    assert_eq!(found, [[64, 8], [65, 16], [66, 0]].map(Vec::from));
    // Packs along dimension 0, and any rank.
    let columns = Plan::naive(&[64, 32], &[1, 64]).unwrap();
    let touched = Placed::new(&columns, 16, Lanes::column_major(), wide)
        .and_then(|placed| placed.touched(0))
        .unwrap();
    assert_eq!([0, 7, 8].map(|l| touched.coordinate(l).unwrap()), [[0, 0], [56, 0], [0, 1]]);
    let found = at(&[4, 8, 4], Lanes::row_major(), narrow, 1, [0, 5, 63]);
    assert_eq!(found, [[2, 0, 0], [2, 1, 1], [3, 7, 3]].map(Vec::from));
}

/// How often each element is touched by all instructions of a pattern.
fn touches(
    lengths: &[u32],
    lanes: Lanes,
    along: usize,
    row: &Instruction,
) -> BTreeMap<Vec<u32>, u32> {
    let plan = tile(lengths);
    let instructions = Placed::new(&plan, 16, lanes, row)
        .and_then(|placed| placed.verdict())
        .unwrap()
        .instructions();
    let mut touches = BTreeMap::new();
    for step in 0..instructions {
        let touched =
            Placed::new(&plan, 16, lanes, row).and_then(|placed| placed.touched(step)).unwrap();
        for first in (0..64).filter_map(|lane| touched.coordinate(lane)) {
            for element in 0..row.bytes() / 2 {
                let mut at = first.as_slice().to_vec();
                at[along] += element;
                *touches.entry(at).or_default() += 1;
            }
        }
    }
    touches
}

#[test]
fn a_whole_pattern_touches_every_element() {
    let case = |lengths: &[u32], lanes: Lanes, along, row, times| {
        let found = touches(lengths, lanes, along, row);
        assert_eq!(found.len() as u64, tile(lengths).elements(), "{lanes:?} {lengths:?}");
        assert!(found.values().all(|count| *count == times), "{lanes:?} {lengths:?}");
    };
    let (wide, narrow) = (&gfx942::ds_write_b64, &gfx942::ds_read_u16);
    for lengths in [[64, 32], [128, 64], [64, 96], [192, 32]] {
        case(&lengths, Lanes::row_major(), 1, wide, 1);
        case(&lengths, Lanes::column(), 1, wide, 1);
        case(&lengths, Lanes::rows(16), 1, wide, 1);
        case(&lengths, Lanes::rows(32), 1, wide, 1);
        case(&lengths, Lanes::rows(16), 1, &sm_90::ldmatrix_x4, 1);
        case(&lengths, Lanes::repeated_rows(16), 1, &gfx1100::ds_load_b128, 2);
        case(&lengths, Lanes::strided(1), 1, narrow, 1);
    }
    case(&[4, 16, 8], Lanes::row_major(), 2, wide, 1);
    case(&[8, 16, 4], Lanes::column_major(), 0, narrow, 1);
}

pattern! {
    /// Half of the lanes, twice.
    Twice(lane, step in 2) => [lane, 8 * step] if lane.is_multiple_of(2);
    /// Three dimensions, packs along the middle one.
    Middle(lane) => [lane % 4, 0, lane / 4 % 8], along 1;
}

#[test]
fn patterns_of_ones_own() {
    let read = &gfx942::ds_read_b128;
    let second = Placed::new(&tile(&[64, 64]), 16, Twice::LANES, read)
        .and_then(|placed| placed.touched(1))
        .unwrap();
    assert_eq!(second.coordinate(6).unwrap(), [6, 8]);
    assert_eq!((second.coordinate(7), second.addresses().get(7)), (None, None));
    assert_eq!(second.addresses().active().count_ones(), 32);
    let behind =
        Placed::new(&tile(&[64, 64]), 16, Twice::LANES, read).and_then(|placed| placed.touched(2));
    assert_eq!(behind, Err(AccessError::Step { step: 2, instructions: 2 }));

    let columns = Plan::naive(&[4, 8, 8], &[64, 1, 8]).unwrap();
    let touched = Placed::new(&columns, 16, Middle::LANES, read)
        .and_then(|placed| placed.touched(0))
        .unwrap();
    assert_eq!(touched.addresses().get(5), Some(2 * (64 + 8)));
    // The same pattern over rows: the packs are torn apart.
    let rows = Placed::new(&tile(&[4, 8, 8]), 16, Middle::LANES, read)
        .and_then(|placed| placed.touched(0));
    assert!(matches!(rows, Err(AccessError::NotContiguous { along: 1, pack: 8, .. })));
    let flat =
        Placed::new(&tile(&[64, 64]), 16, Middle::LANES, read).and_then(|placed| placed.touched(0));
    assert_eq!(flat, Err(AccessError::Coordinates { indices: 3, rank: 2 }));

    // Also where its packs lie along a dimension that the tile does not have.
    let along = |indices: &[u32], along| {
        let mut row = [None; 64];
        row[1] = Some(tiledesc::List::new(indices));
        Placed::new(&tile(&[64, 64]), 16, Lanes::table(&[row], along), read).unwrap_err()
    };
    assert_eq!(along(&[1, 2, 3], 2), AccessError::Coordinates { indices: 3, rank: 2 });
    assert_eq!(
        along(&[1, 2], 5).to_string(),
        "a lane takes its elements along dimension 5, and the tile has 2 dimensions, numbered from 0"
    );
}

#[test]
fn tiles_that_are_no_whole_number_of_instructions() {
    let read = |lengths: &[u32], lanes: Lanes| {
        Placed::new(&tile(lengths), 16, lanes, &gfx942::ds_read_b128)
            .and_then(|placed| placed.verdict())
            .unwrap_err()
    };
    let uneven = |lengths: &[u32], lanes, covers: &str, at: &str| {
        let said = format!(
            "the tile of {lengths:?} cannot be divided evenly into instructions of {covers} elements: instruction 1 would touch {at}; \
             write `first` before the pattern to state instruction 0 alone"
        );
        assert_eq!(read(lengths, lanes).to_string(), said);
    };
    uneven(&[48, 64], Lanes::rows(32), "[32, 16]", "(48, 0)");
    uneven(&[12, 64], Lanes::row_major(), "[512]", "(12, 0)");
    uneven(&[96, 64], Lanes::column(), "[64, 8]", "(96, 0)");
    uneven(&[96, 64], Lanes::diagonal(), "[64, 64]", "(96, 0)");
    uneven(&[20, 64], Lanes::repeated_rows(16), "[16, 8]", "(20, 0)");
    assert_eq!(read(&[128, 60], Lanes::rows(32)), AccessError::Packs { columns: 60, pack: 8 });
    assert_eq!(read(&[16, 16, 16], Lanes::column()), AccessError::Rank { rank: 3 });
}

/// A pad whose check is skipped counts on from below 0: an element behind the last offset of 32
/// bits is refused, and not an overflow.
#[test]
fn elements_before_the_first() {
    // 4099 elements are not a multiple of a pack, so that a pack is looked at element by element.
    let row = Plan::naive(&[4097], &[1]).unwrap();
    let pad = Op::LeftPad { low_length: 4097, left: 2, skip_check: true };
    let plan = row.transform(&[pad], &[&[0]], &[&[0]]).unwrap();
    for (bits, read) in [(32u64, &gfx942::ds_read_b96), (16, &gfx942::ds_read_b96)] {
        let outside = Placed::new(&plan, bits as u32, Lanes::strided(1), read).unwrap().touched(0);
        // Element 2^32 - 2 and those behind it: 3 dwords, 6 halves.
        let end = ((1 << 32) - 2 + 96 / bits) * bits / 8;
        let wanted = AccessError::BeyondSpace { lane: 0, end, space: 4097 * bits / 8, step: 0 };
        assert_eq!(outside, Err(wanted));
    }
    // One element a lane, and none behind it.
    let outside = Placed::new(&plan, 32, Lanes::strided(1), &gfx942::ds_read_b32).unwrap();
    assert!(matches!(outside.touched(0), Err(AccessError::BeyondSpace { lane: 0, .. })));
}

/// Bytes past 32 bits have no address, on rows that state no memory either.
#[test]
fn bytes_that_have_no_address() {
    let plan = Plan::naive(&[1 << 31], &[1]).unwrap();
    let read = Instruction::read("x", 8);
    let lanes = Lanes::strided(1 << 25);
    let placed = Placed::new(&plan, 64, lanes, &read).unwrap();
    assert_eq!(
        placed.touched(0).unwrap_err().to_string(),
        "lane 16 would touch byte 4294967303, beyond the memory of 4294967296 bytes",
    );
}

pattern! {
    /// Two rows of 32 dwords, 64 dwords apart, then 64 dwords side by side.
    ApartFirst(lane, step in 2) => [if step == 0 { lane / 32 } else { 0 }, if step == 0 { lane % 32 } else { lane }];
    /// The other way round.
    ApartLast(lane, step in 2) => [if step == 1 { lane / 32 } else { 0 }, if step == 1 { lane % 32 } else { lane }];
}

/// Of several instructions the other source's degree is the highest of all, in any order, and
/// one that only it finds is no longer free.
#[test]
fn the_other_source_counts_over_all_instructions() {
    let plan = Plan::naive(&[2, 64], &[64, 1]).unwrap();
    let row = &gfx950::ds_read_b32;
    let (disputed, rival) = (row.as_disputed(), row.as_rival());
    let verdict = |lanes, row| Placed::new(&plan, 32, lanes, row).unwrap().verdict().unwrap();
    for lanes in [ApartFirst::LANES, ApartLast::LANES] {
        let both = verdict(lanes, row);
        assert_eq!((both.instructions(), both.degree(), both.rival_degree()), (2, 1, Some(2)));
        assert_eq!((both.is_free(), both.worst_degree(), both.conflict_cycles()), (false, 2, 0));
        let says = both.to_string();
        assert!(
            says.contains("free of conflicts") && says.contains("(disputed: 2-way by"),
            "{says}"
        );
        let ours = verdict(lanes, &disputed);
        assert_eq!((ours.is_free(), ours.worst_degree(), ours.rival_degree()), (true, 1, Some(2)));
        assert!(ours.to_string().contains("(disputed: 2-way by"));
        let theirs = verdict(lanes, &rival);
        let found = (theirs.is_free(), theirs.degree(), theirs.rival_degree());
        assert_eq!(
            (found, theirs.base_cycles(), theirs.conflict_cycles()),
            ((false, 2, Some(1)), 2, 1)
        );
    }
    let alone = verdict(Lanes::row_major(), row);
    assert_eq!((alone.degree(), alone.rival_degree(), alone.is_free()), (1, Some(1), true));
    // Where nobody disagrees, the words change nothing.
    for row in [gfx942::ds_read_b32.as_disputed(), gfx942::ds_read_b32.as_rival()] {
        assert_eq!(row, gfx942::ds_read_b32);
    }
}

pattern! {
    /// Lanes that agree in pairs, and then none that do.
    PairsFirst(lane, step in 2) => [0, if step == 0 { lane / 2 * 4 } else { lane * 4 }] if lane < 32;
}

/// A verdict over merged and plain instructions is no surer than the weaker of them.
#[test]
fn a_verdict_is_as_sure_as_the_weakest_instruction() {
    let plan = Plan::naive(&[1, 128], &[128, 1]).unwrap();
    let phases = |lanes| Phases::contiguous(lanes).of_wave(32);
    let (measured, inferred) = (Evidence::Measured, Evidence::Inferred);
    let row = Instruction::read("x", 8).phases(phases(16));
    let sure = row.measured("plain").merging(phases(32), inferred, "merged");
    let unsure = row.inferred("plain").merging(phases(32), measured, "merged");
    let found = |row, lanes| {
        let verdict = Placed::new(&plan, 16, lanes, row).unwrap().verdict().unwrap();
        assert!(verdict.is_free());
        let says = verdict.to_string();
        assert!(says.contains(&format!("({})", verdict.weakest().source)), "{says}");
        (verdict.weakest().evidence, verdict.weakest().source)
    };
    assert_eq!(found(&sure, PairsFirst::LANES), (inferred, "merged"));
    assert_eq!(found(&unsure, PairsFirst::LANES), (inferred, "plain"));
    assert_eq!(found(&sure, Lanes::row_major()), (measured, "plain"));
    assert_eq!(found(&unsure, Lanes::strided(0)), (measured, "merged"));
}

/// The alignment of vectors of any number of rows, and 1 where rows and columns that a functor
/// mixes are too many to look at: never too large.
#[test]
fn alignment_has_a_limit() {
    let rows = |count| Plan::naive(&[count, 8], &[8, 1]).unwrap().alignment(1);
    assert_eq!([rows(65_536), rows(65_537), rows(536_870_911)], [Ok(8); 3]);
    // 32 blocks of 8 in each row.
    let xor = |count| recipe::gemm_xor(count, 256, 8, 1).unwrap().alignment(1);
    assert_eq!([xor(2048), xor(4096)], [Ok(8), Ok(1)]);
    let columns = |count| Plan::naive(&[8, count], &[1, 8]).unwrap().alignment(0);
    assert_eq!([columns(65_536), columns(65_537)], [Ok(8); 2]);
}

/// What no pattern can be is refused where it is made.
#[test]
fn patterns_that_cannot_be() {
    let says = |made: fn() -> Lanes<'static>| caught(made).unwrap_err().sentence;
    let row = "an operand has at least one row";
    assert_eq!((&*says(|| Lanes::rows(0)), &*says(|| Lanes::repeated_rows(0))), (row, row));
    assert_eq!(says(|| Lanes::table(&[], 0)), "a pattern has at least one instruction");
}

pattern! {
    /// The second pack of a row.
    SecondPack(lane) => [lane, 4] if lane < 4;
}

/// The last pack of a row of 6 or 3 reaches past its end: 4 bytes from element 4 or 0 on are the
/// gap behind the row, or the next one's. Blocks of 4 are contiguous as far as there are any.
#[test]
fn a_pack_past_the_end_of_its_row() {
    let read = &gfx942::ds_read_b32;
    for (columns, stride) in [(6, 8), (3, 4), (3, 8), (5, 8), (6, 12)] {
        let plan = Plan::naive(&[4, columns], &[stride, 1]).unwrap();
        for lanes in [SecondPack::LANES, Lanes::strided(columns)] {
            let placed = Placed::new(&plan, 8, lanes, read).unwrap();
            let fits = columns > 4 && lanes != SecondPack::LANES;
            match placed.touched(0) {
                Err(AccessError::Tile { lane: 0, dimension: 1, .. }) if !fits => {}
                // 64 lanes are more than 4 rows have.
                Err(AccessError::Tile { lane: 4, dimension: 0, .. }) if fits => {}
                other => panic!("{columns} of {stride}: {:?}", other.map(|_| ())),
            }
        }
    }
}

/// A wave of one lane, whose first instruction says nothing of the second, 4 bytes further.
#[test]
fn packs_that_begin_within_a_pack() {
    let one = Instruction::read("x", 16).phases(Phases::contiguous(1).of_wave(1));
    let tile = tile(&[4, 64]);
    let by = |apart| {
        let lanes = Lanes::strided(apart);
        Placed::new(&tile, 16, lanes, &one).unwrap().verdict()
    };
    assert_eq!(by(8).unwrap().instructions(), 32);
    let misaligned = AddressError::Misaligned { lane: 0, address: 4, alignment: 16, looser: None };
    assert_eq!(by(2).unwrap_err(), AccessError::Address(misaligned));
}

pattern! {
    /// No lane below 64 does.
    Nobody(lane) => [lane, 0] if lane > 63;
    /// In the second instruction, nobody.
    FirstOnly(lane, step in 2) => [lane, 0] if step == 0;
    /// Only lanes that a wave of 32 does not have.
    Upper(lane) => [lane - 32, 0] if lane >= 32;
}

/// An instruction in which nothing is touched would be free of conflicts.
#[test]
fn an_instruction_without_active_lanes_is_refused() {
    let tile = tile(&[64, 64]);
    let says = |lanes, row: &Instruction| {
        let placed = Placed::new(&tile, 16, lanes, row).unwrap();
        assert_eq!(placed.addressing().unwrap_err(), placed.verdict().unwrap_err());
        placed.verdict().unwrap_err().to_string()
    };
    let read = &gfx942::ds_read_b128;
    let nobody = "no lane of the pattern is active, so nothing would be checked";
    assert_eq!(says(Nobody::LANES, read), nobody);
    assert_eq!(says(Upper::LANES, &sm_90::ld_shared_b128), nobody);
    assert_eq!(
        says(FirstOnly::LANES, read),
        "no lane is active in instruction 1 of the pattern's 2, so nothing of it would be checked",
    );
}

pattern! {
    /// The first rows of each matrix.
    Sixteen(lane) => [lane, 0] if lane < 16;
}

/// `.sync.aligned`: every lane that supplies a row takes part.
#[test]
fn matrices_need_all_their_rows() {
    let tile = tile(&[64, 64]);
    let says =
        |row: &Instruction| match Placed::new(&tile, 16, Sixteen::LANES, row).unwrap().verdict() {
            Ok(verdict) => verdict.degree().to_string(),
            Err(misfit) => misfit.to_string(),
        };
    let refused = "lane 16 is inactive, but the instruction needs all lanes";
    for row in [sm_90::ldmatrix_x4, sm_90::ldmatrix_x4_trans, sm_90::stmatrix_x4] {
        assert_eq!(says(&row), refused, "{}", row.name());
    }
    // Its 16 lanes are all that have an address.
    assert_eq!(says(&sm_90::ldmatrix_x2), "8");
}

/// The offsets of two addresses are stated: 0 and 1 are nobody's default.
#[test]
fn two_addresses_without_offsets_are_refused() {
    let tile = tile(&[64, 64]);
    let refused = "`ds_read2_b64` has two addresses: write `ds_read2_b64(0, D)` with the distance D \
                   in units of 8 bytes (of a row: `.offsets(0, D)`)";
    let says = Placed::new(&tile, 16, Lanes::rows(16), &gfx942::ds_read2_b64).map(|_| ());
    assert_eq!(says.unwrap_err().to_string(), refused);
    let found = bank::conflicts(&Addresses::from_fn(Some), &gfx942::ds_read2_b64);
    assert_eq!(found.unwrap_err().to_string(), refused);
    let offsets = gfx942::ds_read2_b64.offsets(0, 1);
    assert!(Placed::new(&tile, 16, Lanes::rows(16).first(), &offsets).unwrap().verdict().is_ok());
}

pattern! {
    /// Lane 0 in the last row.
    Falling(lane) => [63 - lane, 0];
}

/// The length that would do is that of all lanes, and not of the one that is refused.
#[test]
fn a_tile_that_is_too_small_says_what_would_do() {
    let refused = |lengths: &[u32], lanes: Lanes<'static>| {
        let plan = tile(lengths);
        let placed = Placed::new(&plan, 16, lanes, &gfx942::ds_read_b128).unwrap();
        match placed.touched(0) {
            Err(AccessError::Tile { lane, dimension, enough, .. }) => (lane, dimension, enough),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(&[48, 64], Falling::LANES), (0, 0, 64));
    assert_eq!(refused(&[48, 64], Lanes::column()), (48, 0, 64));
    assert_eq!(refused(&[64, 16], Lanes::rows(16)), (32, 1, 32));
}
