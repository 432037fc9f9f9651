//! `find`: layouts by what they cost, as a table, and what is proven of the best.

use crate::answer::find::of_tile;
use crate::report::find::{Find as Report, Found};
use crate::report::status::Status;
use crate::request::args::Find;
use crate::request::fault::{Place, Source};
use crate::request::tile::Tile;
use crate::write::console::Console;
use crate::write::json::pretty;
use crate::write::output::Output;
use std::fmt::Write;

pub(crate) fn run(find: &Find, source: &Source, tiles: &[Tile], console: &Console<'_>) -> Output {
    let (report, err) = report(source, tiles, console);
    let each = report.tiles.iter();
    let out = match (find.words, find.json) {
        (true, _) => each.filter_map(Found::best).map(|words| format!("{words}\n")).collect(),
        (_, true) => pretty(&report),
        _ => each.map(|found| table(source, found, find)).collect(),
    };
    let status = match () {
        () if !err.is_empty() => Status::Invalid,
        () if report.tiles.iter().all(Found::is_free) => Status::Free,
        () => Status::Conflict,
    };
    Output { status, out, err }
}

/// All candidates of each tile, and why others are not searched, a line each.
pub(crate) fn report(source: &Source, tiles: &[Tile], console: &Console<'_>) -> (Report, String) {
    let (mut all, mut err) = (Vec::new(), String::new());
    for (at, tile) in tiles.iter().enumerate() {
        console.tell(&format!("find: tile {}, {} of {}", tile.name, at + 1, tiles.len()));
        match of_tile(tile) {
            Ok(found) => all.push(found),
            Err(why) => err += &why.lines(source),
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    (Report { schema: "tiledesc.find/1", tool: "tiledesc", version, tiles: all }, err)
}

fn table(source: &Source, found: &Found, find: &Find) -> String {
    let at = source.line(Place { line: found.line, column: 1 });
    let mut out = format!("{at}: {} on {}: {}\n", found.name, found.chips.join(", "), found.proof);
    let _ = writeln!(out, "  {:>9}  {:>7}  {:>7}  layout", "cycles", "bytes", "address");
    let shown = if find.all { found.rows.iter().collect() } else { found.choices() };
    for row in &shown {
        let (cycles, bytes, address) = (row.cycles, row.bytes, row.address());
        let _ = writeln!(out, "  {cycles:>9}  {bytes:>7}  {address:>7}  {}", row.label());
        match (find.code, &row.noted, &row.declaration, &row.index) {
            (true, Some(noted), ..) => {
                let _ = writeln!(out, "{:30}{noted}", "");
            }
            (true, None, Some(declaration), Some(index)) => {
                let _ = writeln!(out, "{:30}{declaration}   {index}", "");
            }
            _ => {}
        }
    }
    if let Some(change) = &found.change {
        let _ = writeln!(out, "  {change}");
    }
    if !found.stated {
        out += "  no layout is stated: as it is are rows side by side\n";
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
