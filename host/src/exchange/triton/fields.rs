//! The fields of an attribute or a constructor: `#ttg.name<{vec = 8, ..}>`, `gl.Name(8, per_phase=1)`.
//!
//! Names are compared without case and underscores: `perPhase` of the IR is `per_phase` in Gluon. A list of names has them
//! in quotes, as the sentence on a missing field says them.

use super::text::{Reader, are_still, name_at};
use crate::Error;
use tiledesc::List;

/// The fields of a text, and the place where the value of each begins.
pub(super) struct Fields<'t, const N: usize> {
    text: &'t str,
    names: [&'static str; N],
    begins: [Option<usize>; N],
    /// The end of the fields.
    end: usize,
}

impl<'t, const N: usize> Fields<'t, N> {
    /// The fields of a text that begins with one of some names, and with which.
    pub(super) fn parse<const M: usize>(
        text: &'t str,
        begins: [&'static str; M],
        names: [&'static str; N],
    ) -> Result<(usize, Self), Error> {
        let mut reader = Reader { text, at: name_at(text) };
        let Some(which) = begins.iter().position(|name| reader.takes(name)) else {
            return reader.expected("the name of a layout");
        };
        let is_attribute = begins[which].starts_with('#');
        let (open, close) = if is_attribute { ("<{", "}>") } else { ("(", ")") };
        reader.needs(open, if is_attribute { "`<{`" } else { "`(`" })?;
        let mut fields = Self { text, names, begins: [None; N], end: 0 };
        let mut place = 0;
        loop {
            reader.blanks();
            fields.end = reader.at;
            if reader.takes(close) {
                break;
            }
            if place > 0 {
                reader.needs(",", "`,` or the end of the fields")?;
            }
            reader.blanks();
            let field = fields.field(&mut reader, place)?;
            if fields.begins[field].is_some() {
                return reader.expected("a field that is not given yet");
            }
            reader.blanks();
            fields.begins[field] = Some(reader.at);
            reader.at = after_value(text, reader.at);
            place += 1;
        }
        reader.ends()?;
        Ok((which, fields))
    }

    /// The field whose value comes next: by its name, or by its place.
    fn field(&self, reader: &mut Reader<'_>, place: usize) -> Result<usize, Error> {
        let rest = self.text.get(reader.at..).unwrap_or("");
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        if !rest[word.len()..].trim_start().starts_with('=') {
            return if place < N { Ok(place) } else { reader.expected("the end of the fields") };
        }
        let same = |name: &&str| plain(word).eq(plain(name));
        let Some(field) = self.names.iter().position(same) else {
            return reader.expected("a field of this layout");
        };
        reader.at += word.len();
        reader.takes("=");
        Ok(field)
    }

    fn reader(&self, field: usize) -> Result<Reader<'t>, Error> {
        match self.begins[field] {
            Some(at) => Ok(Reader { text: self.text, at }),
            None => self.expected(field, self.names[field]),
        }
    }

    /// An error where a field begins, or where all end.
    pub(super) fn expected<T>(&self, field: usize, expected: &'static str) -> Result<T, Error> {
        Err(Error::syntax(self.begin(field), expected))
    }

    /// The byte at which the value of a field begins; the end of all fields if it is absent.
    pub(super) fn begin(&self, field: usize) -> usize {
        self.begins[field].unwrap_or(self.end)
    }

    pub(super) fn has(&self, field: usize) -> bool {
        self.begins[field].is_some()
    }

    pub(super) fn number(&self, field: usize) -> Result<u32, Error> {
        self.reader(field)?.number()
    }

    /// `true`, or Python's `True`; false if it is absent.
    pub(super) fn flag(&self, field: usize) -> Result<bool, Error> {
        let Some(at) = self.begins[field] else { return Ok(false) };
        match &self.text[at..after_value(self.text, at)].trim_end().to_ascii_lowercase()[..] {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => self.expected(field, "`true` or `false`"),
        }
    }

    /// The layout that a field holds, read from its own text.
    pub(super) fn inner<T>(
        &self,
        field: usize,
        read: impl FnOnce(&'t str) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let at = self.reader(field)?.at;
        let inner = &self.text[at..after_value(self.text, at)];
        read(inner).map_err(|error| error.further(at))
    }

    /// `[1, 0]`, which names each dimension once.
    pub(super) fn order(&self, field: usize) -> Result<List, Error> {
        let order = self.list(field)?;
        if is_order(&order) {
            return Ok(order);
        }
        self.expected(field, "an order that names each dimension once")
    }

    /// `[1, 8]`, so many powers of two.
    pub(super) fn powers_of_two(&self, field: usize, count: usize) -> Result<List, Error> {
        let list = self.list(field)?;
        let are_powers = list.as_slice().iter().all(|number| number.is_power_of_two());
        if are_powers && list.len() == count {
            return Ok(list);
        }
        self.expected(field, "a power of two for each dimension")
    }

    pub(super) fn power_of_two(&self, field: usize) -> Result<u32, Error> {
        match self.reader(field)?.number()? {
            number if number.is_power_of_two() => Ok(number),
            _ => self.expected(field, "a power of two"),
        }
    }

    /// `[1, 0]`
    pub(super) fn list(&self, field: usize) -> Result<List, Error> {
        self.reader(field)?.image()
    }

    /// `[[0, 1], [0, 2]]`
    pub(super) fn images(&self, field: usize) -> Result<Vec<List>, Error> {
        self.reader(field)?.images()
    }

    /// Refuses images of several blocks that move anything.
    pub(super) fn one_block(&self, field: usize) -> Result<(), Error> {
        if self.has(field) && !are_still(&self.images(field)?) {
            return self.expected(field, "a layout of one block");
        }
        Ok(())
    }
}

/// The letters of a name that are compared.
fn plain(name: &str) -> impl Iterator<Item = u8> {
    let letters = name.bytes().filter(|byte| !matches!(byte, b'_' | b'`'));
    letters.map(|byte| byte.to_ascii_lowercase())
}

/// Returns whether an order has each of its dimensions once.
pub(super) fn is_order(order: &List) -> bool {
    !order.is_empty() && (0..order.len()).all(|d| order.as_slice().contains(&(d as u32)))
}

/// The end of a value: at a comma or a bracket that closes none of its own.
fn after_value(text: &str, from: usize) -> usize {
    let mut depth = 0_u32;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' | b',' if depth == 0 => return at,
            b']' | b')' | b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
