//! LaTeX's math mode: `64 m + (k \oplus 8 (m \bmod 8))`.
//!
//! A name of one letter is a variable; a longer one stands upright, or it would be
//! read as a product of its letters. Division rounds down and says so.

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
    let term = |e: &Expression| bracketed(names, e, matches!(&*e.node, Node::Xor(..)));
    let part = |e: &Expression| bracketed(names, e, adds(e));
    match &*expression.node {
        Node::Coordinate(dimension) => symbol(names[*dimension]),
        Node::Number(value) => value.to_string(),
        Node::Add(a, b) => format!("{} + {}", term(a), term(b)),
        Node::Sub(a, b) => format!("{} - {}", term(a), bracketed(names, b, is_sum(b))),
        Node::Xor(a, b) => format!("{} \\oplus {}", part(a), part(b)),
        Node::Mul(x, n) => format!("{n} {}", factor(names, x)),
        Node::Div(x, n) => format!("\\lfloor {} / {n} \\rfloor", dividend(names, x)),
        Node::Rem(x, n) => format!("{} \\bmod {n}", factor(names, x)),
        // Refused before.
        Node::Lookup(_) => String::new(),
    }
}

fn bracketed(names: &[&str], expression: &Expression, brackets: bool) -> String {
    let text = text(names, expression);
    if brackets { format!("({text})") } else { text }
}

/// A division brings its own brackets.
fn factor(names: &[&str], expression: &Expression) -> String {
    let whole = matches!(&*expression.node, Node::Coordinate(_) | Node::Number(_) | Node::Div(..));
    bracketed(names, expression, !whole)
}

/// `64 m / 8` needs none either.
fn dividend(names: &[&str], expression: &Expression) -> String {
    match &*expression.node {
        Node::Mul(..) => text(names, expression),
        _ => factor(names, expression),
    }
}

fn adds(expression: &Expression) -> bool {
    matches!(&*expression.node, Node::Add(..) | Node::Sub(..))
}

fn is_sum(expression: &Expression) -> bool {
    adds(expression) || matches!(&*expression.node, Node::Xor(..))
}
