//! `find`: layouts by what they cost, as a table, and what is proven of the best.

use crate::answer::copied::Copied;
use crate::answer::find::{Found, choices, of_tile};
use crate::request::args::Find;
use crate::request::fault::Source;
use crate::request::tile::Tile;
use crate::write::console::Console;
use crate::write::json::{cost_row, pretty};
use crate::write::output::{Output, Status};
use serde_json::{Value, json};
use std::fmt::Write;

pub(crate) fn run(find: &Find, source: &Source, tiles: &[Tile], console: &Console<'_>) -> Output {
    let (mut out, mut err, mut all) = (String::new(), String::new(), Vec::new());
    let mut status = Status::Free;
    for (at, tile) in tiles.iter().enumerate() {
        console.tell(&format!("find: tile {}, {} of {}", tile.name, at + 1, tiles.len()));
        match of_tile(tile) {
            Ok(found) => {
                match (find.words, find.json) {
                    (true, _) => out += &best(&found),
                    (_, true) => all.push(in_json(tile, &found)),
                    _ => out += &table(source, tile, &found, find),
                }
                let is_free = found.rows.iter().any(|row| row.is_free);
                status = if is_free { status } else { Status::Conflict };
            }
            Err(why) => err += &why.lines(source),
        }
    }
    if find.json {
        let version = env!("CARGO_PKG_VERSION");
        out = pretty(
            &json!({ "schema": "tiledesc.find/1", "tool": "tiledesc", "version": version, "tiles": all }),
        );
    }
    if err.is_empty() {
        return Output { status, out, err };
    }
    Output { status: Status::Invalid, out, err }
}

/// What was tried for a tile, the best first.
fn in_json(tile: &Tile, found: &Found) -> Value {
    json!({
        "name": tile.name,
        "line": tile.place.line,
        "chips": tile.chips.iter().map(|chip| chip.name()).collect::<Vec<_>>(),
        "proof": found.proof,
        "floor": found.floor,
        "change": found.change,
        "orders": found.orders,
        "rows": found.rows.iter().map(cost_row).collect::<Vec<_>>(),
    })
}

/// The layout that costs least, as the file has it.
fn best(found: &Found) -> String {
    let words = found.rows.iter().find_map(|row| row.words.as_ref());
    words.map(|words| format!("{words}\n")).unwrap_or_default()
}

fn table(source: &Source, tile: &Tile, found: &Found, find: &Find) -> String {
    let at = source.line(tile.place);
    let mut out = format!("{at}: {} on {}: {}\n", tile.name, tile.on(), found.proof);
    let _ = writeln!(out, "  {:>9}  {:>7}  {:>7}  layout", "cycles", "bytes", "address");
    let shown = if find.all { found.rows.iter().collect() } else { choices(&found.rows) };
    for row in &shown {
        let address = row.address.map_or_else(|| "-".to_string(), |count| count.to_string());
        let (cycles, bytes) = (row.taken.cycles, row.bytes);
        let _ = writeln!(out, "  {cycles:>9}  {bytes:>7}  {address:>7}  {}", row.label());
        if let Some(Copied { declaration, index }) = row.copied.as_ref().filter(|_| find.code) {
            let _ = writeln!(out, "{:30}{declaration}   {index}", "");
        }
    }
    if let Some(change) = &found.change {
        let _ = writeln!(out, "  {change}");
    }
    for order in &found.orders {
        let _ = writeln!(out, "  as it is: {order}");
    }
    let left = found.rows.len() - shown.len();
    if left > 0 {
        let _ = writeln!(out, "  {left} more that were tried: --all");
    }
    out
}
