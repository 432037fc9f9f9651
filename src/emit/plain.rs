//! Plain text, for a comment or a mail: `64 * m + (k xor 8 * (m mod 8))`.
//!
//! `div` rounds down.

use super::formula::Notation;
use alloc::format;
use alloc::string::ToString;

pub(super) const PLAIN: Notation = Notation {
    symbol: str::to_string,
    xor: "xor",
    product: |n, x| format!("{n} * {x}"),
    quotient: |x, n| format!("{x} div {n}"),
    rest: |x, n| format!("{x} mod {n}"),
    quotient_is_closed: false,
};
