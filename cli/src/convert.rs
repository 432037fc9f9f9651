//! `convert`: a layout in each notation that has a form for it, or why one has none.

use crate::args::{Convert, Notation};
use crate::fault::Source;
use crate::input::Tile;
use crate::{Output, Status, stages};
use std::fmt::Write;
use tiledesc::exchange::ck;
use tiledesc::exchange::cute::Composed;
use tiledesc::exchange::triton::Bases;

/// The notations by the keys of a file.
const ALL: [(Notation, &str); 4] = [
    (Notation::Cute, "cute"),
    (Notation::Triton, "triton"),
    (Notation::Ck, "ck"),
    (Notation::Stages, "stages"),
];

pub(crate) fn run(convert: &Convert, source: &Source, tiles: &[Tile]) -> Output {
    match convert.to {
        Some(to) => one(to, source, tiles),
        None => Output::done(tiles.iter().map(all).collect()),
    }
}

/// One notation of each tile, and nothing but the form.
fn one(to: Notation, source: &Source, tiles: &[Tile]) -> Output {
    let (mut out, mut err) = (String::new(), String::new());
    for tile in tiles {
        match form(to, tile) {
            Ok(form) => {
                let _ = writeln!(out, "{}", form.trim_end());
            }
            Err(why) => {
                let (at, name) = (source.line(tile.place), &tile.name);
                let _ = writeln!(err, "{at}: tile {name} has no such form: {why}");
            }
        }
    }
    let status = if err.is_empty() { Status::Free } else { Status::Invalid };
    Output { status, out, err }
}

/// All notations as lines of a file; what has no form is a comment.
fn all(tile: &Tile) -> String {
    let mut text = format!("# {}\n", tile.name);
    for (notation, key) in ALL {
        let _ = match form(notation, tile) {
            Ok(form) => writeln!(text, "{key} = {}", as_value(notation, &form)),
            Err(why) => writeln!(text, "# {key}: no such form: {why}"),
        };
    }
    text
}

/// A form as a value of TOML.
fn as_value(notation: Notation, form: &str) -> String {
    match notation {
        Notation::Cute => format!("\"{form}\""),
        Notation::Stages => format!("\"\"\"\n{form}\"\"\""),
        Notation::Triton | Notation::Ck => form.to_string(),
    }
}

fn form(notation: Notation, tile: &Tile) -> Result<String, String> {
    let plan = &tile.layout.plan;
    match notation {
        Notation::Cute => {
            Composed::of_plan(plan).map(|form| form.to_string()).map_err(|why| why.to_string())
        }
        Notation::Triton => match Bases::of(plan) {
            Ok(bases) => Ok(format!("{{ offset = {bases} }}")),
            Err(why) => Err(why.to_string()),
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
