//! Verdicts as lines of text, with colours beside the words where somebody looks on.

use crate::report::access::{Access, Ruling};
use crate::report::baseline::Baseline;
use crate::report::check::{Check, Fetch, Trip};
use crate::request::fault::{Place, Source};
use crate::write::console::Console;
use anstyle::AnsiColor;
use std::fmt::Write;
use tiledesc_audit::LEFT_OUT;

/// `kernel.toml:15: B gfx942 ds_read_b128 mfma-rows 16  4-way ..`, a line for each access.
pub(crate) fn text(source: &Source, report: &Check, quiet: bool, console: &Console<'_>) -> String {
    let mut out = String::new();
    for tile in &report.tiles {
        if let Some(silence) = tile.silence {
            let (place, name) = (source.line(tile.place()), &tile.name);
            let silence = console.coloured(silence, AnsiColor::Yellow);
            let _ = writeln!(out, "{place}: {name} {silence}");
        }
        for one in tile.consumed.iter().filter(|_| !quiet) {
            let (place, name) = (source.line(tile.place()), &tile.name);
            let taken = console.coloured(&one.sentence, AnsiColor::Green);
            let _ = writeln!(out, "{place}: {name} consumed by {}  {taken}", one.by);
        }
        // One remedy serves all accesses of a tile: it stands under the one that loses most.
        let dearest = tile.dearest();
        for (at, one) in tile.accesses.iter().enumerate() {
            if quiet && one.ruling == Ruling::Passes {
                continue;
            }
            let place = source.line(Place { line: one.line, column: one.column });
            let (head, title) = (format!("{place}: {}", tile.name), &one.title);
            let found = console.coloured(&one.found(), colour(one));
            let _ = writeln!(out, "{head} {title}  {found}");
            if let Some(note) = one.note() {
                let note = console.coloured(&note, AnsiColor::Yellow);
                let _ = writeln!(out, "{head} {title}  {note}");
            }
            if !one.ruling.is_conflict() {
                continue;
            }
            if let Some(order) = &one.reordered {
                let _ = writeln!(out, "{head} {title}  the layout as it is: {}", order.sentence);
            }
            let remedy = tile.remedy.as_deref().filter(|_| dearest == Some(at));
            for line in remedy.into_iter().flat_map(str::lines) {
                let _ = writeln!(out, "{head} {line}");
            }
        }
        for one in tile.fetches.iter().filter(|one| !(quiet && one.passes)) {
            let place = source.line(Place { line: one.line, column: one.column });
            let is_least = one.sectors == one.least_sectors;
            let colour = match one.passes {
                true if is_least => AnsiColor::Green,
                true => AnsiColor::Yellow,
                false => AnsiColor::Red,
            };
            let (found, Fetch { chip, op, by, rows, .. }) =
                (console.coloured(&one.found, colour), one);
            let _ =
                writeln!(out, "{place}: {} {chip} {op} {by}, rows of {rows}  {found}", tile.name);
        }
    }
    for Trip { chip, bound } in report.trips.iter().filter(|_| !quiet) {
        let _ = writeln!(out, "{chip}: {}", bound.sentence);
    }
    if !quiet && !report.trips.is_empty() {
        let _ = writeln!(out, "({LEFT_OUT})");
    }
    if !quiet {
        let _ = writeln!(out, "{}", report.summary());
    }
    out += &report.baseline.as_ref().map_or_else(String::new, Baseline::text);
    out
}

/// The colour of a finding, beside words that repeat it.
fn colour(one: &Access) -> AnsiColor {
    match one.ruling {
        Ruling::Conflicts | Ruling::Races => AnsiColor::Red,
        Ruling::Passes | Ruling::Unwritten if one.free && !one.is_open() => AnsiColor::Green,
        Ruling::Passes | Ruling::Weak | Ruling::Unwritten => AnsiColor::Yellow,
    }
}
