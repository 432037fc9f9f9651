//! A kernel's source, read: names, calls, template arguments, numbers.

use super::value::{Argument, Value, arithmetic, behind, missing, printed, tuple, value};
use crate::Error;
use crate::exchange::cute::Composed;

/// The deepest nesting that is read.
const DEEPEST: u32 = 32;

/// A source, read from left to right.
pub(super) struct Words<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
    /// Whether `//` begins a comment, and not `#`.
    is_cpp: bool,
    names: Vec<(String, Value)>,
}

impl<'t> Words<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let is_cpp = ["{", ";", "::", "<"].iter().any(|sign| text.contains(sign));
        Self { text, at: 0, depth: 0, is_cpp, names: Vec::new() }
    }

    /// The layout that the last statement is.
    pub(super) fn layout(self) -> Result<Composed, Error> {
        match self.last()? {
            (_, Value::Layout(layout)) => Ok(layout),
            (at, Value::Word(name, _)) => Err(missing(&name, at)),
            (at, _) => {
                Err(Error::syntax(at, "a layout, as in `make_layout(make_shape(_128{}, _64{}))`"))
            }
        }
    }

    /// The TV layout that the last statement is, and the lengths of the tile that it covers.
    pub(super) fn tiled(self) -> Result<(Composed, Vec<u32>), Error> {
        match self.last()? {
            (_, Value::Tiled(layout, covered)) => Ok((layout, covered)),
            (at, _) => Err(Error::syntax(
                at,
                "`make_tiled_copy(atom, threads, values)` or `make_layout_tv(threads, values)`",
            )),
        }
    }

    /// The value of the last statement, and where it begins.
    fn last(mut self) -> Result<(usize, Value), Error> {
        let mut last = None;
        loop {
            while self.takes(";") {}
            if self.at >= self.text.len() {
                break;
            }
            let name = self.bound();
            let begin = self.at;
            let value = self.expression()?;
            if let Some(name) = name {
                self.names.push((name, value.clone()));
            }
            last = Some((begin, value));
        }
        last.ok_or_else(|| Error::syntax(0, "a layout"))
    }

    fn expected<T>(&self, expected: &'static str) -> Result<T, Error> {
        Err(Error::syntax(self.at, expected))
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips blanks and comments, also of Python.
    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with(if self.is_cpp { "//" } else { "#" }) {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn takes(&mut self, word: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Takes a name, if one comes next.
    fn name(&mut self) -> Option<&'t str> {
        self.blanks();
        let rest = self.rest();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        let is_one = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        self.at += if is_one { name.len() } else { 0 };
        is_one.then_some(name)
    }

    /// The name that a statement gives its value: the last before `=`.
    fn bound(&mut self) -> Option<String> {
        let (begin, mut last) = (self.at, None);
        while let Some(name) = self.name() {
            last = Some(name);
            while self.takes("::") || self.takes("&") {}
        }
        self.blanks();
        if self.rest().starts_with('=') && !self.rest().starts_with("==") && last.is_some() {
            self.at += 1;
            return last.map(str::to_string);
        }
        self.at = begin;
        let _ = last.is_some() && self.takes("return ");
        None
    }

    /// Sums and products of numbers, or one value.
    fn expression(&mut self) -> Result<Value, Error> {
        let mut value = self.product()?;
        loop {
            let at = self.at;
            value = match (self.takes("+"), self.takes("-")) {
                (true, _) => arithmetic(value, self.product()?, at, i64::checked_add)?,
                (_, true) => arithmetic(value, self.product()?, at, i64::checked_sub)?,
                _ => return Ok(value),
            };
        }
    }

    fn product(&mut self) -> Result<Value, Error> {
        let mut value = self.primary()?;
        loop {
            let at = self.at;
            // A second one is Python's.
            value = match (self.takes("*"), self.takes("//") || self.takes("/")) {
                (true, _) => arithmetic(value, self.primary()?, at, i64::checked_mul)?,
                (_, true) => arithmetic(value, self.primary()?, at, i64::checked_div)?,
                _ => return Ok(value),
            };
        }
    }

    fn primary(&mut self) -> Result<Value, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.expected("at most 32 nested brackets");
        }
        let value = self.alone()?;
        self.depth -= 1;
        if self.depth < DEEPEST && matches!(value, Value::Number(_) | Value::Tuple(_)) {
            self.blanks();
            if self.rest().starts_with(':') && !self.rest().starts_with("::") {
                self.at += 1;
                let stride = self.primary()?;
                return printed(&format!("{}:{}", tuple(&value)?, tuple(&stride)?));
            }
        }
        if let Value::Swizzle(swizzle) = &value
            && self.takes("o ")
        {
            let offset = self.primary()?;
            if !self.takes("o ") {
                return self.expected("`o` and a layout");
            }
            let layout = self.primary()?;
            return behind(swizzle, Some(&offset), &layout, self.at);
        }
        Ok(value)
    }

    fn alone(&mut self) -> Result<Value, Error> {
        if self.takes("(") {
            let mut each = self.arguments(")")?;
            let is_tuple = each.len() != 1 || self.text[..self.at - 1].trim_end().ends_with(',');
            return Ok(match each.pop() {
                Some((_, one)) if !is_tuple => one,
                last => Value::Tuple(each.into_iter().chain(last).map(|(_, one)| one).collect()),
            });
        }
        if self.takes("-") {
            let at = self.at;
            return arithmetic(Value::Number(0), self.primary()?, at, i64::checked_sub);
        }
        self.blanks();
        let begin = self.at;
        let rest = self.rest();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            self.at += digits;
            let number = rest[..digits].parse();
            return number
                .map(Value::Number)
                .or_else(|_| self.expected("a number of at most 63 bits"));
        }
        let Some(mut name) = self.name() else {
            return self.expected("a layout, a tuple, a number or a name");
        };
        while self.takes("::") || self.takes(".") {
            let Some(next) = self.name() else { return self.expected("a name") };
            name = next;
        }
        // `_8{}`, `cute::_8`.
        if let Some(Ok(number)) = name.strip_prefix('_').map(str::parse) {
            let _ = self.takes("{}");
            return Ok(Value::Number(number));
        }
        self.called(name, begin)
    }

    /// A name with its template and call arguments.
    fn called(&mut self, name: &str, begin: usize) -> Result<Value, Error> {
        let (mut given, mut is_called) = (Vec::new(), false);
        for (open, close) in [("<", ">"), ("(", ")"), ("{", "}"), ("(", ")")] {
            if !self.takes(open) {
                continue;
            }
            is_called = true;
            let each = self.arguments(close)?;
            given = if each.is_empty() { given } else { each };
        }
        let known = self.names.iter().rev().find(|(known, _)| known == name);
        if let (Some((_, value)), true) = (known, given.is_empty()) {
            return Ok(value.clone());
        }
        let is_word = !is_called || (given.is_empty() && !name.ends_with("_Atom"));
        if is_word { Ok(Value::Word(name.to_string(), begin)) } else { value(name, &given, begin) }
    }

    fn arguments(&mut self, close: &'static str) -> Result<Vec<Argument>, Error> {
        let mut each = Vec::new();
        while !self.takes(close) {
            let begin = self.at;
            let word = self.name().filter(|_| self.takes("="));
            if word.is_none() {
                self.at = begin;
            }
            each.push((word.map(str::to_string), self.expression()?));
            if !self.takes(",") && !self.rest().starts_with(close) {
                return self.expected(match close {
                    ")" => "`,` or `)`",
                    ">" => "`,` or `>`",
                    _ => "`,` or `}`",
                });
            }
        }
        Ok(each)
    }
}
