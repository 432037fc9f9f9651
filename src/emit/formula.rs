//! Formulas for people, who do not agree how tightly `xor` and `mod` bind.
//!
//! Only a product is trusted to bind tighter than its neighbours; every other mixture of
//! operators has parentheses:
//!
//! ```text
//!   8 * m + k                   no parentheses
//!   8 * m + (k mod 8)           a mixture
//!   k xor 8 * (m mod 8)         a product, of a mixture
//! ```

use super::expression::{Expression, Node};
use super::language::listed;
use alloc::format;
use alloc::string::{String, ToString};

/// How a language of formulas writes.
pub(super) struct Notation {
    pub(super) symbol: fn(&str) -> String,
    pub(super) xor: &'static str,
    /// The factor, and what it multiplies.
    pub(super) product: fn(u32, &str) -> String,
    pub(super) quotient: fn(&str, u32) -> String,
    pub(super) rest: fn(&str, u32) -> String,
    /// Whether a quotient has brackets of its own.
    pub(super) quotient_is_closed: bool,
}

/// A notation, and the names of the coordinates.
struct Writer<'a> {
    notation: &'a Notation,
    names: &'a [&'a str],
}

impl Notation {
    /// `name(m, k) = ...`.
    pub(super) fn formula(&self, name: &str, names: &[&str], offset: &Expression) -> String {
        let text = Writer { notation: self, names }.text(offset);
        format!("{}({}) = {text}", (self.symbol)(name), listed(names, self.symbol))
    }
}

impl Writer<'_> {
    fn text(&self, expression: &Expression) -> String {
        let notation = self.notation;
        match &*expression.node {
            Node::Coordinate(dimension) => (notation.symbol)(self.names[*dimension]),
            Node::Number(value) => value.to_string(),
            Node::Add(a, b) => format!("{} + {}", self.addend(a), self.addend(b)),
            Node::Sub(a, b) => format!("{} - {}", self.addend(a), self.factor(b)),
            Node::Xor(a, b) => {
                format!("{} {} {}", self.operand(a), notation.xor, self.operand(b))
            }
            Node::Mul(x, n) => (notation.product)(*n, &self.atom(x)),
            Node::Div(x, n) if notation.quotient_is_closed => {
                (notation.quotient)(&self.factor(x), *n)
            }
            Node::Div(x, n) => (notation.quotient)(&self.atom(x), *n),
            Node::Rem(x, n) => (notation.rest)(&self.atom(x), *n),
            // Refused before.
            Node::Lookup(_) => String::new(),
        }
    }

    fn bracketed(&self, expression: &Expression, brackets: bool) -> String {
        let text = self.text(expression);
        if brackets { format!("({text})") } else { text }
    }

    fn is_atom(&self, expression: &Expression) -> bool {
        match &*expression.node {
            Node::Coordinate(_) | Node::Number(_) => true,
            Node::Div(..) => self.notation.quotient_is_closed,
            _ => false,
        }
    }

    fn atom(&self, expression: &Expression) -> String {
        self.bracketed(expression, !self.is_atom(expression))
    }

    fn factor(&self, expression: &Expression) -> String {
        let is_product = matches!(&*expression.node, Node::Mul(..));
        self.bracketed(expression, !is_product && !self.is_atom(expression))
    }

    /// In wrapping arithmetic the order of sums does not matter.
    fn addend(&self, expression: &Expression) -> String {
        match &*expression.node {
            Node::Add(..) | Node::Sub(..) => self.text(expression),
            _ => self.factor(expression),
        }
    }

    fn operand(&self, expression: &Expression) -> String {
        match &*expression.node {
            Node::Xor(..) => self.text(expression),
            _ => self.factor(expression),
        }
    }
}
