//! Layouts that would be free instead, in the words of the file. The library searches with all accesses of the tile, on
//! all its chips.

use crate::request::access::Access;
use crate::request::recipe::is_exchanged;
use crate::request::spelling::{kebab, plural};
use crate::request::tile::Tile;
use std::fmt;
use tiledesc::recipe::{Scheme, Shape, Spec};
use tiledesc::search::Use;
use tiledesc::{Plan, chip::Instruction};
use tiledesc_host::search::{self, Answer, Candidate, Extent, Family, find, free_pad};

/// A tile and all its accesses: the question of a search.
#[derive(Debug)]
pub(crate) struct Question<'t> {
    pub(crate) tile: &'t Tile,
    pub(crate) shape: Shape,
    /// Each access on each chip.
    pub(crate) uses: Vec<Use<'t>>,
}

/// Cycles of all accesses of a layout, as often as each is done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taken {
    /// Cycles by the rows' own sources.
    pub(crate) cycles: u64,
    /// Cycles by the sources that dispute rows.
    pub(crate) rival: u64,
    /// Cycles by the rows' own sources, and the conflicts that only the others count: what the search minimises.
    pub(crate) weight: u64,
}

impl Taken {
    /// The costs of a layout that cannot be: any other is less.
    pub(crate) const MOST: Self = Self { cycles: u64::MAX, rival: u64::MAX, weight: u64::MAX };

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            cycles: self.cycles.saturating_add(other.cycles),
            rival: self.rival.saturating_add(other.rival),
            weight: self.weight.saturating_add(other.weight),
        }
    }

    /// The proof of these cycles among all other layouts: `48 cycles, the floor: no layout does better`.
    pub(crate) fn proof(&self, found: &Answer) -> String {
        found.proof_of(self.cycles, self.rival, self.weight)
    }
}

/// A layout that would be free.
#[derive(Clone, Debug)]
pub(crate) struct Instead {
    /// The text for a file: `recipe = "gemm-xor", kpack = 8`.
    pub(crate) words: String,
    /// Bytes more than the tile takes now.
    pub(crate) more: u64,
    pub(crate) layout: Spec,
    pub(crate) plan: Plan,
}

/// The remedies that a search finds for a tile that conflicts.
#[derive(Clone, Debug)]
pub(crate) enum Remedies {
    /// The layouts that are free: the one that costs least, and the pad.
    Free(Vec<Instead>),
    /// No layout that is free: the families that were tried, and the layout that costs least.
    Tried(String),
}

impl fmt::Display for Remedies {
    /// `free instead: ..; or .., 4064 bytes more`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |one: &Instead| match one.more {
            0 => one.words.clone(),
            more => format!("{}, {more} bytes more", one.words),
        };
        match self {
            Self::Tried(tried) => f.write_str(tried),
            Self::Free(free) => {
                let each: Vec<_> = free.iter().map(one).collect();
                write!(f, "free instead: {}", each.join("; or "))
            }
        }
    }
}

impl<'t> Question<'t> {
    /// Or why a tile is not searched.
    pub(crate) fn of(tile: &'t Tile) -> Result<Self, String> {
        let uses = uses_of(tile);
        let shape = Shape::of(&tile.layout.plan, tile.element.bits);
        let shape = shape.ok_or_else(|| {
            let dimensions = plural(tile.layout.plan.rank() as u64, "dimension");
            format!("it has {dimensions}, and layouts are searched for two")
        })?;
        if uses.is_empty() {
            Err("it has no access".to_string())
        } else {
            Ok(Self { tile, shape, uses })
        }
    }

    /// A layout as the file has it.
    pub(crate) fn words(&self, layout: Spec) -> String {
        // The recipe takes its rows from the second dimension of `{ k = 64, n = 128 }`.
        words(layout, layout.is_transposed() != is_exchanged(&self.tile.layout.dimensions))
    }

    fn instead(&self, layout: Spec) -> Option<Instead> {
        let plan = layout.plan(self.shape).ok()?;
        let more = self.tile.bytes_of(&plan).saturating_sub(self.tile.bytes());
        Some(Instead { words: self.words(layout), more, layout, plan })
    }
}

/// Each access on each chip, with its row.
fn uses_of(tile: &Tile) -> Vec<Use<'_>> {
    let mut uses = Vec::new();
    for access in &tile.accesses {
        for (at, row) in access.rows.iter().enumerate() {
            uses.push(match &tile.fill {
                Some(fill) => use_of(access, row).filled_by(fill.on(at)),
                None => use_of(access, row),
            });
        }
    }
    uses
}

/// An access on one chip, as a search counts it.
pub(crate) fn use_of<'t>(access: &'t Access, row: &'t Instruction) -> Use<'t> {
    let times = u32::try_from(access.times).unwrap_or(u32::MAX);
    Use::new(access.lanes.lanes(), row).times(times)
}

/// The layouts that were found free, or the least; `None` where none was tried. `now` is what the layout as it is takes.
pub(crate) fn remedies(tile: &Tile, now: Taken) -> Option<Remedies> {
    let question = Question::of(tile).ok()?;
    let found = find(question.shape, &question.uses).ok()?;
    if !found.is_free() {
        return Some(Remedies::Tried(tried(&question, &found, now)));
    }
    let layout = found.best.layout;
    // Beside columns in place of rows, too, for who must keep the rows.
    let pad = match (layout.scheme(), layout.is_transposed()) {
        (Scheme::InOrder | Scheme::PaddedRows | Scheme::PaddedIntervals, false) => None,
        _ => free_pad(question.shape, &question.uses).map(|pad| pad.layout),
    };
    let both = [Some(layout), pad].into_iter().flatten();
    Some(Remedies::Free(both.filter_map(|layout| question.instead(layout)).collect()))
}

/// `tried, not free: all masks over packs, all row pads; least: ..: 24 cycles, floor 16: no masks over packs do better`
fn tried(question: &Question<'_>, found: &Answer, now: Taken) -> String {
    let least = match found.best.weight < now.weight {
        true => format!("{}: {}", question.words(found.best.layout), found.proof()),
        false => format!("as it is: {}", now.proof(found)),
    };
    let change = change(question, found).map_or_else(String::new, |change| format!("; {change}"));
    format!("tried, not free: {}; least: {least}{change}", families(found))
}

/// `all masks over packs, row pads`: the families that were searched, and which of them to the end. A family that was
/// searched to the end stands for those that are part of it.
fn families(found: &Answer) -> String {
    let is_all = |family| found.extent(family) == Extent::All;
    let is_within = |family: &Family| match family {
        Family::Shifts => is_all(Family::Masks) || is_all(Family::Packs),
        Family::Masks => is_all(Family::Packs),
        _ => false,
    };
    let tried = found.searched.iter().filter(|(family, _)| !is_within(family));
    let each = tried.filter_map(|(family, extent)| match (extent, family) {
        (Extent::Nothing, _) => None,
        // There is one.
        (_, Family::Rotation) => Some(name(*family).to_string()),
        (Extent::All, _) => Some(format!("all {}", name(*family))),
        (Extent::Part, _) => Some(name(*family).to_string()),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A family of layouts, as a sentence has it.
fn name(family: Family) -> &'static str {
    match family {
        Family::Shifts => "xors of one shift",
        Family::RowPads => "row pads",
        Family::Rotation => "packs rotated by the row",
        Family::Masks => "masks over packs",
        Family::Packs => "linear layouts of packs",
        Family::IntervalPads => "interval pads",
    }
}

/// `free with ds_read_b64 in place of ds_read_b128: recipe = ..: 288 cycles`, if the access may change. Parts are in the
/// words of a file.
pub(crate) fn change(question: &Question<'_>, found: &Answer) -> Option<String> {
    let change = search::change(question.shape, &question.uses, found)?;
    let what = change.text(&question.uses, split_in_words);
    let Candidate { layout, cycles, .. } = change.answer.best;
    let how = if change.answer.is_free() { "free" } else { "less" };
    Some(format!("{how} with {what}: {}: {}", question.words(layout), plural(cycles, "cycle")))
}

/// `recipe = "gemm-xor", kpack = 8`
fn words(layout: Spec, is_transposed: bool) -> String {
    let mut words = format!("recipe = \"{}\"", kebab(layout.scheme().name()));
    for (name, number) in layout.numbers() {
        words += &format!(", {} = {number}", name.to_lowercase());
    }
    if let Some(name) = layout.scheme().list() {
        words += &format!(", {} = {:?}", name.to_lowercase(), layout.list().as_slice());
    }
    if layout.lines() > 1 {
        words += &format!(", lines = {}", layout.lines());
    }
    if is_transposed {
        words += ", transposed = true";
    }
    words
}

/// Parts in the words of a file.
pub(crate) fn split_in_words([parts, lane]: [u32; 2]) -> String {
    format!("split {parts} {lane}")
}
