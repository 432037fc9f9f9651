//! What each door says of the same random files: degree, cycles, who meets where, offsets and status, against the
//! definition and the file's own formulas.
//!
//! | door | asked |
//! |---|---|
//! | Rust at run time | `tiles`, `Tile::plan`; `bank::conflicts` of each instruction's bytes |
//! | `tiledesc check` | JSON, the summary's counts, the exit status |
//! | `tiledesc emit` | every function, compiled by g++: `main.rs` |
//! | the explorer's engine | `check`, and `tile` lane by lane |
//! | Python | `python/tests/doors.json`, which this test keeps, by `python/tests/test_doors.py` |
//!
//! A plain run asks 60 files; `cargo xtask test --deep 100 -p tiledesc-cli doors::` asks more.

use super::tile::{At, Tile};
use super::{Random, access::Access};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use support::definition::Judged;
use tiledesc::access::Addresses;
use tiledesc::bank::conflicts;
use tiledesc::chip::{self, Access as Direction, Instruction};
use tiledesc_cli::{Source, Status, explore, run, tiles};

/// Where a lane is: its coordinate and its byte; `None` of an idle lane.
type Lane = Option<(Vec<u64>, u64)>;

/// An access on one chip, as the file states it.
pub(crate) struct Stated {
    pub(crate) tile: String,
    pub(crate) key: &'static str,
    pub(crate) name: Option<String>,
    pub(crate) chip: &'static str,
    pub(crate) op: String,
    pub(crate) by: String,
    /// Instruction by instruction.
    pub(crate) sent: Vec<Vec<Lane>>,
}

impl Stated {
    /// The accesses of each wave, one after the other, each of a vector of a lane's elements.
    pub(crate) fn sent(tile: &Tile, access: &Access, lanes: u64) -> Vec<Vec<Lane>> {
        let rank = tile.lengths.len();
        let lane = |at: At| (at[..rank].to_vec(), tile.byte(at));
        let each = |wave, first| {
            (0..lanes).map(|l| (access.held)(&[wave, l, first]).map(lane)).collect::<Vec<_>>()
        };
        let firsts = || (0..access.elements).step_by(access.vector as usize);
        (0..access.waves).flat_map(|wave| firsts().map(move |first| each(wave, first))).collect()
    }

    fn row(&self) -> Instruction {
        *chip::find(self.chip).unwrap().instruction(&self.op).unwrap()
    }

    /// The bytes of 64 lanes, instruction by instruction.
    fn bytes(&self) -> Vec<Vec<Option<u32>>> {
        let byte = |lane: Option<&Lane>| Some(lane?.as_ref()?.1 as u32);
        let of = |lanes: &Vec<Lane>| (0..64).map(|lane| byte(lanes.get(lane))).collect();
        self.sent.iter().map(of).collect()
    }

    fn judged(&self) -> Judged {
        Judged::of(&support::row!(self.row(), Direction::Write), &self.bytes()).unwrap()
    }

    fn what(&self) -> String {
        let Self { tile, key, name, chip, op, by, .. } = self;
        format!("{tile}: {key} {name:?} {op} on {chip} by {by}")
    }

    /// `bank::conflicts` of each instruction.
    fn at_run_time(&self) {
        let (row, judged) = (self.row(), self.judged());
        let (mut degree, mut cycles) = (0, 0);
        for bytes in self.bytes().iter().filter(|bytes| bytes.iter().any(Option::is_some)) {
            let addresses = Addresses::from_fn(|lane| bytes[lane as usize]);
            let found = conflicts(&addresses, &row).unwrap();
            degree = found.degree().max(degree);
            cycles += u64::from(found.active_cycles());
        }
        let wanted = (judged.degree, judged.base_cycles + judged.conflict_cycles);
        assert_eq!((degree, cycles), wanted, "{}", self.what());
    }

    /// What `check` says of it.
    fn checked(&self, report: &Value) {
        let tile = find(&report["tiles"], |tile| tile["name"] == self.tile.as_str());
        let found = find(&tile["accesses"], |one| {
            one["access"] == self.key && one["chip"] == self.chip && one["name"] == json!(self.name)
        });
        let (judged, what) = (self.judged(), format!("{}: {found}", self.what()));
        let cycles = [&found["base_cycles"], &found["conflict_cycles"], &found["active_cycles"]];
        let Judged { base_cycles: base, conflict_cycles: more, .. } = judged;
        assert_eq!(cycles.map(|n| n.as_u64().unwrap()), [base, more, base + more], "{what}");
        let rival = judged.rival.map(|(degree, _)| degree);
        assert_eq!(found["evidence"]["rival_degree"], json!(rival), "{what}");
        assert_eq!(found["meeting"]["race"] == true, judged.race, "{what}");
        // A race, too, says how many lanes wait.
        assert_eq!(found["degree"], judged.degree, "{what}");
        assert_eq!(found["free"] == true, judged.is_free_by_its_row(), "{what}");
        self.meeting(&found["meeting"], &what);
    }

    /// The two lanes that meet are where the file sends them.
    fn meeting(&self, found: &Value, what: &str) {
        let Some(lanes) = found["lanes"].as_array() else { return };
        let instruction = &self.sent[found["instruction"].as_u64().unwrap() as usize];
        for (i, lane) in lanes.iter().enumerate() {
            let (at, byte) = instruction[lane.as_u64().unwrap() as usize].clone().unwrap();
            assert_eq!(found["coordinates"][i], json!(at), "{what}");
            assert_eq!(found["bytes"][i], byte, "{what}");
        }
    }

    /// What the explorer shows of one of its instructions.
    fn explored(&self, shown: &Value) {
        let step = shown["step"].as_u64().unwrap() as usize;
        let lanes = shown["lanes"].as_array().unwrap();
        let wanted = self.sent[step].iter().enumerate().filter_map(|(lane, at)| {
            let (at, byte) = at.as_ref()?;
            Some(json!([lane, at, byte]))
        });
        let found = lanes.iter().map(|lane| json!([lane["lane"], lane["at"], lane["byte"]]));
        assert!(wanted.eq(found), "{} {step}: {lanes:?}", self.what());
    }

    /// As Python reads it.
    fn for_python(&self) -> Value {
        let judged = self.judged();
        let lanes = self.sent[0].iter().enumerate().step_by(9).filter_map(|(lane, at)| {
            let (at, byte) = at.as_ref()?;
            Some(json!([lane, at, byte]))
        });
        json!({
            "tile": self.tile, "access": self.key, "chip": self.chip, "op": self.op, "by": self.by,
            "degree": judged.degree, "base": judged.base_cycles, "race": judged.race,
            "cycles": judged.base_cycles + judged.conflict_cycles, "free": judged.is_free_by_its_row(),
            "lanes": lanes.collect::<Vec<_>>(),
        })
    }
}

fn find(list: &Value, is: impl Fn(&Value) -> bool) -> &Value {
    let mut found = list.as_array().unwrap().iter().filter(|one| is(one));
    let one = found.next().unwrap_or_else(|| panic!("not found in {list}"));
    assert_eq!(found.next(), None, "twice in {list}");
    one
}

/// The number before a word of the summary.
fn counted(summary: &str, word: &str) -> Option<usize> {
    summary.split_once(word)?.0.split(' ').next_back()?.parse().ok()
}

/// The lines for people end with the same counts and status.
fn summarised(file: &Random, free: usize, status: Status) {
    let text = &file.toml;
    let words = run(["tiledesc", "check", "-"], &mut text.as_bytes());
    assert_eq!(words.status, status, "{text}");
    let summary = words.out.lines().rev().find(|line| line.contains(" free")).unwrap_or("");
    let counts = [" access", " free"].map(|word| counted(summary, word));
    assert_eq!(counts, [Some(file.stated.len()), Some(free)], "{}\n{text}", words.out);
}

/// Asks every door of a file; returns how many accesses it states and how many of them are free.
fn ask(number: u32, file: &Random) -> [usize; 2] {
    let text = &file.toml;
    // Nothing is judged of a file without an access, and that is said.
    if file.stated.is_empty() {
        return [0, 0];
    }
    let free = file.stated.iter().filter(|one| one.judged().is_free_by_its_row()).count();
    let is_free = free == file.stated.len();
    let output = run(["tiledesc", "check", "--format", "json", "-"], &mut text.as_bytes());
    let report: Value = serde_json::from_str(&output.out)
        .unwrap_or_else(|error| panic!("{error}: {}\n{text}", output.err));
    let status = if is_free { Status::Free } else { Status::Conflict };
    assert_eq!((output.status, &report["status"]), (status, &json!(status as u8)), "{text}");
    // The same answer in two more forms.
    if number.is_multiple_of(4) {
        summarised(file, free, status);
        assert_eq!(explore("check", text).out, output.out, "{text}");
    }
    let source = Source::of_text("<stdin>", text.clone());
    for (tile, stated) in tiles(&source).unwrap().iter().zip(&file.offsets) {
        for (number, offset) in stated.iter().enumerate() {
            let index = tile.plan().nth(number as u64);
            assert_eq!(tile.plan().offset(index.as_slice()).map(u64::from), Ok(*offset), "{text}");
        }
    }
    for one in &file.stated {
        one.at_run_time();
        one.checked(&report);
    }
    let of_first = report["tiles"][0]["accesses"].as_array().unwrap();
    for (i, access) in of_first.iter().enumerate() {
        let one = file.stated.iter().find(|one| {
            report["tiles"][0]["name"] == one.tile.as_str()
                && (&access["access"], &access["chip"]) == (&json!(one.key), &json!(one.chip))
        });
        let one = one.unwrap();
        let shown = explore(&format!("tile {i} {}", one.sent.len() / 2), text);
        let shown: Value = serde_json::from_str(&shown.out).unwrap();
        one.explored(&shown["shown"]);
        if i == 0 {
            let offsets: Vec<u64> =
                serde_json::from_value(shown["tile"]["offsets"].clone()).unwrap();
            assert_eq!(offsets, file.offsets[0][..offsets.len()], "{text}");
        }
    }
    [file.stated.len(), free]
}

#[test]
fn every_door_says_the_same() {
    let cases = support::fuzz::times(60) as u32;
    let (mut accesses, mut free) = (0, 0);
    for number in 0..cases {
        let [stated, of_these] = ask(number, &Random::of(number));
        (accesses, free) = (accesses + stated, free + of_these);
    }
    println!("{cases} files, {accesses} accesses, {free} of them free");
    assert!(free > accesses / 4 && accesses - free > accesses / 4, "{accesses} {free}");
}

/// The files that Python is asked, with what must come back.
#[test]
fn what_python_is_asked() {
    let files = (0..40).map(Random::of).map(|file| {
        let stated = file.stated.iter().map(Stated::for_python);
        json!({ "toml": file.toml, "accesses": stated.collect::<Vec<_>>() }).to_string()
    });
    let written = format!("[\n{}\n]\n", files.collect::<Vec<_>>().join(",\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/tests/doors.json");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == written, "cargo xtask bless cli what_python_is_asked");
}
