//! Layouts of tiles by what they cost: what `find` finds.

use schemars::JsonSchema;
use serde::Serialize;
use tiledesc::recipe::Spec;

/// What `tiledesc find --json` prints: one object.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "tiledesc.find/1")]
pub struct Find {
    /// Name of this schema.
    #[schemars(extend("const" = "tiledesc.find/1"))]
    pub schema: &'static str,
    /// Name of the tool.
    #[schemars(extend("const" = "tiledesc"))]
    pub tool: &'static str,
    /// Version of the tool.
    pub version: &'static str,
    /// Tiles that were searched, in the order of the file.
    pub tiles: Vec<Found>,
}

/// The candidates of one tile, its own layout among them, the least first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Found {
    /// Name of the tile.
    pub name: String,
    /// Line of the file, from 1.
    pub line: usize,
    /// Chips that are searched together.
    pub chips: Vec<&'static str>,
    /// What is known of the least, or why nothing was tried.
    pub proof: String,
    /// Cycles of the same instructions without any conflict, where something was tried.
    pub floor: Option<u64>,
    /// Where none is free: the access that is better done otherwise, and what it costs then.
    pub change: Option<String>,
    /// What accesses that conflict take in another order on the layout as it is.
    pub orders: Vec<String>,
    /// Whether the tile states its layout; else rows side by side are its own.
    pub stated: bool,
    /// Layouts, the least first.
    pub rows: Vec<Row>,
}

/// A layout and what it costs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Row {
    /// Declaration in C++, where a formula says the layout; of elements `T` where C++ has no name of them.
    pub declaration: Option<String>,
    /// An element of it in C++.
    pub index: Option<String>,
    /// The layout in the notation in which the tile states its own: CuTe's, Triton's or Gluon's.
    pub noted: Option<String>,
    /// The layout as the file has it; null of the tile's own, if no candidate is the same.
    pub words: Option<String>,
    /// Cycles of all accesses, by the rows' own sources.
    pub cycles: u64,
    /// Cycles by the sources that dispute rows.
    pub rival_cycles: u64,
    /// Bytes of the element space.
    pub bytes: u64,
    /// Instructions that make the addresses of one lane, if they are known; of several chips on the one of the most.
    pub address: Option<u32>,
    /// Whether it is free by the rows' own sources.
    pub free: bool,
    /// Whether another source finds a conflict in what is free.
    pub disputed: bool,
    /// Whether no other is better in one cost and no worse in the rest.
    pub choice: bool,
    /// Whether it is the layout as it is.
    pub own: bool,
    /// Cycles by their own sources, and the conflicts that only the others count: what the search goes by.
    #[serde(skip)]
    pub(crate) weight: u64,
    /// What it is among the candidates.
    #[serde(skip)]
    pub(crate) layout: Option<Spec>,
}

impl Found {
    /// Returns whether something that was tried is free.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.rows.iter().any(|row| row.free)
    }

    /// Returns the layout that costs least, as the file has it.
    #[must_use]
    pub fn best(&self) -> Option<&str> {
        self.rows.iter().find_map(|row| row.words.as_deref())
    }

    /// Returns the layouts than which no other is better in one cost and no worse in the rest, of the same costs the
    /// first; and the layout as it is.
    pub(crate) fn choices(&self) -> Vec<&Row> {
        let mut kept: Vec<&Row> = Vec::new();
        for row in &self.rows {
            let is_new = kept.iter().all(|one| one.costs() != row.costs());
            if row.own || row.choice && is_new {
                kept.push(row);
            }
        }
        kept
    }
}

impl Row {
    /// `recipe = "gemm-xor", kpack = 8 (as it is, conflicts)`
    pub(crate) fn label(&self) -> String {
        let by_rival = format!("{} by the other source", self.rival_cycles);
        let notes = [
            (self.own && self.words.is_some(), "as it is"),
            (!self.free, "conflicts"),
            (self.disputed, "disputed"),
            (self.rival_cycles != self.cycles, by_rival.as_str()),
        ];
        let notes: Vec<_> = notes.iter().filter(|(is, _)| *is).map(|(_, note)| *note).collect();
        let notes =
            if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        format!("{}{notes}", self.words.as_deref().unwrap_or("as it is"))
    }

    /// The costs that rows are sorted by. Of equal cycles the row is less that has fewer counted by a rival; addresses
    /// that nobody counts are the dearest.
    pub(crate) fn costs(&self) -> (u64, u64, u64, u32) {
        (self.cycles, self.weight, self.bytes, self.address.unwrap_or(u32::MAX))
    }

    /// The count of address instructions as a cell of a table.
    pub(crate) fn address(&self) -> String {
        self.address.map_or_else(|| "-".to_string(), |count| count.to_string())
    }
}
