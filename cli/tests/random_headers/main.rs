//! Random files, and the headers that are written of them: every function is compiled and called at every wave,
//! lane, access and element, and must return what follows from the file alone.
//!
//! | of the file | random |
//! |---|---|
//! | chips | of waves of 64 and of 32 lanes, one or several |
//! | dimensions | any two names in any order: `{ k, n }`, `{ s, d }` |
//! | layout | strides by place and by name, rows with pads, xor swizzles, transposed, CuTe's text |
//! | accesses | patterns and distributions, with names and without, of tiles that they do not divide |
//! | `fill` | direct loads by lane and with addresses of their own |
//! | `name`, `offset_bits` | a namespace or a prefix; offsets of 64 and of 32 bits |
//!
//! Nothing here asks the library: the formulas below are the documentation's, computed a second time. Both sides
//! hash what each function returns, a line for each. 50 files are 1,740 functions and 3,463,009 calls.
//!
//! `HEADER_CASES=2000 cargo test -p tiledesc-cli --test random_headers -- --nocapture` tries more.

mod access;
mod call;
mod fill;
mod tensor;
mod tile;

use access::{Access, held, op};
use call::{Call, Naming};
use core::fmt::Write as _;
use fill::fill;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::fuzz::Dice;
use tensor::Place;
use tile::Tile;

/// Headers that one program includes.
const AT_ONCE: u32 = 50;

/// A file, with the calls of all functions of its header.
struct Random {
    toml: String,
    lang: &'static str,
    calls: Vec<Call>,
}

impl Random {
    fn of(number: u32) -> Self {
        let mut dice = Dice(u64::from(number) * 7919 + 1);
        let lang = dice.of(&["hip", "hip", "cuda", "c"]);
        let narrow = dice.one_in(4);
        let mut toml = format!("version = 1\nname = \"f{number}\"\n");
        if narrow {
            toml += "offset_bits = 32\n";
        }
        let (mut distributions, mut tiles, mut calls) = (String::new(), String::new(), Vec::new());
        for name in ["A", "B"] {
            let ragged = dice.one_in(5);
            let tile = Tile::random(&mut dice, ragged);
            let before = if lang == "c" {
                format!("f{number}_{name}_")
            } else {
                format!("f{number}::{name}_")
            };
            let naming = Naming { before };
            let [a, b] = tile.names;
            let chips: Vec<_> = tile.chips.iter().map(|(chip, _)| format!("\"{chip}\"")).collect();
            write!(
                tiles,
                "[tile.{name}]\nchips = [{}]\nelement = \"{}\"\nshape = {{ {a} = {}, {b} = {} }}\n{}",
                chips.join(", "),
                tile.element.0,
                tile.lengths[0],
                tile.lengths[1],
                tile.layout.words
            )
            .unwrap();
            let label = format!("f{number} {name}");
            offsets(&mut calls, &label, &naming, &tile);
            for write in [true, false] {
                let key = if write { "write" } else { "read" };
                let vector = tile.layout.together;
                let Some(op) = op(&tile, write, vector) else { continue };
                let (named, stored) = (dice.one_in(2), dice.one_in(2));
                let seed = Dice(dice.0);
                dice.below(2);
                let kind = dice.below(3);
                let of_chip = |lanes: u64| -> Option<Access> {
                    let [rows, columns] = tile.lengths;
                    let same_waves = tile.chips.iter().all(|(_, other)| *other == lanes);
                    let whole = !ragged && (rows * columns).is_multiple_of(lanes * vector);
                    match kind {
                        0 if whole && lanes * vector >= columns => {
                            Some(Access::row_major(&tile, lanes, vector))
                        }
                        1 if whole
                            && columns.is_multiple_of(lanes / 16 * vector)
                            && tile.chips[0].0 != "sm_90" =>
                        {
                            Some(Access::mfma(&tile, lanes, vector))
                        }
                        _ if same_waves => {
                            Some(Access::distributed(&mut Dice(seed.0), &tile, lanes, vector))
                        }
                        _ => None,
                    }
                };
                let all: Vec<_> = tile.chips.iter().map(|(_, lanes)| of_chip(*lanes)).collect();
                let Some(all) = all.into_iter().collect::<Option<Vec<_>>>() else { continue };
                let mut by = all[0].by.clone();
                if all.iter().any(|one| one.by != by) {
                    continue;
                }
                if stored && by.contains('[') {
                    writeln!(distributions, "{name}_{key}_held = \"{by}\"").unwrap();
                    by = format!("{name}_{key}_held");
                }
                let one = format!("{{ op = \"{op}\", by = \"{by}\" }}");
                let called = match named {
                    true => {
                        writeln!(tiles, "{key}.one_{key} = {one}").unwrap();
                        format!("one_{key}")
                    }
                    false => {
                        writeln!(tiles, "{key} = [{one}]").unwrap();
                        key.to_string()
                    }
                };
                let differ = tile.chips.windows(2).any(|pair| pair[0].1 != pair[1].1);
                for ((chip, lanes), access) in tile.chips.iter().zip(&all) {
                    let name = if differ { format!("{called}_{chip}") } else { called.clone() };
                    held(&mut calls, &label, &naming, &name, &tile, access, *lanes);
                    if write {
                        let place = Place { naming: &naming, name: &name, narrow };
                        place.rows(&mut calls, &label, &mut dice, &tile, access, *lanes);
                    }
                    if !differ {
                        break;
                    }
                }
            }
            fill(&mut dice, &mut tiles, &mut calls, &label, &naming, &tile);
        }
        if !distributions.is_empty() {
            toml += &format!("[distribution]\n{distributions}");
        }
        Self { toml: toml + &tiles, lang, calls }
    }
}

/// Offsets, bytes and the way back.
fn offsets(calls: &mut Vec<Call>, label: &str, naming: &Naming, tile: &Tile) {
    let counts = tile.lengths;
    let offset = naming.call("offset", "i0, i1");
    calls.push(Call::of(&format!("{label} offset"), &counts, offset.clone(), |i| {
        (tile.layout.offset)(i[0], i[1])
    }));
    let byte = naming.call("byte", "i0, i1");
    calls.push(Call::of(&format!("{label} byte"), &counts, byte, |i| tile.byte([i[0], i[1]])));
    for (d, name) in tile.names.iter().enumerate() {
        let code = naming.call(&format!("{name}_at"), &offset);
        calls.push(Call::of(&format!("{label} {name}_at"), &counts, code, |i| i[d]));
    }
}

/// Compiles the headers of some files in one program, and compares what it prints; returns calls.
fn compare(numbers: core::ops::Range<u32>) -> usize {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random_headers_{}", numbers.start));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let (mut includes, mut bodies, mut main) = (String::new(), String::new(), String::new());
    let mut calls = Vec::new();
    for number in numbers {
        let random = Random::of(number);
        let file = folder.join(format!("f{number}.toml"));
        fs::write(&file, &random.toml).unwrap();
        let header = folder.join(format!("f{number}.h"));
        let words = ["tiledesc", "emit", file.to_str().unwrap(), "--lang", random.lang];
        let output = tiledesc_cli::run(words, &mut std::io::empty());
        assert_eq!(output.err, "", "{}", random.toml);
        fs::write(&header, output.out).unwrap();
        writeln!(includes, "#include \"f{number}.h\"").unwrap();
        let body: String = random.calls.iter().map(Call::program).collect();
        writeln!(bodies, "static void call{number}() {{\n{body}}}").unwrap();
        writeln!(main, "    call{number}();").unwrap();
        calls.extend(random.calls);
    }
    let program = format!(
        "#include <cstdio>\n#define __host__\n#define __device__\n{includes}\
         static unsigned long long h;\n\
         static void mix(unsigned long long x) {{ h = (h ^ x) * 0x100000001b3ull; h = h << 23 | h >> 41; }}\n\
         {bodies}int main() {{\n{main}}}\n"
    );
    fs::write(folder.join("main.cpp"), program).unwrap();
    let flags = [
        "-std=c++14",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-function",
        "-o",
        "main",
        "main.cpp",
    ];
    let compiled = Command::new("g++").args(flags).current_dir(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{}", said.chars().take(3000).collect::<String>());
    let ran = Command::new(folder.join("main")).output().unwrap();
    let lines = String::from_utf8(ran.stdout).unwrap();
    let expected: Vec<_> =
        calls.iter().map(|call| format!("{} {}", call.label, call.hash)).collect();
    let wrong: Vec<_> =
        lines.lines().zip(&expected).filter(|(found, wanted)| found != wanted).collect();
    assert!(
        wrong.is_empty(),
        "{} of {}, in {}:\n{wrong:#?}",
        wrong.len(),
        expected.len(),
        folder.display()
    );
    assert_eq!(lines.lines().count(), expected.len());
    calls.iter().map(|call| call.counts.iter().product::<u64>() as usize).sum()
}

#[test]
fn every_function_returns_what_the_file_says() {
    if Command::new("g++").arg("--version").output().is_err() {
        return support::skipped!("g++ is not installed");
    }
    let cases = std::env::var("HEADER_CASES").map_or(Ok(AT_ONCE), |cases| cases.parse());
    let (cases, mut calls) = (cases.expect("HEADER_CASES is a number"), 0);
    for first in (0..cases).step_by(AT_ONCE as usize) {
        calls += compare(first..(first + AT_ONCE).min(cases));
    }
    println!("{cases} files, {calls} calls");
    assert!(calls > cases as usize * 10_000);
}
