//! `at`: where elements lie, what lies at offsets, and what holds of the whole tile.

use crate::answer::at::{Asked, facts, place};
use crate::report::status::Status;
use crate::request::args::At;
use crate::request::fault::Source;
use crate::request::tile::Tile;
use crate::write::output::Output;
use std::fmt::Write;

pub(crate) fn run(at: &At, source: &Source, tiles: &[Tile]) -> Output {
    let (mut out, mut err) = (String::new(), String::new());
    let offsets = at.offset.iter().map(|offset| Asked::Offset(*offset));
    let bytes = at.byte.iter().map(|byte| Asked::Byte(*byte));
    let coordinate = (!at.at.is_empty()).then(|| Asked::Coordinate(at.at.clone()));
    let asked: Vec<_> = coordinate.into_iter().chain(offsets).chain(bytes).collect();
    for tile in tiles {
        let head = format!("{}: {}", source.line(tile.place), tile.name);
        if asked.is_empty() {
            out.extend(facts(tile).iter().map(|fact| format!("{head}  {fact}\n")));
        }
        for one in &asked {
            let _ = match place(tile, one) {
                Ok(found) => writeln!(out, "{head} {found}"),
                Err(why) => writeln!(err, "{head} {why}"),
            };
        }
    }
    let status = if err.is_empty() { Status::Free } else { Status::Invalid };
    Output { status, out, err }
}
