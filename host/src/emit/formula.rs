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
//!
//! A formula of more than 100 operations names what it needs twice: `f(x) = t1 xor 3 * t1,
//! t0 = .., t1 = ..`. Written out, thirty rounds of `x xor 3 * x` would be 2^30 operations.

use super::expression::{Expression, Node};
use super::language::listed;
use std::collections::BTreeMap;

/// The notation of a language of formulas.
pub(super) struct Notation {
    pub(super) symbol: fn(&str) -> String,
    pub(super) xor: &'static str,
    /// The factor, and what it multiplies.
    pub(super) product: fn(&str, &str) -> String,
    pub(super) quotient: fn(&str, u32) -> String,
    pub(super) rest: fn(&str, u32) -> String,
    /// Whether a quotient has brackets of its own.
    pub(super) quotient_is_closed: bool,
}

/// A notation, and the names of the coordinates.
struct Writer<'a> {
    notation: &'a Notation,
    names: &'a [&'a str],
    /// The nodes that have a name, by address.
    locals: BTreeMap<*const Node, String>,
}

/// A formula of more operations names what it needs twice.
const LONG: u64 = 100;
/// The fewest operations that are worth a name; less is written again.
const WORTH_A_NAME: u64 = 2;

impl Notation {
    /// `name(m, k) = ...`.
    pub(super) fn formula(&self, name: &str, names: &[&str], offset: &Expression) -> String {
        let mut writer = Writer { notation: self, names, locals: BTreeMap::new() };
        let taken = |local: &String| local == name || names.contains(&local.as_str());
        let mut fresh = (0..).map(|i: usize| format!("t{i}")).filter(|local| !taken(local));
        let mut tail = String::new();
        for each in offset.worth_names(WORTH_A_NAME, LONG) {
            let Some(local) = fresh.next().map(|local| (self.symbol)(&local)) else { break };
            tail += &format!(", {local} = {}", writer.text(each));
            writer.locals.insert(each.address(), local);
        }
        let text = writer.text(offset);
        format!("{}({}) = {text}{tail}", (self.symbol)(name), listed(names, self.symbol))
    }
}

impl Writer<'_> {
    fn text(&self, expression: &Expression) -> String {
        let notation = self.notation;
        if let Some(local) = self.locals.get(&expression.address()) {
            return local.clone();
        }
        match &*expression.node {
            Node::Coordinate(dimension) => (notation.symbol)(self.names[*dimension]),
            Node::Number(value) => value.to_string(),
            Node::Add(a, b) => format!("{} + {}", self.addend(a), self.addend(b)),
            Node::Sub(a, b) => format!("{} - {}", self.addend(a), self.factor(b)),
            Node::Xor(a, b) => {
                format!("{} {} {}", self.operand(a), notation.xor, self.operand(b))
            }
            Node::Mul(x, n) => (notation.product)(&n.to_string(), &self.atom(x)),
            Node::Product(a, b) => (notation.product)(&self.atom(a), &self.atom(b)),
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
            _ if self.locals.contains_key(&expression.address()) => true,
            Node::Coordinate(_) | Node::Number(_) => true,
            Node::Div(..) => self.notation.quotient_is_closed,
            _ => false,
        }
    }

    fn atom(&self, expression: &Expression) -> String {
        self.bracketed(expression, !self.is_atom(expression))
    }

    fn factor(&self, expression: &Expression) -> String {
        let is_product = matches!(&*expression.node, Node::Mul(..) | Node::Product(..));
        self.bracketed(expression, !is_product && !self.is_atom(expression))
    }

    /// A term of a sum, without parentheses around another sum: in wrapping arithmetic their order does not matter.
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
