//! `tiledesc`, the command line: see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(tiledesc_cli::program(std::env::args_os()))
}
