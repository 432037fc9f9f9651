//! Register layouts as Triton's attributes print them, read:
//! `register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0]], warp = [], block = []`.

use super::registers::{RegisterError, Registers};
use tiledesc_transforms::{Linear, List, attempt};

impl Registers {
    /// Reads bases as Triton's `#ttg.linear` prints them, with or without it around them. Each
    /// dimension is as long as its images need.
    ///
    /// ```
    /// use tiledesc::exchange::triton::{RegisterError, Registers};
    ///
    /// let text = "#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [], block = []}>";
    /// let bases = Registers::parse(text)?;
    /// assert_eq!(bases.lengths(), [4, 2]);
    /// let torn = Registers::parse("register = [[0, 1], lane = []").unwrap_err();
    /// assert_eq!(torn.to_string(), "at byte 20: expected `[`");
    /// # Ok::<(), RegisterError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RegisterError::Syntax`] with the byte; images of different ranks; blocks that move
    /// anything; no image at all, a tile of one element, whose rank the text does not say (Triton's
    /// own parser: "Empty Layout not supported").
    pub const fn parse(text: &str) -> Result<Self, RegisterError> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        let wrapped = reader.takes("#ttg.linear<{");
        let (mut images, mut counts) = ([[List::EMPTY; Linear::BITS]; 4], [0; 4]);
        let (names, mut owner) = (["register", "lane", "warp", "block"], 0);
        while owner < 4 {
            // Of blocks there is at most one here, and its list may be left out.
            if owner == 3 && !reader.starts_with(",") {
                break;
            }
            if owner > 0 && !reader.takes(",") {
                return reader.expected("`,`");
            }
            if !reader.takes(names[owner]) {
                return reader.expected(["`register`", "`lane`", "`warp`", "`block`"][owner]);
            }
            if !reader.takes("=") {
                return reader.expected("`=`");
            }
            counts[owner] = attempt!(reader.images(&mut images[owner]));
            owner += 1;
        }
        if counts[3] > 0 {
            return reader.expected("a layout of one block");
        }
        if wrapped && !reader.takes("}>") {
            return reader.expected("`}>`");
        }
        reader.blanks();
        if reader.at < reader.bytes.len() {
            return reader.expected("the end");
        }
        let of = [
            images[0].split_at(counts[0]).0,
            images[1].split_at(counts[1]).0,
            images[2].split_at(counts[2]).0,
        ];
        if counts[0] + counts[1] + counts[2] == 0 {
            return reader.expected("an image, which gives the rank");
        }
        Self::new(lengths(of), of)
    }
}

/// The least powers of two that hold all images.
pub(super) const fn lengths(images: [&[List]; 3]) -> List {
    let (mut lengths, mut owner) = (List::EMPTY, 0);
    while owner < 3 {
        let mut bit = 0;
        while bit < images[owner].len() {
            let image = &images[owner][bit];
            let mut dimension = 0;
            while dimension < image.len() {
                if dimension == lengths.len() {
                    lengths = match lengths.push_back(1) {
                        Ok(longer) => longer,
                        Err(_) => lengths,
                    };
                }
                let (by, length) = (image.at(dimension), lengths.at(dimension));
                if by >= length {
                    lengths = lengths.with(dimension, 1 << (by.ilog2() + 1));
                }
                dimension += 1;
            }
            bit += 1;
        }
        owner += 1;
    }
    lengths
}

pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Reader<'_> {
    pub(super) const fn expected<T>(&self, expected: &'static str) -> Result<T, RegisterError> {
        Err(RegisterError::Syntax { at: self.at as u32, expected })
    }

    pub(super) const fn blanks(&mut self) {
        while self.at < self.bytes.len() && self.bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
    }

    const fn starts_with(&mut self, words: &str) -> bool {
        self.blanks();
        let (words, mut i) = (words.as_bytes(), 0);
        while i < words.len()
            && self.at + i < self.bytes.len()
            && self.bytes[self.at + i] == words[i]
        {
            i += 1;
        }
        i == words.len()
    }

    pub(super) const fn takes(&mut self, words: &str) -> bool {
        let found = self.starts_with(words);
        if found {
            self.at += words.len();
        }
        found
    }

    /// `[[0, 1], [0, 2]]`, and how many.
    pub(super) const fn images(
        &mut self,
        images: &mut [List; Linear::BITS],
    ) -> Result<usize, RegisterError> {
        if !self.takes("[") {
            return self.expected("`[`");
        }
        let mut count = 0;
        while !self.takes("]") {
            if count > 0 && !self.takes(",") {
                return self.expected("`,` or `]`");
            }
            if count == Linear::BITS {
                return self.expected("at most 32 bits");
            }
            images[count] = attempt!(self.image());
            count += 1;
        }
        Ok(count)
    }

    /// `[0, 1]`
    pub(super) const fn image(&mut self) -> Result<List, RegisterError> {
        if !self.takes("[") {
            return self.expected("`[`");
        }
        let mut image = List::EMPTY;
        while !self.takes("]") {
            if !image.is_empty() && !self.takes(",") {
                return self.expected("`,` or `]`");
            }
            let index = attempt!(self.number());
            image = match image.push_back(index) {
                Ok(image) => image,
                Err(_) => return self.expected("at most 12 dimensions"),
            };
        }
        Ok(image)
    }

    pub(super) const fn number(&mut self) -> Result<u32, RegisterError> {
        self.blanks();
        let (mut value, first) = (0u64, self.at);
        while self.at < self.bytes.len() && self.bytes[self.at].is_ascii_digit() {
            value = value * 10 + (self.bytes[self.at] - b'0') as u64;
            // A length is a power of two of 32 bits.
            if value >= 1 << 31 {
                return self.expected("a number below 2^31");
            }
            self.at += 1;
        }
        if self.at == first { self.expected("a number") } else { Ok(value as u32) }
    }
}
