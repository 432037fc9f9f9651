//! `find`: layouts that are free in all accesses of a tile, by what they cost.
//!
//! The library searches and proves; here the candidates are laid beside the layout as it is: cycles
//! of all accesses, bytes, and the address registers of a lane.

use crate::args::Find;
use crate::fault::Source;
use crate::input::Tile;
use crate::judge::{Demand, Judged, judge};
use crate::remedy::{Instead, remedies};
use crate::{Output, Status};
use std::fmt::Write;

/// A layout and what it costs.
struct Candidate {
    words: String,
    cycles: u64,
    bytes: u64,
    /// Registers that hold addresses; `None` of more accesses than are looked at.
    registers: Option<usize>,
    is_free: bool,
}

pub(crate) fn run(find: &Find, source: &Source, tiles: &[Tile]) -> Output {
    let (mut out, mut err) = (String::new(), String::new());
    let mut status = Status::Free;
    for tile in tiles {
        match of_tile(find, source, tile) {
            Ok((text, found)) => {
                out += &text;
                status = if found { status } else { Status::Conflict };
            }
            Err(message) => err += &message,
        }
    }
    if err.is_empty() {
        return Output { status, out, err };
    }
    Output { status: Status::Invalid, out, err }
}

/// The candidates of one tile as a table, and whether one is free.
fn of_tile(find: &Find, source: &Source, tile: &Tile) -> Result<(String, bool), String> {
    let at = source.line(tile.place);
    if tile.accesses.is_empty() {
        return Err(format!(
            "{at}: tile {} has no access that a layout could be free in\n",
            tile.name
        ));
    }
    let own =
        candidate("as it is".to_string(), tile).map_err(|faults| source.explain_all(&faults))?;
    let tried = remedies(tile).ok_or_else(|| {
        format!(
            "{at}: tile {} is not searched: it has another rank than 2, or more than 64 accesses\n",
            tile.name
        )
    })?;
    let others = tried.into_iter().filter_map(|one| with_layout(tile, one));
    let mut all: Vec<_> = others.chain([own]).collect();
    all.sort_by_key(|one| (!one.is_free, one.cycles, one.bytes, one.registers));
    let found = all.iter().any(|one| one.is_free);
    if find.words {
        let best = all.iter().find(|one| one.is_free).map(|one| format!("{}\n", one.words));
        return Ok((best.unwrap_or_default(), found));
    }
    Ok((table(&at, tile, &all), found))
}

fn candidate(words: String, tile: &Tile) -> Result<Candidate, Vec<crate::fault::Fault>> {
    let judged = judge(tile, Demand { max_degree: 1, strict: false })?;
    let each = judged.iter().map(|one| one.verdict.active_cycles() * one.access.times);
    let cycles = each.fold(0, u64::saturating_add);
    let registers = judged.iter().map(registers).collect::<Option<Vec<_>>>();
    let bits = tile.layout.plan.element_space() * u64::from(tile.element.bits);
    Ok(Candidate {
        words,
        cycles,
        bytes: bits.div_ceil(8),
        registers: registers.map(|each| each.into_iter().sum()),
        is_free: judged.iter().all(|one| one.verdict.is_free()),
    })
}

fn registers(one: &Judged<'_>) -> Option<usize> {
    one.placed.addressing().ok().map(|addressing| addressing.registers())
}

/// The same accesses of another layout.
fn with_layout(tile: &Tile, instead: Instead) -> Option<Candidate> {
    let mut other = tile.clone();
    other.layout.plan = instead.plan;
    candidate(instead.words, &other).ok()
}

fn table(at: &str, tile: &Tile, all: &[Candidate]) -> String {
    let chips: Vec<_> = tile.chips.iter().map(|chip| chip.name()).collect();
    let mut out = format!("{at}: {} on {}\n", tile.name, chips.join(", "));
    let _ = writeln!(out, "  {:>9}  {:>7}  {:>9}  layout", "cycles", "bytes", "registers");
    for one in all {
        let registers = one.registers.map_or_else(|| "-".to_string(), |count| count.to_string());
        let free = if one.is_free { "" } else { " (conflicts)" };
        let _ = writeln!(
            out,
            "  {:>9}  {:>7}  {registers:>9}  {}{free}",
            one.cycles, one.bytes, one.words
        );
    }
    if !all.iter().any(|one| one.is_free) {
        out += "  no xor swizzle and no row pad of this tile is free in all accesses\n";
    }
    out
}
