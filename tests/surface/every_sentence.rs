//! Every sentence that a wrong user is told, in one file that can be read from top to bottom: `tests/ui/sentences.txt`.
//!
//! | part | from |
//! |---|---|
//! | the compiler | `tests/ui/*.stderr`: what rustc prints before it points at the line |
//! | a result | the examples `let printed = [..]` of the error types, which are tests |
//! | the command line | the mistakes of `cli/tests/refusals.rs`, which are tests |
//!
//! `cargo xtask bless surface every_sentence::` writes it. Read the difference aloud.

use core::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use support::root;

/// The files of a folder and of those in it, in order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let each = entries.into_iter().flat_map(|path| {
        if path.is_dir() {
            return files(&path, extension);
        }
        let ours = path.extension().is_some_and(|found| found == extension);
        if ours { vec![path] } else { Vec::new() }
    });
    each.collect()
}

/// What rustc prints of an error before it points at the line.
fn headlines(stderr: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in stderr.lines() {
        if let Some(said) = line.strip_prefix("error") {
            // `: ` or `[E0080]: evaluation panicked: `
            let said = said.split_once(": ").map_or(said, |(_, said)| said);
            found.push(said.trim_start_matches("evaluation panicked: ").to_string());
            open = true;
        } else if line.trim_start().starts_with("--> ") {
            open = false;
        } else if open && let Some(last) = found.last_mut() {
            *last += "\n  ";
            *last += line.trim();
        }
    }
    found
}

fn compiler() -> String {
    let mut text = String::from("# What the compiler says, by the attempt in tests/ui\n");
    for path in files(&root().join("tests/ui"), "stderr") {
        let name = path.file_stem().unwrap().to_str().unwrap().replace('_', " ");
        writeln!(text, "\n{name}").unwrap();
        for said in headlines(&fs::read_to_string(&path).unwrap()) {
            writeln!(text, "  {said}").unwrap();
        }
    }
    text
}

/// The code of the examples in a file's comments.
fn examples(source: &str) -> String {
    let comments = source.lines().filter_map(|line| line.trim_start().strip_prefix("///"));
    comments.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

fn results() -> String {
    let mut text = String::from("\n# What a result says, by the type of the error\n");
    for folder in ["transforms/src", "src", "host/src"] {
        for path in files(&root().join(folder), "rs") {
            let examples = examples(&fs::read_to_string(&path).unwrap());
            for begin in examples.split("let printed = ").skip(1) {
                let (list, _) = begin.split_once("\n];").expect("a list that ends");
                let kind = list.split("::").next().unwrap_or_default();
                let kind = kind.trim_start_matches(|c: char| !c.is_alphabetic());
                writeln!(text, "\n{kind}").unwrap();
                // Sentences have spaces, names have none.
                for said in support::literals::of(&format!("{list}]")) {
                    if said.contains(' ') {
                        writeln!(text, "  {said}").unwrap();
                    }
                }
            }
        }
    }
    text
}

fn command_line() -> String {
    let mut text = String::from("\n# What the command line says of a file\n\n");
    let source = fs::read_to_string(root().join("cli/tests/refusals.rs")).unwrap();
    let (_, table) = source.split_once("const MISTAKES: &[Mistake] = &").expect("the table");
    let (table, _) = table.split_once("\n];").expect("a table that ends");
    // What is changed, into what, and the sentence.
    for mistake in support::literals::of(&format!("{table}\n]")).chunks(3) {
        writeln!(text, "  {}", mistake[2].replace('\n', "\n  ")).unwrap();
    }
    text
}

#[test]
fn the_listing_is_what_is_said() {
    let path = root().join("tests/ui/sentences.txt");
    let listing = [compiler(), results(), command_line()].concat();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &listing).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    for (line, (said, written)) in listing.lines().zip(written.lines()).enumerate() {
        assert_eq!(
            said,
            written,
            "line {}: cargo xtask bless surface writes the listing",
            line + 1
        );
    }
    assert_eq!(listing.len(), written.len(), "cargo xtask bless surface writes the listing");
}

/// Nobody reads further than four lines of a terminal.
#[test]
fn sentences_are_short() {
    let listing = [compiler(), results(), command_line()].concat();
    let said = listing.lines().filter(|line| line.starts_with("  "));
    let long: Vec<&str> = said.filter(|line| line.len() > 420).collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}
