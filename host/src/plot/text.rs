//! The figure for a terminal: plain characters, or with colours.
//!
//! What the SVG shows by a frame is in brackets, `[201]`, and what it hatches without a number is `//`.

use super::canvas::{Canvas, label_at};
use super::palette::{Ink, Tone};
use super::scene::{Block, Connector, Figure, Form};

impl Figure {
    /// The figure in plain characters.
    #[must_use]
    pub fn text(&self) -> String {
        let (block, mut text) = (self.whole(Form::Text), String::new());
        for line in drawn(&block).lines() {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    /// The text with the colours of the SVG, for terminals that know 24 bits of them.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc_host::plot::Draw;
    ///
    /// let rows = Plan::naive(&[2, 4], &[4, 1])?.figure().with_element(F32).named("rows");
    /// let tile = rows.tile(32)?;
    /// assert!(tile.text().contains("1   4 5 6 7\n"));
    /// // Each of the 8 cells on the colour of its bank.
    /// assert_eq!(tile.coloured_text().matches("\x1b[30;48;2;").count(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn coloured_text(&self) -> String {
        let (block, mut text) = (self.whole(Form::ColouredText), String::new());
        let (canvas, paints) = (drawn(&block), paints(&block));
        for (y, line) in paints.into_iter().enumerate() {
            for (x, paint) in line.into_iter().enumerate() {
                let c = canvas.at(x, y);
                match paint {
                    Paint::None => text.push(c),
                    Paint::Strong => text.push_str(&format!("\x1b[1m{c}\x1b[0m")),
                    Paint::Ink(ink) => {
                        let [r, g, b] = parts(ink.colour());
                        text.push_str(&format!("\x1b[30;48;2;{r};{g};{b}m{c}\x1b[0m"));
                    }
                }
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }
}

/// The look of a character.
#[derive(Clone, Copy)]
enum Paint {
    None,
    Strong,
    Ink(Ink),
}

/// The look of each character; of a cell's width the last one is the gap.
fn paints(block: &Block) -> Vec<Vec<Paint>> {
    let mut all = vec![vec![Paint::None; block.width]; block.height];
    let mut paint = |x: usize, y: usize, width: usize, paint: Paint| {
        let line = all.get_mut(y).map(|line| line.iter_mut().skip(x).take(width));
        line.into_iter().flatten().for_each(|place| *place = paint);
    };
    for words in block.words.iter().filter(|words| words.tone == Tone::Strong) {
        paint(words.x, words.y, words.text.chars().count(), Paint::Strong);
    }
    for cell in block.cells.iter().filter(|cell| cell.ink != Ink::Blank) {
        paint(cell.x, cell.y, (cell.width - 1).max(1), Paint::Ink(cell.ink));
    }
    all
}

fn parts(colour: &str) -> [u8; 3] {
    let part = |at: usize| u8::from_str_radix(&colour[at..at + 2], 16).unwrap_or(0);
    [part(1), part(3), part(5)]
}

fn drawn(block: &Block) -> Canvas {
    let mut canvas = Canvas::new(block);
    for connector in &block.connectors {
        connect(&mut canvas, connector);
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

/// Draws a connector; where lines cross, the part that runs down is in front.
fn connect(canvas: &mut Canvas, connector: &Connector) {
    let ((x, y), (end, below)) = (connector.from, connector.to);
    if x == end {
        (y + 1..below).for_each(|y| canvas.put(x, y, '|'));
        return;
    }
    (y + 1..connector.turn).for_each(|y| canvas.put(x, y, '|'));
    (connector.turn + 1..below).for_each(|y| canvas.put(end, y, '|'));
    for x in x.min(end) + 1..x.max(end) {
        if canvas.at(x, connector.turn) == ' ' {
            canvas.put(x, connector.turn, '-');
        }
    }
    canvas.put(x, connector.turn, '+');
    canvas.put(end, connector.turn, '+');
}
