//! Colours and progress: on a terminal, and nowhere else; and never instead of words.

#![allow(clippy::std_instead_of_core, reason = "a test of a program")]

use assert_cmd::cargo::cargo_bin;
use std::cell::RefCell;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use std::{fs, path::PathBuf};
use tiledesc_cli::{Console, run, run_on};

const FILES: [&str; 5] = [
    include_str!("cmd/tour.in/slow.toml"),
    include_str!("cmd/tour.in/kernel.toml"),
    include_str!("cmd/tour.in/plain.toml"),
    include_str!("cmd/tour.in/disputed.toml"),
    include_str!("cmd/tour.in/race.toml"),
];

/// Escapes, by ECMA-48: red, green, yellow.
const COLOURS: [&str; 3] = ["\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m"];

fn checked(words: &[&str], text: &str, colours: bool) -> String {
    let words = [&["tiledesc", "check", "-"], words].concat();
    run_on(&Console { colours, told: None }, words, &mut text.as_bytes()).out
}

/// A line is red if it conflicts or races, yellow if it passes by leave, else green.
#[test]
fn colours_say_what_words_say() {
    let mut seen = [0; 3];
    for text in FILES {
        for words in [&[][..], &["--strict"], &["--max-degree", "4"]] {
            let coloured = checked(words, text, true);
            assert_eq!(
                anstream::adapter::strip_str(&coloured).to_string(),
                checked(words, text, false)
            );
            let json = checked(&[words, &["--format", "json"]].concat(), text, true);
            let report: serde_json::Value = serde_json::from_str(&json).unwrap();
            let accesses = report["tiles"].as_array().unwrap().iter();
            let accesses = accesses.flat_map(|tile| tile["accesses"].as_array().unwrap());
            let wanted = accesses.map(|one| match one["ruling"].as_str().unwrap() {
                "conflicts" | "races" => 0,
                // What another source finds is a note that is seen.
                "passes" if one["free"] == true && one["worst_degree"] == one["degree"] => 1,
                "passes" | "weak" => 2,
                other => panic!("{other}"),
            });
            let wanted: Vec<_> = wanted.collect();
            let of_line = |line: &str| COLOURS.iter().position(|colour| line.contains(colour));
            let found: Vec<_> = coloured.lines().filter_map(of_line).collect();
            assert_eq!(found, wanted, "{coloured}");
            found.iter().for_each(|colour| seen[*colour] += 1);
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

#[test]
fn each_tile_is_told() {
    let heard = RefCell::new(Vec::new());
    let told = |what: &str| heard.borrow_mut().push(what.to_string());
    let console = Console { colours: true, told: Some(&told) };
    let words = ["tiledesc", "find", "-"];
    let output = run_on(&console, words, &mut FILES[2].as_bytes());
    assert_eq!(*heard.borrow(), ["find: tile A, 1 of 2", "find: tile B, 2 of 2"]);
    assert_eq!(output, run(words, &mut FILES[2].as_bytes()));
}

/// A file of `tiles` tiles, each with a search of masks.
fn file(name: &str, tiles: usize) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let (head, tile) = FILES[1].split_once("[tile.A]").unwrap();
    let tiles: String = (0..tiles).map(|i| format!("[tile.A{i}]{tile}")).collect();
    fs::write(&path, format!("{head}{tiles}")).unwrap();
    path
}

/// The tool, with what its environment may say of terminals.
fn bare(mut command: Command, environment: &[(&str, &str)]) -> Output {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm").envs(environment.iter().copied());
    command.stdin(Stdio::null()).output().unwrap()
}

/// Into a pipe.
fn piped(words: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(cargo_bin!("tiledesc"));
    command.args(words);
    bare(command, environment)
}

/// On a terminal that `script` plays, if there is one: standard output and error together.
fn on_a_terminal(words: &[&str], environment: &[(&str, &str)]) -> Option<String> {
    let line: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let line = format!("'{}' {}", cargo_bin!("tiledesc").display(), line.join(" "));
    let mut command = Command::new("script");
    command.args(["--quiet", "--command", &line, "/dev/null"]);
    // Only the tool of util-linux has these options.
    let version = Command::new("script").arg("--version").output().ok()?;
    let is_it = String::from_utf8_lossy(&version.stdout).contains("util-linux");
    is_it.then(|| String::from_utf8(bare(command, environment).stdout).unwrap())
}

/// Tiles that are searched for longer than two seconds.
fn long_search() -> (PathBuf, Output) {
    let mut tiles = 32;
    loop {
        let (path, begin) = (file("long.toml", tiles), std::time::Instant::now());
        let output = piped(&["find", path.to_str().unwrap()], &[]);
        if begin.elapsed() > Duration::from_secs(2) {
            return (path, output);
        }
        tiles *= 2;
    }
}

#[test]
fn pipes_get_words_alone() {
    let path = file("slow.toml", 1);
    let words = ["check", path.to_str().unwrap()];
    let out = |environment: &[_]| String::from_utf8(piped(&words, environment).stdout).unwrap();
    let plain = out(&[]);
    assert!(plain.contains("free of conflicts") && !plain.contains('\u{1b}'), "{plain}");
    // By the conventions: bixense.com/clicolors, no-color.org.
    assert!(out(&[("CLICOLOR_FORCE", "1")]).contains(COLOURS[1]));
    assert_eq!(out(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
}

#[test]
fn terminals_get_colours() {
    let path = file("coloured.toml", 1);
    let words = ["check", path.to_str().unwrap()];
    let Some(coloured) = on_a_terminal(&words, &[]) else {
        support::skipped!("`script` of util-linux, which plays a terminal, is not installed");
        return;
    };
    assert!(coloured.contains(COLOURS[1]), "{coloured}");
    for environment in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let plain = on_a_terminal(&words, &[environment]).unwrap();
        assert!(plain.contains("free of conflicts") && !plain.contains('\u{1b}'), "{plain}");
    }
}

#[test]
fn progress_is_of_long_searches_on_terminals() {
    let (long, piped) = long_search();
    assert!(piped.stderr.is_empty() && !piped.stdout.is_empty());
    let long = ["find", long.to_str().unwrap()];
    let Some(seen) = on_a_terminal(&long, &[]) else {
        support::skipped!("`script` of util-linux, which plays a terminal, is not installed");
        return;
    };
    assert!(seen.contains(" find: tile A"), "{seen}");
    // The line is gone before the answer.
    let after = seen.rsplit("find: tile A").next().unwrap();
    assert!(after.contains("\u{1b}[2K") || after.contains("\u{1b}[K"), "{after:?}");
    let short = file("short.toml", 1);
    for (words, environment) in
        [(&["find", short.to_str().unwrap()], &[][..]), (&long, &[("CI", "true")])]
    {
        let quiet = on_a_terminal(words, environment).unwrap();
        assert!(quiet.contains("cycles") && !quiet.contains("find: tile"), "{quiet}");
    }
}
