//! Random files, and the headers that are written of them: every function is compiled and called at every wave,
//! lane, access and element, and must return what follows from the file alone.
//!
//! | of the file | random |
//! |---|---|
//! | chips | of waves of 64 and of 32 lanes, one or several |
//! | dimensions | any two names in any order, `{ k, n }`, `{ s, d }`; three with buffers, `{ buffer, m, k }` |
//! | layout | strides by place and by name, rows with pads, xor swizzles, transposed, CuTe's text, Triton's bases and swizzles, `stages` |
//! | accesses | patterns and distributions, with names and without, of tiles that they do not divide |
//! | distributions | in the access, or by a name of the file |
//! | `fill` | direct loads by lane and with addresses of their own, of one chip and of several |
//! | bytes | tiles of `bytes`, with addresses by formula and by list |
//! | `name`, `offset_bits` | a namespace or a prefix; offsets of 64 and of 32 bits |
//!
//! Nothing here asks the library: the formulas below are the documentation's, computed a second time. Both sides
//! hash what each function returns, a line for each, and constants are compared too. 50 files are 2,849,376 calls. The
//! distributions of every third tile do not divide it.
//! clang takes the same headers for gfx942 and gfx1201, nvcc for sm_90, where they are installed.
//!
//! `cargo xtask test --deep 50 -p tiledesc-cli random_headers::` tries more.

mod access;
pub(crate) mod call;
mod device;
mod doors;
mod fill;
mod fragments;
mod layout;
mod raw;
mod tensor;
mod tile;

use access::{Access, held, op};
use call::{Call, Naming};
use core::fmt::Write as _;
use doors::Stated;
use fill::fill;
use raw::raw;
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
    /// The offsets of each tile's elements, row by row.
    offsets: Vec<Vec<u64>>,
    stated: Vec<Stated>,
}

impl Random {
    fn of(number: u32) -> Self {
        let mut dice = Dice(u64::from(number) * 7919 + 1);
        let lang = dice.of(&["hip", "hip", "cuda", "c"]);
        let narrow = dice.one_in(4);
        let mut file = File { lang, number, narrow, ..File::default() };
        for name in if dice.one_in(2) { &["A"][..] } else { &["A", "B"] } {
            file.tile(&mut dice, name);
        }
        if dice.one_in(3) {
            let naming = file.naming("raw");
            file.stated.push(raw(
                &mut dice,
                &mut file.tiles,
                &mut file.calls,
                &format!("f{number} raw"),
                &naming,
            ));
        }
        let mut toml = format!("version = 1\nname = \"f{number}\"\n");
        if narrow {
            toml += "offset_bits = 32\n";
        }
        if !file.distributions.is_empty() {
            toml += &format!("[distribution]\n{}", file.distributions);
        }
        let File { tiles, calls, offsets, stated, .. } = file;
        Self { toml: toml + &tiles, lang, calls, offsets, stated }
    }
}

/// A file as it grows.
#[derive(Default)]
struct File {
    lang: &'static str,
    number: u32,
    narrow: bool,
    distributions: String,
    tiles: String,
    calls: Vec<Call>,
    offsets: Vec<Vec<u64>>,
    stated: Vec<Stated>,
}

impl File {
    /// What the names of a tile's functions begin with.
    fn naming(&self, tile: &str) -> Naming {
        let between = if self.lang == "c" { "_" } else { "::" };
        Naming { before: format!("f{}{between}{tile}_", self.number) }
    }

    /// A random tile with its accesses.
    fn tile(&mut self, dice: &mut Dice, name: &str) {
        let ragged = dice.one_in(3);
        let tile = Tile::random(dice, ragged);
        let naming = self.naming(name);
        let chips: Vec<_> = tile.chips.iter().map(|(chip, _)| format!("\"{chip}\"")).collect();
        let shape: Vec<_> =
            tile.names.iter().zip(&tile.lengths).map(|(d, n)| format!("{d} = {n}")).collect();
        let words = &tile.layout.words;
        write!(
            self.tiles,
            "[tile.{name}]\nchips = [{}]\nelement = \"{}\"\nshape = {{ {} }}\n{words}",
            chips.join(", "),
            tile.element.0,
            shape.join(", ")
        )
        .unwrap();
        let label = format!("f{} {name}", self.number);
        let offset = |number| (tile.layout.offset)(tile.nth(number));
        self.offsets.push((0..tile.elements()).map(offset).collect());
        offsets(&mut self.calls, &label, &naming, &tile);
        for key in ["write", "read"] {
            self.access(dice, (name, key), &tile, ragged);
        }
        fill(dice, &mut self.tiles, &mut self.calls, &label, (&naming, self.narrow), &tile);
    }

    /// A random access of it, if there is one of its vectors that all chips have.
    fn access(&mut self, dice: &mut Dice, (name, key): (&str, &str), tile: &Tile, ragged: bool) {
        let Some(op) = op(tile, key == "write", tile.layout.together) else { return };
        let (named, stored) = (dice.one_in(2), dice.one_in(2));
        let kind = dice.below(3);
        let seed = Dice(dice.0);
        dice.below(2);
        // The same choices on each chip: one text says them.
        let of_chip = |lanes| Access::random(&mut Dice(seed.0), kind, tile, lanes, ragged);
        let all = tile.chips.iter().map(|(_, lanes)| of_chip(*lanes)).collect::<Option<Vec<_>>>();
        let Some(all) = all.filter(|all| all.iter().all(|one| one.by == all[0].by)) else { return };
        let mut by = all[0].by.clone();
        if stored && by.contains('[') {
            by = format!("{name}_{key}_held");
            writeln!(self.distributions, "{by} = \"{}\"", all[0].by).unwrap();
        }
        let one = format!("{{ op = \"{op}\", by = \"{by}\" }}");
        let called = match named {
            true => {
                writeln!(self.tiles, "{key}.one_{key} = {one}").unwrap();
                format!("one_{key}")
            }
            false => {
                writeln!(self.tiles, "{key} = [{one}]").unwrap();
                key.to_string()
            }
        };
        let (naming, label) = (self.naming(name), format!("f{} {name}", self.number));
        for ((chip, lanes), access) in tile.chips.iter().zip(&all) {
            self.stated.push(Stated {
                tile: name.to_string(),
                key: if key == "read" { "read" } else { "write" },
                name: named.then(|| format!("one_{key}")),
                chip,
                op: op.clone(),
                by: by.clone(),
                sent: Stated::sent(tile, access, *lanes),
            });
        }
        let differ = tile.chips.windows(2).any(|pair| pair[0].1 != pair[1].1);
        for ((chip, lanes), access) in tile.chips.iter().zip(&all) {
            let name = if differ { format!("{called}_{chip}") } else { called.clone() };
            held(&mut self.calls, &label, &naming, &name, tile, access, *lanes);
            if key == "write" {
                let (name, vector) = (&format!("{name}_rows"), access.vector);
                let place =
                    Place { naming: &naming, name, narrow: self.narrow, vector, by_element: true };
                place.rows(&mut self.calls, &label, dice, tile, access, *lanes);
            }
            if !differ {
                break;
            }
        }
    }
}

/// Offsets, bytes, the way back, and constants.
fn offsets(calls: &mut Vec<Call>, label: &str, naming: &Naming, tile: &Tile) {
    let counts = &tile.lengths;
    let parameters: Vec<_> = (0..counts.len()).map(|d| format!("i{d}")).collect();
    let at = |i: &[u64]| {
        let mut at = [0; 3];
        at[..i.len()].copy_from_slice(i);
        at
    };
    let offset = naming.call("offset", &parameters.join(", "));
    calls.push(Call::of(&format!("{label} offset"), counts, offset.clone(), |i| {
        (tile.layout.offset)(at(i))
    }));
    let byte = naming.call("byte", &parameters.join(", "));
    calls.push(Call::of(&format!("{label} byte"), counts, byte, |i| tile.byte(at(i))));
    for (d, name) in tile.names.iter().enumerate() {
        let code = naming.call(&format!("{name}_at"), &offset);
        calls.push(Call::of(&format!("{label} {name}_at"), counts, code, |i| i[d]));
        let word = format!("LENGTH_{}", name.to_uppercase());
        calls.push(Call::constant(label, naming, &word, counts[d]));
    }
    let last = (0..tile.elements()).map(|id| (tile.layout.offset)(tile.nth(id))).max();
    let space = last.unwrap() + 1;
    calls.push(Call::constant(label, naming, "SPACE", space));
    calls.push(Call::constant(label, naming, "BYTES", space * tile.element.1 / 8));
}

/// Compiles the headers of some files in one program, and compares what it prints; returns calls.
fn compare(name: &str, files: &[(u32, Random)]) -> usize {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}_{}", files[0].0));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let (mut includes, mut bodies, mut main) = (String::new(), String::new(), String::new());
    for (number, random) in files {
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
    }
    let calls: Vec<_> = files.iter().flat_map(|(_, random)| &random.calls).collect();
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
    device::compile(&folder, files);
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
    let (cases, mut calls) = (support::fuzz::times(u64::from(AT_ONCE)) as u32, 0);
    for first in (0..cases).step_by(AT_ONCE as usize) {
        let numbers = first..(first + AT_ONCE).min(cases);
        let files: Vec<_> = numbers.map(|number| (number, Random::of(number))).collect();
        calls += compare("random_headers", &files);
    }
    println!("{cases} files, {calls} calls");
    for (variable, name) in [("CLANG", "clang-19"), ("NVCC", "nvcc")] {
        if device::compiler(variable, name).is_none() {
            support::skipped!("{name} is not installed ({variable} names another)");
        }
    }
    assert!(calls > cases as usize * 10_000);
}

/// Matrix operands of all chips and random tiles by `ldmatrix`, `stmatrix` and the transposing reads: coordinates, elements,
/// counts and rows are those of what lanes hold as it is stated, and what they address has names of its own.
#[test]
fn fragments_are_those_that_are_stated() {
    if Command::new("g++").arg("--version").output().is_err() {
        return support::skipped!("g++ is not installed");
    }
    let every = if support::fuzz::is_deep() { 20 } else { 4000 };
    let files = fragments::all(every, support::fuzz::times(24) as usize);
    let (mut calls, mut functions) = (0, 0);
    for files in files.chunks(AT_ONCE as usize) {
        calls += compare("fragments", files);
        functions += files.iter().map(|(_, random)| random.calls.len()).sum::<usize>();
    }
    println!("{} files, {functions} functions and constants, {calls} calls", files.len());
    assert!(functions > 3000, "{functions}");
}
