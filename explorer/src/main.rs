//! The explorer's engine: a question as words, a `kernel.toml` or assembly on standard input, JSON as the answer.
//!
//! ```text
//!   tiledesc-explorer check < kernel.toml        as `tiledesc check --format json -`
//!   tiledesc-explorer tile 0 3 < kernel.toml     the first access, its fourth instruction
//!   tiledesc-explorer audit < gemm.s             as `tiledesc audit --format json -`, and an access lane by lane
//! ```
//!
//! A browser runs the same program, built for `wasm32-wasip1`, once for each question: nothing is
//! left from one question to the next, and no memory is shared with the page.

use std::io::{self, Read, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let question: Vec<_> = std::env::args().skip(1).collect();
    let mut text = String::new();
    if let Err(error) = io::stdin().lock().read_to_string(&mut text) {
        eprintln!("tiledesc-explorer: {error}");
        return ExitCode::from(2);
    }
    let output = tiledesc_cli::explore(&question.join(" "), &text);
    // A reader that has gone, `| head`, is not a fault of ours.
    let _ = io::stdout().write_all(output.out.as_bytes());
    let _ = io::stderr().write_all(output.err.as_bytes());
    ExitCode::from(output.status as u8)
}
