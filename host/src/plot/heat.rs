//! Degrees of several layouts under several accesses: which key, which pad, which chip.
//!
//! ```text
//!   key            gfx942 16 rows   gfx950 16 rows          1 is free, darker is worse
//!   none           4                8
//!   m % 8          1                1
//! ```

use super::palette::Ink;
use super::scene::{Figure, Mark};
use super::subject::Subject;
use super::table::{Entry, Table};
use super::wording::named;
use crate::Error;
use core::ops::RangeInclusive;
use tiledesc::recipe::Shape;
use tiledesc::search::Use;
use tiledesc::{List, Op, Plan};

/// The degree of a layout under an access, or why it has none.
fn entry(column: usize, subject: &Subject, what: &str, access: &Use<'_>) -> Result<Entry, Error> {
    let (name, row) = (&subject.name, named(access.instruction));
    subject.plan()?;
    subject.width()?;
    Ok(
        match subject
            .placed(access.instruction, access.lanes)
            .and_then(|placed| Ok(placed.verdict()?))
        {
            Ok(verdict) if verdict.conflicts().race.is_some() => {
                let title = format!("{name}, {what}, {row}: data race");
                Entry::new(column, "race".into(), title, Ink::of_degree(u32::MAX)).hatched(true)
            }
            Ok(verdict) => {
                let (degree, cycles) = (verdict.worst_degree(), verdict.active_cycles());
                let title = format!("{name}, {what}, {row}: {degree}-way, {cycles} cycles");
                Entry::new(column, format!("{degree}"), title, Ink::of_degree(degree))
            }
            Err(error) => Entry::nothing(column, format!("{name}, {what}, {row}: {error}")),
        },
    )
}

/// The degree of each layout under each access; hatched where the access cannot be.
///
/// ```
/// use tiledesc::chip::{gfx942, gfx950};
/// use tiledesc::{pattern::Lanes, recipe::Shape, search::Use};
/// use tiledesc_host::plot;
///
/// let keys = plot::keys(Shape { rows: 128, columns: 64, bits: 16 }, 8)?;
/// let figure = plot::heat(&keys, &[
///     ("gfx942", Use::new(Lanes::rows(16), &gfx942::ds_read_b128)),
///     ("gfx950", Use::new(Lanes::rows(16), &gfx950::ds_read_b128)),
/// ])?;
/// let of = |name: &str| figure.cells().find(|cell| cell.title().starts_with(name)).unwrap().label();
/// assert_eq!((of("no key"), of("m % 8,")), ("4", "1"));
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// An invalid layout, or one whose elements have no known width.
pub fn heat(layouts: &[Subject], accesses: &[(&str, Use<'_>)]) -> Result<Figure, Error> {
    let heads = accesses.iter().enumerate().map(|(i, (name, _))| (i, name.to_string())).collect();
    let mut table = Table { heads, ragged: true, ..Table::new("layout") };
    for layout in layouts {
        let cells = accesses.iter().enumerate();
        let cells = cells.map(|(i, (name, access))| entry(i, layout, name, access));
        let cells = cells.collect::<Result<_, _>>()?;
        table.row(&layout.name, cells);
    }
    let rows: Vec<_> = accesses.iter().map(|(_, access)| named(access.instruction)).collect();
    let summary = format!("The degree of {} layouts under {}.", layouts.len(), rows.join(", "));
    Ok(Figure::new("Degrees".into(), summary)
        .block(table.block())
        .note("A number is the degree, 1 is free of conflicts.")
        .legend(Mark::Hatch, "the access cannot be."))
}

/// A tile of this many rows and columns with each key: which bits of the row are xor-ed into the
/// number of the pack. "m / 2 % 8" is bits 1, 2 and 3.
///
/// ```
/// use tiledesc::recipe::Shape;
/// use tiledesc_host::plot;
///
/// let keys = plot::keys(Shape { rows: 128, columns: 64, bits: 16 }, 8)?;
/// let swizzled = keys.iter().find(|key| key.name() == "m % 8").unwrap();
/// // The tile of `GemmXor`: (3, 17) is at 201.
/// assert_eq!(swizzled.tile(32)?.cells().nth(3 * 64 + 17).unwrap().label(), "201");
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// Lengths or packs that are not powers of two.
pub fn keys(tile: Shape, pack: u32) -> Result<Vec<Subject>, Error> {
    let Shape { rows, columns, .. } = tile;
    let plain = Plan::packed(&[rows.saturating_mul(columns)])?;
    let whole = Op::Unmerge { lengths: List::pair(rows, columns) };
    let seen = |plan: Plan| plan.transform(&[whole], &[&[0]], &[&[0, 1]]);
    let subject = |name: &str, plan: Plan| Subject::new(name, &plan).of_bits(tile.bits);
    let mut found = Vec::from([subject("no key", seen(plain)?)]);
    let bits = |number: u32| number.checked_ilog2().unwrap_or(0);
    let (row, into) = (bits(columns), bits(pack));
    for width in 1..=row.saturating_sub(into) {
        for shift in 0..=bits(rows).saturating_sub(width).min(2) {
            let plan = seen(plain.xor_fields(row + shift, into, width)?)?;
            let name = match shift {
                0 => format!("m % {}", 1 << width),
                _ => format!("m / {} % {}", 1 << shift, 1 << width),
            };
            found.push(subject(&name, plan));
        }
    }
    Ok(found)
}

/// The pad of a row against the degree, access by access; pads that no access can have are left out.
///
/// ```
/// use tiledesc::{chip::gfx942, pattern::Lanes, recipe::Shape, search::Use};
/// use tiledesc_host::plot;
///
/// let read = |rows| Use::new(Lanes::rows(rows), &gfx942::ds_read_b128);
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let figure = plot::pads(tile, 0..=64, &[("16 rows", read(16)), ("32 rows", read(32))])?;
/// let free = |access: &str| {
///     let cells = figure.cells().filter(|cell| cell.title().contains(access) && cell.label() == "1");
///     cells.map(|cell| cell.title().split(',').next().unwrap()).collect::<Vec<_>>()
/// };
/// // No pad serves both.
/// assert_eq!(free("16 rows"), ["pad 16", "pad 48"]);
/// assert_eq!(free("32 rows"), ["pad 8", "pad 24", "pad 40", "pad 56"]);
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// An invalid tile.
pub fn pads(
    tile: Shape,
    pads: RangeInclusive<u32>,
    accesses: &[(&str, Use<'_>)],
) -> Result<Figure, Error> {
    let Shape { rows, columns, bits } = tile;
    let mut table = Table::new("pad");
    accesses.iter().for_each(|(name, _)| table.row(*name, Vec::new()));
    for pad in pads {
        let plan = Plan::naive(&[rows, columns], &[columns.saturating_add(pad), 1])?;
        let subject = Subject::new(&format!("pad {pad}"), &plan).of_bits(bits);
        let column = table.heads.len();
        let cells = accesses.iter().map(|(name, access)| entry(column, &subject, name, access));
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        if cells.iter().all(|entry| entry.cell.label.is_empty()) {
            continue;
        }
        table.heads.push((column, format!("{pad}")));
        table.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.cells.push(cell));
    }
    let title = format!("Rows of {columns}, padded");
    let summary =
        format!("The degree of {rows} rows of {columns} elements by the pad of a row in elements.");
    Ok(Figure::new(title, summary)
        .block(table.block())
        .note("A column is a pad in elements, a number the degree. Pads that no access is aligned with are left out."))
}
