//! A direct load: the lines of memory that one instruction touches, against its chunk of LDS.
//!
//! ```text
//!   lane    0      1      2    ..       in the order of LDS; source line, and piece of it
//!   0       0.0    0.1    0.2  ..
//!   8       128.1  128.0  ..
//! ```

use super::palette::Ink;
use super::scene::Figure;
use super::table::{Entry, Table};
use super::wording::{coordinate, plain};
use crate::Error;
use tiledesc::direct::DirectLoad;

/// Lanes of a row.
const ACROSS: usize = 16;

/// Draws what the lanes of one load bring: the source line of each, in lines of `line` bytes.
///
/// ```
/// use tiledesc::chip::gfx950;
/// use tiledesc::direct::Source;
/// use tiledesc::prelude::*;
/// use tiledesc_host::plot;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let plan = ABlock::direct(Source::rows(8192), &gfx950::global_load_lds_b128).waves(4).plan().unwrap();
/// let figure = plot::direct_load(&plan, 0, 0, 128)?;
/// assert_eq!(
///     figure.cells().nth(9).unwrap().title(),
///     "lane 9: LDS byte 144, from (1, 0), source byte 16384, line 128",
/// );
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// No such wave or load; lines of 0 bytes.
pub fn direct_load(
    plan: &DirectLoad<'_>,
    wave: u32,
    load: u32,
    line: u32,
) -> Result<Figure, Error> {
    if wave >= plan.waves() || load >= plan.loads() {
        let (waves, loads) = (plan.waves(), plan.loads());
        return Err(Error::number(format!(
            "wave {wave} has no load {load}: there are {waves} waves of {loads} loads"
        )));
    }
    if line == 0 {
        return Err(Error::number("a line of 0 bytes holds nothing"));
    }
    let transfer = plan.transfer();
    let mut table = Table::new("lane").numbered(ACROSS, 1);
    let mut seen: Vec<String> = Vec::new();
    let cell = |lane| entry(plan, [wave, load, lane], line, &mut seen);
    table.wrapped(ACROSS, (0..transfer.wave()).map(cell));
    let fewest = plan.fewest_lines(line);
    let lines = match plan.lines(wave, load, line) {
        Some(lines) => format!("{lines} lines of {line} bytes; the fewest possible are {fewest}."),
        None => format!("How many lines of {line} bytes depends on a pitch of the run time."),
    };
    let title = format!("{} on {}: wave {wave}, load {load}", transfer.name(), transfer.chip());
    Ok(Figure::new(title, lines.clone()).block(table.block()).note(lines).note(
        "A cell is a lane, in the order of LDS: the line of memory that it reads, and which piece of it.",
    ))
}

/// A cell of what a lane brings; `seen` are the lines of memory that were met before.
fn entry(
    plan: &DirectLoad<'_>,
    [wave, load, lane]: [u32; 3],
    line: u32,
    seen: &mut Vec<String>,
) -> Entry {
    let (column, byte) = (lane as usize % ACROSS, plan.lds(wave, load, lane));
    let Some(unit) = plan.unit(wave, load, lane) else {
        return Entry::nothing(column, format!("lane {lane}: switched off"));
    };
    let (label, rest) = match plan.source(wave, load, lane) {
        Some(source) => {
            let (number, byte) = (source / u64::from(line), source % u64::from(line));
            let piece = byte / u64::from(plan.transfer().data().max(1));
            (format!("{number}.{piece}"), format!(", source byte {source}, line {number}"))
        }
        // A pitch of the run time: the coordinate says all that is known.
        None => (plain(&unit.coordinate()), String::new()),
    };
    let from = coordinate(&unit.coordinate());
    let title = format!("lane {lane}: LDS byte {byte}, from {from}{rest}");
    // Lines are coloured as they are met.
    let line = label.split('.').next().unwrap_or(&label);
    let place = seen.iter().position(|other| other == line).unwrap_or_else(|| {
        seen.push(line.into());
        seen.len() - 1
    });
    Entry::new(column, label, title, Ink::nth(place, 8))
}
