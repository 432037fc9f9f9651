//! The element types that a matrix instruction takes, by its name.
//!
//! ```text
//!   v_mfma_f32_32x32x4_2b_f16    mma.m16n8k32.f32.e4m3.e4m3.f32
//!                         ^^^                     ^^^^            F16, F8
//! ```

use crate::element::{BF8, BF16, ElementName, F4, F6, F8, F16, F32, F64, I8};

/// Returns whether a row takes operands of an element type; one of the user's own counts by its bits alone.
pub(crate) const fn takes(name: &str, element: &str) -> bool {
    is_of(name.as_bytes(), operand_type(name.as_bytes()), element)
}

/// Returns whether a row takes B of an element type: that of A, unless the name has another one behind it.
pub(crate) const fn takes_b(name: &str, element: &str) -> bool {
    let name = name.as_bytes();
    let begin = operand_type(name);
    let mut next = begin;
    while next < name.len() && name[next] != b'_' && name[next] != b'.' {
        next += 1;
    }
    let has_own =
        name[0] == b'm' || is_word(name, next + 1, b"fp8") || is_word(name, next + 1, b"bf8");
    is_of(name, if has_own { next + 1 } else { begin }, element)
}

/// Returns whether the type at a place of a name is an element type.
const fn is_of(name: &[u8], begin: usize, element: &str) -> bool {
    let words: &[&str] = match element.as_bytes() {
        b"F64" => &["f64"],
        b"F32" => &["f32", "xf32", "tf32"],
        b"F16" => &["f16"],
        b"BF16" => &["bf16"],
        b"F8" => &["fp8", "e4m3", "f8f6f4"],
        b"BF8" => &["bf8", "e5m2", "f8f6f4"],
        b"F6" | b"F4" => &["f8f6f4"],
        b"I64" | b"I32" | b"I16" | b"Complex128" | b"Complex64" => &[],
        b"I8" => &["i8", "iu8", "s8", "u8"],
        b"I4" => &["iu4", "s4", "u4"],
        _ => return true,
    };
    let mut i = 0;
    while i < words.len() {
        if is_word(name, begin, words[i].as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

/// The elements of A and B in a module of [`mfma`](super::mfma), by what its name begins with; both instructions of
/// 8 bits, and those of f8f6f4, take more than one.
pub(super) const fn of_module(name: &str) -> &'static [ElementName] {
    match name.as_bytes() {
        [b'F', b'6', b'4', ..] => const { &[ElementName::new::<F64>()] },
        [b'F', b'3', b'2', ..] | [b'X', b'F', b'3', b'2', ..] => {
            const { &[ElementName::new::<F32>()] }
        }
        [b'F', b'1', b'6', ..] => const { &[ElementName::new::<F16>()] },
        [b'B', b'F', b'1', b'6', ..] => const { &[ElementName::new::<BF16>()] },
        [b'F', b'8', b'_', ..] => const { &[ElementName::new::<F8>(), ElementName::new::<BF8>()] },
        [b'F', b'8', b'F', b'6', ..] => {
            const {
                &[
                    ElementName::new::<F8>(),
                    ElementName::new::<BF8>(),
                    ElementName::new::<F6>(),
                    ElementName::new::<F4>(),
                ]
            }
        }
        [b'I', b'8', ..] => const { &[ElementName::new::<I8>()] },
        _ => &[],
    }
}

/// Elements that fill 32 bits, so many together; for one, elements of 64 bits too.
pub(super) const fn by_pack(pack: u32) -> &'static [ElementName] {
    match pack {
        1 => const { &[ElementName::of_bits(32), ElementName::of_bits(64)] },
        2 => const { &[ElementName::of_bits(16)] },
        4 => const { &[ElementName::of_bits(8)] },
        8 => const { &[ElementName::of_bits(4)] },
        32 => const { &[ElementName::of_bits(1)] },
        _ => &[],
    }
}

/// Returns where the type of A begins in a name: after `mma.m16n8k16.f32.`, `v_mfma_f32_32x32x8_`, `v_mfma_f32_32x32x4_2b_`.
const fn operand_type(name: &[u8]) -> usize {
    let (mut i, mut dots, mut begin) = (0, 0, 0);
    let is_mma = name[0] == b'm';
    while i < name.len() {
        if is_mma && name[i] == b'.' {
            dots += 1;
            if dots == 3 {
                return i + 1;
            }
        }
        let is_between = i > 0 && name[i] == b'x' && name[i - 1].is_ascii_digit();
        if is_between && name[i + 1].is_ascii_digit() {
            begin = i + 1;
        }
        i += 1;
    }
    begin = behind_digits(name, begin);
    if name[begin] == b'_' {
        begin += 1;
    }
    let blocks = behind_digits(name, begin);
    if blocks > begin && name[blocks] == b'b' { blocks + 2 } else { begin }
}

const fn behind_digits(name: &[u8], mut i: usize) -> usize {
    while name[i].is_ascii_digit() {
        i += 1;
    }
    i
}

/// Returns whether a word is at a place of a name.
const fn is_word(name: &[u8], begin: usize, word: &[u8]) -> bool {
    let mut i = 0;
    while i < word.len() {
        if begin + i >= name.len() || name[begin + i] != word[i] {
            return false;
        }
        i += 1;
    }
    begin + i == name.len() || !name[begin + i].is_ascii_alphanumeric()
}
