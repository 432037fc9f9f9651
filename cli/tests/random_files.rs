//! Random files of 1 to 4 dimensions with every word that an access may have: the verdict is that of the definition, the exit
//! status follows from it, and the header's functions return what the file's own formulas say.
//!
//! | of the file | random |
//! |---|---|
//! | tiles | 1 to 3, each with its chips, of waves of 64 or of 32 lanes |
//! | elements | of 4 to 64 bits, by the names that people write |
//! | layout | strides by place and by name with holes, rows with pads, pads at intervals, xor and rotation by `stages`, CuTe's swizzle |
//! | views | elements of half and of twice the width (`recast_from`), some rows of a larger layout (`view`) |
//! | `fetch` | loads of rows of one pitch or of any multiple: the bytes of each lane, one by one, in lines and sectors |
//! | `consumed_by` | tiles of the engines' own forms, and with one thing changed: the forms by their masks |
//! | accesses | distributions that may end early (`of n`), `row-major`, atomics, `times`, `max_degree`, names |
//! | bytes | formulas in C's operators, with conditions, idle lanes, `any` value, and waves |
//! | `matrix` | the matrix instructions of a trip |
//!
//! Nothing here asks the library but for the phases of a row. A plain run asks as many files as take two seconds, and compiles the
//! headers of 25; `cargo xtask test --deep 53 -p tiledesc-cli random_files::` asks 2,000 and more.

mod bytes;
mod consumed;
mod fetch;
mod tile;
mod viewed;

use super::random_headers::call::{Call, Naming};
use bytes::bytes;
use consumed::{Consumed, consumed};
use core::fmt::Write as _;
use fetch::Fetched;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::definition::Judged;
use support::fuzz::Dice;
use tile::tile;
use tiledesc::chip::{self, Access as Direction};
use tiledesc_cli::run;

/// Headers that one program includes.
const AT_ONCE: usize = 25;

/// An access on one chip, as the file states it.
#[derive(Clone)]
struct Stated {
    tile: String,
    key: &'static str,
    /// Its place among the accesses of the tile and chip.
    at: usize,
    chip: &'static str,
    /// The row by which it is judged: an atomic as a read.
    row: &'static str,
    times: u64,
    accepted: u32,
    /// The byte of each lane, instruction by instruction.
    sent: Vec<Vec<Option<u32>>>,
    /// Other bytes that its data may choose.
    drawn: Vec<Vec<Vec<Option<u32>>>>,
}

#[derive(Default)]
struct File {
    toml: String,
    stated: Vec<Stated>,
    fetched: Vec<Fetched>,
    consumed: Vec<Consumed>,
    calls: Vec<Call>,
}

impl File {
    /// States an access on each of some chips.
    fn state(&mut self, chips: &[&'static str], one: &Stated) {
        self.stated.extend(chips.iter().map(|chip| Stated { chip, ..one.clone() }));
    }

    fn random(number: u64) -> Self {
        let mut dice = Dice(number * 7919 + 5);
        let mut file =
            Self { toml: format!("version = 1\nname = \"r{number}\"\n"), ..Self::default() };
        let is_cdna = dice.one_in(3);
        if is_cdna && dice.one_in(2) {
            let times = 1 + dice.below(64);
            writeln!(file.toml, "matrix = {{ op = \"v_mfma_f32_16x16x16_f16\", times = {times} }}")
                .unwrap();
        }
        for name in &["A", "B", "C"][..1 + dice.below(3) as usize] {
            let naming = Naming { before: format!("r{number}_{name}_") };
            match dice.below(8) {
                0 | 1 => bytes(&mut dice, &mut file, name, is_cdna),
                2 | 3 if !is_cdna => consumed(&mut dice, &mut file, name, &naming),
                _ => tile(&mut dice, &mut file, name, &naming, is_cdna),
            }
        }
        file
    }
}

/// Three tiles that something takes without the address of a lane.
fn of_consumers(number: u64) -> File {
    let (mut dice, mut file) = (Dice(number * 7919 + 6), File::default());
    file.toml += "version = 1\n";
    for name in ["A", "B", "C"] {
        let naming = Naming { before: format!("{name}_") };
        consumed(&mut dice, &mut file, name, &naming);
    }
    file
}

/// A chip of one of the two kinds of waves, and its lanes.
fn chips(dice: &mut Dice, is_cdna: bool) -> (Vec<&'static str>, u64) {
    if is_cdna {
        return (dice.of(&[&["gfx942"][..], &["gfx950"], &["gfx90a", "gfx942"]]).to_vec(), 64);
    }
    let all: [&[&str]; 6] =
        [&["gfx942"], &["gfx906"], &["gfx1201"], &["gfx1100"], &["sm_80", "sm_90"], &["sm_120"]];
    let chips = dice.of(&all);
    (chips.to_vec(), if chips[0].starts_with("gfx9") { 64 } else { 32 })
}

/// An instruction as people write it, and the row by which it is judged.
fn op(
    dice: &mut Dice,
    chip: &str,
    is_write: bool,
    bits: u64,
) -> Option<(&'static str, &'static str)> {
    let is_nvidia = chip.starts_with("sm_");
    let all: &[(&str, &str)] = match (is_nvidia, is_write, bits) {
        (false, false, 8) => &[("ds_read_u8", "ds_read_u8")],
        (false, false, 16) => &[("ds_read_u16", "ds_read_u16")],
        (false, false, 32) => &[
            ("ds_read_b32", "ds_read_b32"),
            ("load_b32", "ds_read_b32"),
            ("ds_add_u32", "ds_read_b32"),
            ("ds_max_rtn_f32", "ds_read_b32"),
        ],
        (false, false, 64) => &[("ds_read_b64", "ds_read_b64"), ("ds_add_rtn_u64", "ds_read_b64")],
        (false, false, 128) => &[("ds_read_b128", "ds_read_b128"), ("load_b128", "ds_read_b128")],
        (false, true, 8) => &[("ds_write_b8", "ds_write_b8")],
        (false, true, 16) => &[("ds_write_b16", "ds_write_b16")],
        (false, true, 32) => &[("ds_write_b32", "ds_write_b32"), ("store_b32", "ds_write_b32")],
        (false, true, 64) => &[("ds_write_b64", "ds_write_b64")],
        (false, true, 128) => &[("ds_write_b128", "ds_write_b128")],
        (true, false, 8) => &[("ld.shared.b8", "ld.shared.b8"), ("ld.shared.u8", "ld.shared.b8")],
        (true, false, 16) => &[("ld.shared.b16", "ld.shared.b16")],
        (true, false, 32) => &[
            ("ld.shared.b32", "ld.shared.b32"),
            ("ld.shared.f32", "ld.shared.b32"),
            ("atom.shared.add.u32", "ld.shared.b32"),
            ("red.shared.max.s32", "ld.shared.b32"),
            ("LDS", "ld.shared.b32"),
        ],
        (true, false, 64) => &[
            ("ld.shared.b64", "ld.shared.b64"),
            ("ld.shared.v2.f32", "ld.shared.b64"),
            ("LDS.64", "ld.shared.b64"),
        ],
        (true, false, 128) => &[
            ("ld.shared.b128", "ld.shared.b128"),
            ("ld.shared.v4.f32", "ld.shared.b128"),
            ("LDS.128", "ld.shared.b128"),
        ],
        (true, true, 8) => &[("st.shared.b8", "st.shared.b8")],
        (true, true, 16) => &[("st.shared.b16", "st.shared.b16")],
        (true, true, 32) => &[("st.shared.b32", "st.shared.b32"), ("STS", "st.shared.b32")],
        (true, true, 64) => &[("st.shared.b64", "st.shared.b64")],
        (true, true, 128) => &[("st.shared.b128", "st.shared.b128"), ("STS.128", "st.shared.b128")],
        _ => return None,
    };
    Some(dice.of(all))
}

/// Words that an access may have beside its instruction and lanes: as text, the executions and the degree that is accepted.
fn terms(dice: &mut Dice) -> (String, u64, u32) {
    let (mut text, mut times, mut accepted) = (String::new(), 1, 1);
    if dice.one_in(3) {
        times = 1 + u64::from(dice.below(9));
        write!(text, ", times = {times}").unwrap();
    }
    if dice.one_in(4) {
        accepted = dice.of(&[2, 4, 8]);
        write!(text, ", max_degree = {accepted}, reason = \"known\"").unwrap();
    }
    (text, times, accepted)
}

impl Stated {
    fn judged(&self, sent: &[Vec<Option<u32>>]) -> Judged {
        let row = *chip::find(self.chip).unwrap().instruction(self.row).unwrap();
        Judged::of(&support::row!(row, Direction::Write), sent).unwrap()
    }

    /// Compares what `check` says, and returns whether it fails: on a race, or beyond the degree that is accepted.
    fn compare(&self, report: &Value, text: &str) -> bool {
        let tile =
            report["tiles"].as_array().unwrap().iter().find(|tile| tile["name"] == self.tile);
        let accesses = tile.unwrap()["accesses"].as_array().unwrap();
        let mut own =
            accesses.iter().filter(|one| one["chip"] == self.chip && one["access"] == self.key);
        let found = own.nth(self.at).unwrap();
        let what =
            format!("{} {} {} on {}: {found}\n{text}", self.tile, self.key, self.row, self.chip);
        let degree = found["degree"].as_u64().unwrap() as u32;
        let cycles = found["active_cycles"].as_u64().unwrap();
        let judged = self.judged(&self.sent);
        if self.drawn.is_empty() {
            assert_eq!(degree, judged.degree, "{what}");
            assert_eq!(cycles, judged.base_cycles + judged.conflict_cycles, "{what}");
            assert_eq!(found["base_cycles"].as_u64(), Some(judged.base_cycles), "{what}");
            assert_eq!(found["outcome"] == "race", judged.race, "{what}");
        }
        // The worst of all data is no better than any.
        for sent in &self.drawn {
            let drawn = self.judged(sent);
            assert!(degree >= drawn.degree, "{what}");
        }
        assert_eq!(found["times"].as_u64(), Some(self.times), "{what}");
        if let Some(accepted) = found["accepted"]["max_degree"].as_u64() {
            assert_eq!(accepted, u64::from(self.accepted), "{what}");
        }
        found["outcome"] == "race" || degree > self.accepted
    }
}

/// Asks `check` of a file; returns its accesses, and how many of them fail.
fn ask(file: &File) -> [usize; 2] {
    let text = &file.toml;
    let output = run(["tiledesc", "check", "--format", "json", "-"], &mut text.as_bytes());
    let report: Value = serde_json::from_str(&output.out)
        .unwrap_or_else(|error| panic!("{error}: {}\n{text}", output.err));
    let faults = report["faults"].as_array().unwrap();
    let refused = file.consumed.iter().filter(|one| one.form.is_none());
    assert_eq!(faults.len(), refused.clone().count(), "{faults:?}\n{text}");
    refused.zip(faults).for_each(|(one, fault)| one.is_refused(fault, text));
    file.consumed.iter().for_each(|one| one.compare(&report, text));
    let failing = file.stated.iter().filter(|one| one.compare(&report, text)).count();
    let beyond = file.fetched.iter().filter(|one| one.compare(&report, text)).count();
    let status = if faults.is_empty() { u8::from(failing + beyond > 0) } else { 2 };
    assert_eq!(output.status as u8, status, "{text}");
    [file.stated.len(), failing]
}

/// Compiles the headers of some files by a C compiler, and compares what their functions return; returns calls.
fn compile(compiler: &str, name: &str, files: &[File]) -> u64 {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let (mut head, mut body) = (String::from("#include <stdio.h>\n"), String::new());
    for (number, file) in files.iter().enumerate() {
        let path = folder.join(format!("f{number}.toml"));
        fs::write(&path, &file.toml).unwrap();
        let output =
            run(["tiledesc", "emit", path.to_str().unwrap(), "--lang", "c"], &mut std::io::empty());
        assert_eq!(output.err, "", "{}", file.toml);
        fs::write(folder.join(format!("f{number}.h")), output.out).unwrap();
        writeln!(head, "#include \"f{number}.h\"").unwrap();
        file.calls.iter().for_each(|call| body += &call.program().replace("std::printf", "printf"));
    }
    let program = format!(
        "{head}static unsigned long long h;\n\
         static void mix(unsigned long long x) {{ h = (h ^ x) * 0x100000001b3ull; h = h << 23 | h >> 41; }}\n\
         int main(void) {{\n{body}    return 0;\n}}\n"
    );
    fs::write(folder.join("main.c"), program).unwrap();
    let flags = ["-std=c99", "-Wall", "-Werror", "-Wno-unused-function", "-o", "main", "main.c"];
    let compiled = Command::new(compiler).args(flags).current_dir(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(
        compiled.status.success(),
        "{}: {}",
        folder.display(),
        said.chars().take(3000).collect::<String>()
    );
    let ran = Command::new(folder.join("main")).output().unwrap();
    let lines = String::from_utf8(ran.stdout).unwrap();
    let calls: Vec<_> = files.iter().flat_map(|file| &file.calls).collect();
    let wanted: Vec<_> = calls.iter().map(|call| format!("{} {}", call.label, call.hash)).collect();
    let wrong: Vec<_> =
        lines.lines().zip(&wanted).filter(|(found, wanted)| found != wanted).collect();
    assert!(
        wrong.is_empty() && lines.lines().count() == wanted.len(),
        "{}: {wrong:#?}",
        folder.display()
    );
    calls.iter().map(|call| call.counts.iter().product::<u64>()).sum()
}

#[test]
fn every_word_is_judged_as_it_is_stated() {
    let files: Vec<_> = (0..support::fuzz::times(38)).map(File::random).collect();
    let (mut accesses, mut failing) = (0, 0);
    for file in &files {
        let [all, these] = ask(file);
        (accesses, failing) = (accesses + all, failing + these);
    }
    println!("{} files, {accesses} accesses, {failing} of them fail", files.len());
    let fetched: usize = files.iter().map(|file| file.fetched.len()).sum();
    println!("{fetched} loads from global memory");
    assert!(fetched > 10);
    let Some(compiler) = ["cc", "clang"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok())
    else {
        return support::skipped!("neither cc nor clang is installed");
    };
    // A tile that its consumer does not take has no header.
    let mut compiled = files;
    compiled.retain(|file| file.consumed.iter().all(|one| one.form.is_some()));
    if !support::fuzz::is_deep() {
        compiled.truncate(AT_ONCE);
    }
    let each = compiled.chunks(AT_ONCE).enumerate();
    let calls: u64 =
        each.map(|(at, files)| compile(compiler, &format!("random_files_{at}"), files)).sum();
    println!("{} headers, {calls} calls", compiled.len());
    assert!(calls > 1000);
}

#[test]
fn every_engine_takes_its_own_forms() {
    let files: Vec<_> = (0..support::fuzz::times(40)).map(of_consumers).collect();
    for file in &files {
        ask(file);
    }
    let all = files.iter().flat_map(|file| &file.consumed).map(|one| one.form.is_some());
    let (taken, refused): (Vec<_>, Vec<_>) = all.partition(|is_taken| *is_taken);
    println!("{} tiles are taken, {} are not", taken.len(), refused.len());
    assert!(taken.len() > 50 && refused.len() > 50);
}
