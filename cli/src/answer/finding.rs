//! What does not pass, each finding with its place: for annotations of GitHub, and for code scanning.

use crate::answer::check::Checked;
use crate::answer::judge::{Judged, Ruling};
use crate::request::fault::{Fault, Place, Source};

/// Something that stands wrong at a place of the file.
pub(crate) struct Finding {
    pub(crate) place: Place,
    /// Whether it fails the run; else it is a warning.
    pub(crate) is_error: bool,
    /// One of [`TITLES`].
    pub(crate) title: &'static str,
    pub(crate) message: String,
}

/// The titles of findings, and what each means.
pub(crate) const TITLES: [(&str, &str); 9] = [
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
    ("unknown address", "What the assembly says does not tell the lanes' addresses."),
    ("missing access", "The compiled kernel does not do what the file states of a tile."),
    ("weak evidence", "The verdict rests on inferred or disputed phases and banks."),
    ("unwritten bytes", "A read finds bytes that none of the stated writes of its tile covers."),
    ("no access", "The file says nothing of what lanes do to a tile, so nothing was judged."),
    ("invalid input", "The file, a layout or an access is not valid."),
];

/// What is wrong with an input.
pub(crate) fn of_faults(source: &Source, faults: &[Fault]) -> Vec<Finding> {
    let finding = |fault: &Fault| Finding {
        place: source.place(fault.span.start),
        is_error: true,
        title: "invalid input",
        message: fault.message.clone(),
    };
    faults.iter().map(finding).collect()
}

/// The accesses that do not pass, of a conflict with what would be free.
pub(crate) fn of_tiles(all: &[Checked<'_>]) -> Vec<Finding> {
    all.iter().flat_map(of_tile).collect()
}

fn of_tile(checked: &Checked<'_>) -> impl Iterator<Item = Finding> {
    let silence = checked.silence().map(|silence| Finding {
        place: checked.tile.place,
        is_error: false,
        title: "no access",
        message: format!("{} {silence}", checked.tile.name),
    });
    let fails = |one: &&Judged<'_>| !matches!(one.ruling, Ruling::Passes | Ruling::Unwritten);
    let failing = checked.judged.iter().filter(fails);
    let failing = failing.map(|one| {
        let mut message = format!("{} {}", checked.tile.name, one.line());
        if let (true, Some(remedies)) = (one.ruling.is_conflict(), &checked.remedies) {
            message += &format!("\n{remedies}");
        }
        let title = match one.ruling {
            Ruling::Races => "data race",
            Ruling::Weak => "weak evidence",
            _ => "bank conflict",
        };
        Finding { place: one.access.place, is_error: one.ruling.is_conflict(), title, message }
    });
    let unwritten = checked.judged.iter().filter_map(|one| {
        Some(Finding {
            place: one.access.place,
            is_error: one.ruling == Ruling::Unwritten,
            title: "unwritten bytes",
            message: format!("{} {}: {}", checked.tile.name, one.name(), one.unwritten?),
        })
    });
    silence.into_iter().chain(failing).chain(unwritten)
}
