//! `tiledesc`, the command line: see the library of this package.

#[cfg(not(target_family = "wasm"))]
mod progress;

use anstream::{AutoStream, ColorChoice};
use std::io::{self, Write};
use std::process::ExitCode;
use tiledesc_cli::{Console, Output};

fn main() -> ExitCode {
    let colours = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let output = run(colours);
    // A reader that has gone, `| head`, is no fault of ours.
    let _ = match colours {
        true => anstream::stdout().write_all(output.out.as_bytes()),
        false => io::stdout().write_all(output.out.as_bytes()),
    };
    let _ = io::stderr().write_all(output.err.as_bytes());
    ExitCode::from(output.status as u8)
}

#[cfg(not(target_family = "wasm"))]
fn run(colours: bool) -> Output {
    let progress = progress::Progress::start();
    let told = |what: &str| progress.tell(what);
    let console = Console { colours, told: Some(&told) };
    let output = tiledesc_cli::run_on(&console, std::env::args_os(), &mut io::stdin().lock());
    progress.end();
    output
}

#[cfg(target_family = "wasm")]
fn run(colours: bool) -> Output {
    let console = Console { colours, told: None };
    tiledesc_cli::run_on(&console, std::env::args_os(), &mut io::stdin().lock())
}
