//! Verdicts as lines of text, with colours beside the words where somebody looks on.

use crate::answer::check::{Checked, Summary};
use crate::answer::judge::{Judged, Ruling};
use crate::answer::order::order;
use crate::request::fault::Source;
use crate::write::console::Console;
use anstyle::AnsiColor;
use std::fmt::Write;

/// `kernel.toml:15: B gfx942 ds_read_b128 mfma-rows 16  4-way ..`, a line for each access.
pub(crate) fn text(
    source: &Source,
    all: &[Checked<'_>],
    quiet: bool,
    console: &Console<'_>,
) -> String {
    let mut out = String::new();
    for checked in all {
        if let Some(silence) = checked.silence() {
            let (place, tile) = (source.line(checked.tile.place), &checked.tile.name);
            let silence = console.coloured(silence, AnsiColor::Yellow);
            let _ = writeln!(out, "{place}: {tile} {silence}");
        }
        // One remedy serves all accesses of a tile.
        let mut remedies = checked.remedies.as_ref();
        for one in &checked.judged {
            if quiet && one.ruling == Ruling::Passes {
                continue;
            }
            let (place, tile) = (source.line(one.access.place), &checked.tile.name);
            let found = console.coloured(&one.found(), colour(one));
            let _ = writeln!(out, "{place}: {tile} {}  {found}", one.name());
            if let Some(note) = one.note() {
                let note = console.coloured(&note, AnsiColor::Yellow);
                let _ = writeln!(out, "{place}: {tile} {}  {note}", one.name());
            }
            if let Some(order) = one.ruling.is_conflict().then(|| order(one)).flatten() {
                let (name, order) = (one.name(), order.sentence);
                let _ = writeln!(out, "{place}: {tile} {name}  the layout as it is: {order}");
            }
            if let Some(remedies) = remedies.take_if(|_| one.ruling.is_conflict()) {
                let _ = writeln!(out, "{place}: {tile} {remedies}");
            }
        }
    }
    if !quiet {
        let _ = writeln!(out, "{}", Summary::of(all));
    }
    out
}

/// Beside the words that say the same.
fn colour(one: &Judged<'_>) -> AnsiColor {
    match one.ruling {
        Ruling::Conflicts | Ruling::Races => AnsiColor::Red,
        Ruling::Passes | Ruling::Unwritten if one.is_free() && !one.is_open() => AnsiColor::Green,
        Ruling::Passes | Ruling::Weak | Ruling::Unwritten => AnsiColor::Yellow,
    }
}
