//! The command line of tiledesc, for people who write HIP or CUDA and no Rust, and for the CI of
//! C++ projects. All knowledge is the library's: here a file is read, and answers are printed.
//!
//! ```text
//!   kernel.toml, --chip gfx942 --max-degree 2          what the user asks          request/
//!   4-way in phase 0; gemm-xor would be free           what is found, as data      report/, made by answer/
//!   a line, JSON, SARIF, a page, a header, SVG         what is printed             write/
//! ```
//!
//! | layer | promise |
//! |---|---|
//! | `request` | a file or options become tiles, or all that is wrong with them, each at its place |
//! | `report` | what is found, one type for every door |
//! | `answer` | questions to the library about tiles; nothing is read and nothing printed |
//! | `write` | an answer in a format, with an exit status |
//!
//! A subcommand has the same stem in each layer: `answer/find.rs` finds, `write/find.rs` prints it. A
//! layer uses only those above it in this table, and a file of a layer only those above it in the
//! layer's own table; the library's `tests/surface/house.rs` sees to it.

// The lints are of a library without std; this is a program.
#![allow(clippy::std_instead_of_core, clippy::alloc_instead_of_core)]

mod answer;
#[cfg(not(target_family = "wasm"))]
mod progress;
pub mod report;
mod request;
mod write;

pub use answer::lanes::Lanes;
pub use report::status::Status;
pub use request::args::Reported;
pub use request::audit::block;
pub use request::fault::Source;
pub use request::keys::{Keys, Value};
pub use request::tile::{Tile, tiles};
pub use tiledesc_audit::{Known, Options, Reasons};
pub use write::console::Console;
pub use write::explore::explore;
pub use write::html::table;
pub use write::output::Output;
pub use write::summary::help_json;

use anstream::{AutoStream, ColorChoice};
use answer::audit::Asked;
use answer::reading::{Needs, decided};
use clap::Parser;
use report::{audit::Audit, check::Check, check::Demand, find::Find};
use request::args::{self, Cli, Command};
use request::audit::Beside;
use request::options::{Given, Input};
use request::spelling::did_you_mean;
use std::ffi::OsString;
use std::io::{self, Read, Write as _};
use write::json::pretty;
use write::{at, audit, check, convert, counters, emit, explain, find, list, manual, show};

/// The reason why the offsets of a tile are not known: the swizzle of its CuTe text may count elements or bytes, which
/// is another layout.
///
/// ```
/// use tiledesc_cli::{Source, tiles, undecided};
///
/// let tile = |keys: &str| {
///     let text = format!("version = 1\n[tile.A]\nelement = \"f16\"\ncute = \"S<3,4,3> o 0 o (8,64):(64,1)\"\n{keys}");
///     tiles(&Source::of_text("kernel.toml", text)).unwrap().remove(0)
/// };
/// assert!(undecided(&tile("")).unwrap().contains("(1, 0) lies at offset 64 in elements, at 72 in bytes"));
/// assert_eq!(undecided(&tile("unit = \"bytes\"")), None);
/// ```
#[must_use]
pub fn undecided(tile: &Tile) -> Option<String> {
    answer::reading::undecided(tile, Needs::Addresses).map(|fault| fault.message)
}

/// Returns the verdicts on the tiles of an input, which `tiledesc check` shows.
///
/// ```
/// use tiledesc_cli::report::check::Demand;
/// use tiledesc_cli::{Source, check, check_lines};
///
/// let text = "version = 1
/// chips = [\"gfx942\"]
/// [tile.A]
/// element = \"f16\"
/// shape = { m = 128, k = 64 }
/// strides = [72, 1]
/// read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]
/// ";
/// let source = Source::of_text("kernel.toml", text);
/// let report = check(&source, Demand::FREE).unwrap();
/// assert_eq!(report.accesses().next().unwrap().degree, 2);
/// assert!(check_lines(&source, &report).starts_with("kernel.toml:7: A gfx942 ds_read_b128 mfma-rows 16  2-way"));
/// ```
///
/// # Errors
///
/// All that is wrong with the input, a line each.
pub fn check(source: &Source, demand: Demand) -> Result<Check, String> {
    let report = answer::check::report(source, request::tile::read_each(source, &[]), demand);
    if report.faults.is_empty() { Ok(report) } else { Err(check::faults(source, &report)) }
}

/// Returns what `tiledesc check` prints of a report.
#[must_use]
pub fn check_lines(source: &Source, report: &Check) -> String {
    write::text::text(source, report, false, &Console::default())
}

/// Returns the layouts of the tiles of an input by what they cost, which `tiledesc find` shows.
///
/// # Errors
///
/// All that is wrong with the input, or why a tile is not searched, a line each.
pub fn find(source: &Source) -> Result<Find, String> {
    let tiles = request::tile::read_to_search(source, &[]);
    let tiles = tiles.and_then(|tiles| decided(tiles, Needs::Addresses));
    let tiles = tiles.map_err(|faults| source.explain_all(&faults))?;
    let (report, err) = find::report(source, &tiles, &Console::default());
    if err.is_empty() { Ok(report) } else { Err(err) }
}

/// Returns the kernels of a text of assembly, each instruction in a line of its own if `all`, which `tiledesc audit` shows,
/// compared with the tiles that `against` states, as `--against` does.
///
/// # Errors
///
/// Why the text cannot be judged, or all that is wrong with the tiles.
pub fn audit(
    source: &Source,
    options: &Options,
    all: bool,
    demand: Demand,
    against: Option<&Source>,
) -> Result<Audit, String> {
    judged(std::slice::from_ref(source), (&[], &[]), options, all, demand, against)
}

/// Returns the kernels of a folder, the dearest first, as [`audit`] those of a text: of each `.json` beside it has the block.
///
/// # Errors
///
/// Why a file of the folder cannot be judged, a line each; files without a kernel are left out.
pub fn audit_folder(
    folder: &str,
    options: &Options,
    all: bool,
    demand: Demand,
    against: Option<&Source>,
) -> Result<Audit, String> {
    let mut none = io::empty();
    let texts = request::audit::texts(&[folder.to_string()], &mut Given::Stream(&mut none))?;
    judged(&texts.sources, (&texts.beside, &texts.unread), options, all, demand, against)
}

fn judged(
    sources: &[Source],
    (beside, unread): (&[Option<Beside>], &[(String, String)]),
    options: &Options,
    all: bool,
    demand: Demand,
    against: Option<&Source>,
) -> Result<Audit, String> {
    let read = |of: &Source| stated(of).map_err(|faults| of.explain_all(&faults));
    let tiles = against.map(read).transpose()?;
    let against = against.zip(tiles.as_deref());
    let asked = Asked { options: options.clone(), beside, unread, all, demand, against };
    let (_, report) = answer::audit::audited(sources, &asked).map_err(|fault| fault.message)?;
    let err = audit::refusals(&report);
    if err.is_empty() { Ok(report) } else { Err(err) }
}

/// Returns the instructions that lead to the address of an access, which `tiledesc audit --why` prints.
///
/// # Errors
///
/// Why the text cannot be judged, or that no access stands there.
pub fn why(source: &Source, options: &Options, at: &str) -> Result<Reasons, String> {
    let found = tiledesc_audit::why(&source.text, options, at);
    let found = found.map_err(|refusal| format!("{}: {refusal}", source.name))?;
    found.ok_or_else(|| format!("{at}: {}", audit::NOTHING_THERE))
}

/// Returns what `tiledesc audit --format json` prints of a report.
#[must_use]
pub fn audit_json(report: &Audit) -> String {
    pretty(report)
}

/// Returns what `tiledesc audit` prints of a report.
#[must_use]
pub fn audit_lines(report: &Audit) -> String {
    audit::text(report, false, &Console::default())
}

/// Runs a command line, its first word the program's name. Nothing is written but the files of `emit` and `show`.
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
pub fn run(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    stdin: &mut dyn Read,
) -> Output {
    run_on(&Console::default(), arguments, stdin)
}

/// Runs a command line on a terminal: with colours, and with progress for what takes long.
pub fn run_on(
    console: &Console<'_>,
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    stdin: &mut dyn Read,
) -> Output {
    parsed(arguments, console, Given::Stream(stdin))
}

/// Runs a command line of a program that has the input in memory: `-` is that input, and faults have its name.
///
/// ```
/// use tiledesc_cli::{Keys, Source, Value, run_of};
///
/// // Of an object of another language: a fault names the argument, and no line.
/// let mut keys = Keys::new("A", "Tile");
/// for (key, value) in Value::keys("element = \"f16\", shape = { m = 0 }, strides = [1]").unwrap() {
///     keys.push(key.clone(), key, value);
/// }
/// let output = run_of(["tiledesc", "check", "-"], &Source::of_keys("Tile", keys));
/// assert_eq!(output.err, "shape: shape.m = 0: write a whole number from 1 to 4294967295\n");
/// ```
pub fn run_of(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    text: &Source,
) -> Output {
    parsed(arguments, &Console::default(), Given::Text(text))
}

/// Runs a command line on the standard streams, its first word the program's name, and returns the exit status. The
/// program `tiledesc` is this, and so is `python -m tiledesc`.
pub fn program(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let colours = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let mut output = watched(arguments, colours);
    if let Err(error) = print(&output.out, colours) {
        output = Output::unwritten("standard output", &error);
    }
    // Nobody is left who could be told that this failed.
    let _ = io::stderr().write_all(output.err.as_bytes());
    output.status as u8
}

/// Prints a text and flushes it: what standard output still holds at the end would be lost in silence on a full disk.
fn print(text: &str, colours: bool) -> io::Result<()> {
    if colours {
        let mut out = anstream::stdout();
        return out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

#[cfg(not(target_family = "wasm"))]
fn watched(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    colours: bool,
) -> Output {
    let progress = progress::Progress::start();
    let told = |what: &str| progress.tell(what);
    let console = Console { colours, told: Some(&told) };
    let output = run_on(&console, arguments, &mut io::stdin().lock());
    progress.end();
    output
}

#[cfg(target_family = "wasm")]
fn watched(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    colours: bool,
) -> Output {
    run_on(&Console { colours, told: None }, arguments, &mut io::stdin().lock())
}

fn parsed(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    console: &Console<'_>,
    given: Given<'_>,
) -> Output {
    match Cli::try_parse_from(arguments) {
        Ok(cli) => asked(&cli.command, console, given).unwrap_or_else(|refused| refused),
        Err(error) => {
            let text = error.render().to_string();
            match error.exit_code() {
                0 => Output::done(text),
                _ => Output::refused(text),
            }
        }
    }
}

/// Runs a subcommand.
fn asked(command: &Command, console: &Console<'_>, mut given: Given<'_>) -> Result<Output, Output> {
    let mut of =
        |input: &Input, tile: &Option<String>, ask: &dyn Fn(&Source, &[Tile]) -> Output| {
            let asked = (tile.as_deref(), Needs::Addresses, Input::tiles as ReadTiles);
            let (source, tiles) = with_tiles(input, asked, &mut given)?;
            Ok::<_, Output>(ask(&source, &tiles))
        };
    Ok(match command {
        Command::Check(one) => {
            let source = one.input.source(&mut given).map_err(Output::invalid)?;
            check::run(one, &source, one.input.each_tile(&source), console)
        }
        Command::Audit(one) => audited(one, &mut given, console)?,
        Command::Explain(one) => {
            of(&one.input, &one.tile, &|from, all| explain::run(one, from, all))?
        }
        Command::Find(one) => {
            let asked =
                (one.tile.as_deref(), Needs::Addresses, Input::tiles_to_search as ReadTiles);
            let (source, tiles) = with_tiles(&one.input, asked, &mut given)?;
            find::run(one, &source, &tiles, console)
        }
        Command::Show(one) => of(&one.input, &one.tile, &|from, all| show::run(one, from, all))?,
        Command::Emit(one) => of(&one.input, &one.tile, &|from, all| emit::run(one, from, all))?,
        Command::Convert(one) => {
            of(&one.input, &one.tile, &|from, all| convert::run(one, from, all))?
        }
        Command::At(one) => of(&one.input, &one.tile, &|from, all| at::run(one, from, all))?,
        Command::Counters(one) if !one.input.is_given() => counters::run(one, None)?,
        Command::Counters(one) => {
            let asked = (None, Needs::Verdicts, Input::tiles as ReadTiles);
            let (source, tiles) = with_tiles(&one.input, asked, &mut given)?;
            counters::run(one, Some((&source, &tiles)))?
        }
        Command::List(one) => list::run(one),
        Command::Schema(one) => Output::done(pretty(&report::schema::schema(one.of))),
        Command::Completions(wanted) => manual::completions(wanted.shell),
        Command::Man(man) => manual::man(man.command.as_deref()),
    })
}

/// Audits texts of assembly, compared with a file of tiles if one is named.
fn audited(
    one: &args::Audit,
    given: &mut Given<'_>,
    console: &Console<'_>,
) -> Result<Output, Output> {
    let texts = request::audit::texts(&one.files, given).map_err(Output::invalid)?;
    let Some(file) = &one.against else { return audit::run(one, &texts, None, console) };
    let source = given.tiles(file).map_err(Output::invalid)?;
    let tiles = stated(&source).map_err(|faults| Output::faults(&source, &faults))?;
    audit::run(one, &texts, Some((&source, &tiles)), console)
}

/// The tiles that a kernel is compared with.
fn stated(source: &Source) -> Result<Vec<Tile>, Vec<request::fault::Fault>> {
    request::tile::read(source, &[]).and_then(|tiles| decided(tiles, Needs::Addresses))
}

/// Reads the tiles of an input.
type ReadTiles = fn(&Input, &Source) -> Result<Vec<Tile>, Vec<request::fault::Fault>>;

/// The tiles of an input, or those of one name; refused input is an output with its faults.
fn with_tiles(
    input: &Input,
    (name, needs, read): (Option<&str>, Needs, ReadTiles),
    given: &mut Given<'_>,
) -> Result<(Source, Vec<Tile>), Output> {
    let source = input.source(given).map_err(Output::invalid)?;
    let tiles = read(input, &source).and_then(|tiles| decided(tiles, needs));
    let mut tiles = tiles.map_err(|faults| Output::faults(&source, &faults))?;
    if let Some(name) = name {
        if !tiles.iter().any(|tile| tile.name == name) {
            let near = did_you_mean(name, tiles.iter().map(|tile| tile.name.as_str()));
            return Err(Output::invalid(format!("--tile: no tile is called `{name}`{near}")));
        }
        tiles.retain(|tile| tile.name == name);
    }
    Ok((source, tiles))
}
