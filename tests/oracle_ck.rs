//! CK Tile's own numbers: every table of a folder, reproduced.
//!
//! The tables were printed by AMD's CK Tile headers (about August 2025;
//! `tests/golden/ck_tile/README.md` has the schema). To check another folder of the
//! same schema:
//!
//! ```text
//! GOLDEN_CK_TILE=<folder> cargo test --release --test oracle_ck -- --nocapture
//! ```
//!
//! Where CK is wrong, we differ on purpose; [`DEFECTS`] names each such table and says
//! how. A defect must be visible in the table's own numbers: nothing is taken on
//! trust, and nothing is skipped.

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use support::count::every_block_is_even;
use support::{Reading, Table, fnv1a64, int, ints, naturals};
use tiledesc::chip::gfx942;
use tiledesc::transforms::{Demand, Magic};
use tiledesc::{Error, Instruction, Phases, Plan, Position, bank};

/// How a table shows CK Tile to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Defect {
    /// Its xor length is no power of two, so that coordinates meet or leave the
    /// element space. We refuse the composition.
    XorNotPowerOfTwo,
    /// An xor declares its first length twice as long as the dimension (CK's
    /// `RowMul` for 64 banks), which its rule never reads. We refuse the
    /// declaration; with the true length every number agrees.
    XorLengthDoubled,
    /// It claims a vector that its own offsets tear apart. Ours is smaller.
    FalseVector,
    /// Its moves drift away from its own offsets. Ours stay with them.
    IndexingDrifts,
}

/// The tables known to show a defect, and why.
const DEFECTS: &[(&str, Defect, &str)] = &[
    (
        "xor_nonpow2",
        Defect::XorNotPowerOfTwo,
        "xor([12, 6]): some offsets alias and one, 73, leaves the space of 72",
    ),
    (
        "gemm_xor64b_mn128_k64_pack8_e2_layer2",
        Defect::XorLengthDoubled,
        "xor([128, 16]) over a dimension of 64",
    ),
    (
        "gemm_xor64b_mn64_k32_pack8_e2_layer4",
        Defect::XorLengthDoubled,
        "xor([32, 16]) over a dimension of 16",
    ),
    (
        "xor_wide_row",
        Defect::FalseVector,
        "xor over the contiguous dimension: claimed 4, (1, 0) and (1, 1) are at 17 and 16",
    ),
    (
        "fmha_k_sync_n128_k32_pack4_e4",
        Defect::FalseVector,
        "a promise of 8, written down for 2-byte elements, over packs of 4",
    ),
    ("splitkv_combine_t_m64_n32_pack4_g8", Defect::FalseVector, "a promise of 8 over packs of 4"),
    (
        "indexing_gather",
        Defect::IndexingDrifts,
        "a move adds the upper difference to the offset although the index is cached",
    ),
];

/// What was checked.
#[derive(Default)]
struct Tally {
    kinds: BTreeMap<String, usize>,
    offsets: usize,
    moves: usize,
    claims: usize,
    by_digits: usize,
    linear: usize,
    inverses: usize,
    defects: Vec<(String, Defect)>,
    not_covered: Vec<String>,
}

#[test]
fn every_table_of_the_folder() {
    let tables = support::tables();
    let mut tally = Tally::default();
    for table in &tables {
        *tally.kinds.entry(table.kind().to_owned()).or_default() += 1;
        match table.kind() {
            "descriptor" => descriptor(table, &mut tally),
            "tensor_adaptor" => adaptor(table, &mut tally),
            "magic_division32" => magic(table),
            "bank_reference_model" => bank_model(table, &tables),
            "tile_distribution" | "space_filling_curve" => {
                tally.not_covered.push(table.name.clone());
            }
            other => panic!("{}: a kind this test does not know: {other}", table.name),
        }
    }
    report(&tables, &tally);
}

fn report(tables: &[Table], tally: &Tally) {
    println!("{} tables:", tables.len());
    for (kind, count) in &tally.kinds {
        println!("  {count:4} {kind}");
    }
    println!(
        "checked {} offsets (staged and flat), {} moves, {} vector claims",
        tally.offsets, tally.moves, tally.claims
    );
    println!(
        "by bits: {} tables by digits, {} of them linear, {} inverted",
        tally.by_digits, tally.linear, tally.inverses
    );
    for (name, defect) in &tally.defects {
        let reason = DEFECTS.iter().find(|(known, ..)| known == name);
        println!(
            "  CK is wrong in {name}: {}",
            match reason {
                Some((_, _, reason)) => (*reason).to_owned(),
                None => format!("{defect:?}, shown by the table's own numbers"),
            }
        );
    }
    println!("not yet covered ({}): {}", tally.not_covered.len(), tally.not_covered.join(" "));
    for (name, defect) in &tally.defects {
        let listed = DEFECTS.iter().any(|(known, kind, _)| known == name && kind == defect);
        assert!(listed || !support::is_committed(name), "{name} shows {defect:?}, not listed");
    }
    for (name, defect, reason) in DEFECTS {
        let present = tables.iter().any(|table| table.name == *name);
        let shown = tally.defects.contains(&((*name).to_owned(), *defect));
        assert!(!present || shown, "{name} no longer shows {defect:?}: {reason}");
    }
}

/// Staged and flat plans, after proving what is wrong with the declaration.
fn plans(table: &Table, tally: &mut Tally) -> Option<(Plan, Plan)> {
    let reading = match table.staged(Reading::AsDeclared) {
        Ok(_) => Reading::AsDeclared,
        Err(Error::NotPowerOfTwo { .. }) => {
            assert!(aliases(table), "{}: refused, but CK's offsets are sound", table.name);
            let flat = table.flat(Reading::AsDeclared);
            assert!(matches!(flat, Err(Error::NotPowerOfTwo { .. })), "{}", table.name);
            tally.defects.push((table.name.clone(), Defect::XorNotPowerOfTwo));
            return None;
        }
        Err(Error::LengthDiffers { transform: "xor", needs, has, .. })
            if needs == Demand::Exactly(2 * has) =>
        {
            tally.defects.push((table.name.clone(), Defect::XorLengthDoubled));
            Reading::XorOfTheDimension
        }
        Err(error) => panic!("{}: {error}", table.name),
    };
    let built = |plan: Result<Plan, Error>| plan.unwrap_or_else(|e| panic!("{}: {e}", table.name));
    Some((built(table.staged(reading)), built(table.flat(reading))))
}

/// Whether a table's own offsets meet, or leave its element space.
fn aliases(table: &Table) -> bool {
    let mut offsets = table.offsets();
    let space = u32::try_from(int(&table.json["element_space_size"])).unwrap();
    let count = offsets.len();
    offsets.sort_unstable();
    offsets.dedup();
    offsets.len() < count || offsets.last().is_some_and(|last| *last >= space)
}

fn descriptor(table: &Table, tally: &mut Tally) {
    let Some((staged, flat)) = plans(table, tally) else { return };
    let (name, json) = (&table.name, &table.json);
    assert_eq!(staged.lengths().as_slice(), naturals(&json["lengths"]), "{name}: lengths");
    assert_eq!(flat.lengths(), staged.lengths(), "{name}: flat lengths");
    let space = u64::try_from(int(&json["element_space_size"])).unwrap();
    assert_eq!(staged.element_space(), space, "{name}: element space");
    assert_eq!(staged.elements(), u64::try_from(int(&json["total"])).unwrap(), "{name}: total");
    let hidden = usize::try_from(int(&json["flat"]["ndim_hidden"])).unwrap();
    assert_eq!((staged.hidden_count(), flat.hidden_count()), (hidden, hidden), "{name}: hidden");

    every_offset(table, &staged, &flat, tally);
    by_bits(table, &staged, tally);
    extremes_and_hash(table, &staged);
    moves(table, &staged, tally);
    vectors(table, &staged, tally);
}

fn every_offset(table: &Table, staged: &Plan, flat: &Plan, tally: &mut Tally) {
    let name = &table.name;
    assert_eq!(table.offsets().len(), table.ids().len(), "{name}: as many offsets as ids");
    for (i, (id, offset)) in table.ids().into_iter().zip(table.offsets()).enumerate() {
        let index = staged.nth(id);
        let hidden = staged.evaluate(index.as_slice());
        assert_eq!(hidden[0], offset, "{name}: offset of {index:?}");
        assert_eq!(flat.evaluate(index.as_slice())[0], offset, "{name}: flat offset of {index:?}");
        assert_eq!(staged.accepts(&hidden), table.valid(i), "{name}: validity of {index:?}");
        tally.offsets += 2;
    }
}

/// Where a map only moves bits: the same offsets by its digits, and by its columns there
/// and back.
fn by_bits(table: &Table, plan: &Plan, tally: &mut Tally) {
    let name = &table.name;
    let Some(digits) = plan.digits() else { return };
    let map = plan.linear().ok();
    let back = map.and_then(|map| map.inverse());
    for (id, offset) in table.ids().into_iter().zip(table.offsets()) {
        assert_eq!(digits.offset(&plan.nth(id)), Some(offset), "{name}: digits at {id}");
        if let Some(map) = &map {
            assert_eq!(map.apply(id as u32), offset, "{name}: columns at {id}");
        }
        if let Some(back) = &back {
            assert_eq!(u64::from(back.apply(offset)), id, "{name}: back from {offset}");
        }
    }
    tally.by_digits += 1;
    tally.linear += usize::from(map.is_some());
    tally.inverses += usize::from(back.is_some());
}

fn extremes_and_hash(table: &Table, plan: &Plan) {
    let all = || (0..plan.elements()).map(|id| plan.evaluate(plan.nth(id).as_slice())[0]);
    let signed = || all().map(|offset| i64::from(offset.cast_signed()));
    let (name, json) = (&table.name, &table.json);
    assert_eq!(signed().min(), Some(int(&json["offset_min"])), "{name}: smallest offset");
    assert_eq!(signed().max(), Some(int(&json["offset_max"])), "{name}: largest offset");
    assert_eq!(fnv1a64(all()), json["fnv1a64"].as_str().unwrap(), "{name}: hash");
}

fn moves(table: &Table, plan: &Plan, tally: &mut Tally) {
    let Some(walks) = table.json["moves"].as_array() else {
        // CK cannot move a modulo; everything else has walks.
        assert!(table.json["moves"].is_null() && has_feature(table, "modulo"), "{}", table.name);
        return;
    };
    let mut drifts = false;
    for walk in walks {
        let signed = |value: &Value| -> Vec<i32> {
            ints(value).into_iter().map(|i| i32::try_from(i).unwrap()).collect()
        };
        let start: Vec<u32> = signed(&walk["start"]).into_iter().map(i32::cast_unsigned).collect();
        let mut at = Position::new(plan, &start).unwrap();
        let coords = walk["coords"].as_array().unwrap();
        let mut steps = walk["steps"].as_array().unwrap().iter();
        for (k, coord) in coords.iter().enumerate() {
            if k > 0 {
                at.step(&signed(steps.next().unwrap()));
                tally.moves += 1;
            }
            if !state(table, plan, &at, coord) {
                drifts = true;
                drifted(table, plan, &start, &at, coord);
            }
        }
        assert!(steps.next().is_none(), "{}: more steps than states", table.name);
    }
    if drifts {
        tally.defects.push((table.name.clone(), Defect::IndexingDrifts));
    }
}

/// CK's own state: the offset at the start, and every difference passed on as if
/// the indexing were not there.
fn drifted(table: &Table, plan: &Plan, start: &[u32], at: &Position<'_>, coord: &Value) {
    let passes = table.staged(Reading::IndexingPasses).unwrap();
    let offset = |plan: &Plan, index: &[u32]| plan.evaluate(index)[0];
    let moved = offset(&passes, at.index().as_slice()).wrapping_sub(offset(&passes, start));
    let expected = offset(plan, start).wrapping_add(moved);
    assert_eq!(i64::from(expected.cast_signed()), int(&coord["offset"]), "{}", table.name);
}

/// Compares one state of a walk; false where CK itself differs from its offsets.
fn state(table: &Table, plan: &Plan, at: &Position<'_>, coord: &Value) -> bool {
    let name = &table.name;
    let words = |values: &[u32]| -> Vec<i64> {
        values.iter().map(|v| i64::from(v.cast_signed())).collect()
    };
    let top = ints(&coord["top"]);
    assert_eq!(words(at.index().as_slice()), top, "{name}: top index");
    let fresh = plan.evaluate(at.index().as_slice());
    assert_eq!(at.hidden(), &fresh[..plan.hidden_count()], "{name}: a move is an evaluation");
    assert_eq!(at.is_valid(), coord["valid"].as_bool().unwrap(), "{name}: valid at {top:?}");
    assert_eq!(
        at.is_valid_assuming_in_range(),
        coord["valid_if_top_ok"].as_bool().unwrap(),
        "{name}: valid if the top is, at {top:?}"
    );
    let same = words(at.hidden()) == ints(&coord["hidden"])
        && words(&[at.offset()]) == [int(&coord["offset"])];
    assert!(
        same || has_feature(table, "indexing"),
        "{name}: state at {top:?}: {:?} for {coord}",
        words(at.hidden())
    );
    same
}

fn has_feature(table: &Table, feature: &str) -> bool {
    table.json["features"].as_array().unwrap().iter().any(|f| f == feature)
}

/// CK's claim may not be larger than ours where it is true; ours must be true.
fn vectors(table: &Table, plan: &Plan, tally: &mut Tally) {
    let name = &table.name;
    let lengths = ints(&table.json["vector"]["lengths"]);
    let strides = ints(&table.json["vector"]["strides"]);
    for dimension in 0..plan.rank() {
        let ours = plan.vector(dimension).unwrap();
        assert!(
            every_block_is_even(plan, dimension, ours.length, ours.stride),
            "{name}: our vector of dimension {dimension} does not hold: {ours:?}"
        );
        let length = plan.lengths().as_slice()[dimension];
        let claim = u32::try_from(lengths[dimension]).unwrap_or(1).min(length);
        if claim <= 1 {
            continue;
        }
        tally.claims += 1;
        // A claimed length without a stride (-1) leaves the stride open.
        let stride = if strides[dimension] < 0 { ours.stride } else { strides[dimension] };
        if every_block_is_even(plan, dimension, claim, stride) {
            assert!(
                ours.length >= claim && ours.stride == stride,
                "{name}: dimension {dimension}: CK's {claim} is true, ours is {ours:?}"
            );
        } else {
            tally.defects.push((name.clone(), Defect::FalseVector));
        }
    }
}

fn adaptor(table: &Table, tally: &mut Tally) {
    let name = &table.name;
    let plan = table.flat(Reading::AsDeclared).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(plan.lengths().as_slice(), naturals(&table.json["lengths"]), "{name}: lengths");
    let expected = table.json["bottom_index"].as_array().unwrap();
    assert_eq!(expected.len(), table.ids().len(), "{name}: as many bottom indices as ids");
    for (id, bottom) in table.ids().into_iter().zip(expected) {
        let index = plan.nth(id);
        let ours = plan.bottom(index.as_slice()).unwrap();
        assert_eq!(ours.as_slice(), naturals(bottom), "{name}: bottom of {index:?}");
        tally.offsets += 1;
    }
}

fn magic(table: &Table) {
    for row in table.json["table"].as_array().unwrap() {
        let row = naturals(row);
        let magic = Magic::new(row[0]);
        assert_eq!((magic.multiplier(), magic.shift()), (row[1], row[2]), "divisor {}", row[0]);
        let edges = (0..64).map(|i| (1u64 << i.min(32)) as u32);
        let around = edges.flat_map(|n| [n.wrapping_sub(1), n, n.wrapping_add(1)]);
        let multiples = (0..2000u32).flat_map(|q| {
            let n = q.wrapping_mul(row[0]);
            [n.wrapping_sub(1), n, n.wrapping_add(1)]
        });
        for n in around.chain(multiples) {
            assert_eq!(magic.quotient(n), n / row[0], "{n} / {}", row[0]);
        }
    }
}

fn bank_model(table: &Table, tables: &[Table]) {
    let (name, json) = (&table.name, &table.json);
    let wanted = json["descriptor"].as_str().unwrap();
    let committed;
    let of = match tables.iter().find(|table| table.name == wanted) {
        Some(table) => table,
        None => {
            committed = support::committed(wanted);
            &committed
        }
    };
    let Some((plan, _)) = plans(of, &mut Tally::default()) else {
        panic!("{name}: {wanted} is refused");
    };
    let instruction = instruction(table);
    let bytes = u32::try_from(int(&of.json["elem_bytes"])).unwrap();
    let indices = json["lane_index"].as_array().unwrap();
    let ours = |lane: u32| plan.offset(&naturals(&indices[lane as usize])).unwrap() * bytes;
    let addresses = tiledesc::access::Addresses::from_fn(|lane| Some(ours(lane)));
    let expected = naturals(&json["lane_byte_address"]);
    assert_eq!((0..64).map(ours).collect::<Vec<_>>(), expected, "{name}: addresses");
    let found = bank::conflicts(&addresses, &instruction).unwrap();
    assert_eq!(i64::from(found.degree()), int(&json["max_degree"]), "{name}: degree");
    let cycles = i64::from(found.conflict_cycles);
    assert_eq!(cycles, int(&json["extra_cycles"]), "{name}: cycles");
}

/// The instruction of a model table. Its 16-byte accesses over 32 banks must be
/// the rows we have for gfx942.
fn instruction(table: &Table) -> Instruction {
    let (name, json) = (&table.name, &table.json);
    let groups: Vec<Vec<usize>> = json["phases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| naturals(group).into_iter().map(|lane| lane as usize).collect())
        .collect();
    let groups: Vec<&[usize]> = groups.iter().map(Vec::as_slice).collect();
    let bytes = u32::try_from(int(&json["width_bytes"])).unwrap();
    let banks = u32::try_from(int(&json["banks"])).unwrap();
    let ours = match json["access"].as_str().unwrap() {
        "read" => gfx942::ds_read_b128,
        "write" => gfx942::ds_write_b128,
        other => panic!("{name}: an access this test does not know: {other}"),
    };
    let phases = Phases::groups(&groups);
    if (bytes, banks) == (16, 32) {
        assert_eq!(phases, ours.service().phases, "{name}: phases of {}", ours.name());
    }
    Instruction::read("of the table", bytes).banks(banks).phases(phases)
}
