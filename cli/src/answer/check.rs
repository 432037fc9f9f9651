//! All tiles of a file with the verdicts on their accesses, and what would be free instead.

use crate::answer::judge::{Demand, Judged, Ruling, judge, taken, worst};
use crate::answer::remedy::{Instead, Remedies, remedies};
use crate::answer::unwritten::Bytes;
use crate::request::fault::Fault;
use crate::request::spelling::plural;
use crate::request::tile::Tile;
use std::collections::BTreeMap;
use std::fmt;
use tiledesc::chip::Access as Direction;

/// A tile that was judged.
#[derive(Debug)]
pub(crate) struct Checked<'t> {
    pub(crate) tile: &'t Tile,
    pub(crate) judged: Vec<Judged<'t>>,
    /// What would be free, where something is not.
    pub(crate) remedies: Option<Remedies>,
}

impl<'t> Checked<'t> {
    fn new(tile: &'t Tile, judged: Vec<Judged<'t>>) -> Self {
        // Which bytes two lanes write is no matter of the layout.
        let races = judged.iter().any(|one| one.ruling == Ruling::Races);
        let fails = !races && judged.iter().any(|one| one.ruling.is_conflict());
        let remedies = if fails { remedies(tile, taken(&judged)) } else { None };
        Self { tile, judged, remedies }
    }

    /// What is said of a tile of which nothing is judged.
    pub(crate) fn silence(&self) -> Option<&'static str> {
        let is_judged = !self.judged.is_empty() || self.tile.fill.is_some();
        (!is_judged).then_some(
            "has no access, so nothing is judged: write \
             `read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]`",
        )
    }

    /// The layouts that would be free.
    pub(crate) fn free(&self) -> &[Instead] {
        match &self.remedies {
            Some(Remedies::Free(free)) => free,
            _ => &[],
        }
    }

    /// The access that tells most.
    pub(crate) fn worst(&self) -> Option<&Judged<'t>> {
        worst(&self.judged)
    }
}

/// All tiles, or what is wrong with them.
pub(crate) fn checked(tiles: &[Tile], demand: Demand) -> Result<Vec<Checked<'_>>, Vec<Fault>> {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for tile in tiles {
        match judge(tile, demand) {
            Ok(mut judged) => {
                note_unwritten(tile, &mut judged, demand.strict);
                all.push(Checked::new(tile, judged));
            }
            Err(more) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}

/// Marks the reads that find bytes which no write of their tile covers, chip by chip. If that is an error, such a read
/// fails even if it would otherwise pass.
fn note_unwritten(tile: &Tile, judged: &mut [Judged<'_>], is_error: bool) {
    let written = tile.chips.iter().map(|chip| (chip.name(), written(tile, chip.name(), judged)));
    let written: BTreeMap<_, _> = written.collect();
    for one in judged.iter_mut().filter(|one| one.access.direction == Direction::Read) {
        let Some(Some(written)) = written.get(one.chip.name()) else { continue };
        one.unwritten = written.missed(&one.placed);
        if let (true, Some(unwritten)) = (tile.is_bytes(), &mut one.unwritten) {
            unwritten.coordinate = None;
        }
        if is_error && one.unwritten.is_some() && one.ruling == Ruling::Passes {
            one.ruling = Ruling::Unwritten;
        }
    }
}

/// All that is written on a chip. `None` where the file may leave a write out: of a tile that is only read, that a
/// direct load fills, or of which a write is stated by its `first` instruction alone, an excerpt.
fn written(tile: &Tile, chip: &str, judged: &[Judged<'_>]) -> Option<Bytes> {
    let is_write = |one: &&Judged<'_>| one.access.direction == Direction::Write;
    let writes: Vec<_> =
        judged.iter().filter(|one| one.chip.name() == chip).filter(is_write).collect();
    let is_excerpt = writes.iter().any(|one| one.access.lanes.lanes().is_first());
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

/// How many accesses of a file are what.
pub(crate) struct Summary {
    tiles: usize,
    accesses: usize,
    free: usize,
    pub(crate) conflicts: usize,
    pub(crate) races: usize,
    pub(crate) weak: usize,
    /// Those that another source finds worse.
    disputed: usize,
    /// Accesses that read bytes which no write covers, whether they pass or fail.
    unwritten: usize,
    /// Those of them that fail for it.
    pub(crate) unaccepted: usize,
}

impl Summary {
    pub(crate) fn of(all: &[Checked<'_>]) -> Self {
        let judged = || all.iter().flat_map(|one| &one.judged);
        let ruled = |ruling| judged().filter(|one| one.ruling == ruling).count();
        Self {
            tiles: all.len(),
            accesses: judged().count(),
            free: judged().filter(|one| one.is_free()).count(),
            conflicts: ruled(Ruling::Conflicts),
            races: ruled(Ruling::Races),
            weak: ruled(Ruling::Weak),
            disputed: judged().filter(|one| one.is_open()).count(),
            unwritten: judged().filter(|one| one.unwritten.is_some()).count(),
            unaccepted: ruled(Ruling::Unwritten),
        }
    }
}

impl fmt::Display for Summary {
    /// `6 accesses of 2 tiles: 5 free, 1 with conflicts`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (accesses, tiles) = (plural(self.accesses, "access"), plural(self.tiles, "tile"));
        if self.accesses == 0 {
            return write!(f, "no access of {tiles}: nothing was judged");
        }
        write!(f, "{accesses} of {tiles}: {} free", self.free)?;
        let allowed = self.accesses - self.free - self.races - self.conflicts;
        let others = [
            (self.conflicts, "with conflicts"),
            (self.races, "with data races"),
            (allowed, "within the degree that is allowed"),
            (self.disputed, "disputed"),
            (self.weak, "on evidence that is not accepted"),
            (self.unwritten, "with bytes that no stated write covers"),
        ];
        others.iter().filter(|(n, _)| *n > 0).try_for_each(|(n, what)| write!(f, ", {n} {what}"))
    }
}
