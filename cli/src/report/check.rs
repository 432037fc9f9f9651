//! Tiles with the verdicts on their accesses: what `check` finds.

use crate::report::access::{Access, Ruling};
use crate::report::baseline::{Baseline, Since};
use crate::report::bound::Bound;
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
    /// What bounds a trip of the loop, on each chip that has the file's matrix instructions.
    pub trips: Vec<Trip>,
    /// The earlier report that it is compared with.
    pub baseline: Option<Baseline>,
}

/// What bounds a trip of the loop that the file states: its accesses, each as often as its `times`, beside `matrix`. A bound, not
/// a time: waits and other instructions are left out, and wave n is taken to be on SIMD n mod 4.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Trip {
    /// The chip.
    pub chip: &'static str,
    /// What bounds it.
    pub bound: Bound,
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
    /// Loads from global memory and stores to it, in the order of the file, each on each chip.
    pub fetches: Vec<Fetch>,
    /// Layouts that are free in all accesses, none of which another beats in cycles, bytes, address instructions and
    /// change, the least change first; only of a tile that conflicts.
    pub remedies: Vec<Remedy>,
    /// Where none is free: such layouts that take fewer cycles than the tile's own.
    pub less: Vec<Remedy>,
    /// The remedies in sentences, a line each; before them what was tried where none is free.
    pub remedy: Option<String>,
    /// The forms in which it is taken without lane addresses.
    pub consumed: Vec<Consumed>,
    /// Why nothing is judged, if nothing is.
    pub silence: Option<&'static str>,
}

/// The lines of global memory that a wave touches at once by a load or a store: the most of all accesses, of a tile at any multiple
/// of its own lengths in a tensor that begins at a line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Fetch {
    /// Line of the file, from 1.
    pub line: usize,
    /// Column of that line, from 1.
    pub column: usize,
    /// The chip.
    pub chip: &'static str,
    /// The instruction.
    pub op: String,
    /// What its lanes hold.
    pub by: String,
    /// Elements from row to row, or `multiples of` some.
    pub rows: String,
    /// Lines that are touched.
    pub lines: u32,
    /// The fewest that hold its bytes.
    pub least_lines: u32,
    /// Sectors that are touched; of lines without sectors, lines.
    pub sectors: u32,
    /// The fewest that hold its bytes.
    pub least_sectors: u32,
    /// The most sectors that the file allows.
    pub at_most: Option<u32>,
    /// Whether it touches no more.
    pub passes: bool,
    /// What was found.
    pub found: String,
}

/// A tile that something takes without lane addresses, and its form.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Consumed {
    /// What takes it: wgmma, tcgen05, tma.
    pub by: &'static str,
    /// The form: CuTe's name of an atom, or the mode of a tensor map.
    pub form: &'static str,
    /// The mode of the tensor map that fills it: SWIZZLE_128B
    pub mode: &'static str,
    /// Bytes of which its base is a multiple.
    pub alignment: u32,
    /// The same in words.
    pub sentence: String,
}

/// A layout in place of the tile's own.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Remedy {
    /// As the file has it: recipe = "gemm-xor", kpack = 8
    pub words: String,
    /// Declaration in C++, where a formula says the layout.
    pub declaration: Option<String>,
    /// An element of it in C++.
    pub index: Option<String>,
    /// The layout in the notation in which the tile states its own: CuTe's, Triton's or Gluon's.
    pub noted: Option<String>,
    /// Whether it is the tile's own layout but for the extent of a pad.
    pub is_own_but_for_a_pad: bool,
    /// Cycles of all accesses, by the rows' own sources.
    pub cycles: u64,
    /// Bytes of the element space.
    pub bytes: u64,
    /// Instructions that make the addresses of one lane, if they are known; of several chips on the one of the most.
    pub address: Option<u32>,
    /// Bytes more than the tile takes now.
    pub more_bytes: u64,
}

impl Check {
    /// Sets the exit status by what becomes of the accesses.
    pub(crate) fn set_status(&mut self) {
        let ruled = |is: &dyn Fn(Ruling) -> bool| self.accesses().any(|one| is(one.ruling));
        self.status = match () {
            () if !self.faults.is_empty() => Status::Invalid,
            () if ruled(&Ruling::is_conflict) || !self.fetches_pass() => Status::Conflict,
            () if ruled(&|ruling| ruling != Ruling::Passes) => Status::Weak,
            () => Status::Free,
        };
    }

    /// Returns whether no load or store touches more of global memory than the file allows.
    fn fetches_pass(&self) -> bool {
        self.tiles.iter().flat_map(|tile| &tile.fetches).all(|fetch| fetch.passes)
    }

    /// Returns the accesses of all tiles.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.tiles.iter().flat_map(|tile| &tile.accesses)
    }

    /// Sums up: `6 accesses of 2 tiles: 5 free, 1 with conflicts`.
    #[must_use]
    pub fn summary(&self) -> String {
        let accesses: Vec<_> = self.accesses().collect();
        let taken = self.tiles.iter().filter(|tile| !tile.consumed.is_empty()).count();
        let fetches: Vec<_> = self.tiles.iter().flat_map(|tile| &tile.fetches).collect();
        let beyond = fetches.iter().filter(|one| !one.passes).count();
        let mut parts = Vec::new();
        if !accesses.is_empty() || (taken == 0 && fetches.is_empty()) {
            parts.push(summary(self.tiles.len(), &accesses));
        } else if fetches.is_empty() {
            let tiles = plural(self.tiles.len(), "tile");
            return format!("no access of {tiles}, {taken} in a form that is taken without one");
        }
        if taken > 0 {
            let tiles = plural(taken, "tile");
            parts.push(format!("{tiles} in a form that is taken without an access"));
        }
        match (fetches.len(), beyond) {
            (0, _) => {}
            (all, 0) => parts.push(plural(all, "global access")),
            (all, _) => {
                let all = plural(all, "global access");
                parts.push(format!("{all}, {beyond} beyond what is allowed"));
            }
        }
        parts.join("; ")
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
    let before = count(&|one| {
        !one.free
            && one.ruling == Ruling::Passes
            && one.since.is_some_and(|since| since != Since::New)
    });
    let others = [
        (conflicts, "with conflicts"),
        (races, "with data races"),
        (accesses.len() - free - races - conflicts - before, "within the degree that is allowed"),
        (before, "no worse than before"),
        (count(&Access::is_open), "disputed"),
        (ruled(Ruling::Weak), "on evidence that is not accepted"),
        (count(&|one| one.unwritten.is_some()), "with bytes that no stated write covers"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others: String = others.map(|(count, what)| format!(", {count} {what}")).collect();
    format!("{all} of {tiles}: {free} free{others}")
}

impl Tile {
    /// Returns the place among its accesses of the one that loses most cycles to conflicts, of several the first: what a
    /// remedy is for.
    #[must_use]
    pub fn dearest(&self) -> Option<usize> {
        let failing = self.accesses.iter().enumerate().filter(|(_, one)| one.ruling.is_conflict());
        let lost = |one: &Access| one.conflict_cycles.saturating_mul(one.times);
        let most = failing.rev().max_by_key(|(_, one)| lost(one));
        most.map(|(at, _)| at)
    }

    pub(crate) fn place(&self) -> Place {
        Place { line: self.line, column: self.column }
    }
}
