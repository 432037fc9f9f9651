//! Layouts of a tile for all its accesses, by what they cost.
//!
//! The search tries and proves; here the candidates are laid beside the layout as it is:
//! cycles of all accesses on all chips, bytes, and the address instructions of a lane.

use crate::answer::copied::{Copied, copied};
use crate::answer::judge::{Demand, Judged, judge, taken};
use crate::answer::order::order;
use crate::answer::refusal::Refusal;
use crate::answer::remedy::{Question, Taken, change};
use crate::request::tile::Tile;
use tiledesc::Plan;
use tiledesc::recipe::Spec;
use tiledesc_host::search::{Answer, Candidate, find_all, front};

/// Coordinates of which all are compared, to know the tile's own layout among the candidates.
const MOST_COMPARED: u64 = 1 << 20;

/// A layout and what it costs.
#[derive(Clone, Debug)]
pub(crate) struct CostRow {
    /// As the file has it; of the tile's own layout, if no candidate is the same, none.
    pub(crate) words: Option<String>,
    /// What it is among the candidates.
    pub(crate) layout: Option<Spec>,
    /// Its declaration and an element of it in C++, where a formula says it.
    pub(crate) copied: Option<Copied>,
    pub(crate) taken: Taken,
    pub(crate) bytes: u64,
    /// Instructions that make the addresses of one lane, if they are known; of several chips on the one of the most.
    pub(crate) address: Option<u32>,
    /// By the rows' own sources.
    pub(crate) is_free: bool,
    /// Whether another source finds a conflict in what is free.
    pub(crate) is_disputed: bool,
    /// Whether no other is better in one cost and no worse in the rest.
    pub(crate) is_choice: bool,
    /// Whether it is the layout as it is.
    pub(crate) is_own: bool,
}

/// The candidates of one tile, its own layout among them, the least first.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) rows: Vec<CostRow>,
    /// What is known of the least, or why nothing was tried.
    pub(crate) proof: String,
    /// Cycles of the same instructions without any conflict, where something was tried.
    pub(crate) floor: Option<u64>,
    /// Where none is free: the access that is better done otherwise, and what it costs then.
    pub(crate) change: Option<String>,
    /// What accesses that conflict take in another order on the layout as it is.
    pub(crate) orders: Vec<String>,
}

impl CostRow {
    /// `recipe = "gemm-xor", kpack = 8 (as it is, conflicts)`
    pub(crate) fn label(&self) -> String {
        let Taken { cycles, rival, .. } = self.taken;
        let by_rival = format!("{rival} by the other source");
        let notes = [
            (self.is_own && self.words.is_some(), "as it is"),
            (!self.is_free, "conflicts"),
            (self.is_disputed, "disputed"),
            (rival != cycles, by_rival.as_str()),
        ];
        let notes: Vec<_> = notes.iter().filter(|(is, _)| *is).map(|(_, note)| *note).collect();
        let notes =
            if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        format!("{}{notes}", self.words.as_deref().unwrap_or("as it is"))
    }

    /// What rows are sorted by. Of the same cycles one of which nobody counts more is less; addresses that nobody counts
    /// are the dearest.
    fn costs(&self) -> (u64, u64, u64, u32) {
        let Taken { cycles, weight, .. } = self.taken;
        (cycles, weight, self.bytes, self.address.unwrap_or(u32::MAX))
    }
}

/// All candidates of one tile.
pub(crate) fn of_tile(tile: &Tile) -> Result<Found, Refusal> {
    if tile.accesses.is_empty() {
        return Err(Refusal::of(tile, " has no access that a layout could be free in"));
    }
    let judged = judge(tile, Demand::FREE).map_err(Refusal::Faults)?;
    let question = Question::of(tile);
    let question = question.map_err(|why| Refusal::of(tile, format!(" is not searched: {why}")))?;
    Ok(of_question(&question, &judged))
}

/// All candidates of a question, its tile being judged.
pub(crate) fn of_question(question: &Question<'_>, judged: &[Judged<'_>]) -> Found {
    let own = own(question.tile, judged);
    let reordered = |one: &Judged<'_>| Some(format!("{}: {}", one.name(), order(one)?.sentence));
    let orders: Vec<_> = judged.iter().filter_map(reordered).collect();
    let (answer, candidates) = match find_all(question.shape, &question.uses) {
        Ok(found) => found,
        // It may be that the layout as it is holds accesses that no other does.
        Err(error) => {
            let proof = format!("no layout of rows is tried: {error}");
            return Found { rows: vec![own], proof, floor: None, change: None, orders };
        }
    };
    let mut rows = rows(question, &answer, candidates);
    match rows.iter_mut().find(|row| is_same(row, &own, question)) {
        Some(row) => row.is_own = true,
        None => rows.push(own),
    }
    rows.sort_by_key(CostRow::costs);
    let proof = rows.first().map_or_else(String::new, |row| row.taken.proof(&answer));
    let change = if rows.iter().any(|row| row.is_free) { None } else { change(question, &answer) };
    Found { proof, floor: Some(answer.floor), change, orders, rows }
}

fn rows(question: &Question<'_>, answer: &Answer, mut all: Vec<Candidate>) -> Vec<CostRow> {
    for one in &mut all {
        one.address_instructions = address(question, one.layout);
    }
    let choices = front(&all);
    let row = |one: &Candidate| {
        let is_free = one.cycles <= answer.floor;
        CostRow {
            words: Some(question.words(one.layout)),
            layout: Some(one.layout),
            copied: copied(question, one.layout),
            taken: one.into(),
            bytes: one.bytes,
            address: one.address_instructions,
            is_free,
            is_disputed: is_free && one.weight > answer.floor,
            is_choice: choices.contains(one),
            is_own: false,
        }
    };
    all.iter().map(row).collect()
}

/// A kernel runs on one chip: the most of all.
fn address(question: &Question<'_>, layout: Spec) -> Option<u32> {
    let chips = question.tile.chips.len();
    let of_chip = |at| {
        let uses: Vec<_> = question.uses.iter().skip(at).step_by(chips).copied().collect();
        tiledesc_host::search::address_instructions(question.shape, layout, &uses)
    };
    let all: Option<Vec<_>> = (0..chips).map(of_chip).collect();
    all?.into_iter().max()
}

/// The layout as it is.
fn own(tile: &Tile, judged: &[Judged<'_>]) -> CostRow {
    let is_free = judged.iter().all(Judged::is_free);
    CostRow {
        words: None,
        layout: None,
        copied: None,
        taken: taken(judged),
        bytes: tile.bytes(),
        address: None,
        is_free,
        is_disputed: is_free && judged.iter().any(Judged::is_open),
        is_choice: false,
        is_own: true,
    }
}

/// Whether a candidate is the tile's own layout: the same offset at each coordinate.
fn is_same(row: &CostRow, own: &CostRow, question: &Question<'_>) -> bool {
    let plan: &Plan = &question.tile.layout.plan;
    if (row.taken.cycles, row.bytes) != (own.taken.cycles, own.bytes)
        || plan.elements() > MOST_COMPARED
    {
        return false;
    }
    let Some(Ok(other)) = row.layout.map(|layout| layout.plan(question.shape)) else {
        return false;
    };
    (0..plan.elements()).all(|id| {
        let index = plan.nth(id);
        plan.offset(index.as_slice()) == other.offset(index.as_slice())
    })
}

/// The layouts than which no other is better in one cost and no worse in the rest, of the same costs the first; and the
/// layout as it is.
pub(crate) fn choices(rows: &[CostRow]) -> Vec<&CostRow> {
    let mut kept: Vec<&CostRow> = Vec::new();
    for row in rows {
        let is_new = kept.iter().all(|one| one.costs() != row.costs());
        if row.is_own || row.is_choice && is_new {
            kept.push(row);
        }
    }
    kept
}
