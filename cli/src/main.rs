//! `tiledesc`, the command line: see the library of this package.

#[cfg(not(target_family = "wasm"))]
mod progress;

use anstream::{AutoStream, ColorChoice};
use std::io::{self, Write};
use std::process::ExitCode;
use tiledesc_cli::{Console, Output};

fn main() -> ExitCode {
    let colours = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let mut output = run(colours);
    if let Err(error) = print(&output.out, colours) {
        output = Output::unwritten("standard output", &error);
    }
    // Nobody is left who could be told that this failed.
    let _ = io::stderr().write_all(output.err.as_bytes());
    ExitCode::from(output.status as u8)
}

/// What standard output keeps to itself at the end would be lost in silence on a full disk.
fn print(text: &str, colours: bool) -> io::Result<()> {
    if colours {
        let mut out = anstream::stdout();
        return out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
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
