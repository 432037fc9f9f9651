//! The library needs no std: a program that has none is built with it, and run.

use super::scratch::Scratch;
use std::process::Output;

/// What `program.rs` ends with if all its answers are right.
const DONE: i32 = 42;

/// A package with `program.rs`, built with one of its features.
fn run(name: &str, own: &str) -> Output {
    let program = support::root().join("tests/surface/no_std/program.rs");
    let more = "[features]\nalone = []\nstd = []";
    Scratch::new(name, &[(name, program)], more).cargo(&["run", "--features", own])
}

/// Elsewhere a program is linked and started in another way.
fn is_linux() -> bool {
    let is = cfg!(target_os = "linux");
    if !is {
        support::skipped!("a program without std is linked and started as on Linux");
    }
    is
}

fn ends_well(output: &Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(DONE), "{said}");
}

#[test]
fn with_core_alone() {
    if !is_linux() {
        return;
    }
    ends_well(&run("core_alone", "alone"));
    // With std below it, the program is not built.
    let output = run("core_alone", "std");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("duplicate lang item `panic_impl`"), "{said}");
}
