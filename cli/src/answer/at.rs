//! Where an element lies, and what lies at an offset; how much of a tile is contiguous, and where its base may be.

use crate::request::recipe::is_exchanged;
use crate::request::spelling::{self, by_names, plural};
use crate::request::tile::Tile;
use tiledesc::{Error, Plan, recipe};
use tiledesc_host::exchange::gmma::Atom;

/// A question about places.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    Coordinate(Vec<u32>),
    /// In elements.
    Offset(u64),
    Byte(u64),
}

/// Answers one question about a tile, or explains why it cannot be answered. The caller writes the tile's name before either
/// sentence.
pub(crate) fn place(tile: &Tile, asked: &Asked) -> Result<String, String> {
    let plan = &tile.layout.plan;
    match asked {
        Asked::Coordinate(index) => {
            let (rank, given) = (plan.rank(), index.len());
            if given != rank {
                let names = tile.layout.dimensions.join(", ");
                return Err(format!("has the dimensions {names}, but {} given", are(given)));
            }
            let nothing = |error: Error| {
                let error = by_names(&error.to_string(), &tile.layout.dimensions);
                format!("has nothing at {}: {error}", spelling::coordinate(index))
            };
            let offset = plan.offset(index).map_err(nothing)?;
            Ok(format!("{} lies at {}", named(tile, index), lies(tile, u64::from(offset))))
        }
        Asked::Offset(offset) => coordinate(tile, *offset),
        Asked::Byte(byte) => {
            let bits = u64::from(tile.element.bits);
            coordinate(tile, byte.saturating_mul(8) / bits)
        }
    }
}

/// `1 index is`, `3 indices are`
fn are(count: usize) -> String {
    format!("{count} {}", if count == 1 { "index is" } else { "indices are" })
}

fn coordinate(tile: &Tile, offset: u64) -> Result<String, String> {
    let lies = lies(tile, offset);
    let word = u32::try_from(offset).ok().filter(|_| offset < tile.layout.plan.element_space());
    let Some(word) = word else {
        let (space, bytes) = (tile.layout.plan.element_space(), tile.bytes());
        return Err(format!(
            "has nothing at {lies}: it takes {}, {}",
            plural(space, "element"),
            plural(bytes, "byte")
        ));
    };
    match tile.layout.plan.coordinate_of(word) {
        Ok(index) => Ok(format!("at {lies} is {}", named(tile, index.as_slice()))),
        Err(Error::NoCoordinate { .. }) => Err(format!("has nothing at {lies}: it is a gap")),
        Err(error) => Err(format!("at {lies}: {error}")),
    }
}

/// `(m 3, k 17)`
fn named(tile: &Tile, index: &[u32]) -> String {
    let each = tile.layout.dimensions.iter().zip(index).map(|(name, at)| format!("{name} {at}"));
    format!("({})", each.collect::<Vec<_>>().join(", "))
}

/// `offset 201, byte 402`; an element that is not whole bytes begins at a bit.
fn lies(tile: &Tile, offset: u64) -> String {
    let bits = offset.saturating_mul(u64::from(tile.element.bits));
    match bits % 8 {
        0 => format!("offset {offset}, byte {}", bits / 8),
        bit => format!("offset {offset}, byte {}, bit {bit}", bits / 8),
    }
}

/// What holds of the whole tile, a sentence each.
pub(crate) fn facts(tile: &Tile) -> Vec<String> {
    let plan = &tile.layout.plan;
    let (elements, space) = (plan.elements(), plan.element_space());
    let mut all = vec![format!(
        "{} of {} in {}, {}",
        plural(elements, "element"),
        tile.element.name,
        match space == elements {
            true => "as many places".to_string(),
            false => plural(space, "place"),
        },
        plural(tile.bytes(), "byte")
    )];
    let along = tile.layout.dimensions.iter().enumerate().filter_map(|(d, name)| {
        let together = plan.vector(d).ok().filter(|block| block.stride == 1)?.length;
        let bits = u64::from(together) * u64::from(tile.element.bits);
        (together > 1).then(|| {
            format!("along {name} {} lie together, {}", plural(together, "element"), amount(bits))
        })
    });
    all.extend(along);
    all.extend(atom(tile, plan).map(|atom| {
        format!(
            "wgmma and TMA call it {}: {}, its base at a multiple of {} bytes",
            atom.name(),
            atom.mode().name(),
            atom.base_alignment()
        )
    }));
    all
}

fn amount(bits: u64) -> String {
    if bits.is_multiple_of(8) { plural(bits / 8, "byte") } else { plural(bits, "bit") }
}

/// The atom of which a tile of rows and columns is made.
fn atom(tile: &Tile, plan: &Plan) -> Option<Atom> {
    let plan =
        if is_exchanged(&tile.layout.dimensions) { recipe::transposed(plan).ok()? } else { *plan };
    Atom::of_plan(&plan, tile.element.bits).ok().flatten().map(|(atom, _)| atom)
}
