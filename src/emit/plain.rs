//! Plain text, for a comment or a mail: `64 * m + (k xor 8 * (m mod 8))`.
//!
//! People do not agree whether `xor` and `mod` bind tighter than `+`, so only `*` is
//! trusted to; every other mixture has parentheses. `div` rounds down.
//!
//! ```text
//!   8 * m + k                   no parentheses
//!   8 * m + (k mod 8)           a mixture
//!   k xor 8 * (m mod 8)         a product, of a mixture
//! ```

use super::expression::{Expression, Node};
use super::listed;
use alloc::format;
use alloc::string::{String, ToString};

pub(super) fn formula(name: &str, coordinates: &[&str], offset: &Expression) -> String {
    let parameters = listed(coordinates, ToString::to_string);
    format!("{name}({parameters}) = {}", text(coordinates, offset))
}

fn text(names: &[&str], expression: &Expression) -> String {
    let part = |e| product(names, e);
    match &*expression.node {
        Node::Coordinate(dimension) => names[*dimension].to_string(),
        Node::Number(value) => value.to_string(),
        Node::Add(a, b) => format!("{} + {}", addend(names, a), addend(names, b)),
        Node::Sub(a, b) => format!("{} - {}", addend(names, a), part(b)),
        Node::Xor(a, b) => format!("{} xor {}", operand(names, a), operand(names, b)),
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

fn is_atom(expression: &Expression) -> bool {
    matches!(&*expression.node, Node::Coordinate(_) | Node::Number(_))
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
