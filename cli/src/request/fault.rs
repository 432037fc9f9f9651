//! Faults of an input: the place, and what would be right.
//!
//! ```text
//!   kernel.toml:15:3: unknown key `kpak`; did you mean `kpack`?
//!   --with: KPack needs ..                       an option has no line, but a name
//! ```

use crate::request::keys::Keys;
use crate::request::spelling::one_line;
use std::fmt;
use std::ops::Range;

/// A fault of an input, and the bytes that are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(span: Range<usize>, message: impl fmt::Display) -> Self {
        Self { span, message: one_line(&message.to_string()) }
    }
}

/// The value that was read, or none: the fault is kept with the others.
pub(crate) fn kept<T>(result: Result<T, Fault>, faults: &mut Vec<Fault>) -> Option<T> {
    result.map_err(|fault| faults.push(fault)).ok()
}

/// An input, and what its places are called.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file, or `<stdin>`.
    pub name: String,
    /// The text of the input.
    pub text: String,
    /// Keys in place of a text: a fault names an option instead of a line.
    pub keys: Option<Keys>,
}

/// A place in a source: a line and a column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Source {
    /// The text of a file of this name.
    pub fn of_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), keys: None }
    }

    /// Keys that are given by options or arguments.
    pub fn of_keys(name: impl Into<String>, keys: Keys) -> Self {
        Self { name: name.into(), text: String::new(), keys: Some(keys) }
    }

    /// Returns whether the input is a file that others may depend on.
    pub(crate) fn is_file(&self) -> bool {
        self.keys.is_none() && !self.name.starts_with('<')
    }

    /// The place of a byte.
    pub(crate) fn place(&self, byte: usize) -> Place {
        if self.keys.is_some() {
            return Place { line: byte + 1, column: 1 };
        }
        let before = &self.text[..self.text.floor_char_boundary(byte)];
        let line = before.matches('\n').count() + 1;
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        Place { line, column: before[begin..].chars().count() + 1 }
    }

    /// `kernel.toml:15`; of options the option.
    pub(crate) fn line(&self, place: Place) -> String {
        match &self.keys {
            Some(keys) => keys.option(place.line - 1).to_string(),
            None => format!("{}:{}", self.name, place.line),
        }
    }

    /// A fault at a place, as one line: `kernel.toml:15:3: ..`.
    pub(crate) fn explain(&self, place: Place, message: &str) -> String {
        match self.keys {
            Some(_) => format!("{}: {message}\n", self.line(place)),
            None => format!("{}:{}: {message}\n", self.line(place), place.column),
        }
    }

    /// All faults, a line each.
    pub(crate) fn explain_all(&self, faults: &[Fault]) -> String {
        let each = faults.iter();
        each.map(|fault| self.explain(self.place(fault.span.start), &fault.message)).collect()
    }
}

impl fmt::Display for Source {
    /// Prints the text, or that of the equivalent file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.keys {
            Some(keys) => keys.fmt(f),
            None => f.write_str(&self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters() {
        let source = Source::of_text("f", "a\nä = ü\n");
        assert_eq!(source.place(0), Place { line: 1, column: 1 });
        // The ü: byte 7 after the two of ä.
        assert_eq!(source.place(7), Place { line: 2, column: 5 });
        assert_eq!(source.place(1000), Place { line: 3, column: 1 });
    }
}
