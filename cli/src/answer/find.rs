//! Layouts of a tile for all its accesses, by what they cost.
//!
//! The search tries and proves; here the candidates are laid beside the layout as it is:
//! cycles of all accesses on all chips, bytes, and the address instructions of a lane.

use crate::answer::convert;
use crate::answer::copied::Copied;
use crate::answer::judge::{Judged, judge, taken};
use crate::answer::order::order;
use crate::answer::question::{Question, Tables};
use crate::answer::refusal::Refusal;
use crate::answer::remedy::{Taken, change};
use crate::report::check::Demand;
use crate::report::find::{Found, Row};
use crate::request::layout::is_apart;
use crate::request::tile::Tile;
use tiledesc::Plan;
use tiledesc::recipe::Spec;
use tiledesc_host::search::{Answer, Candidate, find_all, front};

/// All candidates of one tile.
pub(crate) fn of_tile(tile: &Tile) -> Result<Found, Refusal> {
    if tile.accesses.is_empty() {
        return Err(Refusal::new(tile, " has no access that a layout could be free in"));
    }
    let judged = judge(tile, Demand::FREE).map_err(Refusal::Faults)?;
    let tables = Tables::new(tile);
    let question = Question::new(tile, &tables);
    let question =
        question.map_err(|why| Refusal::new(tile, format!(" is not searched: {why}")))?;
    Ok(of_question(&question, &judged))
}

/// All candidates of a question, its tile being judged.
pub(crate) fn of_question(question: &Question<'_>, judged: &[Judged<'_>]) -> Found {
    let (tile, own) = (question.tile, own(question.tile, judged));
    let reordered =
        |one: &Judged<'_>| Some(format!("{}: {}", one.report.title, order(one)?.sentence));
    let found = |rows, proof, floor, change| Found {
        name: tile.name.clone(),
        line: tile.place.line,
        chips: tile.chips.iter().map(|chip| chip.name()).collect(),
        proof,
        floor,
        change,
        orders: judged.iter().filter_map(reordered).collect(),
        stated: tile.layout.unstated.is_none(),
        rows,
    };
    let (answer, candidates) = match find_all(question.shape, &question.uses) {
        Ok(found) => found,
        // It may be that the layout as it is holds accesses that no other does.
        Err(error) => {
            let proof = format!("no layout of rows is tried: {error}");
            return found(vec![own], proof, None, None);
        }
    };
    let mut rows = rows(question, &answer, candidates);
    match rows.iter_mut().find(|row| is_same(row, &own, question)) {
        Some(row) => row.own = true,
        None => rows.push(own),
    }
    rows.sort_by_key(Row::costs);
    let proof = |row: &Row| answer.proof_of(row.cycles, row.rival_cycles, row.weight);
    let proof = rows.first().map_or_else(String::new, proof);
    let change = if rows.iter().any(|row| row.free) { None } else { change(question, &answer) };
    found(rows, proof, Some(answer.floor), change)
}

fn rows(question: &Question<'_>, answer: &Answer, mut all: Vec<Candidate>) -> Vec<Row> {
    all.retain(|one| question.is_taken(one.layout));
    for one in &mut all {
        one.address_instructions = question.address(one.layout);
    }
    let choices = front(&all);
    let row = |one: &Candidate| {
        let free = one.cycles <= answer.floor;
        let copied = Copied::new(question, one.layout);
        Row {
            declaration: copied.as_ref().map(Copied::declaration),
            index: copied.map(|copied| copied.index),
            noted: noted(question, one.layout),
            words: Some(question.words(one.layout)),
            cycles: one.cycles,
            rival_cycles: one.rival_cycles,
            bytes: one.bytes,
            address: one.address_instructions,
            free,
            disputed: free && one.weight > answer.floor,
            choice: choices.contains(one),
            own: false,
            weight: one.weight,
            layout: Some(one.layout),
        }
    };
    all.iter().map(row).collect()
}

/// A layout in the notation in which the kernel has its own.
fn noted(question: &Question<'_>, layout: Spec) -> Option<String> {
    let notation = question.tile.layout.of_kernel?;
    convert::words(notation, &question.plan(layout).ok()?, question.tile.element.bits)
}

/// The layout as it is.
fn own(tile: &Tile, judged: &[Judged<'_>]) -> Row {
    let free = judged.iter().all(|one| one.report.free);
    let Taken { cycles, rival, weight } = taken(judged);
    Row {
        declaration: None,
        index: None,
        noted: None,
        words: None,
        cycles,
        rival_cycles: rival,
        bytes: tile.bytes(),
        address: None,
        free,
        disputed: free && judged.iter().any(|one| one.report.is_open()),
        choice: false,
        own: true,
        weight,
        layout: None,
    }
}

/// Returns whether a candidate is the tile's own layout: the same offset at each coordinate.
fn is_same(row: &Row, own: &Row, question: &Question<'_>) -> bool {
    let is_same = |plan: Plan| !is_apart(&question.tile.layout.plan, &plan);
    let plan = || question.plan(row.layout?).ok();
    (row.cycles, row.bytes) == (own.cycles, own.bytes) && plan().is_some_and(is_same)
}
