//! One offset in the words of CuTe, CK Tile and Triton: the bits of each field.
//!
//! ```text
//!   bit of the offset   8     7     6     5     4     3     2  1  0
//!   CuTe                Y (flips)         Z (flipped)       base
//!   CK Tile             M / MLdsLayer     K / KPack, xor    KPack
//!   Triton              [4,32] [2,16] [1,8] [0,32] ..
//! ```

use super::bits::inputs;
use super::palette::Ink;
use super::scene::Figure;
use super::subject::Subject;
use super::table::{Entry, Table, TableRow};
use super::wording::{counted, number, plain};
use crate::Error;
use crate::exchange::ck;
use crate::exchange::cute::Composed;
use crate::exchange::triton::Bases;
use tiledesc::{Linear, Plan};

/// Bits `from..to` of the offset, and what a notation calls them.
struct Field {
    from: u32,
    to: u32,
    name: String,
    ink: Ink,
}

impl Field {
    fn new(from: u32, to: u32, name: impl Into<String>, ink: Ink) -> Self {
        Self { from, to, name: name.into(), ink }
    }
}

/// A row of fields from the lowest bit on, with blanks between them.
fn row(head: &str, mut fields: Vec<Field>, bits: u32) -> TableRow {
    fields.retain(|field| field.from < field.to);
    fields.sort_by_key(|field| field.from);
    let mut cells = Vec::new();
    let mut at = 0;
    let mut put = |from: u32, to: u32, name: &str, ink| {
        let (from, to) = (from.min(bits), to.min(bits));
        if from < to {
            let which = counted("bit", from as usize, (to - from) as usize);
            let says = if name.is_empty() { "as it is" } else { name };
            let title = format!("{head}, {which}: {says}");
            let span = (to - from) as usize;
            cells.push(Entry::new((bits - to) as usize, name.into(), title, ink).over(span));
        }
    };
    for field in fields {
        put(at, field.from, "", Ink::Blank);
        put(field.from.max(at), field.to, &field.name, field.ink);
        at = at.max(field.to);
    }
    put(at, bits, "", Ink::Blank);
    TableRow { head: head.into(), cells, apart: false }
}

/// A notation that has no words for the layout.
fn none(head: &str, why: &str, bits: u32) -> TableRow {
    let title = format!("{head}: {why}");
    let cell = Entry::nothing(0, title).over(bits as usize);
    TableRow { head: head.into(), cells: Vec::from([cell]), apart: false }
}

/// CuTe's swizzle: the base stays, Y flips Z.
fn cute(plan: &Plan, bits: u32) -> (TableRow, String) {
    let found = match Composed::of_plan(plan) {
        Ok(found) => found,
        Err(error) => return (none("CuTe", &error.to_string(), bits), format!("CuTe: {error}.")),
    };
    let swizzle = found.swizzle();
    let mut fields = Vec::new();
    if swizzle.bits() > 0 {
        let (flipped, source) = (swizzle.flipped_mask(), swizzle.source_mask());
        let (z, y, width) = (flipped.trailing_zeros(), source.trailing_zeros(), swizzle.bits());
        fields.push(Field::new(0, swizzle.base(), format!("M={}", swizzle.base()), Ink::Step(0)));
        fields.push(Field::new(z, z + width, "Z ^= Y", Ink::Step(4)));
        fields.push(Field::new(y, y + width, "Y", Ink::Step(2)));
    }
    (row("CuTe", fields, bits), format!("CuTe: {found}"))
}

/// CK Tile's pack, swizzled packs of a line, and lines.
fn ck_tile(plan: &Plan, bits: u32) -> (TableRow, String) {
    match ck::parameters(plan) {
        Ok(Some(found)) => {
            let columns = plan.lengths().at(1);
            let (pack, line) = (found.pack.ilog2(), columns.ilog2() + found.layers.ilog2());
            let fields = Vec::from([
                Field::new(0, pack, format!("KPack {}", found.pack), Ink::Step(0)),
                Field::new(pack, line, "pack ^ line", Ink::Step(4)),
                Field::new(
                    line,
                    bits,
                    format!("line of {} of M", number(u64::from(found.layers), "row")),
                    Ink::Step(2),
                ),
            ]);
            let text = format!("CK Tile: KPack {}, MLdsLayer {}", found.pack, found.layers);
            (row("CK Tile", fields, bits), text)
        }
        Ok(None) => {
            let why = "no KPack and MLdsLayer say it";
            (none("CK Tile", why, bits), format!("CK Tile: {why}."))
        }
        Err(error) => (none("CK Tile", &error.to_string(), bits), format!("CK Tile: {error}.")),
    }
}

/// Triton's bases: the coordinate that each bit of the offset brings.
fn triton(plan: &Plan, bits: u32) -> (TableRow, String) {
    match Bases::from_plan(plan) {
        Ok(bases) => {
            let fields = bases.images().iter().enumerate().map(|(bit, image)| {
                let ink = Ink::nth(image.as_slice().iter().filter(|i| **i > 0).count() * 2, 8);
                Field::new(bit as u32, bit as u32 + 1, format!("[{}]", plain(image)), ink)
            });
            (row("Triton", fields.collect(), bits), format!("Triton: {bases}"))
        }
        Err(error) => (none("Triton", &error.to_string(), bits), format!("Triton: {error}.")),
    }
}

/// Bits of the coordinate, dimension.bit, that flip each bit of the offset.
fn ours(plan: &Plan, map: &Linear, bits: u32) -> TableRow {
    let inputs = inputs(&plan.lengths());
    let fields = (0..bits).map(|bit| {
        let flips = |i: &usize| map.columns()[*i] >> bit & 1 == 1;
        let names: Vec<_> = (0..map.inputs())
            .filter(flips)
            .map(|i| format!("{}.{}", inputs[i].0, inputs[i].1))
            .collect();
        let ink = Ink::nth(names.len() * 2, 8);
        Field::new(bit, bit + 1, names.join("^"), ink)
    });
    row("flipped by", fields.collect(), bits)
}

impl Subject {
    /// The bits of a linear layout's offset, as CuTe, CK Tile and Triton speak of them.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc_host::plot::Draw;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let figure = Tile::default().figure().fields()?;
    /// let titles: Vec<_> = figure.cells().map(|cell| cell.title()).collect();
    /// assert!(titles.contains(&"CuTe, bits 3-5: Z ^= Y"));
    /// assert!(titles.contains(&"Triton, bit 6: [1,8]"));
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A layout that is not linear over bits.
    pub fn fields(&self) -> Result<Figure, Error> {
        let plan = self.plan()?;
        let map = plan.linear()?;
        let all = map.columns().iter().fold(map.constant(), |all, column| all | column);
        let bits = (u32::BITS - all.leading_zeros()).max(1);
        let mut table = Table::new("bit");
        table.heads =
            (0..bits).rev().map(|bit| ((bits - 1 - bit) as usize, format!("{bit}"))).collect();
        table.rows.push(ours(plan, &map, bits));
        let notations = [cute(plan, bits), ck_tile(plan, bits), triton(plan, bits)];
        let summary = format!(
            "{}: the bits of its offset in the words of CuTe, CK Tile and Triton.",
            self.name
        );
        let mut figure =
            Figure::new(format!("{}: one offset, three notations", self.name), summary);
        for (row, text) in notations {
            table.rows.push(row);
            figure = figure.note(text);
        }
        Ok(figure
            .block(table.block())
            .note("A column is a bit of the offset in elements; dimension.bit is a bit of the coordinate."))
    }
}
