//! What does not pass, each finding with its place: for annotations of GitHub, and for code scanning.

use crate::report::access::Ruling;
use crate::report::audit::{
    Against, Audit, File, Frame, GlobalLine, Kernel, Line, LineOutcome, Unordered,
};
use crate::report::check::{Check, Tile};
use crate::request::fault::Place;

/// Something that stands wrong at a place of the file.
pub(crate) struct Finding {
    pub(crate) place: Place,
    /// The line of the source that the file was compiled from, and the calls that were inlined there, the innermost first.
    pub(crate) source: Vec<Frame>,
    pub(crate) level: Level,
    /// One of [`TITLES`].
    pub(crate) title: &'static str,
    pub(crate) message: String,
}

impl Finding {
    /// At a place of a text that was compiled from no other.
    fn new(
        (line, column): (usize, usize),
        level: Level,
        title: &'static str,
        message: String,
    ) -> Self {
        Self { place: Place { line, column }, source: Vec::new(), level, title, message }
    }
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// It fails the run.
    Error,
    /// It may fail a run that is strict.
    Warning,
    /// It fails none.
    Note,
}

impl Level {
    fn new(is_error: bool) -> Self {
        if is_error { Self::Error } else { Self::Warning }
    }
}

/// The titles of findings, and what each means.
pub(crate) const TITLES: [(&str, &str); 11] = [
    (
        "bank conflict",
        "Lanes of a phase access different words of one bank and wait for each other.",
    ),
    (
        "data race",
        "Two lanes of one instruction write the same byte; in a compiled kernel, different values.",
    ),
    (
        "possible data race",
        "Two lanes of one instruction write the same byte, and whether the same value is not known.",
    ),
    (
        "unordered accesses",
        "A wave writes a byte that another one reads, and no barrier orders the two.",
    ),
    ("unknown address", "What the assembly says does not tell the lanes' addresses."),
    (
        "uncoalesced access",
        "A wave touches more lines or sectors of global memory than its bytes need.",
    ),
    ("missing access", "The compiled kernel does not do what the file states of a tile."),
    ("weak evidence", "The verdict rests on inferred or disputed phases and banks."),
    ("unwritten bytes", "A read finds bytes that none of the stated writes of its tile covers."),
    ("no access", "The file says nothing of what lanes do to a tile, so nothing was judged."),
    ("invalid input", "The file, a layout or an access is not valid."),
];

/// What is wrong with the input, and the accesses that do not pass, of a conflict with what would be free.
pub(crate) fn of_check(report: &Check) -> Vec<Finding> {
    let faults = report.faults.iter().map(|fault| {
        let at = (fault.line, fault.column);
        Finding::new(at, Level::Error, "invalid input", fault.message.clone())
    });
    faults.chain(report.tiles.iter().flat_map(of_tile)).collect()
}

fn of_tile(tile: &Tile) -> impl Iterator<Item = Finding> {
    let finding = |(line, column), level, title, message: String| {
        Finding::new((line, column), level, title, format!("{} {message}", tile.name))
    };
    let silence = tile.silence.map(|silence| {
        let Place { line, column } = tile.place();
        finding((line, column), Level::Warning, "no access", silence.to_string())
    });
    let dearest = tile.dearest();
    let failing = tile.accesses.iter().enumerate().filter_map(move |(at, one)| {
        let title = match one.ruling {
            Ruling::Passes | Ruling::Unwritten => return None,
            Ruling::Races => "data race",
            Ruling::Weak => "weak evidence",
            Ruling::Conflicts => "bank conflict",
        };
        let level = Level::new(one.ruling.is_conflict());
        let remedy = tile
            .remedy
            .as_ref()
            .filter(|_| dearest == Some(at))
            .map(|remedy| format!("\n{remedy}"));
        Some(finding(
            (one.line, one.column),
            level,
            title,
            one.text() + &remedy.unwrap_or_default(),
        ))
    });
    let unwritten = tile.accesses.iter().filter_map(move |one| {
        let message = format!("{}: {}", one.title, one.unwritten.as_ref()?.sentence);
        let level = Level::new(one.ruling == Ruling::Unwritten);
        Some(finding((one.line, one.column), level, "unwritten bytes", message))
    });
    let fetches = tile.fetches.iter().filter(|one| !one.passes).map(move |one| {
        let message = format!("{} on {} by {}: {}", one.op, one.chip, one.by, one.found);
        finding((one.line, one.column), Level::Error, "uncoalesced access", message)
    });
    silence.into_iter().chain(failing).chain(unwritten).chain(fetches)
}

/// What of compiled kernels does not pass, each at its first line of the text, and of the source.
pub(crate) fn of_file(file: &File, report: &Audit) -> Vec<Finding> {
    let error = |title, message| Finding::new((1, 1), Level::Error, title, message);
    let faults = file.fault.iter().chain(&file.refused);
    let faults = faults.map(|fault| error("invalid input", fault.clone()));
    let kernels = || file.kernels.iter().flatten();
    let lines =
        kernels().flat_map(|kernel| kernel.instructions.iter().map(move |line| (kernel, line)));
    let failing = lines.filter_map(|(kernel, line)| of_line(kernel, line, report));
    let stated = kernels().filter_map(|kernel| kernel.against.as_ref());
    let missing = stated.flat_map(Against::kept).filter(|(is_kept, _)| !is_kept);
    let missing = missing.map(|(_, kept)| error("missing access", kept.to_string()));
    let global = kernels().flat_map(Kernel::said_global).filter_map(of_global);
    let unordered = kernels().flat_map(|kernel| &kernel.unordered).filter(|_| !report.allow_races);
    let unordered = unordered.map(of_unordered);
    faults.chain(failing).chain(missing).chain(global).chain(unordered).collect()
}

/// A note at the later line of the text, which may be the one that lacks a barrier before it.
fn of_unordered(one: &Unordered) -> Finding {
    let (read, write) = (&one.read, &one.write);
    let later = if (read.line > write.line) != one.is_next_round { read } else { write };
    let place = Place { line: later.line, column: 1 };
    let (source, message) = (later.source.clone(), one.sentence.clone());
    Finding { place, source, level: Level::Note, title: "unordered accesses", message }
}

/// A warning of what is known to touch more than it needs.
fn of_global(line: &GlobalLine) -> Option<Finding> {
    let (place, many) = (Place { line: *line.lines.first()?, column: 1 }, line.lines.len());
    let message = format!("{} x{many} of {}: {}", line.opcode, line.place, line.found);
    let title = "uncoalesced access";
    let source = line.source.clone();
    line.is_least.map(|_| Finding { place, source, level: Level::Warning, title, message })
}

fn of_line(kernel: &Kernel, line: &Line, report: &Audit) -> Option<Finding> {
    let title = match (line.ruling, line.outcome) {
        (Ruling::Passes | Ruling::Unwritten, _) => return None,
        (Ruling::Conflicts, _) => "bank conflict",
        (Ruling::Races, _) => "data race",
        (Ruling::Weak, LineOutcome::Unknown) => "unknown address",
        (Ruling::Weak, _) if line.may_race() && !report.allow_races => "possible data race",
        // What it rests on matters only to who asks.
        (Ruling::Weak, _) if !report.strict => return None,
        (Ruling::Weak, _) => "weak evidence",
    };
    let (place, many) = (Place { line: *line.lines.first()?, column: 1 }, line.lines.len());
    let bound = line.bound.filter(|_| line.outcome == LineOutcome::Conflict);
    let bound = bound.map_or(String::new(), |at| format!("\n{}", kernel.bounds[at].sentence));
    let message = format!("{} x{many} of {}: {}{bound}", line.opcode, line.place, line.said());
    let (source, level) = (line.source.clone(), Level::new(line.ruling.is_conflict()));
    Some(Finding { place, source, level, title, message })
}
