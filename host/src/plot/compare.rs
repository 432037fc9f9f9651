//! Layouts side by side: cycles, bytes, address instructions.
//!
//! ```text
//!   layout    A read   B read   all   bytes   registers   address
//!   Plain     32       64       96    16384   1           4
//!   ABlock    8        8        16    16384   4           9
//! ```

use super::palette::Ink;
use super::scene::{Figure, Mark};
use super::subject::Subject;
use super::table::{Entry, Table, TableRow};
use super::wording::named;
use crate::Error;
use tiledesc::search::Use;

/// The cost of one access on a layout; a figure is missing where the access cannot be.
struct Cost {
    degree: u32,
    cycles: u64,
    registers: Option<usize>,
}

fn cost(subject: &Subject, access: &Use<'_>) -> Result<Cost, Error> {
    let placed = subject.placed(access.instruction, access.lanes)?;
    let verdict = placed.verdict()?;
    let registers = placed.addressing().ok().map(|one| one.registers());
    Ok(Cost {
        degree: verdict.worst_degree(),
        cycles: verdict.active_cycles().saturating_mul(u64::from(access.times)),
        registers,
    })
}

/// The cycles of one access, as often as it is done.
fn of_access(column: usize, what: &str, access: &Use<'_>, cost: &Cost) -> Entry {
    let often = match access.times {
        1 => String::new(),
        times => format!(", {times} times"),
    };
    let title = format!("{what}: {}-way{often}", cost.degree);
    Entry::new(column, format!("{}", cost.cycles), title, Ink::of_degree(cost.degree))
}

/// A layout: its cycles in each access, then what all accesses take together.
fn row(
    (layout, address): &(Subject, Option<u32>),
    accesses: &[(&str, Use<'_>)],
) -> Result<TableRow, Error> {
    let name = &layout.name;
    let bytes = (layout.plan()?.element_space() * u64::from(layout.width()?)).div_ceil(8);
    let (mut cells, mut found) = (Vec::new(), Vec::new());
    for (column, (what, access)) in accesses.iter().enumerate() {
        let row = named(access.instruction);
        match cost(layout, access) {
            Ok(cost) => {
                cells.push(of_access(column, &format!("{name}, {what}, {row}"), access, &cost));
                found.push(cost);
            }
            Err(error) => {
                cells.push(Entry::nothing(column, format!("{name}, {what}, {row}: {error}")));
            }
        }
    }
    let of_all = |column: usize, what: &str, value: Option<u64>| {
        let (column, title) = (accesses.len() + column, format!("{name}: "));
        let (label, title) = match value {
            Some(value) => (value.to_string(), format!("{title}{value} {what}")),
            None => ("-".into(), format!("{title}{what} are not known of every access")),
        };
        Entry::new(column, label, title, Ink::Blank)
    };
    let sum = |of: &dyn Fn(&Cost) -> Option<u64>| {
        let all: Option<Vec<u64>> = found.iter().map(of).collect();
        all.filter(|all| all.len() == accesses.len()).map(|all| all.iter().sum())
    };
    cells.push(of_all(0, "cycles", sum(&|cost| Some(cost.cycles))));
    cells.push(of_all(1, "bytes", Some(bytes)));
    cells.push(of_all(2, "address registers", sum(&|cost| Some(cost.registers? as u64))));
    cells.push(of_all(3, "address instructions", address.map(u64::from)));
    Ok(TableRow { head: name.clone(), cells, apart: false })
}

/// Layouts by what all accesses cost them: cycles by verdicts, as often as each is done, bytes of
/// memory, address registers, and the address instructions that are given with each layout, as
/// `tiledesc_host::search::address_instructions` counts them. In the order given.
///
/// ```
/// use tiledesc::{chip::gfx942, pattern::Lanes, prelude::*, recipe::{Shape, Spec}, search::Use};
/// use tiledesc_host::search::address_instructions;
/// use tiledesc_host::plot::{self, Draw};
///
/// layout! {
///     type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
///     type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
/// }
/// let read = Use::new(Lanes::rows(16), &gfx942::ds_read_b128);
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let layouts = [
///     (Plain::default().figure().named("Plain"), address_instructions(tile, Spec::row_major(), &[read])),
///     (ABlock::default().figure().named("ABlock"), address_instructions(tile, Spec::gemm_xor(8), &[read])),
/// ];
/// let figure = plot::compare(&layouts, &[("read", read)])?;
/// let cycles: Vec<_> = figure.cells().filter(|c| c.title().contains("-way")).map(|c| c.label()).collect();
/// assert_eq!(cycles, ["512", "128"]);
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// An invalid layout, or one whose elements have no known width.
pub fn compare(
    layouts: &[(Subject, Option<u32>)],
    accesses: &[(&str, Use<'_>)],
) -> Result<Figure, Error> {
    let sums = ["all cycles", "bytes", "registers", "address"];
    let heads = accesses.iter().map(|(name, _)| *name).chain(sums);
    let heads = heads.enumerate().map(|(i, name)| (i, name.to_string())).collect();
    let mut table = Table { heads, ragged: true, ..Table::new("layout") };
    for layout in layouts {
        table.rows.push(row(layout, accesses)?);
    }
    let summary = format!("{} layouts by cycles, bytes and address instructions.", layouts.len());
    Ok(Figure::new("Layouts compared".into(), summary)
        .block(table.block())
        .note("Of an access: its cycles.")
        .legend(Mark::Colour, "darker by degree.")
        .legend(Mark::Hatch, "the access cannot be.")
        .note("address: instructions of one lane, a whole address as many as its offset has terms, an xor one."))
}
