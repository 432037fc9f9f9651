//! Characters at their places, which both forms print.

use super::scene::{Block, Cell};

/// Lines of characters.
#[derive(Debug)]
pub(super) struct Canvas(Vec<Vec<char>>);

impl Canvas {
    pub(super) fn new(block: &Block) -> Self {
        Self(vec![vec![' '; block.width]; block.height])
    }

    /// Writes a text, as much of it as there is room for.
    pub(super) fn write(&mut self, x: usize, y: usize, text: &str) {
        for (i, c) in text.chars().enumerate() {
            self.put(x + i, y, if c.is_control() { ' ' } else { c });
        }
    }

    pub(super) fn put(&mut self, x: usize, y: usize, c: char) {
        if let Some(place) = self.0.get_mut(y).and_then(|line| line.get_mut(x)) {
            *place = c;
        }
    }

    pub(super) fn at(&self, x: usize, y: usize) -> char {
        self.0.get(y).and_then(|line| line.get(x)).copied().unwrap_or(' ')
    }

    /// The lines, without the blanks at their ends.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|line| {
            let line: String = line.iter().collect();
            line.trim_end().into()
        })
    }
}

/// The column at which the label of a cell begins, and its line.
pub(super) fn label_at(cell: &Cell) -> (usize, usize) {
    let spare = (cell.width).saturating_sub(cell.label.chars().count());
    (cell.x + spare / 2, cell.y)
}
