//! The colours, never alone: a number or a hatch repeats what they show.
//!
//! ```text
//!   step 0 .. 7    yellow, green, blue, violet   lightness 96, 90, .. 53: in grey print an order too
//!   heat 0 .. 5    sand to brick                 97, 88, .. 52: degree 1, 2, 4, 8, 16, more
//! ```
//!
//! Hues go from yellow to blue and violet, which the common kinds of colour blindness keep apart, and
//! lightness falls by 6 to 9 at each step (CIE L*), which all kinds do. Every ink is light enough for
//! black words (contrast 5 and more), so a cell is the same in light and in dark; only the page
//! around it changes.

/// The fill of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ink {
    /// One of eight shades, for banks and phases: 0 is the lightest.
    Step(u8),
    /// A shade of cost: 0 is free.
    Heat(u8),
    /// No colour.
    Blank,
}

/// The tone of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tone {
    /// A heading.
    Strong,
    /// The name of a row or a column.
    Quiet,
}

pub(super) const STEPS: [&str; 8] =
    ["#fff4aa", "#dfe996", "#abde97", "#64d2b8", "#33bed7", "#49a6df", "#708bd8", "#8870be"];
pub(super) const HEATS: [&str; 6] =
    ["#faf6ef", "#f4d9b0", "#f2b97a", "#ef9655", "#e47440", "#cf5637"];

/// The colours that change with the page.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) paper: &'static str,
    pub(super) words: &'static str,
    pub(super) quiet: &'static str,
    pub(super) blank: &'static str,
}

pub(super) const LIGHT: Page =
    Page { paper: "#ffffff", words: "#1b1f24", quiet: "#57606a", blank: "#eef0f3" };
pub(super) const DARK: Page =
    Page { paper: "#15181c", words: "#e6e9ed", quiet: "#a9b1ba", blank: "#2a3037" };

impl Ink {
    /// The ink of one of `count` things, all steps used from the lightest to the darkest.
    pub(super) fn nth(number: usize, count: usize) -> Self {
        let count = count.max(STEPS.len());
        Self::Step((number % count * STEPS.len() / count) as u8)
    }

    /// The ink of a degree: 1, 2, up to 4, up to 8, up to 16, more.
    pub(super) fn of_degree(degree: u32) -> Self {
        let doublings = u32::BITS - degree.saturating_sub(1).leading_zeros();
        Self::Heat(doublings.min(HEATS.len() as u32 - 1) as u8)
    }

    /// The name of its class, of two letters.
    pub(super) const fn class(self) -> (char, u8) {
        match self {
            Self::Step(step) => ('s', step),
            Self::Heat(heat) => ('h', heat),
            Self::Blank => ('b', 0),
        }
    }

    /// The ink's colour on light paper.
    pub(super) const fn colour(self) -> &'static str {
        match self {
            Self::Step(step) => STEPS[step as usize % STEPS.len()],
            Self::Heat(heat) => HEATS[heat as usize % HEATS.len()],
            Self::Blank => LIGHT.blank,
        }
    }
}
