//! CuTe's swizzles and swizzled layouts, reproduced, and their inverses.
//!
//! The tables come from NVIDIA's `pycute` (`tests/golden/cute/README.md` has the schema).
//! To check another folder of the same schema:
//!
//! ```text
//! GOLDEN_CUTE=<folder> cargo test --release -p tiledesc-host-tests --test exchange oracle_cute:: -- --nocapture
//! ```
//!
//! | table | what must agree |
//! |---|---|
//! | `swizzle_functions` | masks, columns, and every image, by shifting and by columns |
//! | `swizzled_layouts`, `_offset`, `_carry`, `gmma_atoms`, `umma_atoms` | every offset; the text, written and read back; columns, and the form recovered from them |
//! | `gmma_atoms`, `umma_atoms` | also the named atom, tiled to the size: swizzle, shape, stride |
//! | `swizzled_inverses` | every number at every offset: by columns where there are any, by division always |
//! | `idx2crd` | coordinate and offset of every point |
//! | `tma_swizzle` | where every 16-byte chunk is stored |
//! | `composition`, `coalesce`, `complement`, `divide`, `product`, `left_inverse`, `right_inverse` | read by `algebra.rs`, from the same folder: named and counted here |

use serde_json::{Value, json};
use std::collections::BTreeMap;
use support::attempt::attempt;
use support::bits::sum;
use support::corrupt::{self, Corrupted, Unread};
use support::{Table, filled, flag, int};
use tiledesc::Linear;
use tiledesc::prelude::*;
use tiledesc::recipe::{K, M, MN, N};
use tiledesc_host::Error;
use tiledesc_host::exchange::cute::{Composed, Fastest, Strided, Swizzle};
use tiledesc_host::exchange::gmma::Atom;
use tiledesc_host::exchange::tma::Mode;

/// What was checked.
#[derive(Default)]
struct Tally {
    cases: BTreeMap<String, usize>,
    values: usize,
    linear: usize,
    found: usize,
    inverses_by_columns: usize,
    inverses_by_division: usize,
    no_columns: BTreeMap<&'static str, usize>,
    elsewhere: Vec<String>,
}

impl support::Tally for Tally {
    fn plus(mut self, other: Self) -> Self {
        self.cases.extend(other.cases);
        self.values += other.values;
        self.linear += other.linear;
        self.found += other.found;
        self.inverses_by_columns += other.inverses_by_columns;
        self.inverses_by_division += other.inverses_by_division;
        for (why, cases) in other.no_columns {
            *self.no_columns.entry(why).or_default() += cases;
        }
        self.elsewhere.extend(other.elsewhere);
        self
    }

    fn not_covered(&self) -> &[String] {
        &self.elsewhere
    }
}

#[test]
fn every_table_of_the_folder() {
    report(&support::check_all(&support::tables("GOLDEN_CUTE", "cute"), check));
}

fn check(table: &Table) -> Result<Tally, String> {
    attempt(|| {
        let mut tally = Tally::default();
        let (name, json) = (&table.name, &table.json);
        assert_eq!(int(&json["version"]), 1, "version");
        match table.kind() {
            "swizzle_functions" => each_case(name, json, &mut tally, function),
            "swizzled_layouts" => each_case(name, json, &mut tally, layout),
            "swizzled_inverses" => each_case(name, json, &mut tally, inverse),
            "idx2crd" => each_case(name, json, &mut tally, points),
            "tma_swizzle" => chunks(name, json, &mut tally),
            "composition" | "coalesce" | "complement" | "divide" | "product" | "left_inverse"
            | "right_inverse" => tally.elsewhere.push(format!("{name} {}", json["count"])),
            other => panic!("a kind this test does not know: {other}"),
        }
        tally
    })
}

/// Fields of the tables that are covered which nothing reads.
const UNREAD: &[Unread] = &[
    label("swizzled_layouts"),
    label("swizzled_inverses"),
    same_map("swizzled_layouts", "cases[].B"),
    same_map("swizzled_layouts", "cases[].M"),
    same_map("swizzled_layouts", "cases[].S"),
    same_map("swizzled_layouts", "cases[].stride"),
    same_map("swizzled_inverses", "cases[].stride"),
    same_map("idx2crd", "cases[].a.stride"),
    Unread {
        kind: "swizzled_layouts",
        path: "cases[].samples",
        when: Some(samples_are_true),
        reason: "with a stride of 0 a sample at another number has the same offset, and is as true",
    },
];

const fn label(kind: &'static str) -> Unread {
    let reason = "a label; read where it names the swizzle, the offset, the atom or the sum";
    Unread { kind, path: "cases[].id", when: None, reason }
}

const fn same_map(kind: &'static str, path: &'static str) -> Unread {
    let reason = "a mode of length 1 takes no step, and a swizzle of bits that are 0 does nothing: \
                  every offset is the same";
    Unread { kind, path, when: Some(is_the_same_map), reason }
}

fn is_the_same_map(case: &Corrupted<'_>) -> bool {
    let [original, copy] = [case.original, case.copy].map(|table| by_hand(&table["cases"][0]));
    original.is_some() && original == copy
}

fn samples_are_true(case: &Corrupted<'_>) -> bool {
    let case = &case.copy["cases"][0];
    let offsets = by_hand(case).unwrap_or_default();
    let pair = |sample: &Value| Some((sample[0].as_u64()?, sample[1].as_i64()?));
    let holds = |sample| pair(sample).is_some_and(|(i, is)| offsets.get(i as usize) == Some(&is));
    case["samples"].as_array().is_some_and(|samples| samples.iter().all(holds))
}

/// The offsets of a layout by the README's formula alone, if they are numbers.
fn by_hand(case: &Value) -> Option<Vec<i64>> {
    let layout = case.get("a").unwrap_or(case);
    let [shape, stride] = ["shape", "stride"].map(|field| leaves(&layout[field]));
    let (shape, stride) = (shape?, stride?);
    let field = |name: &str| case.get(name).map_or(Some(0), Value::as_i64);
    let (b, m, s, offset) = (field("B")?, field("M")?, field("S")?, field("offset")?);
    let source = ((1 << b) - 1) << (m + s.max(0));
    let swizzle = |x: i64| if s >= 0 { x ^ (x & source) >> s } else { x ^ (x & source) << -s };
    let at = |number: i64| {
        let (mut rest, mut sum) = (number, offset);
        for (length, stride) in shape.iter().zip(&stride) {
            sum += rest % length * stride;
            rest /= length;
        }
        swizzle(sum)
    };
    Some((0..shape.iter().product()).map(at).collect())
}

/// The numbers of nested lists.
fn leaves(value: &Value) -> Option<Vec<i64>> {
    match value.as_array() {
        Some(list) => Some(list.iter().map(leaves).collect::<Option<Vec<_>>>()?.concat()),
        None => value.as_i64().map(|number| vec![number]),
    }
}

/// Every field of the committed tables that are covered, corrupted in turn, each case as a
/// table of its own: every 16th of them, or all in a deep run.
#[test]
fn corrupting_any_field_is_noticed() {
    let mut tables = support::committed_tables("cute");
    tables.retain(|table| check(table).unwrap().elsewhere.is_empty());
    let every = if corrupt::everything() { 1 } else { 16 };
    let of: Vec<Table> = tables.iter().flat_map(|table| single_cases(table, every)).collect();
    corrupt::every_field_is_read(&of, UNREAD, check);
}

/// Tables of which none is checked here are refused.
#[test]
fn nothing_passes_unchecked() {
    let mut tables = support::committed_tables("cute");
    tables.retain(|table| table.kind() == "complement");
    assert_eq!(tables.len(), 1);
    assert!(attempt(|| support::check_all(&tables, check)).is_err());
}

fn single_cases(table: &Table, every: usize) -> Vec<Table> {
    let Some(cases) = table.json["cases"].as_array() else { return vec![table.copy()] };
    let single = |(i, case): (usize, &Value)| {
        let mut single = Table { name: format!("{}[{i}]", table.name), json: Value::Null };
        single.json = json!({"kind": table.kind(), "version": 1, "count": 1, "cases": [case]});
        single
    };
    cases.iter().enumerate().step_by(every).map(single).collect()
}

fn report(tally: &Tally) {
    for (name, cases) in &tally.cases {
        println!("{name}: {cases} cases");
    }
    println!("{} values; {} layouts are linear over bits", tally.values, tally.linear);
    println!("{} forms found from columns alone", tally.found);
    let (columns, division) = (tally.inverses_by_columns, tally.inverses_by_division);
    println!("inverses: {columns} by columns, {division} by division");
    for (why, cases) in &tally.no_columns {
        println!("{cases} layouts have no columns: {why}");
    }
    println!("by algebra.rs ({}): {}", tally.elsewhere.len(), tally.elsewhere.join(", "));
}

fn each_case(name: &str, json: &Value, tally: &mut Tally, check: fn(&str, &Value, &mut Tally)) {
    let list = filled("cases", &json["cases"]);
    assert_eq!(json["count"].as_u64(), Some(list.len() as u64), "{name}: count");
    for (i, case) in list.iter().enumerate() {
        let id = case.get("id").map_or("", support::text);
        check(&format!("{name}[{i}] {id}"), case, tally);
    }
    tally.cases.insert(name.to_owned(), list.len());
}

fn u32_of(id: &str, value: &Value) -> u32 {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.unwrap_or_else(|| panic!("{id}: not a natural number: {value}"))
}

fn numbers(id: &str, list: &Value) -> Vec<u32> {
    support::list(list).iter().map(|number| u32_of(id, number)).collect()
}

/// Nested lists, flattened.
fn flat(id: &str, value: &Value) -> Vec<u32> {
    match value.as_array() {
        Some(list) => list.iter().flat_map(|part| flat(id, part)).collect(),
        None => vec![u32_of(id, value)],
    }
}

/// A nested list in CuTe's text.
fn text(value: &Value) -> String {
    value.to_string().replace('[', "(").replace(']', ")")
}

fn swizzle(id: &str, case: &Value) -> Swizzle {
    let shift = case["S"].as_i64().and_then(|shift| i32::try_from(shift).ok());
    let shift = shift.unwrap_or_else(|| panic!("{id}: no S"));
    Swizzle::new(u32_of(id, &case["B"]), u32_of(id, &case["M"]), shift)
        .unwrap_or_else(|refused| panic!("{id}: {refused}"))
}

fn strided(id: &str, json: &Value) -> Strided {
    let read = Composed::parse(&format!("{}:{}", text(&json["shape"]), text(&json["stride"])));
    let layout = *read.unwrap_or_else(|refused| panic!("{id}: {refused}")).layout();
    assert_eq!(layout.shape().as_slice(), flat(id, &json["shape"]), "{id}: shape");
    assert_eq!(layout.stride().as_slice(), flat(id, &json["stride"]), "{id}: stride");
    layout
}

/// The fields of a table of values: all, or samples, and sum, largest and hash.
fn check_values(id: &str, case: &Value, values: &[u32], tally: &mut Tally) {
    assert_eq!(values.len() as u64, case["n"].as_u64().unwrap_or(0), "{id}: n");
    if !case["table"].is_null() {
        assert_eq!(values, numbers(id, &case["table"]), "{id}: table");
    } else {
        for sample in filled("neither table nor samples", &case["samples"]) {
            let [at, expected] = numbers(id, sample)[..] else { panic!("{id}: sample {sample}") };
            assert_eq!(values[at as usize], expected, "{id}: value {at}");
        }
    }
    let sum: u64 = values.iter().map(|value| u64::from(*value)).sum();
    assert_eq!(Some(sum), case["sum"].as_u64(), "{id}: sum");
    assert_eq!(values.iter().max(), Some(&u32_of(id, &case["max"])), "{id}: max");
    assert_eq!(Some(fnv1a64(values).as_str()), case["fnv64"].as_str(), "{id}: fnv64");
    tally.values += values.len();
}

/// FNV-1a 64 with its usual start, over each value as 4 little-endian bytes.
fn fnv1a64(values: &[u32]) -> String {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn function(id: &str, case: &Value, tally: &mut Tally) {
    let swizzle = swizzle(id, case);
    assert_eq!(swizzle.source_mask(), u32_of(id, &case["yyy_mask"]), "{id}: yyy_mask");
    assert_eq!(swizzle.flipped_mask(), u32_of(id, &case["zzz_mask"]), "{id}: zzz_mask");
    let bits = u32_of(id, &case["bits"]);
    let of_the_swizzle = swizzle.bits() + swizzle.base() + swizzle.shift().unsigned_abs();
    assert_eq!(bits, of_the_swizzle, "{id}: bits");
    let map = swizzle.linear(bits as usize).unwrap_or_else(|refused| panic!("{id}: {refused}"));
    assert_eq!(map.columns(), numbers(id, &case["basis"]), "{id}: basis");
    let values: Vec<u32> = (0..1 << bits).map(|x| swizzle.apply(x)).collect();
    check_values(id, case, &values, tally);
    for (x, &value) in (0..).zip(&values) {
        assert_eq!(map.apply(x), value, "{id}: columns at {x}");
        assert_eq!(swizzle.apply(value), x, "{id}: twice at {x}");
    }
}

/// The layout of a case, in elements.
fn composed(id: &str, case: &Value) -> Composed {
    let offset = case.get("offset").map_or(0, |offset| u32_of(id, offset));
    named_in_the_label(case, offset);
    Composed::new(swizzle(id, case), offset, strided(id, case))
        .unwrap_or_else(|refused| panic!("{id}: {refused}"))
}

/// A label may name the swizzle, the offset, or an atom and its size: `row_8x8.sw2_1_3.off8`,
/// `Layout_K_SW32_Atom.16b.8x16`.
fn named_in_the_label(case: &Value, offset: u32) {
    let Some(id) = case.get("id").map(support::text) else { return };
    assert!(!id.is_empty(), "a label without a letter");
    let swizzle = format!("sw{}_{}_{}", case["B"], case["M"], case["S"]);
    for part in id.split('.') {
        let names = |what: &str| {
            part.strip_prefix(what).is_some_and(|rest| rest.starts_with(|c: char| c.is_numeric()))
        };
        assert!(!names("sw") || part == swizzle, "{id}: {swizzle}");
        assert!(!names("off") || part == format!("off{offset}"), "{id}: {offset}");
    }
    if let Some(atom) = case.get("atom").map(support::text) {
        let (bits, mn, k) = (&case["elem_bits"], &case["mn"], &case["k"]);
        assert_eq!(id, format!("{atom}.{bits}b.{mn}x{k}"), "label");
    }
}

fn offsets(id: &str, layout: &Composed) -> Vec<u32> {
    let numbers = 0..layout.layout().size();
    let offset = |number| layout.at(number).unwrap_or_else(|| panic!("{id}: nothing at {number}"));
    numbers.map(offset).collect()
}

fn layout(id: &str, case: &Value, tally: &mut Tally) {
    let layout = composed(id, case);
    if let Some(cosize) = case.get("cosize_inner") {
        assert_eq!(Some(layout.layout().cosize()), cosize.as_u64(), "{id}: cosize_inner");
    }
    if case.get("atom").is_some() {
        atom(id, case, &layout);
    }
    let values = offsets(id, &layout);
    check_values(id, case, &values, tally);
    let printed = layout.to_string();
    let read = Composed::parse(&printed).unwrap_or_else(|e| panic!("{id}: {printed}: {e}"));
    assert_eq!(offsets(id, &read), values, "{id}: {printed} read back");
    as_a_plan(id, &layout, &values);
    columns(id, &layout, &values, tally);
    let sums = case["id"].as_str().filter(|id| id.starts_with("carry"));
    if let Some((_, how)) = sums.and_then(|id| id.split_once('.')) {
        let wanted = if xor_of_columns(&values) { "xor" } else { "sum" };
        assert_eq!(how, wanted, "{id}: the offset and the strides");
    }
}

/// The plan has CuTe's offset at every coordinate, the first mode fastest.
fn as_a_plan(id: &str, layout: &Composed, values: &[u32]) {
    let plan = layout.plan().unwrap_or_else(|error| panic!("{id}: {layout}: {error}"));
    for (number, value) in (0..).zip(values) {
        let mut rest: u32 = number;
        let mut digit = |length: u32| {
            let index = rest % length;
            rest /= length;
            index
        };
        let index: Vec<u32> = plan.lengths().as_slice().iter().map(|n| digit(*n)).collect();
        assert_eq!(plan.offset(&index), Ok(*value), "{id}: {layout} at {index:?}");
    }
}

/// The columns give every offset, and the form found from them alone does too.
fn columns(id: &str, layout: &Composed, values: &[u32], tally: &mut Tally) {
    let map = match layout.linear(Fastest::First) {
        Ok(map) => map,
        Err(refused) => return no_columns(id, values, &refused, tally),
    };
    for (x, &value) in (0..).zip(values) {
        assert_eq!(map.apply(x), value, "{id}: columns at {x}");
    }
    tally.linear += 1;
    let shape: Vec<u32> = layout.layout().shape().as_slice().to_vec();
    let found = Composed::of_linear(&map, &shape, Fastest::First);
    let found = found.unwrap_or_else(|refused| panic!("{id}: {layout}: {refused}"));
    assert_eq!(offsets(id, &found), values, "{id}: found {found}");
    assert!(found.swizzle().bits() <= layout.swizzle().bits(), "{id}: found {found}");
    tally.found += 1;
}

/// There must be none: a length that is not a power of two, or two numbers of which the
/// xor is not the sum.
fn no_columns(id: &str, values: &[u32], refused: &Error, tally: &mut Tally) {
    let (said, numbers) = super::told(refused);
    let why = match said.as_str() {
        "length # of mode # is not a power of two, so there are no columns" => {
            assert_ne!(numbers[0].count_ones(), 1, "{id}: {refused}");
            "a length is not a power of two"
        }
        "# and # share a bit: their sum carries, and columns only flip" => {
            assert!(!xor_of_columns(values), "{id}: {refused}, but it is linear");
            "a sum carries"
        }
        _ => panic!("{id}: {refused}"),
    };
    *tally.no_columns.entry(why).or_default() += 1;
}

/// The named atom of this width, tiled to the size of the case: the same swizzle, shape
/// and stride.
fn atom(id: &str, case: &Value, layout: &Composed) {
    let called = case["atom"].as_str().unwrap_or_default();
    let tiled = called.strip_prefix("tile_to_shape(").and_then(|name| name.strip_suffix(')'));
    let name = tiled.unwrap_or(called);
    let atom = Atom::named(name, u32_of(id, &case["elem_bits"]));
    let atom = atom.unwrap_or_else(|refused| panic!("{id}: {refused}"));
    let size = [u32_of(id, &case["mn"]), u32_of(id, &case["k"])];
    let ours = match tiled {
        None => {
            assert_eq!(atom.lengths(), size, "{id}: lengths");
            *atom.layout()
        }
        Some(_) => atom.tile_to(size, Fastest::First).unwrap_or_else(|e| panic!("{id}: {e}")),
    };
    let major = if atom.is_k_major() { "K" } else { "MN" };
    assert_eq!(Some(major), case["major"].as_str(), "{id}: major");
    assert_eq!(ours.swizzle(), layout.swizzle(), "{id}: swizzle");
    assert_eq!(*ours.layout(), layout.layout().fixed(), "{id}: shape and stride");
    assert_eq!(offsets(id, &ours), offsets(id, layout), "{id}: {ours}");
    let of_mode = if atom.is_k_major() { Atom::k_major } else { Atom::mn_major };
    assert_eq!(of_mode(atom.mode(), u32_of(id, &case["elem_bits"])), Ok(atom), "{id}: by mode");
}

fn inverse(id: &str, case: &Value, tally: &mut Tally) {
    let layout = composed(id, case);
    let n = u32::try_from(layout.layout().size()).unwrap();
    let divided: Vec<u32> = (0..n).map(|y| number_at(id, &layout, y)).collect();
    check_values(id, case, &divided, tally);
    tally.inverses_by_division += 1;
    for (number, value) in (0..).zip(offsets(id, &layout)) {
        assert_eq!(divided[value as usize], number, "{id}: back from {value}");
    }
    if !is_linear(id, case, &divided) {
        assert!(layout.linear(Fastest::First).is_err(), "{id}: no f2_linear, but columns");
        return;
    }
    let map = layout.linear(Fastest::First).unwrap_or_else(|refused| panic!("{id}: {refused}"));
    let back = map.inverse().unwrap_or_else(|| panic!("{id}: no inverse"));
    let basis = numbers(id, &case["basis"]);
    assert_eq!(basis.len() as u32, n.ilog2(), "{id}: basis");
    assert_eq!(back.columns()[..basis.len()], basis, "{id}: basis");
    let solved: Vec<u32> = (0..n).map(|y| back.apply(y)).collect();
    check_values(id, case, &solved, tally);
    tally.inverses_by_columns += 1;
}

/// Whether the inverse is linear over bits, tried on all its values.
fn is_linear(id: &str, case: &Value, values: &[u32]) -> bool {
    if !values.len().is_power_of_two() {
        assert!(case["f2_linear"].is_null() && case["basis"].is_null(), "{id}: f2_linear");
        return false;
    }
    let linear = values[0] == 0 && xor_of_columns(values);
    assert_eq!(flag(&case["f2_linear"]), linear, "{id}: f2_linear");
    assert_eq!(!case["basis"].is_null(), linear, "{id}: basis");
    linear
}

/// Whether each value is the xor of those of its number's bits.
fn xor_of_columns(values: &[u32]) -> bool {
    let (n, start) = (values.len(), values[0]);
    let columns: Vec<u32> = (0..n.ilog2()).map(|b| values[1 << b] ^ start).collect();
    (0..).zip(values).all(|(x, value)| start ^ sum(&columns, x) == *value)
}

fn number_at(id: &str, layout: &Composed, offset: u32) -> u32 {
    let number = layout.number_at(offset).unwrap_or_else(|refused| panic!("{id}: {refused}"));
    let number = number.unwrap_or_else(|| panic!("{id}: nothing at offset {offset}"));
    u32::try_from(number).unwrap_or_else(|_| panic!("{id}: number {number}"))
}

fn points(id: &str, case: &Value, tally: &mut Tally) {
    let layout = strided(id, &case["a"]);
    let points = filled("points", &case["points"]);
    // Or nothing would depend on the length of the last mode.
    let last = points.iter().filter_map(|point| point[0].as_u64()).max();
    assert_eq!(last, Some(layout.size() - 1), "{id}: the last point");
    for point in points {
        assert_eq!(support::list(point).len(), 3, "{id}: number, coordinate, offset: {point}");
        let number = point[0].as_u64().unwrap_or_else(|| panic!("{id}: {point}"));
        let index = layout.nth(number).unwrap_or_else(|| panic!("{id}: nothing at {number}"));
        assert_eq!(index.as_slice(), flat(id, &point[1]), "{id}: coordinate of {number}");
        let expected = Some(u32_of(id, &point[2]));
        assert_eq!(layout.offset(index.as_slice()), expected, "{id}: offset of {number}");
        assert_eq!(layout.at(number), expected, "{id}: offset of {number}");
        tally.values += 1;
    }
}

fn chunks(name: &str, json: &Value, tally: &mut Tally) {
    let modes = json["modes"].as_object().unwrap_or_else(|| panic!("{name}: no modes"));
    assert!(!modes.is_empty(), "{name}: no modes, nothing to check");
    for (mode, case) in modes {
        let id = format!("{name} {mode}");
        let (swizzle, bytes) = (swizzle(&id, case), u32_of(&id, &case["chunk_bytes"]));
        assert_eq!(Some(swizzle), of_the_engine(mode), "{id}: B, M, S");
        assert_eq!(case["unit"], "bytes", "{id}: unit");
        let stored = |chunk: u32| swizzle.apply(chunk * bytes) / bytes;
        let map: Vec<u32> = (0..1024 / bytes).map(stored).collect();
        assert_eq!(map, numbers(&id, &case["chunk_map_1024B"]), "{id}: chunk_map_1024B");
        tally.values += map.len();
        for width in filled("inner_rows", &case["inner_rows"]) {
            rows(&id, width, bytes, &stored, tally);
        }
    }
    tally.cases.insert(name.to_owned(), modes.len());
}

/// The swizzle of the mode of this name.
fn of_the_engine(mode: &str) -> Option<Swizzle> {
    let modes = [Mode::None, Mode::B32, Mode::B64, Mode::B128, Mode::B128Atom32];
    let named = |known: &Mode| known.name().strip_prefix("SWIZZLE_") == Some(mode);
    modes.into_iter().find(named)?.swizzle().ok()
}

/// Where the chunks of each row of a box are stored: counted within the region.
fn rows(id: &str, width: &Value, bytes: u32, stored: &dyn Fn(u32) -> u32, tally: &mut Tally) {
    let inner = u32_of(id, &width["inner_bytes"]);
    let per_row = u32_of(id, &width["chunks_per_row"]);
    assert_eq!(per_row * bytes, inner, "{id}: chunks_per_row of {inner} bytes");
    let rows = filled("rows", &width["rows"]);
    for (r, row) in (0..).zip(rows) {
        let ours: Vec<u32> = (0..per_row).map(|c| stored(r * per_row + c)).collect();
        assert_eq!(ours, numbers(id, row), "{id}: row {r} of {inner} bytes");
        tally.values += ours.len();
    }
}

/// Forms that differ in brackets, blanks, and what the compiler knows.
#[test]
fn text_forms() {
    for text in [
        "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))",
        "Sw<2,5,2> o smem_ptr[4b](unset) o (_64,_8):(_1,_64)",
        "Sw<0,4,3> o smem_ptr[64b](unset) o (_8,_2):(_2,_1)",
        "Sw<0,0,3> o smem_ptr[64b](unset) o (_8,_2):(_2,_1)",
        "Sw<0,4,3> o 0 o (8,2):(2,1)",
        "Sw<3,4,3> o _0 o (_8,_64):(_64,_1)",
        "Sw<3,0,-3> o 0 o (8,_8):(8,1)",
        "Sw<3,3,3> o 24 o (8,64):(64,1)",
        "(2,4):(1,2)",
        "_8:_1",
        "((8)):((1))",
    ] {
        let read = Composed::parse(text).unwrap_or_else(|refused| panic!("{text}: {refused}"));
        assert_eq!(read.to_string(), text);
    }
    let dsl = Composed::parse(" S<3, 3,3>  o 0 o ( 8 , 64 ) : ( 64 , 1 ) ").unwrap();
    assert_eq!(dsl.to_string(), "Sw<3,3,3> o 0 o (8,64):(64,1)");
}

/// Every refusal of the text, with its byte.
#[test]
fn text_refused() {
    for (text, sentence) in [
        ("", "at byte 0: expected a number"),
        ("(8,4)", "at byte 5: expected `:`"),
        ("(8,4:(1,8)", "at byte 4: expected `,` or `)`"),
        ("8:1 x", "at byte 4: expected the end"),
        ("8:-1", "at byte 2: negative offsets and strides are not supported"),
        ("(8,4):(_-4,1)", "at byte 8: negative offsets and strides are not supported"),
        ("(2,4):(_1@0,_1@1)", "at byte 9: strides along an axis, as 1@0, are not supported"),
        ("(2,4):(E<0>,E<1>)", "at byte 7: strides along an axis, as E<0>, are not supported"),
        (
            "Sw<3,4,3> o M_0|(0&7)=0 o 8:1",
            "at byte 12: offsets of which some bits are known, as M_.., are not supported",
        ),
        ("Sw<_3,4,3> o 0 o 8:1", "at byte 3: expected a number"),
        ("(((((((((((((1))))))))))))):1", "at byte 13: expected at most 12 nested brackets"),
        ("8:4294967296", "at byte 11: expected a number of at most 32 bits"),
        ("Sw<3,4> o 0 o 8:1", "at byte 6: expected `,`"),
        ("Sw<3,4,3> 0 o 8:1", "at byte 10: expected `o`"),
        ("Sw<3,4,3> o smem_ptr[16](unset) o 8:1", "at byte 23: expected `b](`"),
        ("Sw<3,30,3> o 0 o 8:1", "Sw<3,30,3> takes 36 bits, but an offset has 32"),
        (
            "Sw<3,4,3> o smem_ptr[6b](unset) o 8:1",
            "units of 8 and of 6 bits: neither is the other times a power of two",
        ),
        ("(8,4):((1,8))", "the shape has 2 numbers and the stride 2, or their brackets differ"),
        ("(8,0):(1,8)", "mode 1 has length 0"),
        ("(65536,65537):(1,65536)", "4295032832 elements do not fit into 32 bits"),
        ("(1,1,1,1,1,1,1,1,1,1,1,1,1):1", "13 modes; there must be 1 to 12, flattened"),
    ] {
        let refused = Composed::parse(text).expect_err(text);
        assert_eq!(refused.to_string(), sentence, "{text}");
    }
}

/// 5 shapes, row and column major, 7 swizzles: by columns each has an inverse, and more than
/// CuTe's division finds.
#[test]
fn seventy_inverses() {
    let swizzles = [(3, 3), (3, 4), (3, 0), (2, 3), (1, 3), (2, 4)].map(|(b, m)| (b, m, 3));
    let (mut columns, mut division) = (0, 0);
    for (rows, row) in [(8, 8), (8, 64), (64, 64), (128, 64), (128, 32)] {
        for (down, along) in [(row, 1), (1, rows)] {
            for (b, m, s) in swizzles.into_iter().chain([(3, 3, 4)]) {
                let layout = Strided::new(&[rows, row], &[down, along]).unwrap();
                let layout = Composed::new(Swizzle::new(b, m, s).unwrap(), 0, layout).unwrap();
                let back = layout.linear(Fastest::First).unwrap().inverse().unwrap();
                for (number, offset) in (0..).zip(offsets("seventy", &layout)) {
                    assert_eq!(back.apply(offset), number, "{layout}: by columns");
                    assert_eq!(number_at("seventy", &layout, offset), number, "{layout}");
                }
                (columns, division) = (columns + 1, division + 1);
            }
        }
    }
    println!("inverses: {columns} by columns, {division} by division");
    assert_eq!((columns, division), (70, 70));
}

/// Our recipes in CuTe's form: the same columns, counted with the last dimension fastest.
#[test]
fn recipes_in_cutes_form() {
    macro_rules! recipes {
        ($($Recipe:ty => $form:literal),+ $(,)?) => {
            $(recipe(stringify!($Recipe), &<$Recipe>::PLAN, $form);)+
        };
    }
    recipes! {
        recipe::RowMajor<F16, M<128>, K<64>> => "(128,64):(64,1)",
        recipe::RowPad<F16, M<128>, K<64>, Padding<64>> => "(128,64):(128,1)",
        recipe::GemmXor<F16, M<128>, K<64>, KPack<8>> => "Sw<3,3,3> o 0 o (128,64):(64,1)",
        recipe::GemmXor<F16, M<64>, K<32>, KPack<8>> => "Sw<3,3,3> o 0 o (64,32):(32,1)",
        recipe::GemmXor<F8, M<64>, K<32>, KPack<16>> => "Sw<3,4,3> o 0 o (64,32):(32,1)",
        recipe::XorPreshuffle<F16, M<128>, K<64>, KPack<8>> => "Sw<3,3,3> o 0 o (128,64):(64,1)",
        recipe::GemmAsync<F16, M<128>, K<64>, KPack<8>> => "(128,64):(64,1)",
        recipe::GemmDsReadTr<F16, K<32>, MN<128>> => "(32,128):(128,1)",
        recipe::BatchedTranspose<F16, M<64>, N<64>, VectorSize<4>> => "(64,64):(64,1)",
        recipe::MoeBridge<F16, Rep<2>, Rep<2>, Warps<4>> => "((16,2),(4,32)):((4,2048),(1,64))",
        recipe::GemmColumnMajor<F16, MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>> => "Sw<4,2,4> o 0 o ((8,16),(4,8,2)):((64,4),(1,1024,512))",
    }
}

#[track_caller]
fn recipe(name: &str, plan: &Plan, form: &str) {
    match Composed::of_plan(plan) {
        Ok(found) => {
            assert_eq!(found.linear(Fastest::Last), plan.linear().map_err(Error::from), "{name}");
            assert_eq!(found.to_string(), form, "{name}");
        }
        Err(refused) => panic!("{name}: {refused}"),
    }
}

/// All 4096 maps of 3 bits to 4: a form is found exactly if one of all swizzles of 6 bits
/// leaves strides, and it is the same map.
#[test]
fn none_means_none() {
    let swizzles =
        (0..4).flat_map(|b| (0..6).flat_map(move |m| (-6..7i32).map(move |s| (b, m, s))));
    let swizzles: Vec<Swizzle> = swizzles
        .filter(|&(b, m, s)| b + m + s.unsigned_abs() <= 6)
        .filter_map(|(b, m, s)| Swizzle::new(b, m, s).ok())
        .collect();
    let mut found = 0;
    for columns in (0..4096).map(|n| [n & 15, n >> 4 & 15, n >> 8]) {
        let map = Linear::new(&columns, 0).unwrap();
        let strides = |swizzle: &Swizzle| {
            let [a, b, c] = columns.map(|column| swizzle.apply(column));
            a & b | a & c | b & c == 0
        };
        let form = Composed::of_linear(&map, &[2, 4], Fastest::Last);
        assert_eq!(form.is_ok(), swizzles.iter().any(strides), "{columns:?}: {form:?}");
        if let Ok(form) = form {
            assert_eq!(form.linear(Fastest::Last), Ok(map), "{form}");
            found += 1;
        }
    }
    println!("{found} of 4096 maps have a form, {} swizzles tried", swizzles.len());
    assert!(found > 0 && found < 4096);
}

/// Division against a search, where no number is at some offsets.
#[test]
fn offsets_without_a_number() {
    for text in
        ["(6,10):(10,1)", "(8,6):(9,1)", "Sw<2,0,2> o 3 o ((3,2),5):((1,4),16)", "(4,2):(0,3)"]
    {
        let layout = Composed::parse(text).unwrap();
        let at = |offset| (0..layout.layout().size()).find(|n| layout.at(*n) == Some(offset));
        for offset in 0..128 {
            assert_eq!(layout.number_at(offset), Ok(at(offset)), "{text}: offset {offset}");
        }
    }
}
