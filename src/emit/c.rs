//! C, HIP and CUDA C++: shifts bind weaker than `+`, and `&` and `^` weaker still.
//!
//! ```text
//!   m << 6 + k    is m << (6 + k): (m << 6) + k needs its parentheses
//!   k ^ m << 3    is k ^ (m << 3): no parentheses
//!   k ^ m & 7     is k ^ (m & 7), but gcc -Wall warns: they are written
//! ```

use super::expression::Expression;
use super::form::Form;
use super::infix::{Operator, Rules, body};
use super::language::{Language, capital_behind, listed};
use alloc::format;
use alloc::string::{String, ToString};

/// C, since C99, and C++: a `static inline` function of `unsigned`, which must have 32 bits.
///
/// ```
/// use tiledesc::{emit::C, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let code = ABlock::emit(C, "a_offset", ["m", "k"])?;
/// assert!(code.contains("static inline unsigned a_offset(unsigned m, unsigned k)"), "{code}");
/// # Ok::<(), tiledesc::emit::EmitError>(())
/// ```
pub const C: Form = Form::of(&ROW);

const ROW: Language = Language {
    title: "C",
    extension: "h",
    reserved: &[WORDS, MACROS],
    library: &[LIBRARY],
    is_of_compiler: |name| name.contains("__") || capital_behind(name, "_"),
    is_of_library,
    function: |name, coordinates, offset| function("static inline", name, coordinates, offset),
};

/// Keywords of C and C++, and what its compilers predefine.
pub(super) const WORDS: &str = include_str!("words/c.txt");
/// The macros of the headers of C11 and C23, as glibc and gcc have them: `INT_MAX`, `M_PI`, `EIO`.
pub(super) const MACROS: &str = include_str!("words/c_macros.txt");
/// Functions and types of the library.
pub(super) const LIBRARY: &str = include_str!("words/c_library.txt");

/// At the level of the file these are the compiler's.
pub(super) fn is_of_library(name: &str) -> bool {
    name.starts_with('_')
}

const RULES: Rules = Rules { number, wraps };

/// A function after `kind`, of `unsigned`: `uint32_t` needs a header that the run-time
/// compilers do not have.
pub(super) fn function(
    kind: &str,
    name: &str,
    coordinates: &[&str],
    offset: &Expression,
) -> String {
    let parameters = match coordinates {
        [] => "void".to_string(),
        _ => listed(coordinates, |name| format!("unsigned {name}")),
    };
    let body = body(&RULES, name, coordinates, offset);
    let mut text = format!("{kind} unsigned {name}({parameters}) {{\n");
    for unused in body.unused {
        text += &format!("    (void){unused};\n");
    }
    for (local, value) in body.locals {
        text += &format!("    const unsigned {local} = {value};\n");
    }
    text + &format!("    return {};\n}}\n", body.offset)
}

/// A number that does not fit `int` would be a `long` without its suffix.
fn number(value: u32) -> String {
    if value > i32::MAX as u32 { format!("{value}u") } else { value.to_string() }
}

/// The level of precedence: the larger binds tighter.
const fn level(operator: Operator) -> u32 {
    match operator {
        Operator::Mul | Operator::Div | Operator::Rem => 5,
        Operator::Add | Operator::Sub => 4,
        Operator::Shl | Operator::Shr => 3,
        Operator::And => 2,
        Operator::Xor => 1,
    }
}

fn wraps(outer: Operator, inner: Operator, right: bool) -> bool {
    let by_precedence = match (outer, inner) {
        // In wrapping arithmetic the order of these does not matter.
        (Operator::Add, Operator::Add | Operator::Sub) | (Operator::Xor, Operator::Xor) => false,
        _ => level(inner) < level(outer) || level(inner) == level(outer) && right,
    };
    by_precedence || warned_about(outer, inner)
}

/// What is right without parentheses, but `-Wparentheses` asks for them.
fn warned_about(outer: Operator, inner: Operator) -> bool {
    let sum = matches!(inner, Operator::Add | Operator::Sub);
    match outer {
        Operator::Shl | Operator::Shr | Operator::And => sum,
        Operator::Xor => sum || inner == Operator::And,
        _ => false,
    }
}
