//! A figure as data: cells with their words, before they are drawn.
//!
//! The unit is one character, across and down. So a cell of five characters is a rectangle in the
//! SVG and five characters in the terminal, and both forms have everything at the same place.
//!
//! ```text
//!   Figure   title, summary, notes
//!     Block  one table or graph, `width` x `height` characters; blocks flow like words
//!       Cell  label, title, ink, hatch, outline
//!       Words, Connector, Frame
//!     Note   a sentence below; what a mark means is said where the form has the mark
//! ```

use super::palette::{Ink, Tone};
use core::fmt;

/// The form in which a figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Svg,
    /// Characters, which have no colours.
    Text,
    ColouredText,
}

/// What a cell may have that a legend explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Hatch,
    Frame,
    Colour,
}

/// A sentence below a figure, or the meaning of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Note {
    mark: Option<Mark>,
    text: String,
}

impl Note {
    /// The sentence in a form: `Hatched: padding.`, in characters `//: padding.`
    fn said(&self, form: Form) -> String {
        let is_svg = form == Form::Svg;
        let word = match self.mark {
            None => return self.text.clone(),
            Some(Mark::Hatch) if is_svg => "Hatched",
            Some(Mark::Hatch) => "//",
            Some(Mark::Frame) if is_svg => "Framed",
            Some(Mark::Frame) => "[..]",
            Some(Mark::Colour) => "Colour",
        };
        format!("{word}: {}", self.text)
    }
}

/// One cell of a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) label: String,
    pub(super) title: String,
    pub(super) ink: Ink,
    pub(super) hatched: bool,
    pub(super) outlined: bool,
}

impl Cell {
    /// A cell that has no place yet.
    pub(super) fn new(label: String, title: String, ink: Ink) -> Self {
        Self { x: 0, y: 0, width: 0, label, title, ink, hatched: false, outlined: false }
    }

    /// The text in the cell; it may be empty.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The cell's tooltip.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The cell's colour.
    #[must_use]
    pub const fn ink(&self) -> Ink {
        self.ink
    }

    /// Returns whether the cell is hatched: it waits, or it is padding.
    #[must_use]
    pub const fn is_hatched(&self) -> bool {
        self.hatched
    }

    /// Returns whether a form shows a mark of the cell: characters hatch only what has no number.
    fn shows(&self, mark: Mark, form: Form) -> bool {
        match mark {
            Mark::Hatch => self.hatched && (form == Form::Svg || self.label.is_empty()),
            Mark::Frame => self.outlined,
            Mark::Colour => self.ink != Ink::Blank && form != Form::Text,
        }
    }

    /// Returns whether the cell is framed: lanes that meet, a key.
    #[must_use]
    pub const fn is_outlined(&self) -> bool {
        self.outlined
    }
}

#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) text: String,
    pub(super) tone: Tone,
}

/// A line from a character down to another: straight, or along line `turn` between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connector {
    pub(super) from: (usize, usize),
    pub(super) to: (usize, usize),
    pub(super) turn: usize,
}

/// A rectangle around several cells; the names of rows and columns repeat it in text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// A part of a figure that is drawn as one piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) cells: Vec<Cell>,
    pub(super) words: Vec<Words>,
    pub(super) connectors: Vec<Connector>,
    pub(super) frames: Vec<Frame>,
}

impl Block {
    /// Takes over what another has, moved.
    fn take(&mut self, other: Self, dx: usize, dy: usize) {
        self.width = self.width.max(dx + other.width);
        self.height = self.height.max(dy + other.height);
        let moved = |x, y| (x + dx, y + dy);
        self.cells.extend(other.cells.into_iter().map(|one| {
            let (x, y) = moved(one.x, one.y);
            Cell { x, y, ..one }
        }));
        self.words.extend(other.words.into_iter().map(|one| {
            let (x, y) = moved(one.x, one.y);
            Words { x, y, ..one }
        }));
        self.frames.extend(other.frames.into_iter().map(|one| {
            let (x, y) = moved(one.x, one.y);
            Frame { x, y, ..one }
        }));
        self.connectors.extend(other.connectors.into_iter().map(|one| {
            let [from, to] = [one.from, one.to].map(|(x, y)| moved(x, y));
            Connector { from, to, turn: one.turn + dy }
        }));
    }

    /// Lines of words, each cut between words at `most` characters.
    pub(super) fn say(&mut self, x: usize, y: usize, most: usize, text: &str, tone: Tone) -> usize {
        let lines = wrapped(text, most);
        let count = lines.len();
        for (i, text) in lines.into_iter().enumerate() {
            self.width = self.width.max(x + text.chars().count());
            self.height = self.height.max(y + i + 1);
            self.words.push(Words { x, y: y + i, text, tone });
        }
        count
    }
}

/// A figure: what is shown, and its two forms.
///
/// `Display` is the [text](Self::text).
///
/// ```
/// use tiledesc::{chip::gfx942, prelude::*};
/// use tiledesc_host::plot::Draw;
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let figure = Tile::default().figure().phases(&gfx942::ds_read_b128, MfmaRows::<16>)?;
/// // A row a phase, and in each the 8 lanes that it serves.
/// assert_eq!(figure.cells().count(), 64);
/// assert_eq!(figure.cells().next().unwrap().title(), "phase 0, banks 0-3: lane 0, byte 0");
/// assert!(figure.svg().starts_with("<svg xmlns="));
/// println!("{figure}");
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Figure {
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) blocks: Vec<Block>,
    /// The notes below.
    notes: Vec<Note>,
    pub(super) width: usize,
}

impl Figure {
    /// The default width in characters: 900 pixels.
    pub const WIDTH: usize = 120;

    pub(super) fn new(title: String, summary: String) -> Self {
        Self { title, summary, blocks: Vec::new(), notes: Vec::new(), width: Self::WIDTH }
    }

    pub(super) fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// A sentence below, unless it is there.
    pub(super) fn note(self, note: impl Into<String>) -> Self {
        self.noted(Note { mark: None, text: note.into() })
    }

    /// The meaning of a mark, behind the sentence before it: said where a form shows it.
    pub(super) fn legend(self, mark: Mark, text: impl Into<String>) -> Self {
        self.noted(Note { mark: Some(mark), text: text.into() })
    }

    fn noted(mut self, note: Note) -> Self {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        self
    }

    /// The notes of a form, each a paragraph.
    fn paragraphs(&self, form: Form) -> Vec<String> {
        let is_shown = |note: &&Note| {
            note.mark.is_none_or(|mark| self.cells().any(|cell| cell.shows(mark, form)))
        };
        let mut all: Vec<String> = Vec::new();
        for note in self.notes.iter().filter(is_shown) {
            match (note.mark, all.last_mut()) {
                (Some(_), Some(last)) => *last += &format!(" {}", note.said(form)),
                _ => all.push(note.said(form)),
            }
        }
        all
    }

    /// Both figures: this one, and the other at its side, or below where the width is used up. The title is this one's.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    /// use tiledesc_host::plot::Draw;
    ///
    /// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// layout! { type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let [before, after] = [Plain::default().figure(), Xor::default().figure()]
    ///     .map(|subject| subject.phases(&gfx942::ds_read_b128, MfmaRows::<16>));
    /// let both = before?.beside(after?).titled("Before and after");
    /// let text = both.text();
    /// assert!(text.starts_with("Before and after\n"));
    /// // In one line of the text, since both fit side by side.
    /// let heads = "RowMajor: 4-way, 512 cycles              GemmXor: free of conflicts, 128 cycles";
    /// assert_eq!(text.lines().nth(2), Some(heads));
    /// // On a telephone they stand below each other.
    /// assert_eq!(both.width(48).text().lines().nth(2), Some("RowMajor: 4-way, 512 cycles"));
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    #[must_use]
    pub fn beside(mut self, other: Self) -> Self {
        if self.summary != other.summary {
            self.summary.push(' ');
            self.summary.push_str(&other.summary);
        }
        self.blocks.extend(other.blocks);
        for note in other.notes {
            self = self.noted(note);
        }
        self
    }

    /// The figure with another title, which is the first line of both forms.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.title = title.into();
        self
    }

    /// The figure at most `characters` wide where blocks can be placed below each other: 48 characters are 360 pixels,
    /// the width of a phone.
    #[must_use]
    pub const fn width(mut self, characters: usize) -> Self {
        self.width = characters;
        self
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The figure in a sentence, for readers who cannot see it.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The cells, block by block.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.blocks.iter().flat_map(|block| &block.cells)
    }

    /// The whole figure as one block: the title, blocks that flow like words, the notes.
    pub(super) fn whole(&self, form: Form) -> Block {
        let mut whole = Block::default();
        let widest = self.blocks.iter().map(|block| block.width).max().unwrap_or(0);
        let across = widest.max(self.width.min(Self::across(&self.blocks)));
        let across = across.max(44);
        let mut below = whole.say(0, 0, across, &self.title, Tone::Strong) + 1;
        let (mut x, mut y) = (0, below);
        for block in &self.blocks {
            if x > 0 && x + block.width > across {
                (x, y) = (0, below + 1);
            }
            whole.take(block.clone(), x, y);
            x += block.width + 3;
            below = below.max(y + block.height);
        }
        for (i, note) in self.paragraphs(form).iter().enumerate() {
            below += usize::from(i == 0);
            below += whole.say(0, below, across, note, Tone::Quiet);
        }
        whole
    }

    /// The width of all blocks in one line.
    fn across(blocks: &[Block]) -> usize {
        blocks.iter().map(|block| block.width + 3).sum::<usize>().saturating_sub(3)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// The words of a text in lines of at most `most` characters; a longer word is a line.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
            lines.push(core::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
