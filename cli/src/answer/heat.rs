//! The degree of a layout in accesses that its file does not name: all of one chip, or one pattern on
//! all chips.

use crate::request::held::Held;
use crate::request::spelling::kebab;
use crate::request::tile::Tile;
use tiledesc::chip::{CHIPS, Chip};
use tiledesc::pattern::{Lanes, NAMED};
use tiledesc::{
    access::{AccessError, Placed},
    chip::Instruction,
};

/// The subject of a heat map.
pub(crate) enum Asked<'a> {
    Chip(&'a str),
    By(&'a str),
}

/// The accesses of a map, and how bad each is.
pub(crate) struct Heat {
    pub(crate) by: Vec<String>,
    pub(crate) chips: Vec<&'static Chip>,
    pub(crate) cells: Vec<Cell>,
}

/// One access.
pub(crate) struct Cell {
    pub(crate) chip: &'static Chip,
    pub(crate) row: &'static Instruction,
    pub(crate) by: String,
    /// The degree, and whether two lanes write one byte.
    pub(crate) found: Result<(u32, bool), AccessError>,
}

/// The sizes of patterns that take one: those of matrix instructions.
const SIZES: [u32; 2] = [16, 32];

/// The degree of each access.
pub(crate) fn heat(tile: &Tile, asked: &Asked<'_>) -> Heat {
    let (chips, by): (Vec<_>, _) = match asked {
        Asked::Chip(name) => {
            (CHIPS.iter().filter(|chip| chip.name() == *name).collect(), patterns())
        }
        Asked::By(by) => (CHIPS.iter().collect(), vec![by.to_string()]),
    };
    let mut cells = Vec::new();
    for by in &by {
        let Ok(held) = Held::read(by, &[], tile.over()) else { continue };
        for chip in &chips {
            for row in chip.rows().iter().filter(|row| row.parts() == 1) {
                let found = judged_by(tile, row, held.lanes());
                cells.push(Cell { chip, row, by: by.clone(), found });
            }
        }
    }
    Heat { by, chips, cells }
}

/// All patterns with a name, each of the sizes that matrix instructions have.
fn patterns() -> Vec<String> {
    let each = NAMED.iter().flat_map(|named| {
        let name = kebab(named.name());
        match named.parameter() {
            None => vec![name],
            Some(_) => SIZES.iter().map(|size| format!("{name} {size}")).collect(),
        }
    });
    each.collect()
}

fn judged_by(tile: &Tile, row: &Instruction, lanes: Lanes<'_>) -> Result<(u32, bool), AccessError> {
    let placed = Placed::new(&tile.layout.plan, tile.element.bits, lanes, row)?;
    let verdict = placed.verdict()?;
    Ok((verdict.degree(), verdict.conflicts().race.is_some()))
}
