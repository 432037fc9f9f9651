//! Triton's bank conflicts, and the lane groups that its AMD backend uses, reproduced.
//!
//! The tables come from Triton 3.9.0 (`tests/golden/triton/README.md` has the schema).
//! To check another folder of the same schema:
//!
//! ```text
//! GOLDEN_TRITON=<folder> cargo test --release --test oracle_triton -- --nocapture
//! ```
//!
//! | table | what must agree |
//! |---|---|
//! | `shared_conflicts` | `bytes_per_lane`, the widest access of a register layout, and `bank_conflicts`, the additional wavefronts per phase over all registers and warps |
//! | `lds_phases` | banks and lanes served together on every AMD chip, and the 21 counters of MI300X; latencies are not predicted |
//! | `convert_layout`, `synthesis_unit_tests` | not yet covered: named and counted |
//!
//! `bank_conflicts` was counted by brute force, and we must match it. `triton_reports` is
//! the answer of a formula inside Triton, which is wrong in a few cases: those are listed,
//! and each must be an error of the kind that the README describes.

mod support;

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use support::{int, naturals};
use tiledesc::access::Addresses;
use tiledesc::bank;
use tiledesc::counters::Lds;
use tiledesc::{Instruction, Phases, chip};

/// What was checked.
#[derive(Default)]
struct Tally {
    conflicts: usize,
    accesses: usize,
    groups: usize,
    counters: usize,
    triton_errs: Vec<String>,
    disputed: Vec<String>,
    not_covered: Vec<String>,
}

#[test]
fn every_table_of_the_folder() {
    let mut tally = Tally::default();
    for (name, json) in tables() {
        match json["kind"].as_str() {
            Some("shared_conflicts") => shared_conflicts(&name, &json, &mut tally),
            Some("lds_phases") => lds_phases(&name, &json, &mut tally),
            Some("convert_layout" | "synthesis_unit_tests") => tally.not_covered.push(name),
            other => panic!("{name}: a kind this test does not know: {other:?}"),
        }
    }
    report(&tally);
}

/// The tables of the folder by name: `GOLDEN_TRITON`, or the committed one.
fn tables() -> Vec<(String, Value)> {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/triton");
    let folder = std::env::var_os("GOLDEN_TRITON").map_or(committed.into(), PathBuf::from);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    assert!(!paths.is_empty(), "{} holds no tables", folder.display());
    paths.iter().map(table).collect()
}

fn table(path: &PathBuf) -> (String, Value) {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let json: Value =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(json["version"], 1, "{}: version", path.display());
    (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), json)
}

fn report(tally: &Tally) {
    println!("{} figures over {} accesses", tally.conflicts, tally.accesses);
    println!("{} lane groupings, {} counters", tally.groups, tally.counters);
    for name in &tally.disputed {
        println!("  sources disagree, ours is the other: {name}");
    }
    println!("Triton's formula errs in {} figures:", tally.triton_errs.len());
    for case in &tally.triton_errs {
        println!("  {case}");
    }
    println!("not yet covered ({}): {}", tally.not_covered.len(), tally.not_covered.join(" "));
}

/// The cases of a table, each with the name that a failure gives.
fn cases<'a>(name: &str, list: &'a Value) -> Vec<(String, &'a Value)> {
    let list = list.as_array().unwrap_or_else(|| panic!("{name}: no list of cases"));
    list.iter().enumerate().map(|(i, json)| (format!("{name}[{i}]"), json)).collect()
}

fn shared_conflicts(name: &str, json: &Value, tally: &mut Tally) {
    let cases = cases(name, &json["cases"]);
    assert_eq!(json["count"].as_u64(), Some(cases.len() as u64), "{name}: count");
    assert_eq!((int(&json["banks"]), int(&json["lanes"])), (32, 32), "{name}: banks, lanes");
    for (id, json) in cases {
        let access = SharedAccess::new(&id, json);
        assert_eq!(access.widest(), u32_of(&id, &json["bytes_per_lane"]), "{id}: bytes_per_lane");
        let (wavefronts, phases) = access.count(&id, tally);
        let expected = u32_of(&id, &json["bank_conflicts"]);
        assert_eq!(wavefronts, phases * (1 + expected), "{id}: bank_conflicts {expected}");
        tally.conflicts += 1;
        let reported = u32_of(&id, &json["triton_reports"]);
        if reported != expected {
            tally.triton_errs.push(triton_errs(&id, json, &access, expected, reported));
        }
    }
}

fn u32_of(id: &str, value: &Value) -> u32 {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.unwrap_or_else(|| panic!("{id}: not a natural number: {value}"))
}

/// Describes an error of Triton's formula, which may only be that of the README:
/// too few conflicts of a sub-word access to a swizzled layout.
fn triton_errs(id: &str, json: &Value, access: &SharedAccess, is: u32, reported: u32) -> String {
    assert!(reported < is, "{id}: Triton reports {reported}, more than {is}");
    assert!(access.bytes < 4, "{id}: Triton errs in an access of {} bytes", access.bytes);
    assert_eq!(json["shared"]["kind"], "swizzled", "{id}: Triton errs");
    format!("{id}: {} bytes a lane, {reported} reported, {is} counted", access.bytes)
}

/// A register layout against a shared one: byte offsets of the bits of register,
/// lane and warp number. The offset of a number is the xor of those of its bits.
struct SharedAccess {
    element_bytes: u32,
    bytes: u32,
    register: Vec<u32>,
    lane: Vec<u32>,
    warp: Vec<u32>,
}

impl SharedAccess {
    fn new(id: &str, json: &Value) -> Self {
        let element_bytes = u32_of(id, &json["elem_bits"]) / 8;
        let place = Inverse::new(id, &coordinates(id, &json["shared_offset_bases"]));
        let offsets = |part: &str| -> Vec<u32> {
            let bits = coordinates(id, &json["register_linear"][part]);
            bits.into_iter().map(|at| place.offset(id, at) * element_bytes).collect()
        };
        let bytes = u32_of(id, &json["bytes_per_lane"]);
        let [register, lane, warp] = ["reg", "lane", "warp"].map(offsets);
        Self { element_bytes, bytes, register, lane, warp }
    }

    /// Bytes of the widest access, up to 16, whose low offset bits come from registers
    /// only.
    fn widest(&self) -> u32 {
        let registers = 1 << self.register.len();
        let fits = |bytes: &u32| {
            let low = |offset: u32| offset & (bytes - 1);
            let others = self.lane.iter().chain(&self.warp).all(|&offset| low(offset) == 0);
            let filled: BTreeSet<u32> =
                (0..registers).map(|r| low(xor(&self.register, r))).collect();
            others && filled.len() as u32 * self.element_bytes == *bytes
        };
        let widths = [16, 8, 4, 2, 1].into_iter().filter(|bytes| *bytes >= self.element_bytes);
        widths.into_iter().find(fits).unwrap_or(self.element_bytes)
    }

    /// Wavefronts and phases, summed over all registers and warps.
    fn count(&self, id: &str, tally: &mut Tally) -> (u32, u32) {
        let (mut wavefronts, mut phases) = (0, 0);
        let instruction = triton_row(self.bytes);
        for register in 0..1 << self.register.len() {
            for warp in 0..1 << self.warp.len() {
                let base = xor(&self.register, register) ^ xor(&self.warp, warp);
                let address = |lane| (base ^ xor(&self.lane, lane)) & !(self.bytes - 1);
                let lanes = Addresses::from_fn(|lane| (lane < 32).then(|| address(lane)));
                let found = bank::conflicts(&lanes, &instruction)
                    .unwrap_or_else(|refusal| panic!("{id}: {refusal}"));
                wavefronts += found.active_cycles();
                phases += found.base_cycles;
                tally.accesses += 1;
            }
        }
        (wavefronts, phases)
    }
}

/// NVIDIA's phases without the merging of lanes that agree, which Triton does not
/// model.
fn triton_row(bytes: u32) -> Instruction {
    let lanes = 128 / bytes.max(4) as usize;
    Instruction::read("of Triton", bytes).phases(Phases::contiguous(lanes).of_wave(32))
}

/// The xor of the images of a number's bits.
fn xor(images: &[u32], number: u32) -> u32 {
    let bits = images.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
    bits.fold(0, |all, (_, image)| all ^ image)
}

/// Rows and columns as one word each, the row in the upper half.
fn coordinates(id: &str, list: &Value) -> Vec<u32> {
    let list = list.as_array().unwrap_or_else(|| panic!("{id}: not a list of bases: {list}"));
    list.iter()
        .map(|at| match naturals(at)[..] {
            [row, column] => row << 16 | column,
            _ => panic!("{id}: not a row and a column: {at}"),
        })
        .collect()
}

/// From coordinates back to offsets: each pair is a coordinate and its offset, and
/// the lowest bit of a coordinate is in no other.
struct Inverse(Vec<(u32, u32)>);

impl Inverse {
    fn new(id: &str, images: &[u32]) -> Self {
        let mut inverse = Self(Vec::new());
        for (bit, &image) in images.iter().enumerate() {
            let (rest, offset) = inverse.reduce(image);
            assert!(rest != 0, "{id}: offset bit {bit} repeats what lower bits reach");
            let (rest, offset) = (rest, offset ^ 1 << bit);
            for (other, its_offset) in &mut inverse.0 {
                if *other & lowest_bit(rest) != 0 {
                    (*other, *its_offset) = (*other ^ rest, *its_offset ^ offset);
                }
            }
            inverse.0.push((rest, offset));
        }
        inverse
    }

    /// What no pair reaches of a coordinate, and the offset of what they do.
    fn reduce(&self, coordinate: u32) -> (u32, u32) {
        self.0.iter().fold((coordinate, 0), |(rest, offset), &(pair, its_offset)| {
            let takes = rest & lowest_bit(pair) != 0;
            if takes { (rest ^ pair, offset ^ its_offset) } else { (rest, offset) }
        })
    }

    fn offset(&self, id: &str, coordinate: u32) -> u32 {
        let (rest, offset) = self.reduce(coordinate);
        assert!(rest == 0, "{id}: row {}, column {} has no offset", rest >> 16, rest & 0xffff);
        offset
    }
}

const fn lowest_bit(number: u32) -> u32 {
    number & number.wrapping_neg()
}

fn lds_phases(name: &str, json: &Value, tally: &mut Tally) {
    for (id, chip) in cases(name, &json["targets"]) {
        assert_eq!(int(&chip["bank_bytes"]), 4, "{id}: bytes of a bank");
        for access in ["read", "write"] {
            let widths = chip[access].as_object();
            for (width, groups) in widths.unwrap_or_else(|| panic!("{id}: no {access}")) {
                lane_groups(&id, chip, &format!("ds_{access}_{width}"), groups, tally);
            }
        }
    }
    for (id, row) in cases(&format!("{name} measured_mi300x"), &json["measured_mi300x"]) {
        counter(&id, row);
        tally.counters += 1;
    }
}

/// Lanes served together, banks and wave of an instruction: ours, or where sources
/// disagree those of the other one.
fn lane_groups(id: &str, chip: &Value, mnemonic: &str, groups: &Value, tally: &mut Tally) {
    let row = find(id, &chip["target"], mnemonic);
    let (wave, banks) = (u32_of(id, &chip["wave"]), u32_of(id, &chip["banks"]));
    let list = groups.as_array().unwrap_or_else(|| panic!("{id}: no groups of {mnemonic}"));
    let groups: support::LaneGroups =
        list.iter().map(|group| naturals(group).into_iter().collect()).collect();
    let as_published = |service: &tiledesc::Service| {
        (support::lane_groups(&service.phases), service.banks) == (groups.clone(), banks)
    };
    assert_eq!(row.service().phases.wave(), wave as usize, "{id}: wave of {mnemonic}");
    let (ours, rival) = (as_published(row.service()), row.rival().is_some_and(as_published));
    assert!(ours || rival, "{id}: {mnemonic}: {groups:?}, {banks} banks; ours {:?}", row.service());
    if !ours {
        tally.disputed.push(format!("{} {mnemonic}", row.chip()));
    }
    tally.groups += 1;
}

fn find(id: &str, chip: &Value, mnemonic: &str) -> &'static Instruction {
    let row = chip.as_str().and_then(|chip| chip::find(chip).ok()?.instruction(mnemonic).ok());
    row.unwrap_or_else(|| panic!("{id}: no row for {mnemonic} of {chip}"))
}

/// One counter of MI300X: 64 reads of a lane stride.
fn counter(id: &str, json: &Value) {
    let mnemonic = json["op"].as_str().unwrap_or_else(|| panic!("{id}: no op"));
    let row = find(id, &Value::from("gfx942"), mnemonic);
    let stride = u32_of(id, &json["lane_stride_bytes"]);
    let addresses = Addresses::from_fn(|lane| Some(lane * stride));
    let found =
        bank::conflicts(&addresses, row).unwrap_or_else(|refusal| panic!("{id}: {refusal}"));
    let one = Lds::of_one(&found);
    let at = format!("{id}: {mnemonic}, stride {stride}");
    let expected = u64::from(u32_of(id, &json["conflicts_per_read"]));
    assert_eq!(one.bank_conflict, expected, "{at}: conflicts of a read");
    let expected = u64::from(u32_of(id, &json["conflict_counter_per_64_reads"]));
    assert_eq!(one.times(64).bank_conflict, expected, "{at}: counter of 64 reads");
}
