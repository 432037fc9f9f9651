//! Register layouts as Triton's attributes print them, read:
//! `register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0]], warp = [], block = []`.

use super::registers::Registers;
use crate::Error;
use tiledesc::{Linear, List};

impl Registers {
    /// Reads bases as Triton's `#ttg.linear` or `generic_linear` prints them, with or without it around them. Each
    /// dimension is as long as its images need.
    ///
    /// ```
    /// use tiledesc_host::exchange::triton::Registers;
    ///
    /// let text = "#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [], block = []}>";
    /// let bases = Registers::parse(text)?;
    /// assert_eq!(bases.lengths(), [4, 2]);
    /// let torn = Registers::parse("register = [[0, 1], lane = []").unwrap_err();
    /// assert_eq!(torn.to_string(), "at byte 20: expected `[`");
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Another text, with the byte; images of different ranks; blocks that move anything; no image at all,
    /// a tile of one element, whose rank is not in the text (Triton's own parser: "Empty Layout not supported").
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut reader = Reader { text, at: name_at(text) };
        let wrapped = reader.takes("#ttg.linear<{") || reader.takes("#ttg.generic_linear<{");
        let mut of = [const { Vec::new() }; 4];
        let names = [
            ("register", "`register`"),
            ("lane", "`lane`"),
            ("warp", "`warp`"),
            ("block", "`block`"),
        ];
        for (owner, (name, said)) in names.into_iter().enumerate() {
            // Of blocks there is at most one here, and its list may be left out.
            if owner == 3 && !reader.starts_with(",") {
                break;
            }
            if owner > 0 {
                reader.needs(",", "`,`")?;
            }
            reader.needs(name, said)?;
            reader.needs("=", "`=`")?;
            of[owner] = reader.images()?;
        }
        let [register, lane, warp, block] = &of;
        if !are_still(block) {
            return reader.expected("a layout of one block");
        }
        if wrapped {
            reader.needs("}>", "`}>`")?;
        }
        reader.ends()?;
        let all = [&register[..], lane, warp].concat();
        if all.is_empty() {
            return reader.expected("an image, which gives the rank");
        }
        Self::new(lengths(&all), [register, lane, warp])
    }
}

/// The least powers of two that hold all images.
pub(super) fn lengths(images: &[List]) -> List {
    let rank = images.iter().map(List::len).max().unwrap_or(0);
    let longest = |d: usize| {
        let along = images.iter().filter(|image| d < image.len()).map(|image| image.at(d));
        (along.max().unwrap_or(0) + 1).next_power_of_two()
    };
    List::new(&(0..rank).map(longest).collect::<Vec<_>>())
}

/// Returns whether blocks all hold the same: `[]`, `[[0, 0]]`.
pub(super) fn are_still(blocks: &[List]) -> bool {
    blocks.iter().flat_map(List::as_slice).all(|index| *index == 0)
}

/// The byte at which the name begins: after the modules of `gl.Name(..)`, and after the alias of `#shared = #ttg.name<..>`.
pub(super) fn name_at(text: &str) -> usize {
    let blanks = |from: usize| text.len() - text[from..].trim_start().len();
    let begin = match text.find(['=', '<', '(']) {
        Some(at) if text[..at].trim_start().starts_with('#') && text[at..].starts_with('=') => {
            blanks(at + 1)
        }
        _ => blanks(0),
    };
    if text[begin..].starts_with('#') {
        return begin;
    }
    let head = text[begin..].split(['(', '<']).next().unwrap_or("");
    head.rfind('.').map_or(begin, |dot| begin + dot + 1)
}

/// The name of a layout.
pub(super) fn name(text: &str) -> &str {
    let rest = &text[name_at(text)..];
    rest[..rest.find(['(', '<']).unwrap_or(rest.len())].trim_end()
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Reader<'_> {
    pub(super) fn expected<T>(&self, expected: &'static str) -> Result<T, Error> {
        Err(Error::syntax(self.at, expected))
    }

    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    pub(super) fn blanks(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn starts_with(&mut self, words: &str) -> bool {
        self.blanks();
        self.rest().starts_with(words.as_bytes())
    }

    pub(super) fn takes(&mut self, words: &str) -> bool {
        let found = self.starts_with(words);
        self.at += if found { words.len() } else { 0 };
        found
    }

    pub(super) fn needs(&mut self, words: &str, said: &'static str) -> Result<(), Error> {
        if self.takes(words) { Ok(()) } else { self.expected(said) }
    }

    /// Refuses a text that goes on.
    pub(super) fn ends(&mut self) -> Result<(), Error> {
        self.blanks();
        if self.rest().is_empty() { Ok(()) } else { self.expected("the end") }
    }

    /// Reads the items of `[..]`, with commas between; at most so many.
    fn list<T>(
        &mut self,
        most: (usize, &'static str),
        item: impl Fn(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.needs("[", "`[`")?;
        let mut all = Vec::new();
        while !self.takes("]") {
            if !all.is_empty() {
                self.needs(",", "`,` or `]`")?;
            }
            if all.len() == most.0 {
                return self.expected(most.1);
            }
            all.push(item(self)?);
        }
        Ok(all)
    }

    /// `[[0, 1], [0, 2]]`
    pub(super) fn images(&mut self) -> Result<Vec<List>, Error> {
        self.list((Linear::BITS, "at most 32 bits"), Self::image)
    }

    /// `[0, 1]`
    pub(super) fn image(&mut self) -> Result<List, Error> {
        let most = (List::CAPACITY, "at most 12 dimensions");
        Ok(List::new(&self.list(most, Self::number)?))
    }

    pub(super) fn number(&mut self) -> Result<u32, Error> {
        self.blanks();
        let (mut value, first) = (0u64, self.at);
        while let Some(digit) = self.rest().first().filter(|byte| byte.is_ascii_digit()) {
            value = value * 10 + u64::from(digit - b'0');
            // A length is a power of two of 32 bits.
            if value >= 1 << 31 {
                return self.expected("a number below 2^31");
            }
            self.at += 1;
        }
        if self.at == first { self.expected("a number") } else { Ok(value as u32) }
    }
}
