//! `check`: verdicts in one of four formats, and the exit status that CI goes by.

use crate::answer::check::{Checked, Summary, checked};
use crate::answer::finding::{of_faults, of_tiles};
use crate::answer::judge::Demand;
use crate::request::args::{Check, Format};
use crate::request::fault::{Fault, Source};
use crate::request::tile::Tile;
use crate::write::console::Console;
use crate::write::github::github;
use crate::write::json::json;
use crate::write::output::{Output, Status};
use crate::write::sarif::sarif;
use crate::write::text::text;

pub(crate) fn run(
    check: &Check,
    source: &Source,
    tiles: Result<Vec<Tile>, Vec<Fault>>,
    console: &Console<'_>,
) -> Output {
    let demand = Demand { max_degree: check.max_degree, strict: check.strict, allow_races: false };
    let all = match &tiles {
        Ok(tiles) => checked(tiles, demand),
        Err(faults) => return invalid(check.format, source, faults, demand),
    };
    let all = match all {
        Ok(all) => all,
        Err(faults) => return invalid(check.format, source, &faults, demand),
    };
    let status = status(&all);
    let out = match check.format {
        Format::Text => text(source, &all, check.quiet, console),
        Format::Json => json(source, &all, &[], status, demand),
        Format::Github => github(source, &of_tiles(&all)),
        Format::Sarif => sarif(&[(source, of_tiles(&all))]),
    };
    Output { status, out, err: String::new() }
}

fn invalid(format: Format, source: &Source, faults: &[Fault], demand: Demand) -> Output {
    let status = Status::Invalid;
    let (none, err) = (String::new(), source.explain_all(faults));
    match format {
        Format::Text => Output { status, out: none, err },
        Format::Json => Output { status, out: json(source, &[], faults, status, demand), err },
        // A log has both streams, and each fault is said there once.
        Format::Github => {
            Output { status, out: github(source, &of_faults(source, faults)), err: none }
        }
        Format::Sarif => Output { status, out: sarif(&[(source, of_faults(source, faults))]), err },
    }
}

fn status(all: &[Checked<'_>]) -> Status {
    match Summary::of(all) {
        Summary { conflicts: 0, races: 0, weak: 0, unaccepted: 0, .. } => Status::Free,
        Summary { conflicts: 0, races: 0, .. } => Status::Weak,
        _ => Status::Conflict,
    }
}
