//! Tiles with the verdicts on their accesses: what `check` finds.

use crate::report::access::{Access, Ruling};
use crate::report::status::Status;
use crate::request::fault::Place;
use crate::request::spelling::plural;
use schemars::JsonSchema;
use serde::Serialize;

/// What is demanded of accesses.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// The highest degree that passes.
    pub max_degree: u32,
    /// Whether rows must be measured or documented, and no other source may say that it does not pass, unless an access
    /// accepts less with `as`.
    pub strict: bool,
    /// Whether lanes may write different values to one byte of a compiled kernel.
    pub allow_races: bool,
}

impl Demand {
    /// All are free, by whatever evidence there is.
    pub const FREE: Self = Self { max_degree: 1, strict: false, allow_races: false };
}

/// What `tiledesc check --format json` prints: one object.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "tiledesc.check/1")]
pub struct Check {
    /// Name of this schema.
    #[schemars(extend("const" = "tiledesc.check/1"))]
    pub schema: &'static str,
    /// Name of the tool.
    #[schemars(extend("const" = "tiledesc"))]
    pub tool: &'static str,
    /// Version of the tool.
    pub version: &'static str,
    /// The file, `<stdin>` or `<options>`.
    pub file: String,
    /// Exit status.
    #[schemars(with = "u8", range(max = 3))]
    pub status: Status,
    /// The highest degree that passes.
    pub max_degree: u32,
    /// Whether weak evidence and unwritten bytes are refused.
    pub strict: bool,
    /// What is wrong with an invalid input; tiles with nothing wrong are judged all the same.
    pub faults: Vec<Fault>,
    /// Tiles in the order of the file.
    pub tiles: Vec<Tile>,
}

/// What is wrong with an input.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Fault {
    /// Line of the file, from 1.
    pub line: usize,
    /// Column of that line, from 1.
    pub column: usize,
    /// A sentence.
    pub message: String,
}

/// A tile with the verdicts on its accesses.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tile {
    /// Its name.
    pub name: String,
    /// Line of the file, from 1.
    pub line: usize,
    /// Column of that line, from 1.
    pub column: usize,
    /// Element.
    pub element: &'static str,
    /// Bits of an element.
    pub bits: u32,
    /// Names of the dimensions, the slowest first.
    pub dimensions: Vec<String>,
    /// Their lengths.
    pub lengths: Vec<u32>,
    /// Bytes of the element space.
    pub bytes: u64,
    /// Accesses in the order of the file, each on each chip.
    pub accesses: Vec<Access>,
    /// Layouts that were tried and are free in all accesses; only of a tile that conflicts.
    pub remedies: Vec<Remedy>,
    /// The remedies as a sentence, or what was tried where none is free.
    pub remedy: Option<String>,
    /// Why nothing is judged, if nothing is.
    pub silence: Option<&'static str>,
}

/// A layout that would be free.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Remedy {
    /// As the file has it: recipe = "gemm-xor", kpack = 8
    pub words: String,
    /// Bytes more than the tile takes now.
    pub more_bytes: u64,
}

impl Check {
    /// Returns the accesses of all tiles.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.tiles.iter().flat_map(|tile| &tile.accesses)
    }

    /// Sums up: `6 accesses of 2 tiles: 5 free, 1 with conflicts`.
    #[must_use]
    pub fn summary(&self) -> String {
        summary(self.tiles.len(), &self.accesses().collect::<Vec<_>>())
    }
}

/// Sums up the accesses of some tiles.
pub(crate) fn summary(tiles: usize, accesses: &[&Access]) -> String {
    let count = |is: &dyn Fn(&Access) -> bool| accesses.iter().filter(|one| is(one)).count();
    let ruled = |ruling| count(&|one| one.ruling == ruling);
    let (all, tiles) = (plural(accesses.len(), "access"), plural(tiles, "tile"));
    if accesses.is_empty() {
        return format!("no access of {tiles}: nothing was judged");
    }
    let (free, conflicts) = (count(&|one| one.free), ruled(Ruling::Conflicts));
    let races = ruled(Ruling::Races);
    let others = [
        (conflicts, "with conflicts"),
        (races, "with data races"),
        (accesses.len() - free - races - conflicts, "within the degree that is allowed"),
        (count(&Access::is_open), "disputed"),
        (ruled(Ruling::Weak), "on evidence that is not accepted"),
        (count(&|one| one.unwritten.is_some()), "with bytes that no stated write covers"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others: String = others.map(|(count, what)| format!(", {count} {what}")).collect();
    format!("{all} of {tiles}: {free} free{others}")
}

impl Tile {
    pub(crate) fn place(&self) -> Place {
        Place { line: self.line, column: self.column }
    }
}
