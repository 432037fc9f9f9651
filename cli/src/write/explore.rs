//! The explorer's view of a tile, as JSON: the answers of the library in the order of a page.
//!
//! | question | answer |
//! |---|---|
//! | `list` | what there is to choose from |
//! | `check` | the same as `tiledesc check --format json -` |
//! | `tile [ACCESS [STEP]]` | verdicts, offsets and banks; one access lane by lane |
//! | `find` | layouts by what they cost |
//! | `heat chip NAME`, `heat by PATTERN` | degrees of this layout in other accesses |
//! | `code` | the layout in other languages and notations |
//! | `audit [KEY=VALUE..]`, `better [KEY=VALUE..]` | a compiled kernel; what would be better for it |
//!
//! A question is a line of words about a file: the text of a `kernel.toml`, whose first tile is shown, or for the last
//! two assembly or PTX.

use crate::answer::check::{Checked, checked, reported};
use crate::answer::explain::Served;
use crate::answer::figure::of_access;
use crate::answer::heat::{Asked, Cell, heat};
use crate::answer::judge::Judged;
use crate::answer::list::words;
use crate::answer::reading::{Needs, decided};
use crate::answer::{convert, emit, find};
use crate::report::access::Access;
use crate::report::check::Demand;
use crate::report::status::Status;
use crate::request::access::word_of;
use crate::request::args::{Check, Format};
use crate::request::fault::{Fault, Source};
use crate::request::figure::Kind;
use crate::request::language::all;
use crate::request::options::Input;
use crate::request::recipe::{BY_NAME, families};
use crate::request::spelling::{did_you_mean, kebab};
use crate::request::tile::{Tile, read, read_each};
use crate::write::console::Console;
use crate::write::json::line;
use crate::write::output::Output;
use crate::write::served::{lanes, phases};
use crate::write::{check, explore_audit, paste};
use serde_json::{Value, json};
use tiledesc::chip::{CHIPS, Chip};
use tiledesc::pattern::NAMED;
use tiledesc::{ELEMENTS, chip::Instruction};

/// The name of a file that has none, as of `tiledesc check -`.
const NAME: &str = "<stdin>";

/// The most elements whose offsets are listed: 256 KiB of halves. A larger tile has its first rows listed.
const MOST_LISTED: u64 = 1 << 17;

/// The questions, listed in the error for an unknown one.
const QUESTIONS: [&str; 8] = ["list", "check", "tile", "find", "heat", "code", "audit", "better"];

/// The answer to a question of a file's text, as JSON.
///
/// ```
/// let file = "version = 1
/// chips = [\"gfx942\"]
/// [tile.A]
/// element = \"f16\"
/// shape = { m = 128, k = 64 }
/// strides = [64, 1]
/// read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]
/// ";
/// let answer = tiledesc_cli::explore("tile", file);
/// assert_eq!(answer.status, tiledesc_cli::Status::Free); // The question is answered.
/// assert!(answer.out.contains("4-way in phase 0: lanes 0 and 1"));
/// ```
#[must_use]
pub fn explore(question: &str, text: &str) -> Output {
    let source = Source::of_text(NAME, text);
    let words: Vec<_> = question.split_whitespace().collect();
    match words[..] {
        ["list"] => Output::done(line(&list())),
        ["check"] => {
            let check = Check {
                input: Input::default(),
                max_degree: Demand::FREE.max_degree,
                strict: Demand::FREE.strict,
                format: Format::Json,
                baseline: None,
                quiet: false,
            };
            check::run(&check, &source, read_each(&source, &[]), &Console::default())
        }
        ["tile"] => tile(&source, 0, None),
        ["tile", access] => tile(&source, number(access), None),
        ["tile", access, step] => tile(&source, number(access), Some(number(step))),
        ["find"] => of_first(&source, |one| found(&source, one)),
        ["heat", "chip", name] => of_first(&source, |one| hot(one.tile, &Asked::Chip(name))),
        ["heat", "by", ..] => {
            let by = words[2..].join(" ");
            of_first(&source, |one| hot(one.tile, &Asked::By(&by)))
        }
        ["code"] => of_first(&source, |one| code(&source, one)),
        ["audit", ref words @ ..] => explore_audit::shown(&source, words),
        ["better", ref words @ ..] => explore_audit::better(&source, words),
        _ => {
            let name = words.first().copied().unwrap_or_default();
            let near = did_you_mean(name, QUESTIONS);
            Output::invalid(format!("there is no question `{question}`{near}"))
        }
    }
}

/// A number in a question; anything else counts as 0, the first.
fn number<T: std::str::FromStr + Default>(word: &str) -> T {
    word.parse().unwrap_or_default()
}

// What there is.

pub(crate) fn list() -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "chips": CHIPS.iter().map(chip).collect::<Vec<_>>(),
        "patterns": NAMED.iter().map(|named| json!({
            "name": kebab(named.name()),
            "parameter": named.parameter(),
            "about": about(named.page()),
        })).collect::<Vec<_>>(),
        "recipes": families(16).iter().map(|family| json!({
            "name": kebab(family.name()),
            "parameters": family.parameters().iter().map(|name| name.to_lowercase()).collect::<Vec<_>>(),
            "dimensions": family.parameters().iter().filter(|name| BY_NAME.contains(name))
                .map(|name| name.to_lowercase()).collect::<Vec<_>>(),
            "list": family.list().map(str::to_lowercase),
            "about": about(family.page()),
        })).collect::<Vec<_>>(),
        "elements": ELEMENTS.iter().map(|one| json!({
            "name": one.code.to_lowercase(), "bits": one.bits,
        })).collect::<Vec<_>>(),
    })
}

/// The first sentence of a page.
fn about(page: &[&str]) -> String {
    let text = words(page.iter().copied().take_while(|line| !line.trim().is_empty()));
    text.split_once(". ").map_or(text.clone(), |(first, _)| first.to_string() + ".")
}

fn chip(chip: &Chip) -> Value {
    let row = |row: &Instruction| {
        json!({
            "op": written(row), "access": word_of(row.access()), "bytes": row.bytes() * row.parts() as u32,
            "evidence": row.service().evidence.name(), "source": row.service().source,
        })
    };
    json!({
        "name": chip.name(), "lanes": chip.wave(), "bytes": chip.lds(), "banks": chip.banks(),
        "rows": chip.rows().iter().map(row).collect::<Vec<_>>(),
    })
}

/// An instruction as a file has it: of two addresses with offsets, here neighbours.
fn written(row: &Instruction) -> String {
    if row.parts() > 1 { format!("{}(0, 1)", row.name()) } else { row.name().to_string() }
}

// Of a file.

/// The first tile of a file, judged, or all that is wrong with the file.
fn of_first(source: &Source, answer: impl FnOnce(&Checked<'_>) -> Value) -> Output {
    let tiles = match read(source, &[]).and_then(|tiles| decided(tiles, Needs::Addresses)) {
        Ok(tiles) => tiles,
        Err(faults) => return refused(source, &faults),
    };
    match checked(&tiles[..tiles.len().min(1)], Demand::FREE) {
        Ok(all) => match all.first() {
            Some(one) => Output::done(line(&answer(one))),
            None => Output::invalid("there is no tile: write a section `[tile.A]`"),
        },
        Err(faults) => refused(source, &faults),
    }
}

/// The faults, with the place of each.
fn refused(source: &Source, faults: &[Fault]) -> Output {
    let each = faults.iter().map(|fault| reported(source, fault));
    let out = line(&json!({ "faults": each.collect::<Vec<_>>() }));
    Output { status: Status::Invalid, out, err: source.explain_all(faults) }
}

fn tile(source: &Source, access: usize, step: Option<u64>) -> Output {
    of_first(source, |one| {
        // An access that has gone with its line leaves the first.
        let shown = one.judged.get(access).or(one.judged.first());
        let report = one.report();
        json!({
            "tile": layout(one.tile, shown),
            "notes": report.accesses.iter().map(Access::note).collect::<Vec<_>>(),
            "accesses": report.accesses,
            "remedy": report.remedy,
            "shown": shown.map(|judged| access_of(one, judged, step)),
        })
    })
}

/// A tile: each element's offset and bank.
fn layout(tile: &Tile, shown: Option<&Judged<'_>>) -> Value {
    let (plan, bits) = (&tile.layout.plan, u64::from(tile.element.bits));
    let banks = shown.map_or(32, |judged| judged.row.service().banks);
    let listed = plan.elements().min(MOST_LISTED);
    // What lies in padding is nowhere in memory.
    let offsets: Vec<_> = (0..listed).map(|id| plan.offset(plan.nth(id).as_slice()).ok()).collect();
    let bank = |offset: &u32| u64::from(*offset) * bits / 32 % u64::from(banks);
    json!({
        "name": tile.name,
        "element": tile.element.name,
        "bits": bits,
        "dimensions": tile.layout.dimensions,
        "lengths": plan.lengths().as_slice(),
        "elements": plan.elements(),
        "space": plan.element_space(),
        "bytes": tile.bytes(),
        "banks": banks,
        "chips": tile.chips.iter().map(|chip| chip.name()).collect::<Vec<_>>(),
        "bank": offsets.iter().map(|offset| offset.as_ref().map(bank)).collect::<Vec<_>>(),
        "offsets": offsets,
    })
}

/// One access, lane by lane and phase by phase.
fn access_of(one: &Checked<'_>, judged: &Judged<'_>, step: Option<u64>) -> Value {
    let (verdict, service) = (&judged.verdict, judged.row.service());
    let last = verdict.instructions().saturating_sub(1);
    let step = step.unwrap_or(verdict.shown()).min(last);
    let index = one.judged.iter().position(|other| std::ptr::eq(other, judged));
    let mut value = json!({
        "access": index,
        "step": step,
        "steps": verdict.instructions(),
        "worst_step": verdict.shown(),
        "bytes": judged.row.bytes(),
        "parts": judged.row.parts(),
        "banks": service.banks,
        "pair": verdict.pair().filter(|_| step == verdict.shown()),
        "line": judged.report.text(),
        "text": verdict.to_string(),
        "counters": judged.report.counters.named(),
        "bits": bits(one, judged),
    });
    match Served::new(judged, step) {
        Ok(served) => {
            value["lanes"] = lanes(judged.row, &served);
            value["phases"] = phases(judged.row, &served);
        }
        Err(error) => value["why"] = error.to_string().into(),
    }
    value
}

/// The matrix over bits, by the cells of its figure.
fn bits(one: &Checked<'_>, judged: &Judged<'_>) -> Value {
    let lengths = one.tile.layout.plan.lengths();
    let columns: u32 = lengths.as_slice().iter().map(|length| length.trailing_zeros()).sum();
    match of_access(Kind::Bits, one, judged) {
        Ok(figure) => json!({
            "columns": columns,
            "cells": figure.cells().map(|cell| json!({
                "label": cell.label(), "title": cell.title(), "key": cell.is_outlined(),
            })).collect::<Vec<_>>(),
        }),
        Err(why) => json!({ "why": why }),
    }
}

// Other layouts and other accesses.

fn found(source: &Source, one: &Checked<'_>) -> Value {
    match find::of_tile(one.tile) {
        Err(why) => json!({ "proof": why.lines(source).trim_end(), "rows": [] }),
        Ok(found) => {
            json!({ "rows": found.choices(), "proof": found.proof, "change": found.change, "orders": found.orders })
        }
    }
}

/// The degree of each access.
fn hot(tile: &Tile, asked: &Asked<'_>) -> Value {
    let found = heat(tile, asked);
    json!({
        "by": found.by,
        "chips": found.chips.iter().map(|chip| chip.name()).collect::<Vec<_>>(),
        "cells": found.cells.iter().map(cell).collect::<Vec<_>>(),
    })
}

fn cell(Cell { chip, row, by, found }: &Cell) -> Value {
    let mut value = json!({
        "chip": chip.name(), "op": row.name(), "by": by, "access": word_of(row.access()),
        "bytes": row.bytes(), "evidence": row.service().evidence.name(),
    });
    match found {
        Ok((degree, race)) => {
            value["degree"] = (*degree).into();
            value["race"] = (*race).into();
        }
        Err(why) => value["why"] = why.to_string().into(),
    }
    value
}

// Code.

fn code(source: &Source, one: &Checked<'_>) -> Value {
    let rows = find::of_tile(one.tile).map(|found| found.rows).unwrap_or_default();
    let said = |name: &str, text: Result<String, String>| match text {
        Ok(text) => json!({ "name": name, "text": text }),
        Err(why) => json!({ "name": name, "why": why.trim_end() }),
    };
    // All of the layout as it is: what is free instead stands in the verdict.
    let rust = said("rust", Ok(paste::lines_as_it_is(one, &rows)));
    let languages = all().map(|(name, form)| {
        said(&name, emit::of_tile(form, one.tile).map_err(|why| why.lines(source)))
    });
    let notations = convert::ALL.map(|(to, name)| said(name, convert::form(to, one.tile)));
    [rust].into_iter().chain(languages).chain(notations).collect()
}
