//! The figure as SVG, alone in its file: no font, script, picture or address of elsewhere.
//!
//! ```text
//!   a 64x64 grid        4096 cells: colour, number, title
//!   one cell            <use href="#s3w5" x="315"><title>63,63 bank 31</title></use>
//!   one row of numbers  <text y=".." textLength="..">0 1 2 ..</text>, in one piece
//! ```
//!
//! A character is 7.5 by 18 pixels; `textLength` holds words to that in any font of the reader, so that a row of
//! numbers is one element. Rectangles of one size and ink are made once. Their names and those of classes mean the same
//! in every figure, so that a page may have several. The page's colours follow the reader's light or dark; plain
//! classes and no custom properties, because renderers other than browsers know no `var()`.

use super::canvas::{Canvas, label_at};
use super::palette::{DARK, HEATS, Ink, LIGHT, Page, STEPS, Tone};
use super::scene::{Block, Cell, Figure, Form, Frame};
use core::fmt::Write;
use std::collections::{BTreeMap, BTreeSet};

/// Pixels of a character across, times two.
const ACROSS: usize = 15;
/// Pixels of a line.
const DOWN: usize = 18;
/// Pixels around all.
const MARGIN: usize = 12;
/// Spaces that end a piece of text: less is shorter to write than a new piece.
const GAP: usize = 8;

impl Figure {
    /// The figure as an SVG document: the same bytes for the same figure.
    ///
    /// It needs nothing from elsewhere, so it may be saved as a file or pasted into a page.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc_host::plot::Draw;
    ///
    /// let rows = Plan::naive(&[2, 4], &[4, 1])?.figure().with_element(F32).named("rows");
    /// let svg = rows.tile(32)?.svg();
    /// assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    /// assert!(svg.contains("<title>rows: offsets by coordinate</title>"));
    /// // A cell for each of the 8 elements.
    /// assert_eq!(svg.matches("<use ").count(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn svg(&self) -> String {
        let block = self.whole(Form::Svg);
        let (width, height) =
            (across(block.width) + 2.0 * MARGIN as f64, block.height * DOWN + 2 * MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tiledesc\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n<desc>{}</desc>\n",
            escaped(&self.title),
            escaped(&self.summary),
        );
        svg.push_str(&style());
        defs(&mut svg, &block);
        let _ = writeln!(svg, "<rect class=\"p\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>");
        let _ = writeln!(svg, "<g transform=\"translate({MARGIN} {MARGIN})\">");
        connectors(&mut svg, &block);
        cells(&mut svg, &block);
        marks(&mut svg, &block);
        words(&mut svg, &block);
        svg.push_str("</g>\n</svg>\n");
        svg
    }
}

fn across(characters: usize) -> f64 {
    (characters * ACROSS) as f64 / 2.0
}

/// Text as SVG and HTML take it, between tags and in values of attributes in double quotes: their own characters are
/// escaped, and those that XML forbids are replaced.
///
/// ```
/// assert_eq!(tiledesc_host::plot::escaped("m < 4 & k"), "m &lt; 4 &amp; k");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            '\n' => out.push('\n'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

fn style() -> String {
    let mut css = String::from(
        "<style>.tiledesc{font:12.4px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}\
         .tiledesc text{white-space:pre;pointer-events:none}.tiledesc .o{fill:none;stroke:#000;stroke-width:2;pointer-events:none}\
         .tiledesc .f,.tiledesc .l{fill:none;stroke-width:1.2;pointer-events:none}\
         .tiledesc .x{stroke:#000;stroke-opacity:.35}.tiledesc .k{fill:#000}.tiledesc .t{font-weight:600}",
    );
    // Of rectangles that `use` copies no ancestor is asked for: a copy stands in a tree of its own,
    // and Chromium 148 matches within that.
    for (letter, inks) in [('s', &STEPS[..]), ('h', &HEATS[..])] {
        for (i, ink) in inks.iter().enumerate() {
            let _ = write!(css, "rect.{letter}{i}{{fill:{ink}}}");
        }
    }
    css.push_str(&page(&LIGHT));
    let _ = write!(css, "@media(prefers-color-scheme:dark){{{}}}", page(&DARK));
    css.push_str("</style>\n");
    css
}

fn page(page: &Page) -> String {
    let Page { paper, words, quiet, blank } = page;
    format!(
        ".tiledesc .p{{fill:{paper}}}rect.b0{{fill:{blank}}}.tiledesc .w,.tiledesc .t{{fill:{words}}}\
         .tiledesc .q{{fill:{quiet}}}.tiledesc .f{{stroke:{words}}}\
         .tiledesc .l{{stroke:{quiet}}}.tiledesc .y{{stroke:{quiet}}}"
    )
}

/// The name of a rectangle: its ink and its width in characters.
fn shape(cell: &Cell) -> String {
    let (letter, number) = cell.ink.class();
    format!("{letter}{number}w{}", cell.width)
}

/// Hatches, and each kind of rectangle that there is.
fn defs(svg: &mut String, block: &Block) {
    svg.push_str("<defs>");
    for (name, class, wanted) in [("x", "x", false), ("y", "y", true)] {
        if block.cells.iter().any(|cell| cell.hatched && (cell.ink == Ink::Blank) == wanted) {
            let _ = write!(
                svg,
                "<pattern id=\"tiledesc-{name}\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" \
                 patternTransform=\"rotate(45)\"><path class=\"{class}\" d=\"M0 0V5\"/></pattern>"
            );
        }
    }
    let mut made = BTreeSet::new();
    for cell in &block.cells {
        let name = shape(cell);
        if made.insert(name.clone()) {
            let (letter, number) = cell.ink.class();
            // A pixel less than its room, in characters.
            let width = cell.width as f64 - 0.13;
            let _ = write!(
                svg,
                "<rect id=\"{name}\" class=\"{letter}{number}\" width=\"{width:.2}\" height=\"0.94\"/>"
            );
        }
    }
    svg.push_str("</defs>\n");
}

fn connectors(svg: &mut String, block: &Block) {
    let middle = |(x, y): (usize, usize)| (across(x) + ACROSS as f64 / 4.0, y * DOWN + DOWN / 2);
    for connector in &block.connectors {
        let ((x, y), (to_x, to_y)) = (middle(connector.from), middle(connector.to));
        let along = middle((0, connector.turn)).1;
        let turn = if x == to_x { String::new() } else { format!("V{along}H{to_x}") };
        let _ = writeln!(svg, "<path class=\"l\" d=\"M{x} {y}{turn}V{to_y}\"/>");
    }
}

fn cells(svg: &mut String, block: &Block) {
    let mut rows: BTreeMap<usize, Vec<&Cell>> = BTreeMap::new();
    for cell in &block.cells {
        rows.entry(cell.y).or_default().push(cell);
    }
    let _ = writeln!(svg, "<g transform=\"scale({} {DOWN})\">", ACROSS as f64 / 2.0);
    for (y, row) in rows {
        let _ = write!(svg, "<g transform=\"translate(0 {y})\">");
        for cell in row {
            let (name, title) = (shape(cell), escaped(&cell.title));
            let _ =
                write!(svg, "<use href=\"#{name}\" x=\"{}\"><title>{title}</title></use>", cell.x);
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</g>\n");
}

/// Hatches and frames, over the cells.
fn marks(svg: &mut String, block: &Block) {
    let rectangle = |svg: &mut String, class: &str, frame: Frame, inset: f64| {
        let (x, y) = (across(frame.x) + inset, (frame.y * DOWN) as f64 + inset);
        let width = across(frame.width) - 1.0 - 2.0 * inset;
        let height = (frame.height * DOWN) as f64 - 1.0 - 2.0 * inset;
        let _ = writeln!(
            svg,
            "<rect {class} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    };
    for cell in &block.cells {
        let frame = Frame { x: cell.x, y: cell.y, width: cell.width, height: 1 };
        if cell.hatched {
            let hatch = if cell.ink == Ink::Blank { "y" } else { "x" };
            let fill = format!("pointer-events=\"none\" fill=\"url(#tiledesc-{hatch})\"");
            rectangle(svg, &fill, frame, 0.0);
        }
        if cell.outlined {
            rectangle(svg, "class=\"o\"", frame, 1.0);
        }
    }
    for frame in &block.frames {
        rectangle(svg, "class=\"f\"", *frame, -1.5);
    }
}

fn words(svg: &mut String, block: &Block) {
    let on_ink = |cell: &&Cell| cell.ink != Ink::Blank;
    for (class, wanted) in [("k", true), ("w", false)] {
        // What is left of a cell may be an odd number of characters: then half of one more is before.
        for (half, shift) in [(0, ""), (1, " transform=\"translate(3.75 0)\"")] {
            let mut canvas = Canvas::new(block);
            for cell in block.cells.iter().filter(|cell| on_ink(cell) == wanted) {
                let (x, y) = label_at(cell);
                if (cell.width + cell.label.chars().count()) % 2 == half {
                    canvas.write(x, y, &cell.label);
                }
            }
            print(svg, &format!("class=\"{class}\"{shift}"), &canvas);
        }
    }
    for (class, tone) in [("t", Tone::Strong), ("q", Tone::Quiet)] {
        let mut canvas = Canvas::new(block);
        for words in block.words.iter().filter(|words| words.tone == tone) {
            canvas.write(words.x, words.y, &words.text);
        }
        print(svg, &format!("class=\"{class}\""), &canvas);
    }
}

/// Pieces of text, each held to its place.
fn print(svg: &mut String, attributes: &str, canvas: &Canvas) {
    let mut open = false;
    for (y, line) in canvas.lines().enumerate() {
        for (x, piece) in pieces(&line) {
            if !open {
                let _ = writeln!(svg, "<g xml:space=\"preserve\" {attributes}>");
                open = true;
            }
            let length = across(piece.chars().count());
            let (x, y, piece) = (across(x), y * DOWN + 13, escaped(&piece));
            let _ =
                writeln!(svg, "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\">{piece}</text>");
        }
    }
    if open {
        svg.push_str("</g>\n");
    }
}

/// The texts between wide gaps, and their places.
fn pieces(line: &str) -> Vec<(usize, String)> {
    let (mut found, mut spaces): (Vec<(usize, String)>, usize) = (Vec::new(), GAP);
    for (x, c) in line.chars().enumerate() {
        if c == ' ' {
            spaces += 1;
            continue;
        }
        match found.last_mut() {
            Some((_, piece)) if spaces < GAP => {
                (0..spaces).for_each(|_| piece.push(' '));
                piece.push(c);
            }
            _ => found.push((x, c.into())),
        }
        spaces = 0;
    }
    found
}
