//! Words, numbers and lists of a text, one after the other: what the readers of stages and of
//! distributions are made of.
//!
//! A number may be a sum, product or quotient of numbers, as in the macros: `64/8*2`. It fits 32 bits,
//! and a quotient by `/` is whole; `div` rounds down.

use tiledesc::List;

/// A fault of a text, and its byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Syntax {
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// Words of a text, one after the other.
pub(crate) struct Reader<'a> {
    text: &'a str,
    pub(crate) at: usize,
    /// Parentheses that are open in a number.
    depth: usize,
}

/// The deepest nesting of parentheses: no formula needs more, and each is a call deeper.
const MOST_PARENTHESES: usize = 64;

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn blanks(&mut self) {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if !self.rest().starts_with("//") {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.blanks();
        self.at == self.text.len()
    }

    pub(crate) fn takes(&mut self, words: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(words);
        self.at += if found { words.len() } else { 0 };
        found
    }

    pub(crate) fn wants(&mut self, words: &str) -> Result<(), Syntax> {
        if self.takes(words) { Ok(()) } else { Err(self.expected(&format!("`{words}`"))) }
    }

    pub(crate) fn expected(&mut self, what: &str) -> Syntax {
        self.blanks();
        let next: String =
            self.rest().chars().take_while(|c| !c.is_whitespace()).take(12).collect();
        let found = if next.is_empty() { "the end".to_string() } else { format!("`{next}`") };
        Syntax { at: self.at, message: format!("expected {what}, found {found}") }
    }

    pub(crate) fn here<T>(&self, at: usize, message: impl ToString) -> Result<T, Syntax> {
        Err(Syntax { at, message: message.to_string() })
    }

    /// Letters, digits and `_`, not a digit first.
    pub(crate) fn name(&mut self) -> Option<&'a str> {
        self.blanks();
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.rest().find(|c| !is_letter(c)).unwrap_or(self.rest().len());
        let name = &self.rest()[..end];
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.at += end;
        Some(name)
    }

    /// A number of digits, or a sum in parentheses.
    fn factor(&mut self) -> Result<u64, Syntax> {
        self.blanks();
        let at = self.at;
        if self.takes("(") {
            if self.depth == MOST_PARENTHESES {
                return self.here(at, format!("more than {MOST_PARENTHESES} parentheses are open"));
            }
            self.depth += 1;
            let value = self.sum()?;
            self.depth -= 1;
            self.wants(")")?;
            return Ok(value);
        }
        let digits = self.digits(10, "a number")?;
        let value = digits.parse::<u32>().map(u64::from);
        value.or_else(|_| self.here(at, format!("{digits} is more than 4294967295")))
    }

    /// The digits of a number, without the `_` between them; `what` names the number in the error.
    fn digits(&mut self, radix: u32, what: &str) -> Result<String, Syntax> {
        let end = self.rest().find(|c: char| !c.is_digit(radix) && c != '_');
        let end = end.unwrap_or(self.rest().len());
        let digits = self.rest()[..end].replace('_', "");
        if digits.is_empty() {
            return Err(self.expected(what));
        }
        self.at += end;
        Ok(digits)
    }

    /// Factors, from the left: `64/8*2` is 16. A quotient must be whole.
    fn product(&mut self) -> Result<u64, Syntax> {
        let mut value = self.factor()?;
        loop {
            self.blanks();
            let at = self.at;
            let next = if self.takes("*") {
                let by = self.factor()?;
                value.checked_mul(by)
            } else if self.takes("/") {
                let by = self.factor()?;
                if by == 0 || value % by != 0 {
                    return self.here(at, format!("{value} is not a multiple of {by}"));
                }
                Some(value / by)
            } else if self.rest().starts_with("div ") && self.takes("div") {
                let by = self.factor()?;
                value.checked_div(by)
            } else {
                return Ok(value);
            };
            value = match next {
                Some(next) if next <= u64::from(u32::MAX) => next,
                _ => return self.here(at, "the number is more than 4294967295, or divided by 0"),
            };
        }
    }

    fn sum(&mut self) -> Result<u64, Syntax> {
        let mut value = self.product()?;
        loop {
            self.blanks();
            let at = self.at;
            let next = if self.takes("+") {
                let more = self.product()?;
                value.checked_add(more)
            } else if !self.rest().starts_with("->") && self.takes("-") {
                let less = self.product()?;
                value.checked_sub(less)
            } else {
                return Ok(value);
            };
            value = match next {
                Some(next) if next <= u64::from(u32::MAX) => next,
                _ => return self.here(at, "the number is below 0 or above 4294967295"),
            };
        }
    }

    /// Reads digits, or hexadecimal ones after `0x`, of 32 bits; `what` names the number in the error.
    pub(crate) fn literal(&mut self, what: &str) -> Result<u32, Syntax> {
        self.blanks();
        let at = self.at;
        let radix = if self.takes("0x") || self.takes("0X") { 16 } else { 10 };
        let value = u32::from_str_radix(&self.digits(radix, what)?, radix);
        let given = || format!("`{}` has more than 32 bits", &self.text[at..self.at]);
        value.or_else(|_| self.here(at, given()))
    }

    pub(crate) fn number(&mut self) -> Result<u32, Syntax> {
        self.sum().map(|value| value as u32)
    }

    /// Numbers between brackets, at most as many as a list holds.
    pub(crate) fn numbers(&mut self, open: &str, close: &str) -> Result<Vec<u32>, Syntax> {
        self.wants(open)?;
        let mut count = 0;
        self.until(close, |reader| {
            if count == List::CAPACITY {
                let most = format!("`{close}` after {} numbers", List::CAPACITY);
                return Err(reader.expected(&most));
            }
            count += 1;
            reader.number()
        })
    }

    /// Items up to a closing word, separated by commas, with or without a last one.
    pub(crate) fn until<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Syntax>,
    ) -> Result<Vec<T>, Syntax> {
        let mut items = Vec::new();
        loop {
            if self.takes(close) {
                return Ok(items);
            }
            if !items.is_empty() {
                self.wants(",")?;
                if self.takes(close) {
                    return Ok(items);
                }
            }
            items.push(item(self)?);
        }
    }
}
