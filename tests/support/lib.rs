//! What several tests share, compiled once for all of them. Here: the golden tables of `tests/golden`, their
//! folders, and the schema of `ck_tile`.

pub mod asked;
pub mod attempt;
pub mod bits;
pub mod ck_rules;
pub mod corrupt;
pub mod count;
pub mod definition;
pub mod direct_plans;
pub mod distributions;
pub mod faults;
pub mod formula;
pub mod fragments;
pub mod fuzz;
pub mod house;
pub mod lists;
pub mod literals;
pub mod model;
pub mod nearly;
pub mod padded;
pub mod published;
pub mod skip;
pub mod walked;

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tiledesc::{Error, List, Node, Op, Plan, chip::Phases};

/// Lanes served together, in no order.
pub type LaneGroups = BTreeSet<BTreeSet<u32>>;

pub fn lane_groups(phases: &Phases) -> LaneGroups {
    let lanes = |phase| phases.lanes(phase).iter().map(|lane| u32::from(*lane)).collect();
    (0..phases.count()).map(lanes).collect()
}

/// A table of any kind.
pub struct Table {
    pub name: String,
    pub json: Value,
}

/// The repository's folder.
///
/// # Panics
///
/// Never: this package lies two folders below it.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}

/// The committed folder of this name.
fn committed_folder(name: &str) -> PathBuf {
    root().join("tests/golden").join(name)
}

/// All tables of a folder, by name: of the one that `variable` names, or the committed one.
pub fn tables(variable: &str, committed: &str) -> Vec<Table> {
    tables_of(&match std::env::var_os(variable) {
        Some(folder) => folder.into(),
        None => committed_folder(committed),
    })
}

/// All committed tables of a folder.
pub fn committed_tables(name: &str) -> Vec<Table> {
    tables_of(&committed_folder(name))
}

fn tables_of(folder: &Path) -> Vec<Table> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} holds no tables", folder.display());
    paths.iter().map(|path| table(path)).collect()
}

/// One committed table of CK, for tests that spell it as a type.
pub fn committed(name: &str) -> Table {
    table(&committed_folder("ck_tile").join(format!("{name}.json")))
}

/// Returns whether a table of this name is among the committed ones.
pub fn is_committed(folder: &str, name: &str) -> bool {
    committed_folder(folder).join(format!("{name}.json")).is_file()
}

fn table(path: &Path) -> Table {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let json: Value =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Table { name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), json }
}

/// What checks have found, table by table.
pub trait Tally: Default {
    fn plus(self, other: Self) -> Self;
    /// The tables of which nothing was checked.
    fn not_covered(&self) -> &[String];
}

/// Checks every table, and only then fails with what is wrong in each. Of one table at
/// least there must be something that is checked.
pub fn check_all<T: Tally>(tables: &[Table], check: impl Fn(&Table) -> Result<T, String>) -> T {
    let (mut tally, mut failures) = (T::default(), Vec::new());
    for table in tables {
        match check(table) {
            Ok(found) => tally = tally.plus(found),
            Err(sentence) => failures.push(format!("{}: {sentence}", table.name)),
        }
    }
    let (bad, all) = (failures.len(), tables.len());
    assert!(failures.is_empty(), "{bad} of {all} tables fail:\n{}", failures.join("\n"));
    assert!(tally.not_covered().len() < all, "no table is of a kind that is checked here");
    tally
}

/// An integer, given at compile time (`5`) or at run time (`{"rt": 5}`).
pub fn int(value: &Value) -> i64 {
    let plain = value.get("rt").unwrap_or(value);
    plain.as_i64().unwrap_or_else(|| panic!("not an integer: {value}"))
}

fn natural(value: &Value) -> u32 {
    u32::try_from(int(value)).unwrap()
}

/// A list, which may be empty.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}"))
}

/// A list in which there must be something to check.
pub fn filled<'a>(what: &str, value: &'a Value) -> &'a [Value] {
    let list = list(value);
    assert!(!list.is_empty(), "{what}: empty, nothing to check");
    list
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

pub fn flag(value: &Value) -> bool {
    value.as_bool().unwrap_or_else(|| panic!("neither true nor false: {value}"))
}

pub fn ints(value: &Value) -> Vec<i64> {
    list(value).iter().map(int).collect()
}

pub fn naturals(value: &Value) -> Vec<u32> {
    ints(value).into_iter().map(|i| u32::try_from(i).unwrap()).collect()
}

fn lists(value: &Value) -> Vec<Vec<u32>> {
    list(value).iter().map(naturals).collect()
}

/// A transform of the schema. `below` are the lengths of its lower dimensions,
/// for `slice`, whose `low_length` the flat form leaves out.
fn op(json: &Value, below: &[u32]) -> Op {
    let n = |field: &str| natural(&json[field]);
    let list = |field: &str| List::new(&naturals(&json[field]));
    let skip_check = json["skip_check"].as_bool().unwrap_or(false);
    match text(&json["type"]) {
        "pass_through" => Op::PassThrough { length: n("length") },
        "pad" => {
            Op::Pad { low_length: n("low_length"), left: n("left"), right: n("right"), skip_check }
        }
        "left_pad" => Op::LeftPad { low_length: n("low_length"), left: n("left"), skip_check },
        "right_pad" => Op::RightPad { low_length: n("low_length"), right: n("right"), skip_check },
        "embed" => Op::Embed { lengths: list("lengths"), strides: list("strides") },
        "merge" | "merge_divmod" => Op::Merge { lengths: list("lengths") },
        "unmerge" => Op::Unmerge { lengths: list("lengths") },
        "freeze" => Op::Freeze { index: n("index") },
        "insert" => Op::Insert { length: n("length") },
        "replicate" => Op::Replicate { lengths: list("lengths") },
        "slice" => {
            // A bottom dimension of an adaptor has no length.
            let known = if below[0] == 0 { n("end") } else { below[0] };
            let low_length = json.get("low_length").map_or(known, natural);
            Op::Slice { low_length, begin: n("begin"), end: n("end") }
        }
        "modulo" => Op::Modulo { modulus: n("modulus"), length: n("length") },
        "xor" => {
            let lengths = naturals(&json["lengths"]);
            let [length0, length1] = lengths[..] else { panic!("an xor of {lengths:?}") };
            Op::Xor { length0, length1 }
        }
        "offset" => Op::Offset { length: n("length"), offset: n("offset") },
        "indexing" => Op::Indexing { length: n("length"), cached: n("cached") },
        other => panic!("a transform this test does not know: {other}"),
    }
}

/// How a table's transforms are read, where CK's are not what they say.
#[derive(Clone, Copy, PartialEq)]
pub enum Reading {
    AsDeclared,
    /// The first length of an xor is that of its dimension.
    XorOfTheDimension,
}

fn read(op: Op, reading: Reading, below: &[u32]) -> Op {
    match (reading, op) {
        (Reading::XorOfTheDimension, Op::Xor { length1, .. }) => {
            Op::Xor { length0: below[0], length1 }
        }
        (_, op) => op,
    }
}

impl Table {
    pub fn copy(&self) -> Self {
        Self { name: self.name.clone(), json: self.json.clone() }
    }

    pub fn kind(&self) -> &str {
        text(&self.json["kind"])
    }

    /// The plan of the staged form, `build`.
    pub fn staged(&self, reading: Reading) -> Result<Plan, Error> {
        let build = &self.json["build"];
        let mut plan = base(&build["base"])?;
        for stage in build["stages"].as_array().unwrap() {
            let (lower, upper) = (lists(&stage["lower"]), lists(&stage["upper"]));
            let lengths = plan.lengths();
            let ops: Vec<Op> = stage["transforms"]
                .as_array()
                .unwrap()
                .iter()
                .zip(&lower)
                .map(|(json, ids)| {
                    let below: Vec<u32> =
                        ids.iter().map(|d| lengths.as_slice()[*d as usize]).collect();
                    read(op(json, &below), reading, &below)
                })
                .collect();
            let lower: Vec<&[u32]> = lower.iter().map(Vec::as_slice).collect();
            let upper: Vec<&[u32]> = upper.iter().map(Vec::as_slice).collect();
            plan = plan.transform(&ops, &lower, &upper)?;
        }
        Ok(plan)
    }

    /// The plan of the finished graph, `flat`.
    pub fn flat(&self, reading: Reading) -> Result<Plan, Error> {
        let flat = &self.json["flat"];
        let mut lengths = vec![0u32; 256];
        let mut nodes = Vec::new();
        for json in flat["transforms"].as_array().unwrap() {
            let (lower, upper) = (naturals(&json["lower"]), naturals(&json["upper"]));
            let below: Vec<u32> = lower.iter().map(|id| lengths[*id as usize]).collect();
            let op = read(op(json, &below), reading, &below);
            let made = op.upper_lengths().map_err(Error::from)?;
            for (id, length) in upper.iter().zip(made.as_slice()) {
                lengths[*id as usize] = *length;
            }
            nodes.push(Node { op, lower: List::new(&lower), upper: List::new(&upper) });
        }
        Plan::graph(&naturals(&flat["bottom"]), &nodes, &naturals(&flat["top"]))
    }

    /// The linear ids that `offsets`, `valid` or `bottom_index` speak of.
    pub fn ids(&self) -> Vec<u64> {
        match self.json.get("sample") {
            Some(sample) if !sample.is_null() => {
                ints(sample).into_iter().map(|i| u64::try_from(i).unwrap()).collect()
            }
            _ => (0..u64::try_from(int(&self.json["total"])).unwrap()).collect(),
        }
    }

    /// The offsets at [`ids`](Self::ids), as 32-bit words.
    pub fn offsets(&self) -> Vec<u32> {
        ints(&self.json["offsets"])
            .into_iter()
            .map(|offset| i32::try_from(offset).unwrap().cast_unsigned())
            .collect()
    }

    /// Returns whether each entry of the offsets has a place in memory.
    pub fn valid(&self) -> Vec<bool> {
        let flag = |flag| match flag {
            '0' => false,
            '1' => true,
            other => panic!("valid: {other} is neither 0 nor 1"),
        };
        match text(&self.json["valid"]) {
            "all" => vec![true; list(&self.json["offsets"]).len()],
            flags => flags.chars().map(flag).collect(),
        }
    }
}

fn base(json: &Value) -> Result<Plan, Error> {
    let lengths = naturals(&json["lengths"]);
    let strides = || naturals(&json["strides"]);
    match text(&json["kind"]) {
        "naive" => Plan::naive(&lengths, &strides()),
        "packed" => Plan::packed(&lengths),
        "aligned" => Plan::aligned(&lengths, natural(&json["align"])),
        "naive_with_offset" => {
            Plan::naive_with_offset(&lengths, &strides(), natural(&json["offset"]))
        }
        "packed_with_offset" => Plan::packed_with_offset(&lengths, natural(&json["offset"])),
        other => panic!("a base this test does not know: {other}"),
    }
}

/// FNV-1a 64 over each offset as 4 little-endian bytes, with the tables' basis.
pub fn fnv1a64(offsets: impl Iterator<Item = u32>) -> String {
    let hash = offsets.flat_map(u32::to_le_bytes).fold(0x1465_0fb0_739d_0383u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211)
    });
    format!("{hash:016x}")
}
