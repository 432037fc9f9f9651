//! `tiledesc`, the command line: see the library of this package.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let output = tiledesc_cli::run(std::env::args_os(), &mut io::stdin().lock());
    // A reader that has gone, `| head`, is no fault of ours.
    let _ = io::stdout().write_all(output.out.as_bytes());
    let _ = io::stderr().write_all(output.err.as_bytes());
    ExitCode::from(output.status as u8)
}
