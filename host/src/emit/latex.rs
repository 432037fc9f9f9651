//! LaTeX's math mode: `64 m + (k \oplus 8 (m \bmod 8))`.
//!
//! A name of one letter is a variable; a longer one is upright, or it would be read as a product of its letters.
//! Division rounds down, which its own brackets show.
//!
//! ```text
//!   \lfloor k / 8 \rfloor       no parentheses
//!   \mathrm{row\_of\_a}         _ would be a subscript
//! ```

use super::form::Form;
use super::formula::Notation;
use super::language::{Language, Writing};
use super::text;

/// A formula for LaTeX's math mode; `\oplus` is the exclusive or.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::emit::LATEX;
/// use tiledesc_host::emit::Emit;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let code = ABlock::default().emit(LATEX, "a_offset", ["m", "k"])?;
/// assert!(code.contains("\\oplus"), "{code}");
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
pub const LATEX: Form = Form::new(&ROW);

const ROW: Language = Language {
    title: "LaTeX",
    extension: "tex",
    reserved: &[],
    comment: "%",
    writes: Writing::Formula(|name, coordinates, value| NOTATION.formula(name, coordinates, value)),
    ..text::ROW
};

const NOTATION: Notation = Notation {
    symbol,
    xor: "\\oplus",
    product: |n, x| format!("{n} {x}"),
    quotient: |x, n| format!("\\lfloor {x} / {n} \\rfloor"),
    rest: |x, n| format!("{x} \\bmod {n}"),
    quotient_is_closed: true,
};

fn symbol(name: &str) -> String {
    match name.len() {
        1 => name.to_string(),
        _ => format!("\\mathrm{{{}}}", name.replace('_', "\\_")),
    }
}
