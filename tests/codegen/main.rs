//! What the compiler emits for an offset, read instruction by instruction.
//!
//! A benchmark cannot see one instruction: on a shared machine it wavers by tens
//! of percent, and ten instructions take about two nanoseconds. The assembly can
//! be counted, and the count is the same on every run.
//!
//! | test | promise |
//! |---|---|
//! | `counts_*` | no typed offset has a division, a call, a panic path, or one instruction more than the hand-written function, the shortest form we know, or our own stages |
//! | `golden_*` | on rustc 1.95 for x86-64 Linux the instructions are those of `tests/codegen/*.txt` |
//! | `every_recipe_is_here` | no recipe is left out |
//! | `forms_agree` | all forms of an offset give the same number everywhere |
//! | `kernel_*` | a kernel that stages a tile through LDS has the address registers and the immediates that [`tiledesc::addressing`] promises |
//!
//! `counts` prints its tables:
//!
//! ```text
//! cargo test --test codegen -- --nocapture
//! cargo xtask bless codegen       # on rustc 1.95, writes the golden files
//! ```

mod amdgpu;
mod compiled;
#[allow(dead_code, unreachable_pub, reason = "a crate of its own, of which this reads a part")]
mod functions;
mod listing;

use compiled::{compiled, host, rustc_version};
use core::fmt::Write;
use functions::staging::{read, written};
use listing::{Listings, listings};
use std::collections::BTreeMap;
use std::{env, fs};
use support::root;
use tiledesc::access::{Addressing, Route};
use tiledesc::chip::gfx942;
use tiledesc::prelude::*;
use tiledesc::{Plan, pattern};

/// The compiler that wrote the golden files, and for which host.
const WRITTEN_ON: &str = "rustc 1.95.";
const WRITTEN_FOR: &str = "x86_64-unknown-linux-gnu";

/// The machines, and the golden file of each.
#[derive(Clone, Copy, PartialEq)]
enum Machine {
    X86,
    Amd(&'static str),
}

impl Machine {
    const fn name(self) -> &'static str {
        match self {
            Self::X86 => "x86-64",
            Self::Amd(chip) => chip,
        }
    }

    /// The listings, or why there are none, which is printed.
    fn listings(self) -> Option<Listings> {
        let found = match self {
            Self::X86 if host().starts_with("x86_64") => Ok(listings(&compiled().assembly, '#')),
            Self::X86 => Err(format!("the host is {}", host())),
            Self::Amd(chip) => amdgpu::listings_of(chip),
        };
        found.map_err(|why| support::skipped!("no {} instructions: {why}", self.name())).ok()
    }

    /// What is counted: on a GPU the vector instructions, for scalar ones run beside
    /// them and waiting and returning are the same for all.
    fn counts(self, instruction: &str) -> bool {
        self == Self::X86 || instruction.starts_with("v_")
    }

    /// How many instructions an offset may have more than its other forms: none, but for
    /// columns `lane / 32 * 8` on a GPU. LLVM has made a shift and a mask of them before it
    /// sees the xor, and does not find the quotient again. Of a window's loads it multiplies two
    /// rows by the pitch where it adds to one of them by hand. The number of a line, `4 * m + k / 32`,
    /// is one instruction before it is cut to three bits, two where its parts are cut.
    fn behind(self, offset: &str) -> usize {
        match (self, offset) {
            (Self::Amd(_), "lane_of_32_rows" | "lane_of_16_layered_rows" | "window_loads") => 2,
            (Self::Amd("gfx950"), "lines_of_rows") => 2,
            (_, "lines_of_rows") => 1,
            _ => 0,
        }
    }

    /// What an offset must never contain.
    fn forbids(self, instruction: &str) -> Option<&'static str> {
        let mnemonic = instruction.split_whitespace().next().unwrap_or("");
        let begins = |starts: &[&str]| starts.iter().any(|start| mnemonic.starts_with(start));
        if mnemonic.contains("div") || begins(&["v_rcp"]) {
            Some("a division")
        } else if begins(&["call", "s_swappc"]) {
            Some("a call")
        } else if begins(&["ud2", "s_trap"]) || instruction.contains("panic") {
            Some("a panic path")
        } else if begins(&["j", "s_cbranch", "s_branch"]) {
            Some("a branch")
        } else if begins(&["scratch_", "buffer_"]) {
            Some("memory")
        } else {
            None
        }
    }
}

#[test]
fn counts_x86_64() {
    counts(Machine::X86);
}

#[test]
fn counts_gfx942() {
    counts(Machine::Amd("gfx942"));
}

#[test]
fn counts_gfx950() {
    counts(Machine::Amd("gfx950"));
}

/// Functions that are a loop, or that branch around a load.
const LOOPS: [&str; 2] = ["moving_window", "window_steps"];

fn counts(machine: Machine) {
    let Some(listings) = machine.listings() else { return };
    let count = |offset: &str, form: &str| {
        let listing = listings.get(&(offset.to_owned(), form.to_owned()))?;
        Some(listing.iter().filter(|line| machine.counts(line)).count())
    };
    let mut table = format!(
        "{:<27}{:>6}{:>8}{:>9}{:>10}\n",
        machine.name(),
        "ours",
        "staged",
        "by hand",
        "shortest"
    );
    let mut wrong = String::new();
    for ((offset, _), listing) in listings.iter().filter(|((_, form), _)| form == "ours") {
        let [ours, staged, hand, best] =
            ["ours", "staged", "hand", "best"].map(|form| count(offset, form));
        let cell = |count: Option<usize>| count.map_or("-".to_owned(), |count| count.to_string());
        let [a, b, c, d] = [ours, staged, hand, best].map(cell);
        writeln!(table, "{offset:<27}{a:>6}{b:>8}{c:>9}{d:>10}").unwrap();

        let behind = machine.behind(offset);
        let ours = ours.map(|ours| ours - behind);
        for other in [staged, hand, best].into_iter().flatten().filter(|other| ours > Some(*other))
        {
            writeln!(wrong, "{offset}: {a} instructions, {other} in another form").unwrap();
        }
        for line in listing {
            let loops = LOOPS.contains(&offset.as_str());
            if let Some(what) = machine.forbids(line).filter(|what| *what != "a branch" || !loops) {
                writeln!(wrong, "{offset}: {what}: {line}").unwrap();
            }
        }
    }
    println!("{table}");
    for offset in functions::OFFSETS {
        for (form, _) in offset.forms {
            assert!(count(offset.name, form) > Some(0), "{} {form} was not found", offset.name);
        }
    }
    let moves = if machine == Machine::X86 { 2 } else { 1 };
    assert_eq!(count("constant", "ours"), Some(moves), "a constant offset is one move");
    assert!(wrong.is_empty(), "{wrong}\n{table}");
}

#[test]
fn golden_x86_64() {
    golden(Machine::X86);
}

#[test]
fn golden_gfx942() {
    golden(Machine::Amd("gfx942"));
}

#[test]
fn golden_gfx950() {
    golden(Machine::Amd("gfx950"));
}

fn golden(machine: Machine) {
    let Some(listings) = machine.listings() else { return };
    let version = rustc_version();
    if !version.contains(WRITTEN_ON) || host() != WRITTEN_FOR {
        support::skipped!(
            "golden listings are of {WRITTEN_ON}* for {WRITTEN_FOR}, this is {version}"
        );
        return;
    }
    let name = machine.name();
    let mut text =
        format!("# {name}, written by cargo xtask bless codegen, rustc 1.95, {WRITTEN_FOR}.\n");
    for ((offset, form), listing) in listings {
        write!(text, "\n{offset} {form}: {}\n", listing.len()).unwrap();
        for line in listing {
            writeln!(text, "    {line}").unwrap();
        }
    }
    let path = root().join(format!("tests/codegen/{name}.txt"));
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
    let differs = text.lines().zip(golden.lines()).find(|(new, old)| new != old);
    assert!(
        text == golden,
        "the machine code differs from tests/codegen/{name}.txt, first in {differs:?} (now, then). \
         If it is better, cargo xtask bless codegen, and read the difference."
    );
}

/// Recipes with the transforms of another: RowMajor, XorPreshuffle, GemmXorLayer.
const SAME_CODE: [&str; 5] = ["CShuffle", "GemmDsReadTr", "FlatmmXor", "GemmXor", "GemmXor64"];

/// Every recipe with transforms of its own has its functions.
#[test]
fn every_recipe_is_here() {
    let functions = fs::read_to_string(root().join("tests/codegen/functions.rs")).unwrap();
    let mut recipes = 0;
    for file in fs::read_dir(root().join("src/recipe")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for item in text.split("\n    pub type ").skip(1) {
            // What is generic over the element is a recipe; the rest are the transforms of some.
            let Some((name, _)) = item.split_once("<E, ") else { continue };
            let is_recipe = name.chars().all(char::is_alphanumeric);
            if is_recipe && !SAME_CODE.contains(&name) {
                assert!(functions.contains(&format!("recipe::{name}<")), "{name} is not here");
                recipes += 1;
            }
        }
    }
    assert!(recipes >= 20, "{recipes} recipes found");
}

/// The loop of the moving window is the best one, instruction by instruction: five of
/// them. Before the loop, who asks the row apart from the column saves two of eleven.
#[test]
fn window_moves_as_by_hand() {
    let Some(listings) = Machine::X86.listings() else { return };
    let [ours, best] = ["ours", "split"].map(|form| {
        let listing = &listings[&("moving_window".to_owned(), form.to_owned())];
        let words = listing.iter().map(|line| line.split_whitespace().next().unwrap());
        words.collect::<Vec<_>>()[listing.len() - 6..].to_vec()
    });
    assert_eq!(ours, best);
    assert!(ours[4].starts_with('j') && ours[5] == "ret", "a loop of five: {ours:?}");
}

/// The masked forms agree at every coordinate, in padding and beyond.
#[test]
fn global_forms_agree() {
    use functions::global::ByHand;
    use functions::{
        masked_global_load, masked_global_offset, masked_global_vector, moving_window,
    };
    let (m, k, pitch) = (10, 42, 50);
    let a = Naive::rows(m, k).pitch(pitch).padded_to([8, 16]).unwrap();
    let hand = ByHand { m, k, pitch };
    for (row, column) in (0..20).flat_map(|row| (0..70).map(move |column| (row, column))) {
        let at = (row, column);
        macro_rules! agree {
            ($($module:ident::$best:ident)*) => {$(
                let [ours, by_hand, best] = [
                    $module::ours(&a, row, column),
                    $module::hand(&hand, row, column),
                    $module::$best(&hand, row, column),
                ];
                assert_eq!((ours, ours), (by_hand, best), "{at:?}");
            )*};
        }
        agree! { masked_global_offset::best masked_global_load::best moving_window::split }
        if column % 8 == 0 {
            agree! { masked_global_vector::best }
        }
    }
}

/// A window's loads, block by block, in the matrix and beyond.
#[test]
fn window_forms_agree() {
    use functions::{global::ByHand, window_loads, window_steps};
    let (m, k, pitch) = (150, 200, 208);
    let a = Window::new(Naive::rows(m, k).pitch(pitch).whole().unwrap()).unwrap();
    let hand = ByHand { m, k, pitch };
    for (thread, row) in (0..256).flat_map(|thread| [0, 128, 256].map(|row| (thread, row))) {
        for column in [0, 64, 128, 192, 256] {
            let by_hand = window_loads::hand(&hand, thread / 64, thread % 64, row, column);
            assert_eq!(window_loads::ours(&a, thread / 64, thread % 64, row, column), by_hand);
            assert_eq!(window_loads::split(&hand, thread / 64, thread % 64, row, column), by_hand);
        }
        for steps in 0..6 {
            let by_hand = window_steps::hand(&hand, thread / 64, thread % 64, row, steps);
            assert_eq!(window_steps::ours(&a, thread / 64, thread % 64, row, steps), by_hand);
            assert_eq!(window_steps::best(&hand, thread / 64, thread % 64, row, steps), by_hand);
        }
    }
}

#[test]
fn forms_agree() {
    for offset in functions::OFFSETS {
        let box_of_it = Plan::packed(offset.lengths).unwrap();
        for id in 0..box_of_it.elements() {
            let index = box_of_it.nth(id);
            let all = offset.forms.iter().map(|(form, of)| (form, of(index.as_slice())));
            let all: Vec<_> = all.collect();
            let same = all.iter().all(|(_, value)| *value == all[0].1);
            assert!(same, "{} at {index:?}: {all:?}", offset.name);
        }
    }
}

pattern! {
    /// What one wave of `kernel.ll` writes in its four passes.
    Written(lane, pass in 4) => [written(lane, pass)[0], written(lane, pass)[1]];
    /// What one wave reads in its sixteen steps.
    Read(lane, step in 16) => [read(lane, step)[0], read(lane, step)[1]];
}

#[test]
fn kernel_gfx942() {
    kernel("gfx942");
}

#[test]
fn kernel_gfx950() {
    kernel("gfx950");
}

/// The DS instructions of the kernel: as many address registers as promised, and behind
/// each the constants that were promised.
fn kernel(chip: &'static str) {
    let Some(listings) = Machine::Amd(chip).listings() else { return };
    let kernel = &listings[&("kernel".to_owned(), "stage".to_owned())];
    layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    let writes = Tile::addressing::<Written>(&gfx942::ds_write_b128).unwrap();
    let reads = Tile::addressing::<Read>(&gfx942::ds_read_b128).unwrap();
    assert_eq!((writes.registers(), writes.immediates()), (1, 3));
    assert_eq!((reads.registers(), reads.immediates()), (4, 12));

    assert_eq!(found(kernel, "ds_write_b128", 1), promised(&writes), "{kernel:#?}");
    assert_eq!(found(kernel, "ds_read_b128", 2), promised(&reads), "{kernel:#?}");
    let multiplies = kernel.iter().find(|line| line.starts_with("v_mul"));
    assert_eq!(multiplies, None);
}

/// The constants behind each address register, of the instructions of one name; the
/// address is the word at `place`: `ds_read_b128 v[26:29], v20 offset:4096`.
fn found(kernel: &[String], name: &str, place: usize) -> Vec<Vec<u32>> {
    let mut behind = BTreeMap::<&str, Vec<u32>>::new();
    for line in kernel.iter().filter(|line| line.starts_with(name)) {
        let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let constant = words.iter().find_map(|word| word.strip_prefix("offset:"));
        let constant = constant.map_or(0, |constant| constant.parse().unwrap());
        behind.entry(words[place]).or_default().push(constant);
    }
    sorted(behind.into_values().collect())
}

fn promised(addressing: &Addressing) -> Vec<Vec<u32>> {
    let mut behind = Vec::<Vec<u32>>::new();
    for route in addressing.routes() {
        match *route {
            Route::Immediate { register, offset } => behind[register].push(offset),
            Route::Computed | Route::Xor { .. } => behind.push(vec![0]),
        }
    }
    sorted(behind)
}

fn sorted(mut behind: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    behind.iter_mut().for_each(|constants| constants.sort_unstable());
    behind.sort();
    behind
}
