//! The question of a search: a tile and all its accesses, on all its chips.
//!
//! Layouts are searched for rows and columns. A tile of other dimensions is taken as such, and so are its accesses, lane
//! by lane:
//!
//! ```text
//!   shape                      rows x columns    lane at         stands at
//!   { x = 1024 }               1 x 1024          (70)            (0, 70)
//!   { x = 8, y = 8, z = 32 }   64 x 32           (2, 3, 17)      (2 * 8 + 3, 17)
//! ```

use crate::request::access::Access;
use crate::request::recipe::{is_exchanged, over, rows_and_columns};
use crate::request::spelling::{kebab, plural};
use crate::request::tile::Tile;
use tiledesc::access::Placed;
use tiledesc::chip::Instruction;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;
use tiledesc::{Error, List, Plan};
use tiledesc_host::search::address_instructions;

/// A tile and all its accesses: the question of a search. Of a tile of one dimension, or of more than two, it is the
/// question of its rows and columns: one row, or rows of the last dimension, counted by all others.
#[derive(Debug)]
pub(crate) struct Question<'t> {
    pub(crate) tile: &'t Tile,
    pub(crate) shape: Shape,
    /// Each access on each chip.
    pub(crate) uses: Vec<Use<'t>>,
}

impl<'t> Question<'t> {
    /// Or why a tile is not searched.
    pub(crate) fn new(tile: &'t Tile, tables: &'t Tables) -> Result<Self, String> {
        let lengths = tile.layout.plan.lengths();
        let [rows, columns] = rows_and_columns(lengths.as_slice());
        let shape = Shape { rows, columns, bits: tile.element.bits };
        let mut uses = uses_of(tile);
        if lengths.len() != 2 {
            let tables = tables.0.as_ref().map_err(Clone::clone)?;
            for (one, table) in uses.iter_mut().zip(tables) {
                one.lanes = Lanes::table(table, 1);
            }
        }
        if let Some(one) = tile.accesses.iter().find(|one| one.is_of_data()) {
            Err(format!("data chooses what the lanes of {} touch, in any layout", one.op))
        } else if uses.is_empty() {
            Err("it has no access".to_string())
        } else {
            Ok(Self { tile, shape, uses })
        }
    }

    /// Returns whether the tile is searched as rows and columns that are not its own dimensions.
    pub(crate) fn is_flattened(&self) -> bool {
        self.tile.layout.plan.rank() != 2
    }

    /// A layout as a plan of the tile's dimensions.
    pub(crate) fn plan(&self, layout: Spec) -> Result<Plan, Error> {
        over(self.tile.layout.plan.lengths().as_slice(), &layout.plan(self.shape)?)
    }

    /// Returns whether every consumer of the tile takes it in a layout.
    pub(crate) fn is_taken(&self, layout: Spec) -> bool {
        let consumers = &self.tile.consumers;
        consumers.is_empty()
            || self.plan(layout).is_ok_and(|plan| {
                consumers.iter().all(|one| self.tile.taken_by(one, &plan).is_ok())
            })
    }

    /// The address instructions of a lane in all accesses; a kernel runs on one chip, so of several the most.
    pub(crate) fn address(&self, layout: Spec) -> Option<u32> {
        let chips = self.tile.chips.len();
        let of_chip = |at| {
            let uses: Vec<_> = self.uses.iter().skip(at).step_by(chips).copied().collect();
            address_instructions(self.shape, layout, &uses)
        };
        let all: Option<Vec<_>> = (0..chips).map(of_chip).collect();
        all?.into_iter().max()
    }

    /// A layout as the file has it.
    pub(crate) fn words(&self, layout: Spec) -> String {
        // The recipe takes its rows from the second dimension of `{ k = 64, n = 128 }`.
        words(layout, layout.is_transposed() != is_exchanged(&self.tile.layout.dimensions))
    }
}

/// The lanes of each access on each chip of a tile that has not two dimensions, as they stand in its rows and columns; or
/// why they stand in none. Of a tile of two dimensions none.
#[derive(Debug)]
pub(crate) struct Tables(Result<Vec<Vec<Row>>, String>);

/// Instructions whose lanes are listed: 16 MiB.
const MOST_LISTED: u64 = 1 << 12;

impl Tables {
    pub(crate) fn new(tile: &Tile) -> Self {
        if tile.layout.plan.rank() == 2 {
            return Self(Ok(Vec::new()));
        }
        if tile.fill.is_some() {
            let dimensions = plural(tile.layout.plan.rank() as u64, "dimension");
            return Self(Err(format!("it has {dimensions}, and a direct load fills rows of two")));
        }
        let mut left = MOST_LISTED;
        let each = tile.accesses.iter().flat_map(|one| one.rows.iter().map(move |row| (one, row)));
        Self(each.map(|(access, row)| table(tile, access, row, &mut left)).collect())
    }
}

/// The row and column of each lane in each instruction of an access.
fn table(
    tile: &Tile,
    access: &Access,
    row: &Instruction,
    left: &mut u64,
) -> Result<Vec<Row>, String> {
    let (plan, lengths) = (&tile.layout.plan, tile.layout.plan.lengths());
    let placed = Placed::new(plan, tile.element.bits, access.lanes.lanes(), row);
    let placed = placed.map_err(|error| error.to_string())?;
    let (op, by) = (&access.op, &access.by);
    if placed.pack() > 1 && placed.along() + 1 != lengths.len() {
        let names = &tile.layout.dimensions;
        let (along, last) = (&names[placed.along()], &names[lengths.len() - 1]);
        return Err(format!(
            "a lane of {op} by {by} takes its elements along {along}, and rows of {last} are searched"
        ));
    }
    *left = left.checked_sub(placed.instructions()).ok_or_else(|| {
        format!("{op} by {by}: at most {MOST_LISTED} instructions of all accesses are searched")
    })?;
    let place = |at: List| {
        let (columns, outer) = at.as_slice().split_last()?;
        let count = |row, (at, length): (&u32, &u32)| row * length + at;
        Some(List::pair(outer.iter().zip(lengths.as_slice()).fold(0, count), *columns))
    };
    let lanes = |step| core::array::from_fn(|lane| placed.coordinate(step, lane).and_then(place));
    Ok((0..placed.instructions()).map(lanes).collect())
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
