//! Reads the golden tables of `tests/golden/ck_tile` (schema in its README).

#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod corrupt;
pub(crate) mod count;
pub(crate) mod formula;
pub(crate) mod published;

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use tiledesc::{Error, List, Node, Op, Phases, Plan};

/// Lanes served together, in no order.
pub(crate) type LaneGroups = BTreeSet<BTreeSet<u32>>;

pub(crate) fn lane_groups(phases: &Phases) -> LaneGroups {
    let lanes = |phase| phases.lanes(phase).iter().map(|lane| u32::from(*lane)).collect();
    (0..phases.count()).map(lanes).collect()
}

/// A table of any kind.
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) json: Value,
}

/// The folder of tables: `GOLDEN_CK_TILE`, or the committed one.
pub(crate) fn folder() -> PathBuf {
    match std::env::var_os("GOLDEN_CK_TILE") {
        Some(folder) => folder.into(),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/ck_tile")),
    }
}

/// All tables of the folder, by name.
pub(crate) fn tables() -> Vec<Table> {
    let folder = folder();
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} holds no tables", folder.display());
    paths.iter().map(table).collect()
}

/// One committed table, for tests that spell it as a type.
pub(crate) fn committed(name: &str) -> Table {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/ck_tile");
    table(&PathBuf::from(folder).join(format!("{name}.json")))
}

/// Whether a table of this name is among the committed ones.
pub(crate) fn is_committed(name: &str) -> bool {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/ck_tile");
    PathBuf::from(folder).join(format!("{name}.json")).is_file()
}

fn table(path: &PathBuf) -> Table {
    let text = std::fs::read_to_string(path).unwrap();
    let json: Value =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let name = json["name"].as_str().unwrap_or_else(|| panic!("{}: no name", path.display()));
    Table { name: name.to_owned(), json }
}

/// An integer, given at compile time (`5`) or at run time (`{"rt": 5}`).
pub(crate) fn int(value: &Value) -> i64 {
    let plain = if value.is_object() { &value["rt"] } else { value };
    plain.as_i64().unwrap_or_else(|| panic!("not an integer: {value}"))
}

fn natural(value: &Value) -> u32 {
    u32::try_from(int(value)).unwrap()
}

pub(crate) fn ints(value: &Value) -> Vec<i64> {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}")).iter().map(int).collect()
}

pub(crate) fn naturals(value: &Value) -> Vec<u32> {
    ints(value).into_iter().map(|i| u32::try_from(i).unwrap()).collect()
}

fn lists(value: &Value) -> Vec<Vec<u32>> {
    value.as_array().unwrap().iter().map(naturals).collect()
}

/// A transform of the schema. `below` are the lengths of its lower dimensions,
/// for `slice`, whose `low_length` the flat form leaves out.
fn op(json: &Value, below: &[u32]) -> Op {
    let n = |field: &str| natural(&json[field]);
    let list = |field: &str| List::new(&naturals(&json[field]));
    let skip_check = json["skip_check"].as_bool().unwrap_or(false);
    match json["type"].as_str().unwrap() {
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
            let low_length = json.get("low_length").map_or_else(|| below[0], natural);
            Op::Slice { low_length, begin: n("begin"), end: n("end") }
        }
        "modulo" => Op::Modulo { modulus: n("modulus"), length: n("length") },
        "xor" => {
            let lengths = naturals(&json["lengths"]);
            Op::Xor { length0: lengths[0], length1: lengths[1] }
        }
        "offset" => Op::Offset { length: n("length"), offset: n("offset") },
        "indexing" => Op::Indexing { length: n("length"), cached: n("cached") },
        other => panic!("a transform this test does not know: {other}"),
    }
}

/// How a table's transforms are read, where CK's are not what they say.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    AsDeclared,
    /// The first length of an xor is that of its dimension.
    XorOfTheDimension,
    /// An indexing lets its index through, as CK's moves do.
    IndexingPasses,
}

fn read(op: Op, reading: Reading, below: &[u32]) -> Op {
    match (reading, op) {
        (Reading::XorOfTheDimension, Op::Xor { length1, .. }) => {
            Op::Xor { length0: below[0], length1 }
        }
        (Reading::IndexingPasses, Op::Indexing { length, .. }) => {
            Op::Slice { low_length: below[0], begin: 0, end: length }
        }
        (_, op) => op,
    }
}

impl Table {
    pub(crate) fn kind(&self) -> &str {
        self.json["kind"].as_str().unwrap()
    }

    /// The plan of the staged form, `build`.
    pub(crate) fn staged(&self, reading: Reading) -> Result<Plan, Error> {
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
    pub(crate) fn flat(&self, reading: Reading) -> Result<Plan, Error> {
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
    pub(crate) fn ids(&self) -> Vec<u64> {
        match self.json.get("sample") {
            Some(sample) if !sample.is_null() => {
                ints(sample).into_iter().map(|i| u64::try_from(i).unwrap()).collect()
            }
            _ => (0..u64::try_from(int(&self.json["total"])).unwrap()).collect(),
        }
    }

    /// The offsets at [`ids`](Self::ids), as 32-bit words.
    pub(crate) fn offsets(&self) -> Vec<u32> {
        ints(&self.json["offsets"])
            .into_iter()
            .map(|offset| i32::try_from(offset).unwrap().cast_unsigned())
            .collect()
    }

    /// Whether entry `i` of the offsets has a place in memory.
    pub(crate) fn valid(&self, i: usize) -> bool {
        match self.json["valid"].as_str().unwrap() {
            "all" => true,
            flags => flags.as_bytes()[i] == b'1',
        }
    }
}

fn base(json: &Value) -> Result<Plan, Error> {
    let lengths = naturals(&json["lengths"]);
    let strides = || naturals(&json["strides"]);
    match json["kind"].as_str().unwrap() {
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
pub(crate) fn fnv1a64(offsets: impl Iterator<Item = u32>) -> String {
    let hash = offsets.flat_map(u32::to_le_bytes).fold(0x1465_0fb0_739d_0383u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211)
    });
    format!("{hash:016x}")
}
