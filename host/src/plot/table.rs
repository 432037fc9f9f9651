//! Rows and columns of cells, which most figures are.
//!
//! All columns are as wide as the longest label needs, and a cell may span several of them; in a
//! table of unlike columns each has its own width.

use super::palette::{Ink, Tone};
use super::scene::{Block, Cell, Frame};

/// A cell of a table.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) column: usize,
    pub(super) span: usize,
    /// What is drawn there; its place is the table's.
    pub(super) cell: Cell,
}

impl Entry {
    pub(super) fn new(column: usize, label: String, title: String, ink: Ink) -> Self {
        Self { column, span: 1, cell: Cell::new(label, title, ink) }
    }

    /// A cell of nothing: no words and no colour, but a hatch.
    pub(super) fn nothing(column: usize, title: String) -> Self {
        Self::new(column, String::new(), title, Ink::Blank).hatched(true)
    }

    pub(super) fn over(self, span: usize) -> Self {
        Self { span, ..self }
    }

    pub(super) fn hatched(mut self, hatched: bool) -> Self {
        self.cell.hatched = hatched;
        self
    }

    pub(super) fn outlined(mut self, outlined: bool) -> Self {
        self.cell.outlined = outlined;
        self
    }

    /// Characters that it needs: its label, a frame's sides, and the gap to the next.
    fn needs(&self) -> usize {
        self.cell.label.chars().count() + 1 + usize::from(self.cell.outlined)
    }
}

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct TableRow {
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
    /// The heading of the rows' names.
    pub(super) corner: String,
    /// The names of columns, and where each begins; ascending.
    pub(super) heads: Vec<(usize, String)>,
    pub(super) rows: Vec<TableRow>,
    /// Whether each column is only as wide as it must be; then no cell spans several.
    pub(super) ragged: bool,
    /// The frames, around rows (from, to) and columns (from, to).
    pub(super) frames: Vec<[(usize, usize); 2]>,
}

impl Table {
    /// A table whose rows' names have this heading.
    pub(super) fn new(corner: &str) -> Self {
        Self { corner: corner.into(), ..Self::default() }
    }

    /// Appends a row.
    pub(super) fn row(&mut self, head: impl Into<String>, cells: Vec<Entry>) {
        self.rows.push(TableRow { head: head.into(), cells, apart: false });
    }

    /// Appends cells in rows of `across`, each row named by the number of its first cell.
    pub(super) fn wrapped(&mut self, across: usize, cells: impl IntoIterator<Item = Entry>) {
        let cells: Vec<_> = cells.into_iter().collect();
        for (i, cells) in cells.chunks(across).enumerate() {
            self.row((i * across).to_string(), cells.to_vec());
        }
    }

    /// Names each `step`-th of this many columns by its number.
    pub(super) fn numbered(mut self, columns: usize, step: usize) -> Self {
        let number = |column| (column, std::format!("{column}"));
        self.heads = (0..columns).step_by(step.max(1)).map(number).collect();
        self
    }

    /// The beginning of each column, and the end.
    fn columns(&self) -> Vec<usize> {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let named = self.heads.iter().map(|(column, _)| column + 1);
        let count = cells().map(|cell| cell.column + cell.span).chain(named).max().unwrap_or(0);
        let heads = self.heads.iter().enumerate().map(|(i, (column, name))| {
            let end = self.heads.get(i + 1).map_or(count.max(column + 1), |next| next.0);
            (*column, (name.chars().count() + 1).div_ceil((end - column).max(1)))
        });
        let needs =
            cells().map(|cell| (cell.column, cell.needs().div_ceil(cell.span))).chain(heads);
        let mut widths = vec![0; count];
        for (column, need) in needs.filter(|(column, _)| *column < count) {
            widths[column] = need.max(widths[column]);
        }
        if !self.ragged {
            let widest = widths.iter().copied().max().unwrap_or(1);
            widths.fill(widest);
        }
        let mut x = 0;
        let begin = |width: usize| {
            x += width;
            x - width
        };
        widths.into_iter().chain([0]).map(begin).collect()
    }

    /// The line of each row, and the end.
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
        let at = self.columns();
        let heads = self.rows.iter().map(|row| row.head.chars().count());
        let left = heads.chain([self.corner.chars().count()]).max().unwrap_or(0);
        let left = if left == 0 { 0 } else { left + 1 };
        let width = left + at[at.len() - 1];
        let mut block = Block { width, ..Block::default() };
        let mut top = match self.title.as_str() {
            "" => 0,
            title => block.say(0, 0, width.max(44), title, Tone::Strong),
        };
        if !self.heads.is_empty() || !self.corner.is_empty() {
            block.say(0, top, usize::MAX, &self.corner, Tone::Quiet);
            for (i, (column, name)) in self.heads.iter().enumerate() {
                let own = self.heads.get(i + 1).is_none_or(|next| next.0 == column + 1);
                let wide = at.get(column + 1).map_or(0, |end| end - at[*column]);
                // In the middle of its own column; of several, where they begin.
                let spare = if own { wide.saturating_sub(name.chars().count()) / 2 } else { 0 };
                block.say(left + at[*column] + spare, top, usize::MAX, name, Tone::Quiet);
            }
            top += 1;
        }
        let lines = self.lines();
        for (row, line) in self.rows.into_iter().zip(&lines) {
            block.say(0, top + line, usize::MAX, &row.head, Tone::Quiet);
            for Entry { column, span, cell } in row.cells {
                let (x, y, width) = (left + at[column], top + line, at[column + span] - at[column]);
                block.cells.push(Cell { x, y, width, ..cell });
            }
        }
        for [(from, to), (first, end)] in self.frames {
            block.frames.push(Frame {
                x: left + at[first],
                y: top + lines[from],
                width: at[end] - at[first],
                height: lines[to - 1] + 1 - lines[from],
            });
        }
        block.height = block.height.max(top + lines[lines.len() - 1]);
        block
    }
}
