//! A layout in each notation that has a form for it, or why one has none.

use crate::answer::stages;
use crate::request::args::Notation;
use crate::request::spelling::by_names;
use crate::request::tile::Tile;
use tiledesc_host::exchange::ck;
use tiledesc_host::exchange::cute::Composed;
use tiledesc_host::exchange::triton::{Bases, Padded};

/// The notations by the keys of a file.
pub(crate) const ALL: [(Notation, &str); 4] = [
    (Notation::Cute, "cute"),
    (Notation::Triton, "triton"),
    (Notation::Ck, "ck"),
    (Notation::Stages, "stages"),
];

/// The form alone: of CuTe without quotes.
pub(crate) fn form(notation: Notation, tile: &Tile) -> Result<String, String> {
    write(notation, tile).map_err(|why| by_names(&why, &tile.layout.dimensions))
}

fn write(notation: Notation, tile: &Tile) -> Result<String, String> {
    let plan = &tile.layout.plan;
    match notation {
        Notation::Cute => {
            Composed::of_plan(plan).map(|form| form.to_string()).map_err(|why| why.to_string())
        }
        Notation::Triton => match (Bases::from_plan(plan), Padded::from_plan(plan)) {
            (Ok(bases), _) => Ok(format!("{{ offset = {bases} }}")),
            (Err(_), Ok(padded)) => Ok(padded.to_string()),
            (Err(why), Err(_)) => Err(why.to_string()),
        },
        Notation::Ck => match ck::parameters(plan) {
            Ok(Some(found)) => {
                Ok(format!("{{ kpack = {}, mldslayer = {} }}", found.pack, found.layers))
            }
            Ok(None) => {
                Err("no KPack and MLdsLayer of the universal GEMM have these offsets".to_string())
            }
            Err(why) => Err(why.to_string()),
        },
        Notation::Stages => stages::write(plan),
    }
}
