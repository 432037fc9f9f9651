//! Layouts of a tile for all its accesses, by what they cost.
//!
//! The library tries, searches and proves; here the candidates are laid beside the layout as it is:
//! cycles of all accesses on all chips, bytes, and the address instructions of a lane.

use crate::answer::judge::{Demand, Judged, judge};
use crate::answer::refusal::Refusal;
use crate::answer::remedy::{Question, change, proof};
use crate::request::tile::Tile;
use tiledesc::Plan;
use tiledesc::chip::Instruction;
use tiledesc::search::Candidate;
use tiledesc::search::Spec;

/// Lines of a table that is not asked for `--all`: each has other costs.
const BEST: usize = 12;

/// Coordinates of which all are compared, to know the tile's own layout among the candidates.
const MOST_COMPARED: u64 = 1 << 20;

/// A layout and what it costs.
#[derive(Clone, Debug)]
pub(crate) struct CostRow {
    /// As the file has it; of the tile's own layout, if no candidate is the same, none.
    pub(crate) words: Option<String>,
    /// What it is among the candidates.
    pub(crate) layout: Option<Spec>,
    pub(crate) cycles: u64,
    pub(crate) bytes: u64,
    /// Instructions that make the addresses of one lane, if they are known; of several chips on the one of the most.
    pub(crate) address: Option<u32>,
    /// By the rows' own sources.
    pub(crate) is_free: bool,
    /// Whether another source finds a conflict in what is free.
    pub(crate) is_disputed: bool,
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
}

impl CostRow {
    /// `recipe = "gemm-xor", kpack = 8 (as it is, conflicts)`
    pub(crate) fn label(&self) -> String {
        let notes = [
            (self.is_own && self.words.is_some(), "as it is"),
            (!self.is_free, "conflicts"),
            (self.is_disputed, "disputed"),
        ];
        let notes: Vec<_> = notes.iter().filter(|(is, _)| *is).map(|(_, note)| *note).collect();
        let notes =
            if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        format!("{}{notes}", self.words.as_deref().unwrap_or("as it is"))
    }

    fn costs(&self) -> (u64, u64, Option<u32>) {
        (self.cycles, self.bytes, self.address)
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
    let (shape, uses) = (question.shape, &question.uses);
    let (synthesis, candidates) =
        match (shape.synthesize_both_ways(uses), shape.candidates_both_ways(uses)) {
            (Ok(synthesis), Ok(candidates)) => (synthesis, candidates),
            // It may be that the layout as it is holds accesses that no other does.
            (Err(error), _) | (_, Err(error)) => {
                let proof = format!("no layout of rows is tried: {error}");
                return Found { rows: vec![own], proof, floor: None, change: None };
            }
        };
    let all = candidates.as_slice();
    let settled = question.settled();
    let mut rows: Vec<_> = all.iter().map(|one| candidate(question, &settled, one)).collect();
    match rows.iter_mut().find(|row| is_same(row, &own, question)) {
        Some(row) => row.is_own = true,
        None => rows.insert(rows.partition_point(|row| row.costs() < own.costs()), own),
    }
    // Of the same cycles as the least a free one, if there is any; addresses that nobody counts are the dearest.
    rows.sort_by_key(|row| (row.cycles, !row.is_free, row.bytes, row.address.unwrap_or(u32::MAX)));
    let least = rows.first().map_or(0, |row| row.cycles);
    let change =
        if rows.iter().any(|row| row.is_free) { None } else { change(question, &synthesis) };
    Found { proof: proof(least, &synthesis), floor: Some(synthesis.floor()), change, rows }
}

/// A kernel runs on one chip: the most of all. Not what the candidate says, which is an estimate of long accesses.
fn address(question: &Question<'_>, one: &Candidate) -> Option<u32> {
    let chips = question.tile.chips.len();
    let of_chip = |at| {
        let uses: Vec<_> = question.uses.iter().skip(at).step_by(chips).copied().collect();
        question.shape.address_instructions(one.layout(), &uses)
    };
    let all: Option<Vec<_>> = (0..chips).map(of_chip).collect();
    all?.into_iter().max()
}

fn candidate(question: &Question<'_>, settled: &[Instruction], one: &Candidate) -> CostRow {
    let by_own = question.uses_of(settled);
    let is_free = one.layout().is_free(question.shape, &by_own);
    CostRow {
        words: Some(question.words(one.layout())),
        layout: Some(one.layout()),
        cycles: one.cycles(),
        bytes: one.bytes(),
        address: address(question, one),
        is_free,
        is_disputed: is_free && !one.layout().is_free(question.shape, &question.uses),
        is_own: false,
    }
}

/// The layout as it is.
fn own(tile: &Tile, judged: &[Judged<'_>]) -> CostRow {
    CostRow {
        words: None,
        layout: None,
        cycles: judged.iter().map(|one| one.cycles()).fold(0, u64::saturating_add),
        bytes: tile.bytes(),
        address: None,
        is_free: judged.iter().all(Judged::is_free),
        is_disputed: judged.iter().all(Judged::is_free) && judged.iter().any(Judged::is_open),
        is_own: true,
    }
}

/// Whether a candidate is the tile's own layout: the same offset at each coordinate.
fn is_same(row: &CostRow, own: &CostRow, question: &Question<'_>) -> bool {
    let plan: &Plan = &question.tile.layout.plan;
    if (row.cycles, row.bytes) != (own.cycles, own.bytes) || plan.elements() > MOST_COMPARED {
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

/// The best of other costs each, and the layout as it is.
pub(crate) fn distinct(rows: &[CostRow]) -> Vec<&CostRow> {
    let (mut kept, mut others): (Vec<&CostRow>, _) = (Vec::new(), 0);
    for row in rows {
        let is_new = kept.iter().all(|one| one.costs() != row.costs());
        if row.is_own || is_new && others < BEST {
            others += usize::from(!row.is_own);
            kept.push(row);
        }
    }
    kept
}
