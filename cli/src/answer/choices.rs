//! Figures of several layouts of one tile, under all its accesses: which pad, which key, which of
//! those that `find` proposes.

use crate::answer::check::Checked;
use crate::answer::find::of_question;
use crate::answer::judge::Judged;
use crate::answer::question::{Question, Tables, use_of};
use crate::request::tile::Tile;
use std::collections::BTreeSet;
use tiledesc::recipe::Shape;
use tiledesc::search::Use;
use tiledesc_host::Error;
use tiledesc_host::plot::{self, Draw as _, Figure, Subject};

/// The pads of a row, in elements.
const PADS: std::ops::RangeInclusive<u32> = 0..=64;

/// The layout as it is.
pub(crate) fn subject(tile: &Tile) -> Subject {
    tile.layout.plan.figure().of_bits(tile.element.bits).named(&tile.name)
}

pub(crate) fn said(why: Error) -> String {
    why.to_string()
}

/// Degrees of row pads, of a tile of rows and columns.
pub(crate) fn pads(one: &Checked<'_>) -> Result<Figure, String> {
    let shape = shape(one, "pads are of rows")?;
    let names: Vec<_> = one.judged.iter().map(|one| one.report.title.clone()).collect();
    let uses = named(&names, one);
    plot::pads(shape, PADS, &uses).map_err(said)
}

/// Degrees of the layout as it is, and of a row's bits xor-ed into the number of a pack.
pub(crate) fn keys(one: &Checked<'_>) -> Result<Figure, String> {
    let shape = shape(one, "keys are of rows")?;
    // What the widest access moves stays together.
    let bytes = one.judged.iter().map(|one| one.row.bytes()).max().unwrap_or(0);
    let pack = (bytes * 8 / shape.bits).max(1);
    let found = plot::keys(shape, pack).map_err(said)?;
    let layouts: Vec<_> = [subject(one.tile)].into_iter().chain(found).collect();
    let names = heads(one);
    plot::heat(&layouts, &named(&names, one)).map_err(said)
}

/// The layout as it is among those that `find` prints, by what they cost.
pub(crate) fn compare(one: &Checked<'_>) -> Result<Figure, String> {
    let tables = Tables::new(one.tile);
    let question =
        Question::new(one.tile, &tables).map_err(|why| format!("it is not searched: {why}"))?;
    let found = of_question(&question, &one.judged);
    let layouts: Vec<_> = found
        .choices()
        .into_iter()
        .filter_map(|row| {
            let layout = match row.layout {
                None => subject(one.tile),
                Some(layout) => question.plan(layout).ok()?.figure().of_bits(question.shape.bits),
            };
            Some((layout.named(&row.label()), row.address))
        })
        .collect();
    let names = heads(one);
    plot::compare(&layouts, &named(&names, one)).map_err(said)
}

fn shape(one: &Checked<'_>, why: &str) -> Result<Shape, String> {
    let shape = Shape::from_plan(&one.tile.layout.plan, one.tile.element.bits);
    let rank = one.tile.layout.plan.rank();
    shape.ok_or_else(|| format!("{why}, and the tile has {rank} dimensions instead of two"))
}

fn named<'n>(names: &'n [String], one: &'n Checked<'_>) -> Vec<(&'n str, Use<'n>)> {
    let uses = one.judged.iter().map(|one| use_of(one.access, one.row));
    names.iter().map(String::as_str).zip(uses).collect()
}

/// Names of accesses that are narrow enough for a column: the chip and the pattern, if these are unique; of a tile on
/// one chip no chip.
fn heads(one: &Checked<'_>) -> Vec<String> {
    let chip = |one: &Judged<'_>| match one.tile.chips.len() {
        1 => String::new(),
        _ => format!("{} ", one.chip.name()),
    };
    let short = |one: &Judged<'_>| format!("{}{}", chip(one), shortened(&one.access.by));
    let long =
        |one: &Judged<'_>| format!("{}{} {}", chip(one), one.access.op, shortened(&one.access.by));
    let names: Vec<_> = one.judged.iter().map(short).collect();
    let all: BTreeSet<_> = names.iter().collect();
    if all.len() == names.len() { names } else { one.judged.iter().map(long).collect() }
}

/// Characters of a pattern in a column: a distribution has a hundred.
const MOST_CHARACTERS: usize = 24;

fn shortened(by: &str) -> String {
    match by.char_indices().nth(MOST_CHARACTERS) {
        None => by.to_string(),
        Some((end, _)) => format!("{}..", by[..end].trim_end()),
    }
}
