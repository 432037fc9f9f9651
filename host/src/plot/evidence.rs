//! A figure of the evidence for the rows of chips.
//!
//! ```text
//!   gfx942   ######## 8 measured  ..... 22 inferred
//! ```

use super::palette::Ink;
use super::scene::Figure;
use super::table::{Entry, Table};
use super::wording::number;
use tiledesc::chip::{Chip, Tally};

/// The rows of each chip by how sure they are: measured, documented, inferred; a row is a column.
///
/// ```
/// use tiledesc::chip::{CHIPS, gfx950};
/// use tiledesc_host::plot;
///
/// let figure = plot::evidence(&[gfx950]);
/// assert_eq!(figure.cells().next().unwrap().title(), "gfx950: 7 rows are measured");
/// println!("{}", plot::evidence(CHIPS));
/// ```
#[must_use]
pub fn evidence(chips: &[Chip]) -> Figure {
    let all = chips.iter().fold(Tally::NONE, |all, chip| all.plus(chip.tally()));
    let mut table = Table::new("chip");
    for chip in chips {
        let tally = chip.tally();
        let kinds = [
            ("measured", tally.measured, Ink::Step(2)),
            ("documented", tally.documented, Ink::Step(4)),
            ("inferred", tally.inferred, Ink::Heat(1)),
        ];
        let (mut cells, mut at) = (Vec::new(), 0);
        for (kind, count, ink) in kinds.into_iter().filter(|(_, count, _)| *count > 0) {
            let is = if count == 1 { "is" } else { "are" };
            let title = format!("{}: {} {is} {kind}", chip.name(), number(count as u64, "row"));
            let letter = &kind[..1];
            let cell = Entry::new(at, format!("{count}{letter}"), title, ink).over(count);
            cells.push(cell.hatched(kind == "inferred"));
            at += count;
        }
        table.row(chip.name(), cells);
    }
    Figure::new("Rows by evidence".into(), format!("{all}."))
        .block(table.block())
        .note(format!("{all}."))
        .note("m: a source measured it. d: a source states it. i: it follows from others.")
}
