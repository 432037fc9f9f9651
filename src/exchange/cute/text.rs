//! CuTe's text, read: `Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),64):((64,512),_1)`.
//!
//! One pass, a `const fn`, no allocation. `_8`, known to the C++ compiler, and `8`, known
//! at run time, are the same number here, and are printed as they were read.

use super::composed::Composed;
use super::error::CuteError;
use super::strided::{Strided, Tuple};
use super::swizzle::Swizzle;
use tiledesc_transforms::attempt;

/// As deep as 12 modes can sensibly nest; the text of anything read fits in a [`Text`].
///
/// [`Text`]: tiledesc_transforms::Text
const DEEPEST: u32 = 12;

impl Composed {
    /// Reads CuTe's text, a layout alone or after a swizzle. `S<3,3,3>`, as the Python
    /// DSL prints it, is read like `Sw<3,3,3>`.
    ///
    /// ```
    /// use tiledesc::exchange::cute::Composed;
    ///
    /// let text = "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_2),_64):((_64,512),_1)";
    /// let tile = Composed::parse(text).unwrap();
    /// assert_eq!(tile.layout().shape(), &[8, 2, 64]);
    /// assert_eq!(tile.to_string(), text);
    ///
    /// let axes = Composed::parse("(2,4):(1@0,1@1)").unwrap_err();
    /// assert_eq!(axes.to_string(), "at byte 8: strides along an axis, as 1@0, are not supported");
    /// ```
    ///
    /// # Errors
    ///
    /// [`CuteError::Syntax`] with the byte, [`CuteError::NotRead`] of negative strides, strides
    /// along an axis (`1@0`, `E<0>`) and offsets half known (`M_..`), and whatever the
    /// numbers are refused for.
    pub const fn parse(text: &str) -> Result<Self, CuteError> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        let swizzle = attempt!(reader.swizzle());
        let composed = match swizzle {
            Some(swizzle) => attempt!(reader.behind(swizzle)),
            None => attempt!(Self::new(Swizzle::NONE, 0, attempt!(reader.layout()))),
        };
        reader.blanks();
        if reader.at < reader.bytes.len() { reader.expected("the end") } else { Ok(composed) }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    const fn expected<T>(&self, expected: &'static str) -> Result<T, CuteError> {
        Err(CuteError::Syntax { at: self.at as u32, expected })
    }

    const fn peek(&self) -> u8 {
        if self.at < self.bytes.len() { self.bytes[self.at] } else { 0 }
    }

    const fn blanks(&mut self) {
        while self.peek() == b' ' {
            self.at += 1;
        }
    }

    /// Takes a word, after blanks, if it is there.
    const fn take(&mut self, word: &str) -> bool {
        self.blanks();
        let (word, mut i) = (word.as_bytes(), 0);
        while i < word.len() {
            if self.at + i >= self.bytes.len() || self.bytes[self.at + i] != word[i] {
                return false;
            }
            i += 1;
        }
        self.at += word.len();
        true
    }

    const fn need(&mut self, word: &'static str, expected: &'static str) -> Result<(), CuteError> {
        if self.take(word) { Ok(()) } else { self.expected(expected) }
    }

    /// CuTe's text where we have no words for it.
    const fn not_read<T>(&self, what: &'static str) -> Result<T, CuteError> {
        Err(CuteError::NotRead { at: self.at as u32, what })
    }

    /// A number, and whether it is written as known to the compiler.
    const fn number(&mut self) -> Result<(u32, bool), CuteError> {
        let fixed = self.take("_");
        match self.peek() {
            b'-' => return self.not_read("negative offsets and strides"),
            b'E' => return self.not_read("strides along an axis, as E<0>,"),
            b'M' => return self.not_read("offsets of which some bits are known, as M_..,"),
            _ => {}
        }
        let value = attempt!(self.digits());
        if self.peek() == b'@' {
            return self.not_read("strides along an axis, as 1@0,");
        }
        Ok((value, fixed))
    }

    const fn digits(&mut self) -> Result<u32, CuteError> {
        self.blanks();
        let (mut value, begin) = (0u64, self.at);
        while self.peek().is_ascii_digit() {
            value = value * 10 + (self.peek() - b'0') as u64;
            if value > u32::MAX as u64 {
                return self.expected("a number of at most 32 bits");
            }
            self.at += 1;
        }
        if self.at == begin { self.expected("a number") } else { Ok(value as u32) }
    }

    /// `Sw<3,4,3>`, if there is one.
    const fn swizzle(&mut self) -> Result<Option<Swizzle>, CuteError> {
        if !self.take("Sw<") && !self.take("S<") {
            return Ok(None);
        }
        let bits = attempt!(self.digits());
        attempt!(self.need(",", "`,`"));
        let base = attempt!(self.digits());
        attempt!(self.need(",", "`,`"));
        let negative = self.take("-");
        let shift = attempt!(self.digits());
        if shift > i32::MAX as u32 {
            return self.expected("a shift of at most 31 bits");
        }
        attempt!(self.need(">", "`>`"));
        let shift = shift as i32;
        let swizzle = Swizzle::new(bits, base, if negative { -shift } else { shift });
        Ok(Some(attempt!(swizzle)))
    }

    /// What follows a swizzle: an offset or a pointer, and the layout.
    const fn behind(&mut self, swizzle: Swizzle) -> Result<Composed, CuteError> {
        attempt!(self.need("o", "`o`"));
        if self.take("smem_ptr[") {
            let bits = attempt!(self.digits());
            attempt!(self.need("b](unset)", "`b](unset)`"));
            attempt!(self.need("o", "`o`"));
            return Composed::in_bytes(swizzle, bits, attempt!(self.layout()));
        }
        let (offset, fixed) = attempt!(self.number());
        attempt!(self.need("o", "`o`"));
        Composed::as_written(swizzle, offset, fixed, attempt!(self.layout()))
    }

    const fn layout(&mut self) -> Result<Strided, CuteError> {
        let shape = attempt!(self.tuple());
        attempt!(self.need(":", "`:`"));
        Strided::of(shape, attempt!(self.tuple()))
    }

    /// A number, or numbers in brackets.
    const fn tuple(&mut self) -> Result<Tuple, CuteError> {
        let (mut tuple, mut depth) = (Tuple::EMPTY, 0u32);
        loop {
            while self.take("(") {
                depth += 1;
                tuple = tuple.open();
                if depth > DEEPEST {
                    return self.expected("at most 12 brackets in each other");
                }
            }
            let (item, fixed) = attempt!(self.number());
            tuple = attempt!(tuple.push(item, fixed));
            while depth > 0 && self.take(")") {
                depth -= 1;
                tuple = tuple.close();
            }
            if depth == 0 {
                return Ok(tuple);
            }
            attempt!(self.need(",", "`,` or `)`"));
        }
    }
}
