//! A distribution: the lane that holds each coordinate of a tile, registers as shades.
//!
//! ```text
//!   row\column   0   1   2   3      cell: the lane; of several waves, wave:lane
//!   0            0   0   1   1      colour: the register
//!   1            0   0   1   1
//! ```

use super::palette::Ink;
use super::scene::{Figure, Mark};
use super::table::{Entry, Table};
use super::wording::{check_cells, leading, plain};
use crate::Error;
use tiledesc::distribution::Encoding;

/// Draws the lane that holds each coordinate of a tile.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::plot;
///
/// distribution! {
///     /// 16 rows, 4 lanes of 2 neighbours each.
///     type Held: m [row 16], k [part 4, pack 2]; lane (row, part), thread (pack);
/// }
/// let figure = plot::distribution("Held", &Held::ENCODING?)?;
/// assert_eq!(figure.cells().nth(8 + 3).unwrap().title(), "1,3: lane 5, register 1");
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// More cells than are drawn.
pub fn distribution(name: &str, encoding: &Encoding) -> Result<Figure, Error> {
    let lengths = encoding.lengths();
    check_cells(lengths.elements())?;
    let columns = lengths.as_slice().last().copied().unwrap_or(1).max(1);
    let leading = leading(&lengths);
    let mut table = Table::new("row").numbered(columns as usize, 1);
    for row in 0..leading.elements() {
        let mut cells = Vec::new();
        for column in 0..columns {
            let index = lengths.nth(row * u64::from(columns) + u64::from(column));
            let place = encoding.owner(index.as_slice())?;
            let (wave, lane, register) = (place.wave, place.lane, place.element);
            let (label, wave) = match encoding.waves() {
                0 | 1 => (format!("{lane}"), String::new()),
                _ => (format!("{wave}:{lane}"), format!("wave {wave}, ")),
            };
            let title = format!("{}: {wave}lane {lane}, register {register}", plain(&index));
            let ink = Ink::nth(register as usize, encoding.elements() as usize);
            cells.push(Entry::new(column as usize, label, title, ink));
        }
        table.row(plain(&leading.nth(row)), cells);
    }
    let held = match (encoding.waves(), encoding.replicas()) {
        (0 | 1, 0 | 1) => "A cell is an element, its number the lane that holds it.",
        (_, 0 | 1) => "A cell is an element: the wave and the lane that hold it.",
        _ => "A cell is an element: the first of those that hold a copy of it.",
    };
    let (waves, lanes, registers) = (encoding.waves(), encoding.lanes(), encoding.elements());
    let summary = format!(
        "{name}: a tile by who holds each element, {waves} x {lanes} lanes with {registers} registers each."
    );
    Ok(Figure::new(format!("{name}: who holds what"), summary)
        .block(table.block())
        .note(held)
        .legend(Mark::Colour, format!("the register, of {registers}.")))
}
