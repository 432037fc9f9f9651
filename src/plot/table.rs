//! Rows and columns of cells, which most figures are.
//!
//! All columns are as wide as the longest label needs; a cell may span several of them.

use super::palette::{Ink, Tone};
use super::scene::{Block, Cell, Frame};
use alloc::string::String;
use alloc::vec::Vec;

/// A cell of a table.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) column: usize,
    pub(super) span: usize,
    pub(super) label: String,
    pub(super) title: String,
    pub(super) ink: Ink,
    pub(super) hatched: bool,
    pub(super) outlined: bool,
}

impl Entry {
    pub(super) fn new(column: usize, label: String, title: String, ink: Ink) -> Self {
        Self { column, span: 1, label, title, ink, hatched: false, outlined: false }
    }

    pub(super) fn over(self, span: usize) -> Self {
        Self { span, ..self }
    }

    pub(super) fn hatched(self, hatched: bool) -> Self {
        Self { hatched, ..self }
    }

    pub(super) fn outlined(self, outlined: bool) -> Self {
        Self { outlined, ..self }
    }

    /// Characters that it needs: its label, a frame's sides, and the gap to the next.
    fn needs(&self) -> usize {
        self.label.chars().count() + 1 + usize::from(self.outlined)
    }
}

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) head: String,
    pub(super) cells: Vec<Entry>,
    /// Set off from the row above.
    pub(super) apart: bool,
}

/// A table; it becomes a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// The heading.
    pub(super) title: String,
    /// What the names of the rows are.
    pub(super) corner: String,
    /// The names of columns, and where each begins; ascending.
    pub(super) heads: Vec<(usize, String)>,
    pub(super) rows: Vec<Row>,
    /// Around rows (from, to) and columns (from, to).
    pub(super) frames: Vec<[(usize, usize); 2]>,
}

impl Table {
    /// Names each `step`-th of so many columns by its number.
    pub(super) fn numbered(mut self, columns: usize, step: usize) -> Self {
        let number = |column| (column, alloc::format!("{column}"));
        self.heads = (0..columns).step_by(step.max(1)).map(number).collect();
        self
    }

    /// Characters of a column.
    fn pitch(&self) -> usize {
        let of_cell = |cell: &Entry| cell.needs().div_ceil(cell.span);
        let cells = self.rows.iter().flat_map(|row| &row.cells).map(of_cell);
        let of_heads = self.heads.windows(2).map(|pair| {
            let columns = (pair[1].0 - pair[0].0).max(1);
            (pair[0].1.chars().count() + 1).div_ceil(columns)
        });
        cells.chain(of_heads).max().unwrap_or(1)
    }

    /// Where each row is drawn, and the end.
    fn lines(&self) -> Vec<usize> {
        let (mut lines, mut y) = (Vec::new(), 0);
        for row in &self.rows {
            y += usize::from(row.apart);
            lines.push(y);
            y += 1;
        }
        lines.push(y);
        lines
    }

    pub(super) fn block(self) -> Block {
        let pitch = self.pitch();
        let heads = self.rows.iter().map(|row| row.head.chars().count());
        let left = heads.chain([self.corner.chars().count()]).max().unwrap_or(0);
        let left = if left == 0 { 0 } else { left + 1 };
        let columns =
            self.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.column + cell.span);
        let width = left + pitch * columns.max().unwrap_or(0);
        let mut block = Block { width, ..Block::default() };
        let mut top = match self.title.as_str() {
            "" => 0,
            title => block.say(0, 0, width.max(36), title, Tone::Strong),
        };
        if !self.heads.is_empty() || !self.corner.is_empty() {
            block.say(0, top, usize::MAX, &self.corner, Tone::Quiet);
            for (column, name) in &self.heads {
                block.say(left + column * pitch, top, usize::MAX, name, Tone::Quiet);
            }
            top += 1;
        }
        let lines = self.lines();
        for (row, line) in self.rows.into_iter().zip(&lines) {
            block.say(0, top + line, usize::MAX, &row.head, Tone::Quiet);
            for cell in row.cells {
                block.cells.push(Cell {
                    x: left + cell.column * pitch,
                    y: top + line,
                    width: cell.span * pitch,
                    height: 1,
                    label: cell.label,
                    title: cell.title,
                    ink: cell.ink,
                    hatched: cell.hatched,
                    outlined: cell.outlined,
                });
            }
        }
        for [(from, to), (first, end)] in self.frames {
            block.frames.push(Frame {
                x: left + first * pitch,
                y: top + lines[from],
                width: (end - first) * pitch,
                height: lines[to - 1] + 1 - lines[from],
            });
        }
        block.height = block.height.max(top + lines[lines.len() - 1]);
        block
    }
}
