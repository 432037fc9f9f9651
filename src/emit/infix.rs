//! Operators between operands, for C and WGSL: shifts and masks for powers of two.
//!
//! `m % 8 * 8` of 128 rows is written `(m & 7) << 3`, `k / 8 * 8` is `k & 56`. What
//! must stand in parentheses is the language's own rule: C has 16 levels of precedence
//! and puts shifts below `+`, WGSL has few and does not mix operators at all.

use super::expression::{Expression, Node, all_ones};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};

/// An operator of both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    And,
    Xor,
}

impl Operator {
    const fn text(self) -> &'static str {
        match self {
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::And => "&",
            Self::Xor => "^",
        }
    }
}

/// An expression of machine operations.
enum Code {
    Name(usize),
    Number(u32),
    Binary(Box<Self>, Operator, Box<Self>),
}

/// How a language writes.
pub(super) struct Rules {
    /// A number.
    pub(super) number: fn(u32) -> String,
    /// Whether `inner` stands in parentheses as an operand of `outer`; the flag says
    /// whether it is the right one.
    pub(super) wraps: fn(Operator, Operator, bool) -> bool,
}

/// The text of an expression.
pub(super) fn text(rules: &Rules, names: &[&str], expression: &Expression) -> String {
    written(rules, names, &code(expression))
}

fn written(rules: &Rules, names: &[&str], code: &Code) -> String {
    let operand = |code: &Code, outer, right| {
        let text = written(rules, names, code);
        match code {
            Code::Binary(_, inner, _) if (rules.wraps)(outer, *inner, right) => format!("({text})"),
            _ => text,
        }
    };
    match code {
        Code::Name(dimension) => names[*dimension].to_string(),
        Code::Number(value) => (rules.number)(*value),
        Code::Binary(a, operator, b) => format!(
            "{} {} {}",
            operand(a, *operator, false),
            operator.text(),
            operand(b, *operator, true)
        ),
    }
}

fn binary(a: Code, operator: Operator, b: Code) -> Code {
    Code::Binary(Box::new(a), operator, Box::new(b))
}

fn code(expression: &Expression) -> Code {
    let with = |x, operator, n| binary(code(x), operator, Code::Number(n));
    match &*expression.node {
        Node::Coordinate(dimension) => Code::Name(*dimension),
        Node::Number(value) => Code::Number(*value),
        Node::Add(a, b) => binary(code(a), Operator::Add, code(b)),
        Node::Sub(a, b) => binary(code(a), Operator::Sub, code(b)),
        Node::Xor(a, b) => binary(code(a), Operator::Xor, code(b)),
        Node::Mul(x, n) => match masked(x, *n) {
            Some((x, mask)) => with(x, Operator::And, mask),
            None if n.is_power_of_two() => with(x, Operator::Shl, n.trailing_zeros()),
            None => with(x, Operator::Mul, *n),
        },
        Node::Div(x, n) if n.is_power_of_two() => with(x, Operator::Shr, n.trailing_zeros()),
        Node::Div(x, n) => with(x, Operator::Div, *n),
        Node::Rem(x, n) if n.is_power_of_two() => with(x, Operator::And, n - 1),
        Node::Rem(x, n) => with(x, Operator::Rem, *n),
        // Refused before.
        Node::Lookup(_) => Code::Number(0),
    }
}

/// Bits that are cut out and put back where they were: `x / n % m * n` is a mask.
fn masked(cut: &Expression, n: u32) -> Option<(&Expression, u32)> {
    if !n.is_power_of_two() {
        return None;
    }
    let (low, most) = match &*cut.node {
        Node::Rem(low, m) if m.is_power_of_two() => (low, m - 1),
        _ => (cut, all_ones(cut.most)),
    };
    match &*low.node {
        Node::Div(x, by) if *by == n => Some((x, most << n.trailing_zeros())),
        _ => None,
    }
}
