//! CK Tile's own numbers: every table of a folder, reproduced.
//!
//! The tables were printed by AMD's CK Tile headers (about August 2025;
//! `tests/golden/ck_tile/README.md` has the schema). To check another folder of the
//! same schema:
//!
//! ```text
//! GOLDEN_CK_TILE=<folder> cargo test --release --test oracles oracle_ck:: -- --nocapture
//! ```
//!
//! Tile distributions and space-filling curves are read by `support::distributions`, here and
//! in `oracle_distributions`, which also corrupts their fields.
//!
//! [`ck_rules`] has CK's own rules, written from the schema alone: what a table says in
//! padding, of its moves and of its vectors is compared with them, and so is ours, where
//! the rules are the same. Which fields are not read, [`UNREAD`] says; any other that is
//! corrupted fails the check of its table.
//!
//! Where CK is wrong, we differ on purpose; [`DEFECTS`] names each such table and says
//! how. A defect must be visible in the table's own numbers: nothing is taken on
//! trust, and nothing is skipped.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use support::attempt::attempt;
use support::ck_rules::{self, Graph};
use support::corrupt::{self, Corrupted, Unread};
use support::count::every_block_is_even;
use support::distributions::{Read, curve, distribution};
use support::padded::padded_adaptors;
use support::{Reading, Table, filled, flag, fnv1a64, int, ints, list, naturals, text};
use tiledesc::access::Addresses;
use tiledesc::chip::gfx942;
use tiledesc::transforms::{Demand, Magic};
use tiledesc::{
    Error, List, Plan, Position, bank,
    chip::{Instruction, Phases},
};
use tiledesc_host::exchange::ck;

/// How a table shows CK Tile to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Defect {
    /// Its xor length is not a power of two, so that coordinates meet or leave the
    /// element space. We refuse the composition.
    XorNotPowerOfTwo,
    /// Its xor length is not a power of two, but no key is large enough to do harm: of 4 rows
    /// of 12 chunks, each row moves chunks within groups of 4. Its numbers are sound, and we
    /// refuse the composition all the same.
    XorOfSmallKeys,
    /// An xor declares its first length longer than the dimension (CK's `RowMul` for 64
    /// banks makes it twice as long), which its rule never reads. We refuse the
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
    offsets: usize,
    padded: usize,
    differs: usize,
    moves: usize,
    claims: usize,
    by_digits: usize,
    linear: usize,
    inverses: usize,
    defects: Vec<(String, Defect)>,
    points: usize,
    accesses: usize,
}

impl support::Tally for Tally {
    fn plus(mut self, other: Self) -> Self {
        self.offsets += other.offsets;
        self.padded += other.padded;
        self.differs += other.differs;
        self.moves += other.moves;
        self.claims += other.claims;
        self.by_digits += other.by_digits;
        self.linear += other.linear;
        self.inverses += other.inverses;
        self.defects.extend(other.defects);
        self.points += other.points;
        self.accesses += other.accesses;
        self
    }

    fn not_covered(&self) -> &[String] {
        &[]
    }
}

#[test]
fn every_table_of_the_folder() {
    let tables = support::tables("GOLDEN_CK_TILE", "ck_tile");
    report(&tables, &run(&tables));
}

fn run(tables: &[Table]) -> Tally {
    support::check_all(tables, |table| check(table, tables))
}

/// What a reader found, or its fault as a panic, which the runner collects.
fn read(found: Read<usize>) -> usize {
    found.unwrap_or_else(|fault| panic!("{fault}"))
}

/// One table. `tables` are those that it may name.
fn check(table: &Table, tables: &[Table]) -> Result<Tally, String> {
    attempt(|| {
        let mut tally = Tally::default();
        assert_eq!(int(&table.json["schema"]), 1, "schema");
        assert_eq!(text(&table.json["name"]), table.name, "the name is that of the file");
        match table.kind() {
            "descriptor" => descriptor(table, tables, &mut tally),
            "tensor_adaptor" => adaptor(table, &mut tally),
            "magic_division32" => magic(table),
            "bank_reference_model" => bank_model(table, tables),
            "tile_distribution" => tally.points = read(distribution(&table.json, ck::graph)),
            "space_filling_curve" => tally.accesses = read(curve(&table.json)),
            other => panic!("a kind this test does not know: {other}"),
        }
        declared(&tally);
        tally
    })
}

/// A committed table shows the defects that are listed, and no others.
fn declared(tally: &Tally) {
    for (name, defect) in &tally.defects {
        let listed = DEFECTS.iter().any(|(known, kind, _)| known == name && kind == defect);
        assert!(listed || !support::is_committed("ck_tile", name), "shows {defect:?}, not listed");
    }
}

/// Fields of the tables that are covered which nothing reads.
const UNREAD: &[Unread] = &[
    Unread { kind: "descriptor", path: "note", when: None, reason: "free text" },
    Unread {
        kind: "descriptor",
        path: "features",
        when: None,
        reason: "tags for people; which transforms there are is read from the graph",
    },
    Unread {
        kind: "descriptor",
        path: "elem_bytes",
        when: Some(|case| !of_a_bank_model(case.original)),
        reason: "offsets and claims are in elements; read of a table that a bank model names",
    },
    Unread {
        kind: "descriptor",
        path: "build.base.guaranteed_vector_length",
        when: Some(claims_are_the_same),
        reason: "transforms above the base drop the promise, or a part, and the claims are the same",
    },
    Unread {
        kind: "descriptor",
        path: "build.base.guaranteed_vector_stride",
        when: Some(claims_are_the_same),
        reason: "as guaranteed_vector_length",
    },
    Unread {
        kind: "tensor_adaptor",
        path: "flat.transforms[].skip_check",
        when: None,
        reason: "an adaptor's table states bottom indices, which padding has too, and no validity",
    },
];

/// Whether a committed bank model is about this table.
fn of_a_bank_model(table: &Value) -> bool {
    static NAMED: OnceLock<Vec<Value>> = OnceLock::new();
    let named = || {
        let models = support::committed_tables("ck_tile");
        models.iter().map(|model| model.json["descriptor"].clone()).collect()
    };
    NAMED.get_or_init(named).contains(&table["name"])
}

/// Whether CK's rule gives the same claims of a corrupted promise.
fn claims_are_the_same(case: &Corrupted<'_>) -> bool {
    let claims = |json: &Value| ck_rules::claims(&json["build"], &json["flat"], false);
    claims(case.original) == claims(case.copy)
}

/// Every field of every committed table, corrupted in turn.
#[test]
fn corrupting_any_field_is_noticed() {
    let tables = support::committed_tables("ck_tile");
    // Of distributions and curves `oracle_distributions` does it.
    let covered =
        |table: &&Table| !["tile_distribution", "space_filling_curve"].contains(&table.kind());
    let mut of: Vec<Table> = tables.iter().filter(covered).map(Table::copy).collect();
    of.extend(padded_adaptors());
    corrupt::every_field_is_read(&of, UNREAD, |table| check(table, &tables));
}

#[test]
fn adaptors_in_padding() {
    let tally = run(&padded_adaptors());
    assert_eq!((tally.offsets, tally.padded, tally.differs), (36, 6 + 2 + 4 + 4, 4 + 4));
}

/// Two rows of 6 chunks, of which the second changes neighbours: nothing leaves the 12, as 3
/// rows do, and the composition is refused in either case.
#[test]
fn an_xor_of_small_keys_is_sound() {
    let offsets = [0, 1, 2, 3, 4, 5, 7, 6, 9, 8, 11, 10_u32];
    let xor = json!({"transforms": [{"type": "xor", "lengths": [2, 6]}],
        "lower": [[0, 1]], "upper": [[0, 1]]});
    let build = json!({"base": {"kind": "packed", "lengths": [2, 6]}, "stages": [xor]});
    let state = |hidden: [u32; 5]| {
        json!({"top": hidden[3..], "offset": hidden[0], "hidden": hidden,
            "valid_if_top_ok": true, "valid": true})
    };
    let walk = json!({"start": [0, 4], "steps": [[1, 0]],
        "coords": [state([4, 0, 4, 0, 4]), state([11, 1, 5, 1, 4])]});
    let flat = ck_rules::flatten(&build);
    let json = json!({"schema": 1, "kind": "descriptor", "name": "small_keys",
        "group": "transform", "elem_bytes": 2, "build": build, "flat": flat,
        "lengths": [2, 6], "element_space_size": 12, "total": 12, "offsets": offsets,
        "vector": {"lengths": [-1, -1], "strides": [-1, -1]}, "valid": "all",
        "offset_min": 0, "offset_max": 11, "fnv1a64": fnv1a64(offsets.into_iter()), "moves": [walk]});
    let tally = run(&[Table { name: "small_keys".to_owned(), json }]);
    assert_eq!(tally.defects, [("small_keys".to_owned(), Defect::XorOfSmallKeys)]);
}

/// What holds nothing to check is refused, and one failing table hides no other.
#[test]
fn nothing_passes_unchecked() {
    let tables = support::committed_tables("ck_tile");
    let only = |kinds: &[&str]| -> Vec<Table> {
        tables.iter().filter(|table| kinds.contains(&table.kind())).map(Table::copy).collect()
    };
    let blind = |_: &Table| Ok::<(), String>(());
    assert!(attempt(|| corrupt::every_field_is_read(&padded_adaptors(), UNREAD, blind)).is_err());
    let mut two = only(&["tensor_adaptor"]);
    two.iter_mut().for_each(|table| table.json["total"] = json!(7));
    let sentence = attempt(|| run(&two)).err().unwrap();
    assert!(two.iter().all(|table| sentence.contains(&table.name)), "{sentence}");
}

fn report(tables: &[Table], tally: &Tally) {
    let mut kinds = BTreeMap::<&str, usize>::new();
    tables.iter().for_each(|table| *kinds.entry(table.kind()).or_default() += 1);
    println!("{} tables:", tables.len());
    for (kind, count) in kinds {
        println!("  {count:4} {kind}");
    }
    println!(
        "checked {} offsets (staged and flat), {} moves, {} vector claims",
        tally.offsets, tally.moves, tally.claims
    );
    println!(
        "in padding: {}; {} times CK's signed rules are not ours",
        tally.padded, tally.differs
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
    println!(
        "distributions: {} points with their graphs; curves: {} accesses (oracle_distributions \
         corrupts their fields)",
        tally.points, tally.accesses
    );
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
            let is_sound = !aliases(table);
            assert!(!is_sound || keys_are_small(table), "{}: refused, but sound", table.name);
            let flat = table.flat(Reading::AsDeclared);
            assert!(matches!(flat, Err(Error::NotPowerOfTwo { .. })), "{}", table.name);
            let kind = if is_sound { Defect::XorOfSmallKeys } else { Defect::XorNotPowerOfTwo };
            tally.defects.push((table.name.clone(), kind));
            return None;
        }
        Err(Error::LengthDiffers {
            transform: "xor", needs: Demand::Exactly(needs), has, ..
        }) if needs > has => {
            tally.defects.push((table.name.clone(), Defect::XorLengthDoubled));
            Reading::XorOfTheDimension
        }
        Err(error) => panic!("{}: {error}", table.name),
    };
    let built = |plan: Result<Plan, Error>| plan.unwrap_or_else(|e| panic!("{}: {e}", table.name));
    Some((built(table.staged(reading)), built(table.flat(reading))))
}

/// Returns whether each xor of a length that is not a power of two stays within groups of chunks:
/// the power of two that holds all keys divides the length.
fn keys_are_small(table: &Table) -> bool {
    let steps = list(&table.json["flat"]["transforms"]).iter();
    steps.filter(|step| step["type"] == "xor").all(|step| {
        let [keys, length] = naturals(&step["lengths"])[..] else { panic!("{step}") };
        length.is_multiple_of(keys.min(length).next_power_of_two())
    })
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

fn descriptor(table: &Table, tables: &[Table], tally: &mut Tally) {
    let json = &table.json;
    assert!(GROUPS.contains(&text(&json["group"])), "group {}", json["group"]);
    let bytes = int(&json["elem_bytes"]);
    assert!([1, 2, 4, 8, 16].contains(&bytes), "elem_bytes {bytes}");
    assert_eq!(ck_rules::flatten(&json["build"]), flat_of(json), "flat is not what build makes");
    let space = ck_rules::space(&json["build"]["base"]);
    assert_eq!(int(&json["element_space_size"]), space, "element space");
    claimed(json);
    let graph = Graph::new(&json["flat"]);
    let lengths: Vec<i64> = graph.lengths().into_iter().map(i64::from).collect();
    assert_eq!(ints(&json["lengths"]), lengths, "lengths");
    assert_eq!(int(&json["total"]), lengths.iter().product::<i64>(), "total");
    let count = table.ids().len();
    assert!(count > 0, "no offsets, nothing to check");
    assert_eq!([table.offsets().len(), table.valid().len()], [count; 2], "offsets, valid");
    let plans = plans(table, tally);
    let staged = plans.as_ref().map(|(staged, _)| staged);
    moves(table, &graph, staged, tally);
    every_offset(table, &graph, plans.as_ref(), tally);
    if let Some((staged, flat)) = &plans {
        let space = u64::try_from(space).unwrap();
        assert_eq!([staged, flat].map(Plan::lengths), [List::new(&naturals(&json["lengths"])); 2]);
        assert_eq!(staged.element_space(), space, "element space");
        let hidden = usize::try_from(int(&json["flat"]["ndim_hidden"])).unwrap();
        assert_eq!([staged, flat].map(Plan::hidden_count), [hidden; 2], "hidden");
        by_bits(table, staged, tally);
        vectors(table, staged, tally);
    }
    let models = tables.iter().filter(|model| model.json["descriptor"] == json["name"]);
    models.for_each(|model| bank_model_of(model, table));
}

/// The groups that the schema names.
const GROUPS: [&str; 7] =
    ["lds_xor", "lds_pad", "lds_async", "lds_plain", "naive", "transform", "compose"];

/// The finished graph of a table, without what the staged form need not say.
fn flat_of(json: &Value) -> Value {
    let mut flat = json["flat"].clone();
    for step in flat["transforms"].as_array_mut().into_iter().flatten() {
        if step["type"] == "slice" {
            step.as_object_mut().unwrap().remove("low_length");
        }
    }
    flat
}

/// The claims of vectors are those that CK's own rule passes on, true or not.
fn claimed(json: &Value) {
    let [lengths, strides] = ["lengths", "strides"].map(|field| ints(&json["vector"][field]));
    assert_eq!(lengths.len(), strides.len(), "vector");
    let claims: Vec<_> = lengths.into_iter().zip(strides).collect();
    let by_rule = |packed_stride| ck_rules::claims(&json["build"], &json["flat"], packed_stride);
    assert!(
        [false, true].map(by_rule).contains(&claims),
        "vector: {claims:?} are not what CK's rule gives, {:?}",
        by_rule(false)
    );
}

fn signed(hidden: &[u32]) -> Vec<i32> {
    hidden.iter().map(|index| index.cast_signed()).collect()
}

/// Every offset and validity, smallest, largest and hash, of our plans: the staged, and the
/// flat one where the table has offsets. With pads, or where we refuse a plan, CK's rule
/// says them.
fn every_offset(table: &Table, graph: &Graph, plans: Option<&(Plan, Plan)>, tally: &mut Tally) {
    let json = &table.json;
    let lengths = List::new(&naturals(&json["lengths"]));
    let staged = plans.map(|(staged, _)| staged);
    let place = |id| match staged {
        Some(plan) if !graph.pads() => our_place(plan, &lengths.nth(id)),
        _ => ck_place(graph, staged, &lengths.nth(id), tally),
    };
    let all: Vec<(i32, bool)> = (0..int(&json["total"]) as u64).map(place).collect();
    for ((id, offset), valid) in table.ids().into_iter().zip(table.offsets()).zip(table.valid()) {
        let index = lengths.nth(id);
        assert_eq!(all[id as usize], (offset.cast_signed(), valid), "offset, valid of {index:?}");
        if let Some((staged, flat)) = plans {
            assert_eq!(our_place(flat, &index), our_place(staged, &index), "flat, of {index:?}");
            tally.offsets += 2;
        }
    }
    let offsets = || all.iter().map(|(offset, _)| *offset);
    assert_eq!(offsets().min().map(i64::from), Some(int(&json["offset_min"])), "smallest offset");
    assert_eq!(offsets().max().map(i64::from), Some(int(&json["offset_max"])), "largest offset");
    assert_eq!(fnv1a64(offsets().map(i32::cast_unsigned)), text(&json["fnv1a64"]), "hash");
}

/// Offset and validity of a coordinate by our plan.
fn our_place(plan: &Plan, index: &List) -> (i32, bool) {
    let hidden = plan.evaluate(index.as_slice());
    (hidden[0].cast_signed(), plan.accepts(&hidden))
}

/// Offset and validity by CK's rule, and by our plan where their rules are the same.
fn ck_place(graph: &Graph, plan: Option<&Plan>, index: &List, tally: &mut Tally) -> (i32, bool) {
    let hidden = graph.evaluate(&signed(index.as_slice()));
    let place = (hidden[0], graph.accepts(&hidden));
    tally.padded += usize::from(!place.1);
    if let Some(plan) = plan {
        let (offset, valid) = our_place(plan, index);
        tally.differs += usize::from(graph.differs(&hidden));
        assert!(offset == place.0 || graph.differs(&hidden), "offset of {index:?}");
        assert!(valid == place.1 || graph.judges_otherwise(&hidden), "validity of {index:?}");
    }
    place
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

fn moves(table: &Table, graph: &Graph, plan: Option<&Plan>, tally: &mut Tally) {
    if table.json["moves"].is_null() {
        // CK cannot move a modulo; everything else has walks.
        assert!(graph.has("modulo"), "no moves, though CK can move it");
        return;
    }
    let mut drifts = false;
    for walk in filled("moves", &table.json["moves"]) {
        let steps = filled("steps", &walk["steps"]);
        let coords = filled("coords", &walk["coords"]);
        assert_eq!(coords.len(), steps.len() + 1, "a state at the start and after each step");
        let start = words(&walk["start"]);
        let mut at = plan.map(|plan| Position::new(plan, &start).unwrap());
        let mut ck = graph.evaluate(&signed(&start));
        let mut top = signed(&start);
        for (k, coord) in coords.iter().enumerate() {
            if k > 0 {
                let step = signed(&words(&steps[k - 1]));
                assert_eq!(step.len(), top.len(), "a difference for each top dimension");
                top.iter_mut().zip(&step).for_each(|(index, by)| *index += by);
                graph.advance(&mut ck, &step);
                at.iter_mut().for_each(|at| at.step(&step));
                tally.moves += 1;
            }
            assert_eq!(signed(&words(&coord["top"])), top, "top index");
            let by_ck = ck_state(graph, &ck, &top);
            let ours = plan.zip(at.as_ref()).map(|(plan, at)| our_state(plan, at));
            drifts |= state(graph, coord, &by_ck, ours.as_ref());
        }
    }
    if drifts {
        tally.defects.push((table.name.clone(), Defect::IndexingDrifts));
    }
}

/// Signed indices as the words that they are.
fn words(value: &Value) -> Vec<u32> {
    ints(value).into_iter().map(|i| i32::try_from(i).unwrap().cast_unsigned()).collect()
}

/// A state of a walk: the hidden dimensions, whether all transforms accept them, and
/// whether the top index is in range, too.
type State = (Vec<i32>, bool, bool);

fn ck_state(graph: &Graph, hidden: &[i32], top: &[i32]) -> State {
    let inside = graph.lengths().iter().zip(top).all(|(length, i)| (0..*length).contains(i));
    let accepts = graph.accepts(hidden);
    (hidden.to_vec(), accepts, accepts && inside)
}

fn our_state(plan: &Plan, at: &Position<'_>) -> State {
    let fresh = plan.evaluate(at.index().as_slice());
    assert_eq!(at.hidden(), &fresh[..plan.hidden_count()], "a move is an evaluation");
    assert_eq!(at.offset(), fresh[0], "a move is an evaluation");
    (signed(at.hidden()), at.is_valid_assuming_in_range(), at.is_valid())
}

/// Compares one state of a walk with CK's rule and with ours; true where they differ
/// because an indexing drifts.
fn state(graph: &Graph, coord: &Value, by_ck: &State, ours: Option<&State>) -> bool {
    let hidden = signed(&words(&coord["hidden"]));
    assert_eq!(int(&coord["offset"]), i64::from(hidden[0]), "the offset is hidden dimension 0");
    let table = (hidden, flag(&coord["valid_if_top_ok"]), flag(&coord["valid"]));
    let same = ours.is_none_or(|ours| *ours == table);
    if graph.differs(&by_ck.0) || graph.judges_otherwise(&by_ck.0) {
        assert!(*by_ck == table || same, "state {by_ck:?} for {coord}");
        return false;
    }
    assert_eq!(*by_ck, table, "state by CK's rule, for {coord}");
    assert!(same || graph.has("indexing"), "state {ours:?} for {coord}");
    !same
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
    let json = &table.json;
    let graph = Graph::new(&json["flat"]);
    let lengths: Vec<i64> = graph.lengths().into_iter().map(i64::from).collect();
    assert_eq!(ints(&json["lengths"]), lengths, "lengths");
    assert_eq!(int(&json["total"]), lengths.iter().product::<i64>(), "total");
    let plan = table.flat(Reading::AsDeclared).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(plan.lengths().as_slice(), naturals(&json["lengths"]), "lengths");
    assert_eq!(plan.hidden_count(), graph.hidden(), "hidden");
    let expected = filled("bottom_index", &json["bottom_index"]);
    assert_eq!(expected.len(), table.ids().len(), "as many bottom indices as ids");
    // Some tables may say which coordinates are in padding.
    let valid = json.get("valid").map(|_| table.valid());
    for (i, (id, bottom)) in table.ids().into_iter().zip(expected).enumerate() {
        let index = plan.nth(id);
        assert!(id < plan.elements(), "id {id} of {}", plan.elements());
        let inside = bottom_of(&plan, &graph, index.as_slice(), &signed(&words(bottom)), tally);
        assert!(valid.as_ref().is_none_or(|valid| valid[i] == inside), "valid at {index:?}");
        tally.offsets += 1;
    }
}

/// Compares the bottom index of a coordinate with CK's rule and with our plan, in padding
/// too; whether it is outside padding.
fn bottom_of(plan: &Plan, graph: &Graph, index: &[u32], table: &[i32], tally: &mut Tally) -> bool {
    let (hidden, ours) = (graph.evaluate(&signed(index)), plan.evaluate(index));
    let by_ck = graph.bottom(&hidden);
    let by_plan = signed(&ours[..plan.bottom_count()]);
    let inside = graph.accepts(&hidden);
    let judged = graph.judges_otherwise(&hidden);
    assert!(plan.accepts(&ours) == inside || judged, "validity of {index:?}");
    tally.padded += usize::from(!inside);
    tally.differs += usize::from(graph.differs(&hidden));
    if graph.differs(&hidden) {
        assert!(table == by_ck || table == by_plan, "bottom of {index:?}: {by_ck:?}");
        return inside;
    }
    assert_eq!(table, by_ck, "bottom of {index:?} by CK's rule");
    assert_eq!(table, by_plan, "bottom of {index:?}");
    if judged {
        return inside;
    }
    if inside {
        let answer = plan.bottom(index).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(signed(answer.as_slice()), table, "bottom of {index:?}");
    } else {
        assert!(matches!(plan.bottom(index), Err(Error::InPadding { .. })), "at {index:?}");
    }
    inside
}

fn magic(table: &Table) {
    for row in filled("table", &table.json["table"]) {
        let row = naturals(row);
        assert_eq!(row.len(), 3, "divisor, multiplier, shift: {row:?}");
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
    let wanted = text(&table.json["descriptor"]);
    match tables.iter().find(|table| table.name == wanted) {
        Some(of) => bank_model_of(table, of),
        None => bank_model_of(table, &support::committed(wanted)),
    }
}

/// A model over the offsets of a descriptor.
fn bank_model_of(table: &Table, of: &Table) {
    let json = &table.json;
    let Some((plan, _)) = plans(of, &mut Tally::default()) else {
        panic!("{} is refused", of.name);
    };
    let instruction = instruction(table);
    let bytes = u32::try_from(int(&of.json["elem_bytes"])).unwrap();
    let offset = |index: &Value| plan.offset(&naturals(index)).unwrap() * bytes;
    let addresses: Vec<u32> = list(&json["lane_index"]).iter().map(offset).collect();
    assert_eq!(addresses.len(), instruction.service().phases.wave(), "lanes");
    assert_eq!(addresses, naturals(&json["lane_byte_address"]), "addresses");
    let lanes = Addresses::from_fn(|lane| addresses.get(lane as usize).copied());
    let found = bank::conflicts(&lanes, &instruction).unwrap();
    let degree = |phase| bank::phase(&lanes, &instruction, phase).unwrap().degree;
    let degrees: Vec<u32> = (0..instruction.service().phases.count()).map(degree).collect();
    assert_eq!(degrees, counted(json, &addresses), "degrees, counted by a set");
    assert_eq!(degrees, naturals(&json["degree_per_phase"]), "degree_per_phase");
    assert_eq!(i64::from(found.degree()), int(&json["max_degree"]), "degree");
    let cycles = i64::from(found.conflict_cycles);
    assert_eq!(cycles, int(&json["extra_cycles"]), "cycles");
}

/// Of each phase, the most distinct dwords in one bank.
fn counted(json: &Value, addresses: &[u32]) -> Vec<u32> {
    let (dwords, banks) = (int(&json["width_bytes"]) as u32 / 4, int(&json["banks"]) as u32);
    let touched = |lane: u32| (0..dwords).map(move |d| addresses[lane as usize] / 4 + d);
    let degree = |phase: &Value| {
        let distinct: BTreeSet<u32> = naturals(phase).into_iter().flat_map(touched).collect();
        let of = |bank| distinct.iter().filter(|dword| **dword % banks == bank).count() as u32;
        (0..banks).map(of).max().unwrap_or(0)
    };
    list(&json["phases"]).iter().map(degree).collect()
}

/// The instruction of a model table. Its 16-byte accesses over 32 banks must be
/// the rows we have for gfx942.
fn instruction(table: &Table) -> Instruction {
    let (name, json) = (&table.name, &table.json);
    let groups: Vec<Vec<usize>> = filled("phases", &json["phases"])
        .iter()
        .map(|group| naturals(group).into_iter().map(|lane| lane as usize).collect())
        .collect();
    let groups: Vec<&[usize]> = groups.iter().map(Vec::as_slice).collect();
    let bytes = u32::try_from(int(&json["width_bytes"])).unwrap();
    let banks = u32::try_from(int(&json["banks"])).unwrap();
    let ours = match text(&json["access"]) {
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
