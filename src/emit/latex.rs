//! LaTeX's math mode: `64 m + (k \oplus 8 (m \bmod 8))`.
//!
//! A name of one letter is a variable; a longer one stands upright, or it would be
//! read as a product of its letters. Division rounds down and says so, by brackets of its
//! own. As in [plain text](super::plain), only a product goes without parentheses.
//!
//! ```text
//!   \lfloor k / 8 \rfloor       no parentheses
//!   8 m + (k \bmod 8)           a mixture
//!   \mathrm{row\_of\_a}         _ would be a subscript
//! ```

use super::expression::{Expression, Node};
use super::listed;
use alloc::format;
use alloc::string::{String, ToString};

pub(super) fn formula(name: &str, coordinates: &[&str], offset: &Expression) -> String {
    let parameters = listed(coordinates, symbol);
    format!("{}({parameters}) = {}", symbol(name), text(coordinates, offset))
}

fn symbol(name: &str) -> String {
    match name.len() {
        1 => name.to_string(),
        _ => format!("\\mathrm{{{}}}", name.replace('_', "\\_")),
    }
}

fn text(names: &[&str], expression: &Expression) -> String {
    let part = |e| product(names, e);
    match &*expression.node {
        Node::Coordinate(dimension) => symbol(names[*dimension]),
        Node::Number(value) => value.to_string(),
        Node::Add(a, b) => format!("{} + {}", addend(names, a), addend(names, b)),
        Node::Sub(a, b) => format!("{} - {}", addend(names, a), part(b)),
        Node::Xor(a, b) => format!("{} \\oplus {}", operand(names, a), operand(names, b)),
        Node::Mul(x, n) => format!("{n} {}", atom(names, x)),
        Node::Div(x, n) => format!("\\lfloor {} / {n} \\rfloor", part(x)),
        Node::Rem(x, n) => format!("{} \\bmod {n}", atom(names, x)),
        // Refused before.
        Node::Lookup(_) => String::new(),
    }
}

fn bracketed(names: &[&str], expression: &Expression, brackets: bool) -> String {
    let text = text(names, expression);
    if brackets { format!("({text})") } else { text }
}

/// A division brings its own brackets.
fn is_atom(expression: &Expression) -> bool {
    matches!(&*expression.node, Node::Coordinate(_) | Node::Number(_) | Node::Div(..))
}

fn atom(names: &[&str], expression: &Expression) -> String {
    bracketed(names, expression, !is_atom(expression))
}

fn product(names: &[&str], expression: &Expression) -> String {
    let is_product = matches!(&*expression.node, Node::Mul(..));
    bracketed(names, expression, !is_product && !is_atom(expression))
}

/// In wrapping arithmetic the order of sums does not matter.
fn addend(names: &[&str], expression: &Expression) -> String {
    match &*expression.node {
        Node::Add(..) | Node::Sub(..) => text(names, expression),
        _ => product(names, expression),
    }
}

fn operand(names: &[&str], expression: &Expression) -> String {
    match &*expression.node {
        Node::Xor(..) => text(names, expression),
        _ => product(names, expression),
    }
}
