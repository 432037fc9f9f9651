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

use super::form::Form;
use super::infix::{Operator, Rules, Written, body};
use super::language::{Function, Language, Program, Returns, Writing, cases, listed, none};

/// WGSL: a function of `u32`.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::emit::WGSL;
/// use tiledesc_host::emit::Emit;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let code = ABlock::default().emit(WGSL, "a_offset", ["m", "k"])?;
/// assert!(code.contains("return (m << 6u) + (k ^ ((m & 7u) << 3u));"), "{code}");
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
pub const WGSL: Form = Form::new(&ROW);

const ROW: Language = Language {
    title: "WGSL",
    extension: "wgsl",
    reserved: &[include_str!("words/wgsl.txt")],
    library: &[include_str!("words/wgsl_library.txt")],
    is_of_compiler: |name| name.starts_with("__"),
    is_of_library: none,
    comment: "//",
    writes: Writing::Program(Program {
        function,
        guard: false,
        namespaces: false,
        wide: false,
        constant: |name, value| format!("const {name}: u32 = {value}u;\n"),
    }),
};

const RULES: Rules = Rules { number, wraps };

fn function(function: &Function<'_>) -> String {
    let Function { name, coordinates, returns } = function;
    let parameters = listed(coordinates, |name| format!("{name}: u32"));
    let body = body(&RULES, name, coordinates, &function.expressions());
    let result = if matches!(returns, Returns::Holds(_)) { "bool" } else { "u32" };
    let mut text = format!("fn {name}({parameters}) -> {result} {{\n");
    for (local, value) in &body.locals {
        text += &format!("    let {local} = {value};\n");
    }
    text += &match returns {
        Returns::Value(_) => format!("    return {};\n", body.values[0].text),
        // Refused before: WGSL has no numbers of 64 bits.
        Returns::Wide { .. } | Returns::Fits => String::new(),
        Returns::Holds(_) => {
            format!("    return {};\n", Written::all_below(&body.values, "true"))
        }
        Returns::Choice { by, .. } => choice(coordinates[*by], &body.values),
    };
    text + "}\n"
}

/// A `switch`; its default is the value of number 0.
fn choice(by: &str, values: &[Written]) -> String {
    let mut text = format!("    switch {by} {{\n");
    let cases = cases(values);
    for (value, numbers) in cases.iter().skip(1) {
        let numbers: Vec<_> = numbers.iter().map(|at| number(*at as u32)).collect();
        text += &format!("        case {}: {{ return {value}; }}\n", numbers.join(", "));
    }
    let first = cases.first().map_or("0u", |(value, _)| value);
    text + &format!("        default: {{ return {first}; }}\n    }}\n")
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
