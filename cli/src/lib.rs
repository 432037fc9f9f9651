//! The command line of tiledesc, for people who write HIP or CUDA and no Rust, and for the CI of
//! C++ projects. All knowledge is the library's: here a file is read, and answers are printed.
//!
//! | file | concept |
//! |---|---|
//! | `fault` | what is wrong with an input, and where |
//! | `value` | TOML values with their places |
//! | `stages`, `held` | the words of `descriptor!` and of `distribution!`, read and written |
//! | `layout` | six notations of a layout, each a plan |
//! | `input` | a file: tiles and their accesses |
//! | `args` | the command line, and options as such a file |
//! | `judge`, `remedy` | verdicts, and what would be free instead |
//! | `check`, `report` | `check`, in four formats |
//! | `list` | what there is |

mod args;
mod check;
mod fault;
mod held;
mod input;
mod judge;
mod layout;
mod list;
mod remedy;
mod report;
mod stages;
mod value;

use args::{Cli, Command, Input};
use clap::Parser;
use fault::{Fault, Source};
use input::Tile;
use std::ffi::OsString;
use std::io::Read;

/// What a run prints, and its exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The exit status.
    pub status: Status,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All accesses are free, or within the degree that is allowed.
    Free = 0,
    /// A conflict, or a data race.
    Conflict = 1,
    /// Invalid input, layout or access.
    Invalid = 2,
    /// Inferred or disputed evidence, where it is refused.
    Weak = 3,
}

impl Output {
    fn done(out: String) -> Self {
        Self { status: Status::Free, out, err: String::new() }
    }

    fn invalid(message: impl std::fmt::Display) -> Self {
        Self { status: Status::Invalid, out: String::new(), err: format!("tiledesc: {message}\n") }
    }
}

/// Runs a command line, its first word the program's name. Nothing is written but what `emit` is
/// told to.
pub fn run<A>(arguments: impl IntoIterator<Item = A>, stdin: &mut dyn Read) -> Output
where
    A: Into<OsString> + Clone,
{
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let text = error.render().to_string();
            return match error.exit_code() {
                0 => Output::done(text),
                _ => Output { status: Status::Invalid, out: String::new(), err: text },
            };
        }
    };
    match &cli.command {
        Command::Check(check) => match check.input.source(stdin) {
            Ok(source) => check::run(check, &source, tiles(&source, &check.input)),
            Err(message) => Output::invalid(message),
        },
        Command::List(list) => list::run(list),
    }
}

/// The tiles of an input, on the chips that the command line names or on its own.
fn tiles(source: &Source, input: &Input) -> Result<Vec<Tile>, Vec<Fault>> {
    let found = input.chip.iter().map(|name| input::chip(name));
    let chips = found.collect::<Result<Vec<_>, _>>();
    match (source.options.is_some(), chips) {
        // Then they stand in the text.
        (true, _) => input::read(source, &[]),
        (false, Ok(chips)) => input::read(source, &chips),
        (false, Err(message)) => Err(vec![Fault::new(0..0, format!("--chip: {message}"))]),
    }
}
