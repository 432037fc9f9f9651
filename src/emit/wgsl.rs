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
use super::form::Form;
use super::infix::{Operator, Rules, body};
use super::language::{Language, listed, none};
use alloc::format;
use alloc::string::String;

/// WGSL: a function of `u32`.
///
/// ```
/// use tiledesc::{emit::WGSL, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let code = ABlock::emit(WGSL, "a_offset", ["m", "k"])?;
/// assert!(code.contains("return (m << 6u) + (k ^ ((m & 7u) << 3u));"), "{code}");
/// # Ok::<(), tiledesc::emit::EmitError>(())
/// ```
pub const WGSL: Form = Form::of(&ROW);

const ROW: Language = Language {
    title: "WGSL",
    extension: "wgsl",
    reserved: &[include_str!("words/wgsl.txt")],
    library: &[include_str!("words/wgsl_library.txt")],
    is_of_compiler: |name| name.starts_with("__"),
    is_of_library: none,
    function,
};

const RULES: Rules = Rules { number, wraps };

fn function(name: &str, coordinates: &[&str], offset: &Expression) -> String {
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
