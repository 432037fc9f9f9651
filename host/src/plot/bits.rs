//! The layout as a matrix over bits: which bit of the coordinate flips which bit of the address.
//!
//! ```text
//!              6.0 .. 2.0 1.0 ... | 3.1 2.1 1.1 0.1         2.0: bit 2 of dimension 0
//!   128 line    .      .   1        .   .   .   .
//!    64 bank    .      1   .        .   .   .   .
//!    16 bank    .      1   .        .   1   .   .           the key: row bits in bank bits
//!     1 byte                                                below an element, nothing flips it
//! ```

use super::palette::Ink;
use super::scene::{Figure, Mark};
use super::subject::Subject;
use super::table::{Entry, Table, TableRow};
use super::wording::named;
use crate::Error;
use tiledesc::List;
use tiledesc::chip::Instruction;

/// The part of a byte address that a bit belongs to, by the banks of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Byte,
    Bank,
    Line,
}

impl Part {
    const fn new(bit: u32, banks: u32) -> Self {
        match 1u64 << bit {
            0..=2 => Self::Byte,
            value if value < 4 * banks as u64 => Self::Bank,
            _ => Self::Line,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Byte => "byte",
            Self::Bank => "bank",
            Self::Line => "line",
        }
    }

    const fn ink(self) -> Ink {
        match self {
            Self::Byte => Ink::Step(0),
            Self::Bank => Ink::Step(4),
            Self::Line => Ink::Step(2),
        }
    }
}

/// The bits of a coordinate: dimension and bit of each, the last dimension's lowest first.
pub(super) fn inputs(lengths: &List) -> Vec<(usize, u32)> {
    let bits = |d: usize| (0..lengths.at(d).trailing_zeros()).map(move |bit| (d, bit));
    (0..lengths.len()).rev().flat_map(bits).collect()
}

/// A cell of the effect that a bit of the coordinate, which flips `flips` in bits of memory, has on a bit of the byte
/// address.
fn entry(
    column: usize,
    flips: u64,
    (dimension, number): (usize, u32),
    bit: i32,
    part: Part,
) -> Entry {
    let here = flips >> (bit + 3);
    let is_one = here & 1 == 1;
    // What a bit flips below its own place is what it adds to others: the key.
    let is_key = is_one && here > 1;
    let (label, does, ink) =
        if is_one { ("1", "flips", part.ink()) } else { (".", "leaves", Ink::Blank) };
    let (address, name) = (value(bit), part.name());
    let title = format!("bit {number} of dimension {dimension} {does} {address} ({name})");
    Entry::new(column, label.into(), title, ink).outlined(is_key)
}

impl Subject {
    /// The matrix over bits of a linear layout, with byte, bank and key framed, by the banks of an
    /// instruction.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    /// use tiledesc_host::plot::Draw;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let figure = Tile::default().figure().bits(&gfx942::ds_read_b128)?;
    /// // Bits 0, 1 and 2 of m also flip those of k's packs: the key.
    /// assert_eq!(figure.cells().filter(|cell| cell.is_outlined()).count(), 3);
    /// println!("{figure}");
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A layout that is not linear over bits; elements whose width is not a power of two.
    pub fn bits(&self, instruction: &Instruction) -> Result<Figure, Error> {
        let (plan, width) = (self.plan()?, self.width()?);
        let map = plan.linear()?;
        if !width.is_power_of_two() {
            return Err(tiledesc::Error::NotLinear { length: None }.into());
        }
        let (inputs, banks) = (inputs(&plan.lengths()), instruction.service().banks);
        // In bits of memory, and from there to bytes.
        let columns: Vec<u64> =
            map.columns().iter().map(|c| u64::from(*c) * u64::from(width)).collect();
        let all =
            columns.iter().fold(u64::from(map.constant()) * u64::from(width), |all, c| all | c);
        let outputs = (u64::BITS - all.leading_zeros()).saturating_sub(3).max(2);
        let mut table = Table::new("byte bit");
        let count = inputs.len();
        table.heads = (0..count)
            .rev()
            .map(|i| (count - 1 - i, format!("{}.{}", inputs[i].0, inputs[i].1)))
            .collect();
        let lowest = if width < 8 { -(3 - width.trailing_zeros() as i32) } else { 0 };
        let mut last = None;
        for bit in (lowest..outputs as i32).rev() {
            let part = Part::new(bit.max(0) as u32, banks);
            let cell = |i: usize| entry(count - 1 - i, columns[i], inputs[i], bit, part);
            let head = format!("{} {}", value(bit), part.name());
            let apart = last.is_some_and(|last| last != part);
            if last == Some(part) {
                let end = table.rows.len() + 1;
                if let Some([rows, _]) = table.frames.last_mut() {
                    rows.1 = end;
                }
            } else {
                let row = table.rows.len();
                table.frames.push([(row, row + 1), (0, count)]);
            }
            table.rows.push(TableRow { head, cells: (0..count).rev().map(cell).collect(), apart });
            last = Some(part);
        }
        let summary = format!(
            "{}: which bit of the coordinate flips which bit of the byte address.",
            self.name
        );
        Ok(Figure::new(format!("{}: bits, {}", self.name, named(instruction)), summary)
            .block(table.block())
            .note("A column is a bit of the coordinate, dimension.bit; a row a bit of the byte address.")
            .legend(Mark::Frame, "the key, a bit that has its place above and flips a lower one as well."))
    }
}

/// `4 bytes` of bit 2; below a byte, its part.
fn value(bit: i32) -> String {
    if bit < 0 { format!("1/{}", 1 << -bit) } else { format!("{}", 1u64 << bit) }
}
