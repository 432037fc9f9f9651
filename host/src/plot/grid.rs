//! The tile as the kernel sees it: each coordinate with its offset, coloured by bank.
//!
//! ```text
//!   row\column     0     8    16    24        cell: the offset in elements of 8 neighbours
//!   0              0     8    16    24        colour: their first bank
//!   1             72    64    88    80        framed: the lanes of the verdict that meet
//! ```

use super::palette::Ink;
use super::phases::in_short;
use super::scene::{Figure, Mark};
use super::subject::Subject;
use super::table::{Entry, Table};
use super::wording::{check_cells, leading, named, plain, ranges};
use crate::Error;
use tiledesc::access::Placed;
use tiledesc::bank::Verdict;
use tiledesc::chip::{Instruction, Phases};
use tiledesc::pattern::Lanes;
use tiledesc::{List, Plan};

/// The first coordinates of the lanes that meet in the fullest bank.
fn meeting(placed: &Placed<'_, '_>, verdict: &Verdict<'_>) -> Result<Vec<List>, Error> {
    let touched = placed.touched(verdict.shown())?;
    let lanes = match verdict.conflicts().race {
        Some([one, other]) => 1 << one | 1 << other,
        None => placed.phase(verdict.shown(), verdict.conflicts().phase)?.lanes,
    };
    let meets = |lane: &usize| lanes >> lane & 1 == 1;
    Ok((0..Phases::LANES).filter(meets).filter_map(|lane| touched.coordinate(lane)).collect())
}

/// A tile cut along its last dimension, and the memory that is drawn of it.
struct Grid<'a> {
    subject: &'a Subject,
    plan: &'a Plan,
    bits: u32,
    banks: u32,
    unit: u32,
    framed: Vec<List>,
}

impl Grid<'_> {
    fn columns(&self) -> u32 {
        self.plan.lengths().as_slice().last().copied().unwrap_or(1)
    }

    fn index(&self, row: u64, column: u32) -> List {
        self.plan.nth(row * u64::from(self.columns()) + u64::from(column))
    }

    fn rows(&self) -> u64 {
        self.plan.elements() / u64::from(self.columns().max(1))
    }

    /// Returns whether every pack of `unit` elements that is shown is contiguous.
    fn has_packs(&self, unit: u32) -> bool {
        let is_next = |first: u32, at: u32, row| {
            self.plan.offset(self.index(row, first + at).as_slice()).ok()
                == self.plan.offset(self.index(row, first).as_slice()).ok().map(|o| o + at)
        };
        let columns = self.columns();
        columns.is_multiple_of(unit)
            && self.subject.shown(self.rows() as usize).all(|row| {
                let row = row as u64;
                (0..columns)
                    .step_by(unit as usize)
                    .all(|first| (1..unit).all(|at| is_next(first, at, row)))
            })
    }

    fn entry(&self, row: u64, column: u32) -> Entry {
        let (index, place) = (self.index(row, column), (column / self.unit) as usize);
        let Ok(offset) = self.plan.offset(index.as_slice()) else {
            return Entry::nothing(place, format!("{} is padding", plain(&index)));
        };
        let bit = u64::from(offset) * u64::from(self.bits);
        let (byte, all) = (bit / 8, self.banks as usize);
        // From the dword in which it begins to that in which it ends; past the last bank comes bank 0.
        let end = bit + u64::from((self.unit * self.bits).max(1));
        let dwords = bit / 32..end.div_ceil(32);
        let banks: Vec<_> = dwords.take(all).map(|dword| (dword % all as u64) as usize).collect();
        let bank = banks[0];
        let banks = match banks.len() {
            1 => format!("bank {bank}"),
            _ => format!("banks {}", ranges(&banks, ", ")),
        };
        // An element's offset is in the cell; with its byte too, 64x64 titles were 317 KB.
        let title = match self.unit {
            1 => format!("{} {banks}", plain(&index)),
            _ => format!("{} byte {byte} {banks}", plain(&index)),
        };
        let is_framed = |first: &List| {
            let last = index.len() - 1;
            first.with(last, first.at(last) / self.unit * self.unit) == index
        };
        Entry::new(place, format!("{offset}"), title, Ink::nth(bank, self.banks as usize))
            .outlined(self.framed.iter().any(is_framed))
    }

    fn table(&self, title: String) -> Result<Table, Error> {
        let columns = self.columns();
        let shown = self.subject.shown(self.rows() as usize);
        check_cells(shown.len() as u64 * u64::from(columns / self.unit))?;
        let mut table = Table { title, ..Table::new("row") };
        table.heads = (0..columns / self.unit)
            .map(|at| (at as usize, format!("{}", at * self.unit)))
            .collect();
        for row in shown.map(|row| row as u64) {
            let cells = (0..columns).step_by(self.unit as usize).map(|k| self.entry(row, k));
            table.row(plain(&leading(&self.index(row, 0))), cells.collect());
        }
        Ok(table)
    }
}

impl Subject {
    /// The tile by coordinates: a cell holds what a lane of the instruction takes, its number is the
    /// offset in elements, its colour the bank; the lanes that meet are framed.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    /// use tiledesc_host::plot::Draw;
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// let figure = Plain::default().figure().rows(0..32).grid(&gfx942::ds_read_b128, MfmaRows::<16>)?;
    /// // 32 rows of 8 packs; lanes 0, 1, 2 and 3 meet in bank 0.
    /// assert_eq!(figure.cells().count(), 256);
    /// let framed: Vec<_> = figure.cells().filter(|c| c.is_outlined()).map(|c| c.label()).collect();
    /// assert_eq!(framed, ["0", "64", "128", "192"]);
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Placed::verdict`](tiledesc::access::Placed::verdict); more cells than are drawn.
    pub fn grid<'l>(
        &self,
        instruction: &Instruction,
        lanes: impl Into<Lanes<'l>>,
    ) -> Result<Figure, Error> {
        let placed = self.placed(instruction, lanes.into())?;
        let verdict = placed.verdict()?;
        let (plan, bits, banks) = (self.plan()?, self.width()?, verdict.service().banks);
        let framed =
            if verdict.pair().is_some() { meeting(&placed, &verdict)? } else { Vec::new() };
        let mut grid = Grid { subject: self, plan, bits, banks, unit: 1, framed };
        let pack = (instruction.bytes() * 8 / bits).max(1);
        let shown = self.shown(grid.rows() as usize).len() as u64;
        check_cells(shown * u64::from(grid.columns() / pack))?;
        grid.unit = if grid.has_packs(pack) { pack } else { 1 };
        let title = format!("{}: {}", self.name, in_short(&verdict));
        let table = grid.table(title)?;
        let cell = match grid.unit {
            1 => "A cell is an element".into(),
            unit => format!("A cell is {unit} elements, one lane's"),
        };
        Ok(Figure::new(
            format!("{}: the tile", named(instruction)),
            format!("{}: {verdict}", self.name),
        )
        .block(table.block())
        .note(format!("{cell}: its number is the offset of the first in elements."))
        .legend(Mark::Colour, "its bank.")
        .legend(Mark::Frame, "the lanes that meet in one bank."))
    }

    /// Draws each element over this many banks of 4 bytes, without an instruction.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc_host::plot::Draw;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>; }
    /// let figure = Tile::default().figure().tile(32)?;
    /// assert_eq!(figure.cells().nth(3 * 64 + 17).unwrap().title(), "3,17 bank 4");
    /// assert!(figure.svg().len() < 300_000);
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An invalid layout, elements of no known width, more cells than are drawn.
    pub fn tile(&self, banks: u32) -> Result<Figure, Error> {
        let (plan, bits) = (self.plan()?, self.width()?);
        let banks = banks.max(1);
        let grid = Grid { subject: self, plan, bits, banks, unit: 1, framed: Vec::new() };
        let table = grid.table(String::new())?;
        let summary =
            format!("{}: each coordinate of the tile with its offset in elements.", self.name);
        Ok(Figure::new(format!("{}: offsets by coordinate", self.name), summary)
            .block(table.block())
            .note("A cell is an element, its number the offset.")
            .legend(Mark::Colour, format!("its bank, of {banks}.")))
    }
}
