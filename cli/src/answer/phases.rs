//! The phases of an instruction of a compiled kernel, drawn by the library.

use crate::answer::audit::Audited;
use crate::report::audit::Line;
use tiledesc::chip::Instruction;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::{List, Plan};
use tiledesc_audit::value::Value;
use tiledesc_audit::{Advice, Move, Site, bytes};
use tiledesc_host::plot::{Draw as _, Figure};

/// The figure of a line of the list, from 1; beside it, if lanes wait, what would be better.
pub(crate) fn of_line(one: &Audited, number: usize) -> Result<Figure, String> {
    let lines = &one.report.instructions;
    match number.checked_sub(1).and_then(|at| lines.get(at)) {
        Some(line) => figure(one, line),
        None => Err(format!("the list has {} lines", lines.len())),
    }
}

/// The first instruction of a line of the list, in its worst wave.
pub(crate) struct First<'s> {
    /// The place among the kernel's accesses.
    pub(crate) at: usize,
    pub(crate) row: &'s Instruction,
    pub(crate) wave: usize,
    /// Bytes of the lanes that are on: those of LDS, or if they are not known from some byte on.
    pub(crate) lanes: Vec<Option<u32>>,
    pub(crate) is_known: bool,
}

impl<'s> First<'s> {
    pub(crate) fn new(audited: &'s Audited, line: &Line) -> Result<Self, String> {
        let kernel = &audited.kernel;
        let is_it =
            |site: &Site| Some(&site.line) == line.lines.first() && site.opcode == line.opcode;
        let at = kernel.sites.iter().position(is_it).ok_or("no instruction stands there")?;
        let site = &kernel.sites[at];
        let row = site.access.as_ref().map_err(|why| format!("{}: {why}", site.opcode))?;
        let reached = site.reached.iter().find(|one| Some(one.wave) == line.wave);
        let reached = reached.ok_or_else(|| line.found.clone())?;
        let lanes = bytes(&reached.address, row.offset, reached.on, kernel.wave)
            .ok_or_else(|| line.found.clone())?;
        let is_known = matches!(reached.address, Value::Sum { k: 32, .. });
        Ok(Self { at, row: &row.row, wave: reached.wave, lanes, is_known })
    }
}

/// The figure of the first instruction of a line, in its worst wave.
pub(crate) fn figure(one: &Audited, line: &Line) -> Result<Figure, String> {
    let First { at, row, wave, lanes, is_known } = First::new(one, line)?;
    let start = if is_known { "" } else { ", from some byte on" };
    let name = format!("{} {}, wave {wave}{start}", line.place, line.opcode);
    let now = drawn(&name, row, &lanes)?;
    // Of bytes that are not known no mask can be drawn.
    let regions = one.better.regions.iter().filter(|_| is_known);
    let moves = regions.filter(|one| one.sites.contains(&at)).find_map(|one| match &one.advice {
        Advice::Move { to, .. } => Some(to),
        _ => None,
    });
    match moves.filter(|_| row.parts() == 1) {
        Some(to) => Ok(now.beside(drawn(&to.to_string(), row, &moved(&lanes, to))?)),
        None => Ok(now),
    }
}

fn moved(lanes: &[Option<u32>], to: &Move) -> Vec<Option<u32>> {
    lanes.iter().map(|byte| byte.map(|byte| to.apply(byte))).collect()
}

fn drawn(name: &str, row: &Instruction, lanes: &[Option<u32>]) -> Result<Figure, String> {
    let end = lanes.iter().flatten().max().map_or(0, |byte| byte + row.part(0).max(row.part(1)));
    let plan = Plan::naive(&[end + row.bytes()], &[1]).map_err(|error| error.to_string())?;
    let mut table: Row = [None; 64];
    for (slot, byte) in table.iter_mut().zip(lanes) {
        *slot = byte.map(|byte| List::new(&[byte]));
    }
    let table = [table];
    let figure = plan.figure().of_bits(8).named(name).phases(row, Lanes::table(&table, 0));
    figure.map_err(|error| error.to_string())
}
