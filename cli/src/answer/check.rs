//! `check`: verdicts as text, JSON, annotations of GitHub, or SARIF.

use crate::answer::judge::{Demand, Judged, Ruling, judge};
use crate::answer::remedy;
use crate::request::args::{Check, Format};
use crate::request::fault::{Fault, Source};
use crate::request::input::Tile;
use crate::write::json as report;
use crate::{Console, Output, Status};
use anstyle::AnsiColor;
use std::fmt::Write;

/// A tile that was judged.
#[derive(Debug)]
pub(crate) struct Checked<'t> {
    pub(crate) tile: &'t Tile,
    pub(crate) judged: Vec<Judged<'t>>,
    /// What would be free, where something is not.
    pub(crate) remedies: Option<remedy::Remedies>,
}

/// All tiles, or what is wrong with them.
pub(crate) fn checked(tiles: &[Tile], demand: Demand) -> Result<Vec<Checked<'_>>, Vec<Fault>> {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for tile in tiles {
        match judge(tile, demand) {
            Ok(judged) => {
                // Which bytes two lanes write is no matter of the layout.
                let races = judged.iter().any(|one| one.ruling == Ruling::Races);
                let fails = !races && judged.iter().any(|one| is_conflict(one.ruling));
                let cycles = judged.iter().map(|one| one.cycles()).fold(0, u64::saturating_add);
                let remedies = if fails { remedy::remedies(tile, cycles) } else { None };
                all.push(Checked { tile, judged, remedies });
            }
            Err(more) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}

pub(crate) fn is_conflict(ruling: Ruling) -> bool {
    matches!(ruling, Ruling::Conflicts | Ruling::Races)
}

pub(crate) fn run(
    check: &Check,
    source: &Source,
    tiles: Result<Vec<Tile>, Vec<Fault>>,
    console: &Console<'_>,
) -> Output {
    let demand = Demand { max_degree: check.max_degree, strict: check.strict };
    let tiles = match tiles {
        Ok(tiles) => tiles,
        Err(faults) => return invalid(check.format, source, &faults, demand),
    };
    match checked(&tiles, demand) {
        Ok(all) => {
            let status = status(&all);
            let out = match check.format {
                Format::Text => text(source, &all, check.quiet, console),
                Format::Json => report::json(source, &all, &[], status, demand),
                Format::Github => report::github(source, &all),
                Format::Sarif => report::sarif(source, &all, &[]),
            };
            Output { status, out, err: String::new() }
        }
        Err(faults) => invalid(check.format, source, &faults, demand),
    }
}

fn invalid(format: Format, source: &Source, faults: &[Fault], demand: Demand) -> Output {
    let status = Status::Invalid;
    let lines = source.explain_all(faults);
    match format {
        Format::Text => Output { status, out: String::new(), err: lines },
        Format::Json => {
            Output { status, out: report::json(source, &[], faults, status, demand), err: lines }
        }
        Format::Github => {
            Output { status, out: report::github_faults(source, faults), err: String::new() }
        }
        Format::Sarif => Output { status, out: report::sarif(source, &[], faults), err: lines },
    }
}

fn status(all: &[Checked<'_>]) -> Status {
    let any = |wanted: fn(Ruling) -> bool| {
        all.iter().flat_map(|one| &one.judged).any(|one| wanted(one.ruling))
    };
    if any(is_conflict) {
        Status::Conflict
    } else if any(|ruling| ruling == Ruling::Weak) {
        Status::Weak
    } else {
        Status::Free
    }
}

fn text(source: &Source, all: &[Checked<'_>], quiet: bool, console: &Console<'_>) -> String {
    let mut out = String::new();
    for checked in all {
        let mut said = false;
        for one in &checked.judged {
            if quiet && one.ruling == Ruling::Passes {
                continue;
            }
            let (place, tile) = (source.line(one.access.place), &checked.tile.name);
            let found = console.coloured(&one.found(), colour(one));
            let _ = writeln!(out, "{place}: {tile} {}  {found}", one.name());
            // One remedy serves all accesses of a tile.
            if is_conflict(one.ruling) && !said {
                said = true;
                if let Some(sentence) = remedy::sentence(checked.remedies.as_ref()) {
                    let _ = writeln!(out, "{place}: {tile} {sentence}");
                }
            }
        }
    }
    if !quiet {
        let _ = writeln!(out, "{}", summary(all));
    }
    out
}

/// Beside the words that say the same.
fn colour(one: &Judged<'_>) -> AnsiColor {
    match one.ruling {
        Ruling::Conflicts | Ruling::Races => AnsiColor::Red,
        Ruling::Passes if one.verdict.is_free() => AnsiColor::Green,
        Ruling::Passes | Ruling::Weak => AnsiColor::Yellow,
    }
}

/// `6 accesses of 2 tiles: 5 free, 1 with conflicts`
pub(crate) fn summary(all: &[Checked<'_>]) -> String {
    let judged: Vec<_> = all.iter().flat_map(|one| &one.judged).collect();
    let count =
        |wanted: &dyn Fn(&Judged<'_>) -> bool| judged.iter().filter(|one| wanted(one)).count();
    let free = count(&|one| one.verdict.is_free());
    let races = count(&|one| one.ruling == Ruling::Races);
    let conflicts = count(&|one| one.ruling == Ruling::Conflicts);
    let allowed = judged.len() - free - races - conflicts;
    let weak = count(&|one| one.ruling == Ruling::Weak);
    let mut words = vec![format!("{free} free")];
    let others = [
        (conflicts, "with conflicts"),
        (races, "with data races"),
        (allowed, "within the degree that is allowed"),
        (weak, "on evidence that is not accepted"),
    ];
    words.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    let (accesses, tiles) = (plural(judged.len(), "access"), plural(all.len(), "tile"));
    format!("{accesses} of {tiles}: {}", words.join(", "))
}

/// `1 tile`, `2 tiles`, `2 accesses`
pub(crate) fn plural(count: usize, word: &str) -> String {
    let ending = if word.ends_with('s') { "es" } else { "s" };
    format!("{count} {word}{}", if count == 1 { "" } else { ending })
}
