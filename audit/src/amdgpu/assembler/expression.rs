//! The value of an expression, with the precedence and the results of LLVM's assembler.
//!
//! | binds | operators |
//! |---|---|
//! | least | `\|\|`, then `&&`: 0 or 1 |
//! | | `==` `!=` `<>` `<` `<=` `>` `>=`: 0 or -1 |
//! | | `+` `-` |
//! | | `\|` `^` `&` |
//! | most | `*` `/` `%` `<<` `>>`, of which the last is logical |
//!
//! Source: LLVM, `lib/MC/MCParser/AsmParser.cpp`, `getGNUBinOpPrecedence`, and `lib/MC/MCExpr.cpp`. So `1 + 2 | 8` is 11.

use crate::amdgpu::text::is_of_name;
use crate::text::number;
use std::collections::BTreeMap;

/// The value of a text; `None` if it is not an expression, or one of symbols that are not known.
pub(super) fn value(text: &str, symbols: &BTreeMap<String, Option<i64>>) -> Option<i64> {
    let mut parser = Parser { rest: text.trim(), symbols, depth: 0 };
    let value = parser.binary(1)?;
    parser.rest.is_empty().then_some(value)
}

/// The first symbol of a text that has no value.
pub(super) fn undefined<'t>(
    text: &'t str,
    symbols: &BTreeMap<String, Option<i64>>,
) -> Option<&'t str> {
    let mut words = text.split(|c| !is_of_name(c)).filter(|word| !word.is_empty());
    words.find(|word| {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        !is_number && !matches!(symbols.get(*word), Some(Some(_)))
    })
}

/// The deepest nesting that is read: each level takes a few frames of the stack.
const DEEPEST: usize = 64;

struct Parser<'t> {
    rest: &'t str,
    symbols: &'t BTreeMap<String, Option<i64>>,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest).trim_start();
        rest.is_some()
    }

    /// A row of operators that bind at least so tightly.
    fn binary(&mut self, least: usize) -> Option<i64> {
        let mut left = self.unary()?;
        while let Some((sign, binds)) =
            OPERATORS.iter().find(|(sign, _)| self.rest.starts_with(sign))
            && *binds >= least
        {
            self.take(sign);
            let right = self.binary(binds + 1)?;
            left = applied(sign, left, right)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let value = if self.take("-") {
            self.unary()?.wrapping_neg()
        } else if self.take("+") {
            self.unary()?
        } else if self.take("~") {
            !self.unary()?
        } else if self.take("!") {
            i64::from(self.unary()? == 0)
        } else if self.take("(") {
            let value = self.binary(1)?;
            self.take(")").then_some(value)?
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Some(value)
    }

    fn primary(&mut self) -> Option<i64> {
        let end = self.rest.find(|c| !is_of_name(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return number(word);
        }
        *self.symbols.get(word)?
    }
}

/// The operators, a longer one before those that it begins with, and how tightly each binds.
const OPERATORS: [(&str, usize); 19] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<>", 3),
    ("<<", 6),
    (">>", 6),
    ("<=", 3),
    (">=", 3),
    ("<", 3),
    (">", 3),
    ("+", 4),
    ("-", 4),
    ("|", 5),
    ("^", 5),
    ("&", 5),
    ("*", 6),
    ("/", 6),
    ("%", 6),
];

fn applied(sign: &str, left: i64, right: i64) -> Option<i64> {
    let flag = |holds: bool| -i64::from(holds);
    let distance = || u32::try_from(right).ok().filter(|one| *one < 64);
    Some(match sign {
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "==" => flag(left == right),
        "!=" | "<>" => flag(left != right),
        "<=" => flag(left <= right),
        ">=" => flag(left >= right),
        "<" => flag(left < right),
        ">" => flag(left > right),
        "<<" => left << distance()?,
        ">>" => (left.cast_unsigned() >> distance()?).cast_signed(),
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        _ => left.checked_rem(right)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that `llvm-mc-14 -arch=amdgcn` prints for `.set x, ..` with `a` as 5.
    #[test]
    fn values_are_those_of_llvm() {
        let symbols = BTreeMap::from([("a".to_string(), Some(5)), ("open".to_string(), None)]);
        for (text, expected) in [
            ("a == 5", -1),
            ("a > 3", -1),
            ("-1 >> 60", 15),
            ("1 + 2 | 4 * 2", 11),
            ("7 & 3 + 1", 4),
            ("!a", 0),
            ("~a", -6),
            ("010", 8),
            ("0b101", 5),
            ("1 << 2 + 1", 5),
            ("a && 4", 1),
            ("7 / 2 * 2", 6),
            ("-7 / 2", -3),
            ("-7 % 3", -1),
            ("a != 3 || 0", 1),
            ("(a + 1) * -2", -12),
        ] {
            assert_eq!(value(text, &symbols), Some(expected), "{text}");
        }
        for text in ["", "b", "open + 1", "1 2", "(1", "1 / 0", "1 << 64", "v[1]", "1.0", "a:b"] {
            assert_eq!(value(text, &symbols), None, "{text}");
        }
        assert_eq!(value(&"(".repeat(100_000), &symbols), None);
    }
}
