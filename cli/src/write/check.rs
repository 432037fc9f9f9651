//! `check`: verdicts in one of four formats, and the exit status that CI goes by.

use crate::answer::baseline::of_check;
use crate::answer::check::report;
use crate::report::check::{Check as Report, Demand, Fault};
use crate::report::finding;
use crate::request::args::{Check, Format};
use crate::request::baseline;
use crate::request::fault::{self, Place, Source};
use crate::request::tile::Tile;
use crate::write::console::Console;
use crate::write::github::github;
use crate::write::json::pretty;
use crate::write::output::Output;
use crate::write::sarif::sarif;
use crate::write::text::text;

pub(crate) fn run(
    check: &Check,
    source: &Source,
    tiles: (Vec<Tile>, Vec<fault::Fault>),
    console: &Console<'_>,
) -> Output {
    let demand = Demand { max_degree: check.max_degree, strict: check.strict, allow_races: false };
    let mut report = report(source, tiles, demand);
    if let Some(file) = &check.baseline {
        match baseline::read(file, "check") {
            Ok(earlier) => of_check(&mut report, &earlier),
            Err(why) => return Output::invalid(why),
        }
    }
    let out = match check.format {
        Format::Text if report.faults.is_empty() || !report.tiles.is_empty() => {
            text(source, &report, check.quiet, console)
        }
        Format::Text => String::new(),
        Format::Json => pretty(&report),
        Format::Github => github(&source.name, &finding::of_check(&report)),
        Format::Sarif => sarif(&[(&source.name, finding::of_check(&report))]),
    };
    // A log has both streams, and each fault is said there once.
    let is_said = check.format == Format::Github;
    let err = if is_said { String::new() } else { faults(source, &report) };
    Output { status: report.status, out, err }
}

/// The faults of an input, a line each.
pub(crate) fn faults(source: &Source, report: &Report) -> String {
    let each = report.faults.iter().map(|Fault { line, column, message }| {
        source.explain(Place { line: *line, column: *column }, message)
    });
    each.collect()
}
