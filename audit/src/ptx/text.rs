//! A statement of PTX as words: a guard, a mnemonic, operands.
//!
//! ```text
//!   @!%p1  ld.shared.v2.b32  {%r1, %r2}, [%r3+16]
//!   guard  mnemonic          operands
//! ```
//!
//! Names are resolved by whoever knows the scopes; whatever else an operand is (a floating-point number, an expression)
//! is [`Operand::Other`], of which nothing is known.

use crate::text::{self, separated};

/// Lanes of a warp.
pub(crate) const WARP: usize = 32;

/// A register, by its number in a function.
pub(crate) type Register = usize;

/// No name of PTX contains this character: it marks the names that are made here for parameters of calls.
pub(super) const OF_CALL: char = '#';

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// A declared register.
    Register(Register),
    /// A variable, a function, a label.
    Symbol(Box<str>),
    /// `%tid.x` and the like, and registers that nobody declares.
    Special(Box<str>),
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A name.
    Name(Name),
    /// `!%p1`
    Not(Register),
    /// An integer.
    Number(i64),
    /// `[%r3+16]`
    Address(Option<Name>, i64),
    /// `{%r1, %r2}`, and `(%r1, %r2)` of a call.
    Vector(Vec<Self>),
    /// `%p1|%p2`
    Both(Vec<Self>),
    /// Something else, and `_`.
    Other,
}

impl Operand {
    /// The elements of a vector, or the operand itself.
    pub(crate) fn parts(&self) -> &[Self] {
        match self {
            Self::Vector(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }
}

/// A guard: the predicate, and whether lanes take part where it is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    pub(crate) predicate: Register,
    pub(crate) negated: bool,
}

/// An integer, which may say that it is unsigned: `16U`.
fn number(text: &str) -> Option<i64> {
    text::number(text.strip_suffix('U').unwrap_or(text))
}

/// Returns whether a name of PTX: a letter or one of `_ $ %`, then letters, digits and `_ $`, and a dot for `%tid.x`.
pub(crate) fn is_name(word: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || "_$%".contains(c);
    let goes_on = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
    word.starts_with(begins) && word.chars().skip(1).all(goes_on)
}

/// An operand, with what its names stand for.
pub(crate) fn operand<'t>(word: &'t str, name: &mut dyn FnMut(&'t str) -> Name) -> Operand {
    let word = word.trim();
    if let Some(inner) = inside(word, '{', '}').or_else(|| inside(word, '(', ')')) {
        return Operand::Vector(separated(inner).map(|part| operand(part, name)).collect());
    }
    if let Some(inner) = inside(word, '[', ']') {
        return address(inner.trim(), name);
    }
    if let Some((first, second)) = word.split_once('|') {
        return Operand::Both(vec![operand(first, name), operand(second, name)]);
    }
    if let Some(negated) = word.strip_prefix('!') {
        return match name(negated.trim()) {
            Name::Register(register) => Operand::Not(register),
            _ => Operand::Other,
        };
    }
    match number(word) {
        Some(number) => Operand::Number(number),
        None if word == "WARP_SZ" => Operand::Number(WARP as i64),
        None if word != "_" && is_name(word) => Operand::Name(name(word)),
        None => Operand::Other,
    }
}

fn inside(word: &str, open: char, close: char) -> Option<&str> {
    word.strip_prefix(open)?.strip_suffix(close)
}

/// `%r3`, `%r3+16`, ` %r3 + -16 `, `smem`, `64`.
fn address<'t>(inner: &'t str, name: &mut dyn FnMut(&'t str) -> Name) -> Operand {
    if let Some(number) = number(inner) {
        return Operand::Address(None, number);
    }
    let (base, offset) = match inner.split_once('+') {
        Some((base, offset)) => (base.trim(), number(offset.trim())),
        None => (inner, Some(0)),
    };
    match offset {
        Some(offset) if is_name(base) => Operand::Address(Some(name(base)), offset),
        _ => Operand::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands() {
        let mut name = |word: &str| match word.strip_prefix("%r") {
            Some(digits) => Name::Register(digits.parse().unwrap()),
            None if word.starts_with('%') => Name::Special(word.into()),
            None => Name::Symbol(word.into()),
        };
        let mut of = |word: &str| operand(word, &mut name);
        let register = |n| Operand::Name(Name::Register(n));
        assert_eq!(of("{%r1, %r2}"), Operand::Vector(vec![register(1), register(2)]));
        assert_eq!(of("[ %r3 + -16 ]"), Operand::Address(Some(Name::Register(3)), -16));
        assert_eq!(of("[smem+8]"), Operand::Address(Some(Name::Symbol("smem".into())), 8));
        assert_eq!(of("%r1|_"), Operand::Both(vec![register(1), Operand::Other]));
        assert_eq!(of("!%r7"), Operand::Not(7));
        assert_eq!(of("%tid.x"), Operand::Name(Name::Special("%tid.x".into())));
        for word in ["0f3F800000", "0d3FF0000000000000", "-%r1", "[%r1+%r2]", "_"] {
            assert_eq!(of(word), Operand::Other, "{word}");
        }
        assert_eq!(
            [number("0x10"), number("-0b11"), number("017U")],
            [Some(16), Some(-3), Some(15)]
        );
        assert_eq!(separated("%r1, {%r2, %r3}, [a]").count(), 3);
    }
}
