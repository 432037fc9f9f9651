//! Plain text, for a comment or a mail: `64 * m + (k xor 8 * (m mod 8))`.
//!
//! People do not agree whether `xor` binds tighter than `+`, so a mixture of the two
//! has parentheses; `*` binds tighter than both. `div` rounds down.

use super::expression::{Expression, Node};
use super::listed;
use alloc::format;
use alloc::string::{String, ToString};

pub(super) fn formula(name: &str, coordinates: &[&str], offset: &Expression) -> String {
    let parameters = listed(coordinates, ToString::to_string);
    format!("{name}({parameters}) = {}", text(coordinates, offset))
}

fn text(names: &[&str], expression: &Expression) -> String {
    let term = |e: &Expression| bracketed(names, e, matches!(&*e.node, Node::Xor(..)));
    match &*expression.node {
        Node::Coordinate(dimension) => names[*dimension].to_string(),
        Node::Number(value) => value.to_string(),
        Node::Add(a, b) => format!("{} + {}", term(a), term(b)),
        Node::Sub(a, b) => format!("{} - {}", term(a), bracketed(names, b, is_sum(b))),
        Node::Xor(a, b) => {
            format!("{} xor {}", bracketed(names, a, adds(a)), bracketed(names, b, adds(b)))
        }
        Node::Mul(x, n) => format!("{n} * {}", atom(names, x)),
        Node::Div(x, n) => format!("{} div {n}", atom(names, x)),
        Node::Rem(x, n) => format!("{} mod {n}", atom(names, x)),
        // Refused before.
        Node::Lookup(_) => String::new(),
    }
}

fn bracketed(names: &[&str], expression: &Expression, brackets: bool) -> String {
    let text = text(names, expression);
    if brackets { format!("({text})") } else { text }
}

fn atom(names: &[&str], expression: &Expression) -> String {
    bracketed(
        names,
        expression,
        !matches!(&*expression.node, Node::Coordinate(_) | Node::Number(_)),
    )
}

fn adds(expression: &Expression) -> bool {
    matches!(&*expression.node, Node::Add(..) | Node::Sub(..))
}

fn is_sum(expression: &Expression) -> bool {
    adds(expression) || matches!(&*expression.node, Node::Xor(..))
}
