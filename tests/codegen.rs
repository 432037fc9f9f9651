//! What the compiler emits for an offset, read instruction by instruction.
//!
//! A benchmark cannot see one instruction: on a shared machine it wavers by tens
//! of percent, and ten instructions take about two nanoseconds. The assembly can
//! be counted, and the count is the same on every run.
//!
//! | test | promise |
//! |---|---|
//! | `counts` | no typed offset has a division, a call, a panic path, or one instruction more than the hand-written function, the shortest form we know, or our own stages |
//! | `golden` | on rustc 1.95 for x86-64 Linux the instructions are those of `tests/codegen/x86-64.txt` |
//!
//! The functions are in `tests/codegen/functions.rs`. Both tests compile them as a
//! crate of its own with the `cargo` that runs the test, optimised, without the
//! caller's `RUSTFLAGS`. `counts` prints its table:
//!
//! ```text
//! cargo test --test codegen -- --nocapture
//! BLESS=1 cargo test --test codegen       # on rustc 1.95, writes the golden file
//! ```

use core::fmt::Write;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

/// The compiler that wrote the golden file.
const WRITTEN_ON: &str = "rustc 1.95.";
/// The target it wrote for: others pass arguments in other registers.
const WRITTEN_FOR: &str = "x86_64-unknown-linux-gnu";

/// A function's instructions, one a line.
type Listings = BTreeMap<String, Vec<String>>;

#[test]
fn counts() {
    let Some(listings) = listings() else { return };
    let names = listings.keys().filter_map(|name| name.strip_prefix("ours_"));
    let mut table = format!(
        "{:<20}{:>6}{:>8}{:>14}{:>12}\n",
        "offset", "ours", "staged", "by hand", "shortest"
    );
    let mut wrong = String::new();
    for name in names {
        let count = |who: &str| listings.get(&format!("{who}_{name}")).map(Vec::len);
        let [ours, staged, hand, best] = ["ours", "staged", "hand", "best"].map(count);
        let ours = ours.unwrap_or(0);
        let cell = |count: Option<usize>| count.map_or("-".to_owned(), |count| count.to_string());
        let others = format!("{:>8}{:>14}{:>12}", cell(staged), cell(hand), cell(best));
        writeln!(table, "{name:<20}{ours:>6}{others}").unwrap();

        for other in [staged, hand, best].into_iter().flatten().filter(|other| ours > *other) {
            writeln!(wrong, "{name}: {ours} instructions, {other} in another form").unwrap();
        }
        for line in &listings[&format!("ours_{name}")] {
            if let Some(what) = forbidden(line) {
                writeln!(wrong, "{name}: {what}: {line}").unwrap();
            }
        }
    }
    println!("Instructions, with the return:\n\n{table}");
    assert!(listings.contains_key("ours_xor_128x64"), "no function was found");
    assert_eq!(listings["ours_constant"].len(), 2, "a constant offset is one move and the return");
    assert!(wrong.is_empty(), "{wrong}\n{table}");
}

#[test]
fn golden() {
    let Some(listings) = listings() else { return };
    let version = rustc_version();
    if !version.contains(WRITTEN_ON) || host(&version) != WRITTEN_FOR {
        println!("skipped: written by {WRITTEN_ON}* for {WRITTEN_FOR}, this is {version}");
        return;
    }
    let mut text = String::from(
        "# Written by BLESS=1 cargo test --test codegen, rustc 1.95, x86_64-unknown-linux-gnu.\n",
    );
    for (name, listing) in listings {
        write!(text, "\n{name}: {}\n", listing.len()).unwrap();
        for line in listing {
            writeln!(text, "    {line}").unwrap();
        }
    }
    let path = here().join("tests/codegen/x86-64.txt");
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
    let differs = text.lines().zip(golden.lines()).find(|(new, old)| new != old);
    assert!(
        text == golden,
        "the machine code differs from tests/codegen/x86-64.txt, first in {differs:?} (now, then). \
         If it is better, BLESS=1 cargo test --test codegen, and read the difference."
    );
}

/// What an offset must never contain.
fn forbidden(line: &str) -> Option<&'static str> {
    let mnemonic = line.split_whitespace().next().unwrap_or("");
    if mnemonic.contains("div") {
        Some("a division")
    } else if mnemonic.starts_with("call") {
        Some("a call")
    } else if mnemonic.starts_with("ud2") || line.contains("panic") {
        Some("a panic path")
    } else if mnemonic.starts_with('j') {
        Some("a branch")
    } else {
        None
    }
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All functions of the fixture, compiled once; `None` off x86-64.
fn listings() -> Option<&'static Listings> {
    static COMPILED: OnceLock<Option<Listings>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| {
        let version = rustc_version();
        if !host(&version).starts_with("x86_64") {
            println!("skipped: instructions are counted on x86-64, this is {}", host(&version));
            return None;
        }
        Some(parse(&assembly(host(&version))))
    });
    compiled.as_ref()
}

fn rustc_version() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().expect("rustc runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn host(version: &str) -> &str {
    version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or("unknown")
}

/// The assembly of `functions.rs`.
///
/// The manifest is made here and not kept, so that cargo writes nothing into
/// the sources. It takes the workspace's lock file: then the packages are those
/// of this very test, they have been fetched already, and no network is needed.
fn assembly(host: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("codegen");
    fs::create_dir_all(&folder).unwrap();
    let manifest = format!(
        "[package]\nname = \"functions\"\nedition = \"2024\"\n\
         [lib]\npath = {:?}\n\
         [dependencies]\ntiledesc = {{ path = {:?} }}\n\
         [profile.release]\ncodegen-units = 1\n\
         [workspace]\n",
        here().join("tests/codegen/functions.rs"),
        here(),
    );
    write_if_new(&folder.join("Cargo.toml"), &manifest);
    // The first run adds this package to the copy; cargo would ask for the
    // packages again if it were copied each time.
    if let Ok(lock) = fs::read_to_string(here().join("Cargo.lock")) {
        write_if_new(&folder.join("workspace.lock"), &lock)
            .then(|| fs::write(folder.join("Cargo.lock"), &lock).unwrap());
    }
    let text = folder.join("functions.s");
    let build = |network: &[&str]| {
        Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["rustc", "--release", "--lib", "--target", host])
            .args(network)
            .arg("--manifest-path")
            .arg(folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(folder.join("target"))
            .arg("--")
            .arg(format!("--emit=asm={}", text.display()))
            .args(["-C", "llvm-args=-x86-asm-syntax=intel"])
            // Whatever the caller adds to every build is not what is counted:
            // empty, this one takes precedence over the others and over files.
            .env("CARGO_ENCODED_RUSTFLAGS", "")
            .env_remove("CARGO_PROFILE_RELEASE_OPT_LEVEL")
            .output()
            .expect("cargo runs")
    };
    let mut output = build(&["--offline"]);
    if !output.status.success() {
        output = build(&[]);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tests/codegen/functions.rs does not compile:\n{said}");
    fs::read_to_string(&text).unwrap_or_else(|e| panic!("{}: {e}\n{said}", text.display()))
}

/// Writes a file unless it says this already; whether it did.
fn write_if_new(path: &Path, text: &str) -> bool {
    let new = fs::read_to_string(path).ok().as_deref() != Some(text);
    if new {
        fs::write(path, text).unwrap();
    }
    new
}

/// The instructions of every function, by name.
///
/// Equal functions become one, of which the others are aliases (`.set a, b`) or
/// to which they jump (`jmp b`); such a function has the instructions of the one.
fn parse(assembly: &str) -> Listings {
    let mut listings = Listings::new();
    let mut same = Vec::new();
    let mut function = None;
    for line in assembly.lines() {
        let code = line.split('#').next().unwrap_or("").trim();
        if let Some(label) = code.strip_suffix(':') {
            // macOS puts an underscore in front; local labels stay inside.
            let name = label.trim_start_matches('_');
            if ["ours_", "staged_", "hand_", "best_"].iter().any(|who| name.starts_with(who)) {
                listings.insert(name.to_owned(), Vec::new());
                function = Some(name.to_owned());
            } else if !label.starts_with(['.', 'L']) {
                function = None;
            }
        } else if let Some((alias, of)) = code.strip_prefix(".set").and_then(|a| a.split_once(','))
        {
            same.push((alias, of));
        } else if let Some((alias, of)) = code.split_once(" = ") {
            same.push((alias, of));
        } else if let Some(name) = &function
            && !code.is_empty()
            && !code.starts_with('.')
        {
            let words: Vec<&str> = code.split_whitespace().collect();
            listings.get_mut(name).unwrap().push(words.join(" "));
        }
    }
    let clean = |name: &str| name.trim().trim_start_matches('_').to_owned();
    let jumps = listings.iter().filter_map(|(name, listing)| match &listing[..] {
        [only] => only.strip_prefix("jmp ").map(|of| (name.clone(), clean(of))),
        _ => None,
    });
    let same: Vec<_> =
        same.into_iter().map(|(alias, of)| (clean(alias), clean(of))).chain(jumps).collect();
    for (alias, of) in same {
        if let Some(listing) = listings.get(&of).cloned() {
            listings.insert(alias, listing);
        }
    }
    listings
}
