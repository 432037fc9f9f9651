//! LDS in the order of its bytes: lines of banks, and in each dword its coordinate.
//!
//! ```text
//!   byte     0        4        8        12          a line is all banks once
//!   0        0,0      0,8      0,16     0,24
//!   128      0,56     ///      1,0      1,8         hatched: padding
//! ```

use super::palette::Ink;
use super::scene::{Figure, Mark};
use super::subject::Subject;
use super::table::{Entry, Table};
use super::wording::{check_cells, coordinate, counted, plain};
use crate::Error;
use tiledesc::chip::Instruction;
use tiledesc::{List, Plan};

/// Dwords that are one cell, if their elements follow each other: 16 bytes, what a lane takes at most.
const TOGETHER: usize = 4;

/// The number of the coordinate that has the first bit in each dword, and of those that follow.
struct Memory<'a> {
    plan: &'a Plan,
    bits: u64,
    /// The least bit that is taken in each dword, and by which coordinate.
    first: Vec<Option<(u64, u64)>>,
}

impl<'a> Memory<'a> {
    fn new(plan: &'a Plan, bits: u32) -> Result<Self, Error> {
        let bits = u64::from(bits);
        let end = u64::from(plan.origin()) + plan.element_space();
        check_cells(plan.elements())?;
        check_cells((end * bits).div_ceil(32))?;
        let mut memory = Self { plan, bits, first: vec![None; (end * bits).div_ceil(32) as usize] };
        for number in 0..plan.elements() {
            let Ok(offset) = plan.offset(plan.nth(number).as_slice()) else { continue };
            let bit = u64::from(offset) * bits;
            for dword in bit / 32..=(bit + bits - 1) / 32 {
                if let Some(place) = memory.first.get_mut(dword as usize)
                    && place.is_none_or(|(taken, _)| bit < taken)
                {
                    *place = Some((bit, number));
                }
            }
        }
        Ok(memory)
    }

    /// Returns whether dword `next` goes on where the one before it ends, in memory and in the last dimension.
    fn follows(&self, next: usize) -> bool {
        let (Some(Some((bit, one))), Some(Some((other_bit, other)))) =
            (self.first.get(next - 1), self.first.get(next))
        else {
            return false;
        };
        let columns = u64::from(self.plan.lengths().as_slice().last().copied().unwrap_or(1).max(1));
        let distance = other.wrapping_sub(*one);
        one / columns == other / columns
            && distance < columns
            && other_bit - bit == distance * self.bits
    }

    /// The cells of a line, dwords `from..to`; the last may be beyond the layout.
    fn line(&self, from: usize, to: usize) -> Vec<Entry> {
        let (mut cells, mut at) = (Vec::new(), from);
        while at < to.min(self.first.len()) {
            let hole = self.first[at].is_none();
            let goes_on = |next: usize| match hole {
                true => self.first[next].is_none(),
                false => !next.is_multiple_of(TOGETHER) && self.follows(next),
            };
            let mut end = at + 1;
            while end < to.min(self.first.len()) && goes_on(end) {
                end += 1;
            }
            cells.push(self.cell(at, end - at, at - from));
            at = end;
        }
        cells
    }

    fn cell(&self, dword: usize, span: usize, bank: usize) -> Entry {
        let (byte, banks) = (dword * 4, counted("bank", bank, span));
        let Some((_, number)) = self.first[dword] else {
            return Entry::nothing(bank, format!("byte {byte}, {banks}: padding")).over(span);
        };
        let index: List = self.plan.nth(number);
        let last = index.as_slice().last().copied().unwrap_or(0);
        let pack = (128 / self.bits).max(1) as u32;
        let title = format!("byte {byte}, {banks}: from {} on", coordinate(&index));
        Entry::new(bank, plain(&index), title, Ink::nth((last / pack) as usize, 8)).over(span)
    }
}

impl Subject {
    /// Draws LDS as lines of the instruction's banks: the place of each coordinate, padding hatched.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    /// use tiledesc_host::plot::Draw;
    ///
    /// layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
    /// let figure = Padded::default().figure().rows(0..9).ladder(&gfx942::ds_read_b128)?;
    /// let holes: Vec<_> = figure.cells().filter(|cell| cell.is_hatched()).collect();
    /// // After each row of 128 bytes 16 of nothing.
    /// assert_eq!((holes.len(), holes[0].title()), (8, "byte 128, banks 0-3: padding"));
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An invalid layout, elements of no known width, more than are drawn.
    pub fn ladder(&self, instruction: &Instruction) -> Result<Figure, Error> {
        let memory = Memory::new(self.plan()?, self.width()?)?;
        let banks = instruction.service().banks as usize;
        let mut table =
            Table { title: self.name.clone(), ..Table::new("byte") }.numbered(banks, TOGETHER);
        let lines = memory.first.len().div_ceil(banks);
        for line in self.shown(lines) {
            let (from, to) = (line * banks, (line + 1) * banks);
            table.row((from * 4).to_string(), memory.line(from, to));
        }
        let holes = memory.first.iter().filter(|place| place.is_none()).count() * 4;
        let summary =
            format!("{}: memory in lines of {banks} banks; {holes} bytes are padding.", self.name);
        Ok(Figure::new(format!("Lines of {banks} banks"), summary)
            .block(table.block())
            .note("A row is all banks once, a cell the coordinate whose elements begin there.")
            .legend(Mark::Colour, "16-byte packs along the last dimension.")
            .legend(Mark::Hatch, "padding."))
    }
}
