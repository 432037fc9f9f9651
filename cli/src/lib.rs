//! The command line of tiledesc, for people who write HIP or CUDA and no Rust, and for the CI of
//! C++ projects. All knowledge is the library's: here a file is read, and answers are printed.
//!
//! | file | concept |
//! |---|---|
//! | `fault` | what is wrong with an input, and where |
//! | `value` | TOML values with their places |
//! | `reader` | words and numbers of a text |
//! | `stages`, `held` | the words of `descriptor!` and of `distribution!`, read and written |
//! | `layout` | six notations of a layout, each a plan |
//! | `fill` | the direct load that fills a tile |
//! | `input` | a file: tiles and their accesses |
//! | `args` | the command line, and options as such a file |
//! | `judge`, `remedy` | verdicts, and what would be free instead |
//! | `check`, `report` | `check`, in four formats |
//! | `console` | colours, and word of what takes long |
//! | `explain` | one access, lane by lane |
//! | `find` | layouts by what they cost |
//! | `show`, `choices`, `page`, `paste` | figures; those of several layouts; a report as one HTML file; the Rust lines to paste |
//! | `emit`, `inverse` | headers; the way back from an offset |
//! | `convert` | one notation to another |
//! | `profile`, `counters` | from a profile to a degree |
//! | `list` | what there is |
//! | `explore` | what the explorer shows of a tile |

// The lints are of a library without std; this is a program.
#![allow(clippy::std_instead_of_core, clippy::alloc_instead_of_core)]

mod answer;
mod request;
mod write;

pub use write::console::Console;
pub use write::explore::explore;

use answer::{check, convert, counters, emit, figure as show, find, list};
use clap::{CommandFactory, Parser};
use request::args::{Cli, Command, Input};
use request::fault::{self, Fault, Source};
use request::input::{self, Tile};
use std::ffi::OsString;
use std::io::Read;
use write::explain;

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
        let line = fault::one_line(&message.to_string());
        Self { status: Status::Invalid, out: String::new(), err: format!("tiledesc: {line}\n") }
    }
}

/// Runs a command line, its first word the program's name. Nothing is written but what `emit` and
/// `show` are told to.
///
/// ```
/// use tiledesc_cli::{Status, run};
///
/// let tile = ["--element", "f16", "--shape", "m=128,k=64", "--strides", "72,1", "--chip", "gfx942"];
/// let words = ["tiledesc", "check", "--read", "ds_read_b128 by mfma-rows 16"];
/// let output = run(words.iter().chain(&tile), &mut std::io::empty());
/// assert_eq!(output.status, Status::Conflict);
/// assert!(output.out.contains("2-way in phase 0: lanes 0 and 23"));
/// ```
pub fn run<A>(arguments: impl IntoIterator<Item = A>, stdin: &mut dyn Read) -> Output
where
    A: Into<OsString> + Clone,
{
    run_on(&Console::default(), arguments, stdin)
}

/// The same where somebody looks on: with colours, and told what takes long.
pub fn run_on<A>(
    console: &Console<'_>,
    arguments: impl IntoIterator<Item = A>,
    stdin: &mut dyn Read,
) -> Output
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
            Ok(source) => check::run(check, &source, tiles(&source, &check.input), console),
            Err(message) => Output::invalid(message),
        },
        Command::Explain(explain) => {
            with_tiles(&explain.input, explain.tile.as_deref(), stdin, |source, tiles| {
                explain::run(explain, source, tiles)
            })
        }
        Command::Find(find) => {
            with_tiles(&find.input, find.tile.as_deref(), stdin, |source, tiles| {
                find::run(find, source, tiles, console)
            })
        }
        Command::Show(show) => {
            with_tiles(&show.input, show.tile.as_deref(), stdin, |source, tiles| {
                show::run(show, source, tiles)
            })
        }
        Command::Emit(emit) => {
            with_tiles(&emit.input, emit.tile.as_deref(), stdin, |source, tiles| {
                emit::run(emit, source, tiles)
            })
        }
        Command::Convert(convert) => {
            with_tiles(&convert.input, convert.tile.as_deref(), stdin, |source, tiles| {
                convert::run(convert, source, tiles)
            })
        }
        Command::Counters(counters) if !counters.input.is_given() => counters::run(counters, None),
        Command::Counters(counters) => with_tiles(&counters.input, None, stdin, |source, tiles| {
            counters::run(counters, Some((source, tiles)))
        }),
        Command::List(list) => list::run(list),
        Command::Schema => Output::done(include_str!("../schema/check.json").to_string()),
        Command::Completions(wanted) => {
            let (mut script, mut command) = (Vec::new(), Cli::command());
            clap_complete::generate(wanted.shell, &mut command, "tiledesc", &mut script);
            Output::done(String::from_utf8_lossy(&script).into_owned())
        }
        Command::Man(man) => manual(man.command.as_deref()),
    }
}

/// The man page of the program, or of a subcommand.
fn manual(name: Option<&str>) -> Output {
    let mut command = Cli::command();
    command.build();
    let command = match name {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(found) => found.clone().display_name(format!("tiledesc-{name}")),
            None => {
                let names: Vec<_> = command.get_subcommands().map(|one| one.get_name()).collect();
                let near = fault::did_you_mean(name, names);
                return Output::invalid(format!("man: there is no subcommand `{name}`{near}"));
            }
        },
    };
    let mut page = Vec::new();
    match clap_mangen::Man::new(command).render(&mut page) {
        Ok(()) => Output::done(String::from_utf8_lossy(&page).into_owned()),
        Err(error) => Output::invalid(error),
    }
}

/// Asks the tiles of an input, or those of one name, something; refused input is said.
fn with_tiles(
    input: &Input,
    name: Option<&str>,
    stdin: &mut dyn Read,
    ask: impl FnOnce(&Source, &[Tile]) -> Output,
) -> Output {
    let source = match input.source(stdin) {
        Ok(source) => source,
        Err(message) => return Output::invalid(message),
    };
    let mut tiles = match tiles(&source, input) {
        Ok(tiles) => tiles,
        Err(faults) => {
            let err = source.explain_all(&faults);
            return Output { status: Status::Invalid, out: String::new(), err };
        }
    };
    if let Some(name) = name {
        if !tiles.iter().any(|tile| tile.name == name) {
            let near = fault::did_you_mean(name, tiles.iter().map(|tile| tile.name.as_str()));
            return Output::invalid(format!("--tile: no tile is called `{name}`{near}"));
        }
        tiles.retain(|tile| tile.name == name);
    }
    ask(&source, &tiles)
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
