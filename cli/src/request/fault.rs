//! Faults of an input: where it stands, and what would be right.
//!
//! ```text
//!   kernel.toml:15:3: unknown key `kpak`; did you mean `kpack`?
//!   --with: KPack needs ..                       an option has no line, but a name
//! ```

use std::fmt;
use std::ops::Range;

/// A text as one line: what a user has written may hold line breaks.
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// What is wrong with an input, and the bytes that are meant.
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

/// The text of an input, and what its places are called.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The file, or `<stdin>`.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Of a text that was made of options: the option of each line.
    pub(crate) options: Option<Vec<&'static str>>,
}

/// A place in a source: a line and a column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Source {
    /// Whether it is a file that others may depend on.
    pub(crate) fn is_file(&self) -> bool {
        self.options.is_none() && !self.name.starts_with('<')
    }

    /// The place of a byte.
    pub(crate) fn place(&self, byte: usize) -> Place {
        let mut at = byte.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        Place { line, column: before[begin..].chars().count() + 1 }
    }

    /// `kernel.toml:15`; of options the option.
    pub(crate) fn line(&self, place: Place) -> String {
        match &self.options {
            Some(options) => options.get(place.line - 1).unwrap_or(&"options").to_string(),
            None => format!("{}:{}", self.name, place.line),
        }
    }

    /// A fault as one line: `kernel.toml:15:3: ..`.
    pub(crate) fn explain(&self, fault: &Fault) -> String {
        let place = self.place(fault.span.start);
        match self.options {
            Some(_) => format!("{}: {}", self.line(place), fault.message),
            None => format!("{}:{}: {}", self.line(place), place.column, fault.message),
        }
    }

    /// All, a line each.
    pub(crate) fn explain_all(&self, faults: &[Fault]) -> String {
        faults.iter().map(|fault| self.explain(fault) + "\n").collect()
    }
}

/// `; did you mean `kpack`?`, or all there are.
pub(crate) fn did_you_mean<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    if let Some(near) = nearest(given, known.clone()) {
        return format!("; did you mean `{near}`?");
    }
    let all: Vec<_> = known.into_iter().map(|name| format!("`{name}`")).collect();
    if all.is_empty() { String::new() } else { format!("; there are {}", all.join(", ")) }
}

/// The known name with the fewest letters changed, if those are at most a third of it.
pub(crate) fn nearest<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let far = |name: &str| distance(&given.to_lowercase(), &name.to_lowercase());
    let close = known.into_iter().map(|name| (far(name), name)).min_by_key(|(far, _)| *far)?;
    let most = given.chars().count().max(close.1.chars().count()).div_ceil(3);
    (close.0 <= most).then_some(close.1)
}

/// Letters inserted, left out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<_> = b.chars().collect();
    let mut row: Vec<_> = (0..=b.len()).collect();
    for (i, one) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(one != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names_are_near() {
        assert_eq!(distance("kpak", "kpack"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(nearest("chip", ["chips", "tile"]), Some("chips"));
        assert_eq!(nearest("zzz", ["chips", "tile"]), None);
    }

    #[test]
    fn places_count_characters() {
        let text = "a\nä = ü\n".to_string();
        let source = Source { name: "f".into(), text, options: None };
        assert_eq!(source.place(0), Place { line: 1, column: 1 });
        // The ü: byte 7 after the two of ä.
        assert_eq!(source.place(7), Place { line: 2, column: 5 });
        assert_eq!(source.place(1000), Place { line: 3, column: 1 });
    }
}
