//! The library needs no std: a program that has none is built with it, and run.

use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

/// What `program.rs` ends with if all its answers are right.
const DONE: i32 = 42;

/// A package with `program.rs`, which asks for these features of the library, and is built with one of its own. What is
/// built has a folder of its own, because panics abort there.
fn run(name: &str, features: &[&str], own: &str) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_std").join(name);
    fs::create_dir_all(&package).unwrap();
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    let program = root.join("tests/surface/no_std/program.rs");
    let manifest = format!(
        "[package]\nname = {name:?}\nedition = \"2024\"\n[workspace]\n\
         [features]\nalone = []\nalloc = []\nstd = []\n\
         [[bin]]\nname = {name:?}\npath = {program:?}\n\
         [dependencies]\ntiledesc = {{ path = {root:?}, features = {features:?} }}\n\
         [profile.dev]\npanic = \"abort\"\ndebug = 0\n"
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
        .args(["run", "--offline", "--features", own])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", package.join("target"))
        .output()
        .expect("cargo runs")
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
    ends_well(&run("core_alone", &[], "alone"));
    // With std below it, the program is not built.
    let output = run("core_alone", &[], "std");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("duplicate lang item `panic_impl`"), "{said}");
}

#[test]
fn with_an_allocator() {
    if is_linux() {
        ends_well(&run("with_an_allocator", &["emit", "plot"], "alloc"));
    }
}
