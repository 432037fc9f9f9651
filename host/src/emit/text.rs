//! Plain text, for a comment or a mail: `64 * m + (k xor 8 * (m mod 8))`.
//!
//! `div` rounds down.

use super::form::Form;
use super::formula::Notation;
use super::language::{Language, Writing, none};

/// A formula for people, in ASCII.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::emit::TEXT;
/// use tiledesc_host::emit::Emit;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let code = ABlock::default().emit(TEXT, "a_offset", ["m", "k"])?;
/// assert!(code.contains("a_offset(m, k) = 64 * m + (k xor 8 * (m mod 8))"), "{code}");
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
pub const TEXT: Form = Form::new(&ROW);

pub(super) const ROW: Language = Language {
    title: "plain text",
    extension: "txt",
    reserved: &["div mod xor"],
    library: &[],
    is_of_compiler: none,
    is_of_library: none,
    comment: "#",
    writes: Writing::Formula(|name, coordinates, value| NOTATION.formula(name, coordinates, value)),
};

const NOTATION: Notation = Notation {
    symbol: str::to_string,
    xor: "xor",
    product: |n, x| format!("{n} * {x}"),
    quotient: |x, n| format!("{x} div {n}"),
    rest: |x, n| format!("{x} mod {n}"),
    quotient_is_closed: false,
};
