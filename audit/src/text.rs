//! What the three assemblies write alike: operands between commas, integers, and tests.
//!
//! ```text
//!   v[2:5], {%r1, %r2}, [smem+8]      3 parts: a comma in brackets parts nothing
//!   0x10, -0b11, 017                  16, -3, 15
//!   v_cmp_lg, setp.ne, ISETP.NE       one test
//! ```

use std::cmp::Ordering;

/// Parts between commas, but for those in brackets, with those that are empty.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    let parts = text.split(move |c| {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    });
    parts.map(str::trim)
}

/// Parts between commas, but for those in brackets.
pub(crate) fn separated(text: &str) -> impl Iterator<Item = &str> {
    parts(text).filter(|part| !part.is_empty())
}

/// An integer in decimal, hexadecimal, octal or binary.
pub(crate) fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let of = |digits: &str, radix| u64::from_str_radix(digits, radix).ok();
    let value = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => of(&digits[2..], 16)?,
        [b'0', b'b' | b'B', ..] => of(&digits[2..], 2)?,
        [b'0', _, ..] => of(&digits[1..], 8)?,
        _ => of(digits, 10)?,
    };
    let value = value.cast_signed();
    Some(if negative { value.wrapping_neg() } else { value })
}

/// A test of how one number compares with another; `lo` and its like are those of unsigned numbers.
pub(crate) fn test(word: &str) -> Option<fn(Ordering) -> bool> {
    Some(match word {
        "eq" => Ordering::is_eq,
        "ne" | "lg" => Ordering::is_ne,
        "lt" | "lo" => Ordering::is_lt,
        "le" | "ls" => Ordering::is_le,
        "gt" | "hi" => Ordering::is_gt,
        "ge" | "hs" => Ordering::is_ge,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_parts() {
        let all = ["0x10", "-0b11", "017", "08", "-", "0x", "1.5"].map(number);
        assert_eq!(all, [Some(16), Some(-3), Some(15), None, None, None, None]);
        assert_eq!(Vec::from_iter(separated("a, , {b, c},")), ["a", "{b, c}"]);
        assert_eq!(parts("a, , {b, c},").count(), 4);
    }
}
