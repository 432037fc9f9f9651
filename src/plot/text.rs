//! The figure for a terminal: plain characters, or with colours.
//!
//! What the SVG shows by a frame stands in brackets, `[201]`, and what it hatches without a number
//! is `//`.

use super::canvas::{Canvas, label_at};
use super::palette::{Ink, Tone};
use super::scene::{Block, Cell, Figure, Line};
use alloc::format;
use alloc::string::String;

impl Figure {
    /// The figure in plain characters.
    #[must_use]
    pub fn text(&self) -> String {
        let (block, mut text) = (self.whole(), String::new());
        for line in drawn(&block).lines() {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    /// The same with the colours of the SVG, for terminals that know 24 bits of them.
    #[must_use]
    pub fn coloured_text(&self) -> String {
        let (block, mut text) = (self.whole(), String::new());
        let canvas = drawn(&block);
        for y in 0..block.height {
            for x in 0..block.width {
                let cell = block.cells.iter().find(|cell| covers(cell, x, y));
                let strong = block.words.iter().any(|words| {
                    words.tone == Tone::Strong
                        && words.y == y
                        && (words.x..words.x + words.text.chars().count()).contains(&x)
                });
                let c = canvas.at(x, y);
                match cell {
                    Some(cell) if cell.ink != Ink::Blank => {
                        let [r, g, b] = parts(cell.ink.colour());
                        text.push_str(&format!("\x1b[30;48;2;{r};{g};{b}m{c}\x1b[0m"));
                    }
                    _ if strong => text.push_str(&format!("\x1b[1m{c}\x1b[0m")),
                    _ => text.push(c),
                }
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }
}

/// Whether a character belongs to a cell; the last one of its width is the gap.
fn covers(cell: &Cell, x: usize, y: usize) -> bool {
    (cell.x..cell.x + (cell.width - 1).max(1)).contains(&x)
        && (cell.y..cell.y + cell.height).contains(&y)
}

fn parts(colour: &str) -> [u8; 3] {
    let part = |at: usize| u8::from_str_radix(&colour[at..at + 2], 16).unwrap_or(0);
    [part(1), part(3), part(5)]
}

fn drawn(block: &Block) -> Canvas {
    let mut canvas = Canvas::of(block);
    for line in &block.lines {
        connect(&mut canvas, line);
    }
    for words in &block.words {
        canvas.write(words.x, words.y, &words.text);
    }
    for cell in &block.cells {
        let (x, y) = label_at(cell);
        let length = cell.label.chars().count();
        if length == 0 && cell.hatched {
            (cell.x..cell.x + (cell.width - 1).max(1)).for_each(|x| canvas.put(x, y, '/'));
        }
        canvas.write(x, y, &cell.label);
        if cell.outlined {
            canvas.put(x.saturating_sub(1), y, '[');
            canvas.put(x + length, y, ']');
        }
    }
    canvas
}

/// What runs down; where lines cross, it is in front.
fn connect(canvas: &mut Canvas, line: &Line) {
    let ((x, y), (end, below)) = (line.from, line.to);
    if x == end {
        (y + 1..below).for_each(|y| canvas.put(x, y, '|'));
        return;
    }
    (y + 1..line.turn).for_each(|y| canvas.put(x, y, '|'));
    (line.turn + 1..below).for_each(|y| canvas.put(end, y, '|'));
    for x in x.min(end) + 1..x.max(end) {
        if canvas.at(x, line.turn) == ' ' {
            canvas.put(x, line.turn, '-');
        }
    }
    canvas.put(x, line.turn, '+');
    canvas.put(end, line.turn, '+');
}
