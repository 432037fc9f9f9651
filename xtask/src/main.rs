//! The commands that contributors run beside `cargo test`: longer tests, other tables, expected texts, the gate.
//!
//! ```text
//! cargo xtask test --deep 100 --test oracles definition::    a hundred times the cases of a plain run, optimised
//! cargo xtask test --golden ck_tile=FOLDER --test oracles    tables of another folder
//! cargo xtask bless surface                                  writes what those tests expect; read the difference
//! cargo xtask gate                                           what a commit must pass
//! ```
//!
//! A test reads its options from the environment, so that one run serves many programs. This is the one place that
//! knows the names: `DEEP`, `SEED`, `BLESS`, `GOLDEN_*`, and the words of trybuild and trycmd.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
cargo xtask test [--deep N] [--seed N] [--golden NAME=FOLDER] [WHAT CARGO TEST TAKES]
    --deep N             N times the cases of a plain run, in release
    --seed N             other random cases: two seeds have none in common
    --golden NAME=PATH   tables of another folder: ck_tile, triton, cute, published, kernels
cargo xtask bless [PART [--test NAME] [FILTER]]
    writes what the tests of a part expect, or of all parts:
        surface   errors, sentences and pages of the book
        host      figures, of the book too
        codegen   instructions of x86-64, gfx942 and gfx950
        oracles   tiles that the compiler's short list finds
        cli       what the command line prints, and the book's page of questions
        audit     the book's table of compiled programs, and headers of the kernels
cargo xtask gate [--complete]
    --complete           fails where something is left out, for want of a tool";

/// The parts whose tests write what they expect, and the arguments of `cargo test` for each.
const PARTS: [(&str, &[&str]); 6] = [
    ("surface", &["-p", "tiledesc-tests", "--test", "surface"]),
    ("host", &["-p", "tiledesc-host-tests"]),
    ("codegen", &["-p", "tiledesc-tests", "--test", "codegen"]),
    ("oracles", &["-p", "tiledesc-tests", "--test", "oracles"]),
    ("cli", &["-p", "tiledesc-cli"]),
    ("audit", &["-p", "tiledesc-audit-tests"]),
];

/// The tables that a folder may replace, and the variable for each.
const GOLDEN: [(&str, &str); 5] = [
    ("ck_tile", "GOLDEN_CK_TILE"),
    ("triton", "GOLDEN_TRITON"),
    ("cute", "GOLDEN_CUTE"),
    ("published", "GOLDEN_PUBLISHED"),
    ("kernels", "GOLDEN_KERNELS"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let mut words = arguments.iter().map(String::as_str);
    let done = match words.next() {
        Some("test") => test(words),
        Some("bless") => bless(words),
        Some("gate") => gate(words),
        _ => Err(USAGE.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn test<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let (mut command, mut taken, mut is_deep) = (cargo("test"), Vec::new(), false);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} takes a value\n\n{USAGE}"));
        match word {
            "--deep" => {
                is_deep = true;
                command.env("DEEP", number(word, value()?)?);
            }
            "--seed" => {
                command.env("SEED", number(word, value()?)?);
            }
            "--golden" => {
                let (variable, folder) = golden(value()?)?;
                command.env(variable, folder);
            }
            other => taken.push(other),
        }
    }
    if is_deep {
        command.arg("--release");
    }
    command.args(&taken);
    // What a deep run counts is printed.
    if is_deep && !taken.contains(&"--") {
        command.args(["--", "--nocapture"]);
    }
    run(&mut command)
}

fn bless<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let part = words.next();
    let parts: Vec<_> =
        PARTS.iter().filter(|(name, _)| part.is_none_or(|part| part == *name)).collect();
    if parts.is_empty() {
        let known: Vec<_> = PARTS.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "no part is called {}: {}",
            part.unwrap_or_default(),
            known.join(", ")
        ));
    }
    // A filter of test names, or `--test NAME`.
    let filter: Vec<_> = words.collect();
    for (_, arguments) in parts {
        let mut command = cargo("test");
        command.args(*arguments).args(&filter);
        run(command.env("BLESS", "1").env("TRYBUILD", "overwrite").env("TRYCMD", "overwrite"))?;
    }
    Ok(())
}

fn gate<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut command = Command::new(root().join(".ci/run"));
    match words.next() {
        None => run(&mut command),
        Some("--complete") => run(command.env("TILEDESC_COMPLETE", "1")),
        Some(other) => Err(format!("gate takes no {other}\n\n{USAGE}")),
    }
}

/// `NAME=FOLDER`, as the variable and the folder relative to the user's directory.
fn golden(word: &str) -> Result<(&'static str, std::path::PathBuf), String> {
    let known: Vec<_> = GOLDEN.iter().map(|(name, _)| *name).collect();
    let (name, folder) = word.split_once('=').ok_or(format!("{word} is not NAME=FOLDER"))?;
    let row = GOLDEN.iter().find(|(known, _)| *known == name);
    let (_, variable) = row.ok_or(format!("no tables are called {name}: {}", known.join(", ")))?;
    let path = Path::new(folder).canonicalize().map_err(|error| format!("{folder}: {error}"))?;
    Ok((variable, path))
}

fn number<'a>(option: &str, text: &'a str) -> Result<&'a str, String> {
    match text.parse::<u64>() {
        Ok(_) => Ok(text),
        Err(error) => Err(format!("{option} {text}: {error}")),
    }
}

/// The cargo that runs this, in the workspace's folder.
fn cargo(subcommand: &str) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.arg(subcommand).current_dir(root());
    command
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{status}: {command:?}")) }
}
