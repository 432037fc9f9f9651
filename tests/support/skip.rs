//! What a test leaves out: said at once, listed after the run, and refused where nothing may be left out.
//!
//! `cargo test` shows nothing that a passing test prints, so a test without its compiler would look like one
//! that compared something. [`skipped!`](crate::skipped) therefore
//!
//! * writes a line to the process's own standard error, which is not captured;
//! * appends `reason <tab> test` to `target/tmp/skipped.txt`, which `.ci/run` empties first and lists last;
//! * fails the test where `TILEDESC_COMPLETE=1`.

use core::fmt::Display;
use core::panic::Location;
use std::fs::{OpenOptions, create_dir_all};
use std::io::{Write, stderr};
use std::path::Path;
use std::{env, thread};

/// Says that the rest of this test is left out, and why: `skipped!("{compiler} is not installed")`.
#[macro_export]
macro_rules! skipped {
    ($($why:tt)+) => {
        $crate::skip::note(::core::env!("CARGO_TARGET_TMPDIR"), ::core::format_args!($($why)+))
    };
}

/// The file in the folder for what tests write.
pub const LIST: &str = "skipped.txt";

/// Notes in a folder's list that the running test leaves something out.
///
/// # Panics
///
/// Where `TILEDESC_COMPLETE=1`, and if the list cannot be written.
#[track_caller]
pub fn note(folder: &str, why: impl Display) {
    // One line, whatever a compiler said.
    let why = why.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let complete = env::var_os("TILEDESC_COMPLETE").is_some_and(|asked| asked == "1");
    assert!(!complete, "{why}, and TILEDESC_COMPLETE=1 allows nothing to be left out");
    let test = running();
    writeln!(stderr(), "skipped: {test}: {why}").expect("standard error is written to");
    let list = Path::new(folder).join(LIST);
    create_dir_all(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let file = OpenOptions::new().create(true).append(true).open(&list);
    // Tests of several threads and processes append: each a line in one piece.
    let written = file.and_then(|mut file| file.write_all(format!("{why}\t{test}\n").as_bytes()));
    written.unwrap_or_else(|error| panic!("{}: {error}", list.display()));
}

/// The name of the running test, which is its thread's; on the main thread, the place of the call.
#[track_caller]
fn running() -> String {
    match thread::current().name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => Location::caller().to_string(),
    }
}
