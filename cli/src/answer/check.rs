//! All tiles of a file with the verdicts on their accesses, and what would be free instead.

use crate::answer::copied::Copied;
use crate::answer::fetch::fetches;
use crate::answer::instead::Instead;
use crate::answer::judge::{Judged, judge, taken, worst};
use crate::answer::order::order;
use crate::answer::remedy::{Remedies, remedies};
use crate::answer::trip::trips;
use crate::answer::unwritten::Bytes;
use crate::report::access::{Access, Ruling};
use crate::report::check::{self as report, Check, Consumed, Demand, Remedy};
use crate::report::status::Status;
use crate::request::consumer::{Consumer, Form};
use crate::request::fault::{Fault, Place, Source};
use crate::request::layout::VIEW;
use crate::request::tile::Tile;
use std::collections::BTreeMap;
use tiledesc::chip::Access as Direction;

/// A tile that was judged.
#[derive(Debug)]
pub(crate) struct Checked<'t> {
    pub(crate) tile: &'t Tile,
    pub(crate) judged: Vec<Judged<'t>>,
    /// The layouts that would be free, where something is not.
    pub(crate) remedies: Option<Remedies>,
    /// Loads from global memory, and stores to it.
    fetches: Vec<report::Fetch>,
}

impl<'t> Checked<'t> {
    fn new(tile: &'t Tile, judged: Vec<Judged<'t>>, fetches: Vec<report::Fetch>) -> Self {
        // Which bytes two lanes write is no matter of the layout.
        let races = judged.iter().any(|one| one.report.ruling == Ruling::Races);
        let fails = !races && judged.iter().any(|one| one.report.ruling.is_conflict());
        let remedies = if fails { remedies(tile, taken(&judged)) } else { None };
        Self { tile, judged, remedies, fetches }
    }

    /// The sentence about a tile of which nothing is judged.
    pub(crate) fn silence(&self) -> Option<&'static str> {
        let is_judged =
            !(self.judged.is_empty() && self.fetches.is_empty() && self.tile.consumers.is_empty())
                || self.tile.fill.is_some();
        let begins = |with: &str| self.tile.chips.iter().any(|chip| chip.name().starts_with(with));
        (!is_judged).then_some(match () {
            () if ["sm_9", "sm_10", "sm_12"].into_iter().any(begins) => {
                "has no access, so nothing is judged: write \
                 `read = [{ op = \"ld.shared.b128\", by = \"row-major\" }]`, or `consumed_by = \"wgmma\"`, \"tcgen05\", \"tma\""
            }
            () if begins("sm_") => {
                "has no access, so nothing is judged: write \
                 `read = [{ op = \"ld.shared.b128\", by = \"row-major\" }]`"
            }
            () if begins("gfx1") => {
                "has no access, so nothing is judged: write \
                 `read = [{ op = \"ds_load_b128\", by = \"wmma-rows 16\" }]`"
            }
            () => {
                "has no access, so nothing is judged: write \
                 `read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]`"
            }
        })
    }

    /// The layouts that would be free.
    pub(crate) fn free(&self) -> &[Instead] {
        match &self.remedies {
            Some(Remedies::Free(free)) => free,
            _ => &[],
        }
    }

    /// The layouts that would take fewer cycles, where none is free.
    fn less(&self) -> &[Instead] {
        match &self.remedies {
            Some(Remedies::Less { less, .. }) => less,
            _ => &[],
        }
    }

    /// What would be free or less, in sentences.
    fn remedy(&self) -> Option<String> {
        let mut lines = self.remedies.as_ref()?.lines();
        if self.tile.layout.notation == VIEW {
            // A layout in place of the tile's own is one of its own elements and shape.
            lines.push(
                "in place of the view as well: leave `recast_from` and `view` out".to_string(),
            );
        }
        Some(lines.join("\n"))
    }

    /// The report on the tile.
    pub(crate) fn report(&self) -> report::Tile {
        let (tile, plan) = (self.tile, &self.tile.layout.plan);
        let access = |one: &Judged<'_>| Access { reordered: order(one), ..one.report.clone() };
        report::Tile {
            name: tile.name.clone(),
            line: tile.place.line,
            column: tile.place.column,
            element: tile.element.name,
            bits: tile.element.bits,
            dimensions: tile.layout.dimensions.clone(),
            lengths: plan.lengths().as_slice().to_vec(),
            bytes: tile.bytes(),
            accesses: self.judged.iter().map(access).collect(),
            fetches: self.fetches.clone(),
            remedies: self.free().iter().map(remedy).collect(),
            less: self.less().iter().map(remedy).collect(),
            remedy: self.remedy(),
            consumed: tile.consumers.iter().filter_map(|one| consumed(tile, one)).collect(),
            silence: self.silence(),
        }
    }

    /// The worst access, the first of several.
    pub(crate) fn worst(&self) -> Option<&Judged<'t>> {
        worst(&self.judged)
    }
}

/// The form in which a tile is taken; one that is not is a fault.
fn consumed(tile: &Tile, by: &Consumer) -> Option<Consumed> {
    let found = tile.taken_by(by, &tile.layout.plan).ok()?;
    let (by, sentence) = (by.name(), found.sentence());
    let Form { name, mode, alignment, .. } = found;
    Some(Consumed { by, form: name, mode, alignment, sentence })
}

/// The report on a layout in place of the tile's own.
fn remedy(one: &Instead) -> Remedy {
    Remedy {
        words: one.words.clone(),
        declaration: one.copied.as_ref().map(Copied::declaration),
        index: one.copied.as_ref().map(|copied| copied.index.clone()),
        noted: one.noted.clone(),
        is_own_but_for_a_pad: one.pad.is_some(),
        cycles: one.cost.cycles,
        bytes: one.cost.bytes,
        more_bytes: u64::try_from(one.more).unwrap_or(0),
        address: one.cost.address_instructions,
    }
}

/// All tiles, or what is wrong with them.
pub(crate) fn checked(tiles: &[Tile], demand: Demand) -> Result<Vec<Checked<'_>>, Vec<Fault>> {
    let (all, faults) = each_checked(tiles, demand);
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}

/// The tiles that can be judged, and what is wrong with the others.
fn each_checked(tiles: &[Tile], demand: Demand) -> (Vec<Checked<'_>>, Vec<Fault>) {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for tile in tiles {
        match (judge(tile, demand), fetches(tile)) {
            (Ok(mut judged), Ok(fetches)) => {
                note_unwritten(tile, &mut judged, demand.strict);
                all.push(Checked::new(tile, judged, fetches));
            }
            (judged, fetches) => {
                faults.extend([judged.err(), fetches.err()].into_iter().flatten().flatten());
            }
        }
    }
    (all, faults)
}

/// A fault with its place.
pub(crate) fn reported(source: &Source, fault: &Fault) -> report::Fault {
    let Place { line, column } = source.place(fault.span.start);
    report::Fault { line, column, message: fault.message.clone() }
}

/// The report on the tiles of a source, and on all that is wrong with it. What is wrong with a tile hides that tile alone.
pub(crate) fn report(
    source: &Source,
    (tiles, mut faults): (Vec<Tile>, Vec<Fault>),
    demand: Demand,
) -> Check {
    let (all, more) = each_checked(&tiles, demand);
    faults.extend(more);
    faults.sort_by_key(|fault| fault.span.start);
    let matrix = tiles.first().map_or(&[][..], |tile| &tile.matrix);
    let judged: Vec<_> = all.iter().flat_map(|one| &one.judged).collect();
    // Of accesses that are left out no sum is one.
    let trips = if faults.is_empty() { trips(matrix, &judged) } else { Vec::new() };
    let tiles = all.iter().map(Checked::report).collect();
    let faults: Vec<_> = faults.iter().map(|fault| reported(source, fault)).collect();
    let mut report = Check {
        schema: "tiledesc.check/1",
        tool: "tiledesc",
        version: env!("CARGO_PKG_VERSION"),
        file: source.name.clone(),
        status: Status::Free,
        max_degree: demand.max_degree,
        strict: demand.strict,
        faults,
        tiles,
        trips,
        baseline: None,
    };
    report.set_status();
    report
}

/// Marks the reads that find bytes which no write of their tile covers, chip by chip. If that is an error, such a read
/// fails even if it would otherwise pass.
fn note_unwritten(tile: &Tile, judged: &mut [Judged<'_>], is_error: bool) {
    let written = tile.chips.iter().map(|chip| (chip.name(), written(tile, chip.name(), judged)));
    let written: BTreeMap<_, _> = written.collect();
    let is_known =
        |one: &&mut Judged<'_>| one.access.direction == Direction::Read && !one.access.is_of_data();
    for one in judged.iter_mut().filter(is_known) {
        let Some(Some(written)) = written.get(one.chip.name()) else { continue };
        one.report.unwritten = written.missed(&one.placed, !tile.is_bytes());
        let report = &mut one.report;
        if is_error && report.unwritten.is_some() && report.ruling == Ruling::Passes {
            report.ruling = Ruling::Unwritten;
        }
    }
}

/// The bytes that are written on a chip. `None` where the file may leave a write out: of a tile that is only read, that
/// a direct load fills, or that has a write by its `first` instruction alone, an excerpt, or of bytes that
/// data chooses.
fn written(tile: &Tile, chip: &str, judged: &[Judged<'_>]) -> Option<Bytes> {
    let is_write = |one: &&Judged<'_>| one.access.direction == Direction::Write;
    let writes: Vec<_> =
        judged.iter().filter(|one| one.chip.name() == chip).filter(is_write).collect();
    let is_open =
        |one: &&Judged<'_>| one.access.is_of_data() || one.access.lanes.lanes().is_first();
    let is_excerpt = writes.iter().any(is_open);
    if writes.is_empty() || is_excerpt || tile.fill.is_some() {
        return None;
    }
    let all = (tile.layout.plan.elements() * u64::from(tile.element.bits)).div_ceil(8);
    let mut written = Bytes::none(tile.bytes());
    for one in writes {
        // Else no byte of an element is left that was not written.
        if written.count() < all {
            written.add_all(&one.placed)?;
        }
    }
    Some(written)
}
