//! WGSL: its grammar does not mix operators.
//!
//! ```text
//!   a + b * c     the only mixture that is allowed: + - over * / %
//!   k ^ m << 3    no WGSL: an operand of ^, & and << is one name, number or parenthesis
//!   a ^ b ^ c     allowed
//! ```
//!
//! naga takes more than that; browsers do not. Source: W3C, WGSL, the syntax rules
//! `shift_expression` and `bitwise_expression`.

use super::expression::Expression;
use super::infix::{Operator, Rules, body};
use super::listed;
use alloc::format;
use alloc::string::String;

const RULES: Rules = Rules { number, wraps };

pub(super) fn function(name: &str, coordinates: &[&str], offset: &Expression) -> String {
    let parameters = listed(coordinates, |name| format!("{name}: u32"));
    let body = body(&RULES, name, coordinates, offset);
    let mut text = format!("fn {name}({parameters}) -> u32 {{\n");
    for (local, value) in body.locals {
        text += &format!("    let {local} = {value};\n");
    }
    text + &format!("    return {};\n}}\n", body.offset)
}

fn number(value: u32) -> String {
    format!("{value}u")
}

fn wraps(outer: Operator, inner: Operator, right: bool) -> bool {
    let product = |o| matches!(o, Operator::Mul | Operator::Div | Operator::Rem);
    let sum = |o| matches!(o, Operator::Add | Operator::Sub);
    match outer {
        Operator::Add => !product(inner) && !sum(inner),
        Operator::Sub => !product(inner) && (right || !sum(inner)),
        Operator::Mul | Operator::Div | Operator::Rem => right || !product(inner),
        Operator::Xor | Operator::And => inner != outer,
        Operator::Shl | Operator::Shr => true,
    }
}
