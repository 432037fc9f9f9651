//! What would be free instead, in the words of the file. The library searches with all accesses of
//! the tile, on all its chips.

use crate::request::access::Access;
use crate::request::recipe::is_exchanged;
use crate::request::spelling::{kebab, plural};
use crate::request::tile::Tile;
use std::fmt;
use tiledesc::search::{Extent, Optimality, Scheme, Shape, Spec, Synthesis, Use};
use tiledesc::{Plan, chip::Instruction};

/// A tile and all that is done to it: what a search is asked.
#[derive(Debug)]
pub(crate) struct Question<'t> {
    pub(crate) tile: &'t Tile,
    pub(crate) shape: Shape,
    /// Each access on each chip.
    pub(crate) uses: Vec<Use<'t>>,
}

/// A layout that would be free.
#[derive(Clone, Debug)]
pub(crate) struct Instead {
    /// As the file has it: `recipe = "gemm-xor", kpack = 8`.
    pub(crate) words: String,
    /// Bytes more than the tile takes now.
    pub(crate) more: u64,
    pub(crate) layout: Spec,
    pub(crate) plan: Plan,
}

/// What a search says of a tile that conflicts.
#[derive(Clone, Debug)]
pub(crate) enum Remedies {
    /// The layouts that are free: the one that costs least, and the pad.
    Free(Vec<Instead>),
    /// None is: what was tried, and what costs least.
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

/// More accesses are judged, but no remedy is tried, as in the library's statement.
const MOST_USES: usize = 64;

impl<'t> Question<'t> {
    /// Or why a tile is not searched.
    pub(crate) fn of(tile: &'t Tile) -> Result<Self, String> {
        let rows = tile.accesses.iter().flat_map(|access| &access.rows);
        let uses = uses_of(tile, rows);
        let shape = Shape::of(&tile.layout.plan, tile.element.bits);
        let shape = shape.ok_or_else(|| {
            let dimensions = plural(tile.layout.plan.rank() as u64, "dimension");
            format!("it has {dimensions}, and layouts are searched for two")
        })?;
        match uses.len() {
            0 => Err("it has no access".to_string()),
            1..=MOST_USES => Ok(Self { tile, shape, uses }),
            many => {
                Err(format!("it has {many} accesses, and at most {MOST_USES} are searched for"))
            }
        }
    }

    /// The rows of its uses, by their own sources alone.
    pub(crate) fn settled(&self) -> Vec<Instruction> {
        let rows = self.tile.accesses.iter().flat_map(|access| &access.rows);
        rows.map(|row| row.as_disputed()).collect()
    }

    /// Its uses with other rows.
    pub(crate) fn uses_of<'u>(&'u self, rows: &'u [Instruction]) -> Vec<Use<'u>> {
        uses_of(self.tile, rows.iter())
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
fn uses_of<'u>(tile: &'u Tile, mut rows: impl Iterator<Item = &'u Instruction>) -> Vec<Use<'u>> {
    let mut uses = Vec::new();
    for access in &tile.accesses {
        for (at, row) in rows.by_ref().take(access.rows.len()).enumerate() {
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

/// The layouts that were found free, or the least; `None` where none was tried. `cycles` are those
/// of the layout as it is.
pub(crate) fn remedies(tile: &Tile, cycles: u64) -> Option<Remedies> {
    let question = Question::of(tile).ok()?;
    let found = question.shape.synthesize_both_ways(&question.uses).ok()?;
    if !matches!(found.optimality(), Optimality::Floor) {
        return Some(Remedies::Tried(tried(&question, &found, cycles)));
    }
    // Beside columns in place of rows, too, for who must keep the rows.
    let pad = match (found.layout().scheme(), found.layout().is_transposed()) {
        (Scheme::InOrder | Scheme::PaddedRows | Scheme::PaddedIntervals, false) => None,
        _ => question.shape.least_pad(&question.uses),
    };
    let both = [Some(found.layout()), pad];
    let free = both.into_iter().flatten().filter_map(|layout| question.instead(layout));
    Some(Remedies::Free(free.collect()))
}

/// `tried, not free: xor swizzles, row pads, interval pads; least: ..: 24 cycles, floor 16: the least of those tried`
fn tried(question: &Question<'_>, found: &Synthesis, cycles: u64) -> String {
    let masks = match found.optimality() {
        Optimality::Linear => ", all linear layouts of packs",
        Optimality::Exhausted => ", all their masks",
        _ => "",
    };
    let families =
        [(found.searched().pads, ", row pads"), (found.searched().intervals, ", interval pads")];
    let pads = families.iter().filter(|(extent, _)| *extent != Extent::Nothing);
    let pads: String = pads.map(|(_, name)| *name).collect();
    let least = match found.cycles() {
        least if least < cycles => {
            format!("{}: {}", question.words(found.layout()), proof(least, found))
        }
        _ => format!("as it is: {}", proof(cycles, found)),
    };
    let change = change(question, found).map_or_else(String::new, |change| format!("; {change}"));
    format!("tried, not free: xor swizzles{masks}{pads}; least: {least}{change}")
}

/// `free with ds_read_b64 in place of ds_read_b128: recipe = ..: 288 cycles`, if the access may change. Parts are in the
/// words of a file.
pub(crate) fn change(question: &Question<'_>, found: &Synthesis) -> Option<String> {
    let change = question.shape.change(&question.uses, found)?;
    let how = if change.is_free() { "free" } else { "less" };
    let (what, words) = (change.text(&question.uses), question.words(change.layout()));
    let what = match change.split() {
        Some((parts, lane)) => what
            .as_str()
            .replace(&format!("`Split<_, {parts}, {lane}>`"), &format!("`split {parts} {lane}`")),
        None => what.as_str().to_string(),
    };
    Some(format!("{how} with {what}: {words}: {}", plural(change.cycles(), "cycle")))
}

/// Cycles of a layout, and what is known of all others: `48 cycles, the floor: no layout does better`.
pub(crate) fn proof(cycles: u64, found: &Synthesis) -> String {
    let optimality = match found.optimality() {
        _ if cycles <= found.floor() => Optimality::Floor,
        // The search proved nothing about this layout: it was not among the candidates.
        _ if cycles != found.cycles() => Optimality::Open,
        known => known,
    };
    format!("{}, {}", plural(cycles, "cycle"), optimality.text(found.floor()).as_str())
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
