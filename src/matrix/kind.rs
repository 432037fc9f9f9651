//! Which element types a matrix instruction takes, by its name.
//!
//! ```text
//!   v_mfma_f32_32x32x4_2b_f16    mma.m16n8k32.f32.e4m3.e4m3.f32
//!                         ^^^                     ^^^^            F16, F8
//! ```

/// Whether a row takes operands of an element type; one of the user's own counts by its bits alone.
pub(super) const fn takes(name: &str, element: &str) -> bool {
    let (name, begin) = (name.as_bytes(), operand_type(name.as_bytes()));
    let words: &[&str] = match element.as_bytes() {
        b"F64" => &["f64"],
        b"F32" => &["f32", "xf32", "tf32"],
        b"F16" => &["f16"],
        b"BF16" => &["bf16"],
        b"F8" => &["fp8", "e4m3", "f8f6f4"],
        b"BF8" => &["bf8", "e5m2", "f8f6f4"],
        b"F6" | b"F4" => &["f8f6f4"],
        b"I32" => &[],
        b"I8" => &["i8", "iu8", "s8"],
        b"I4" => &["iu4", "s4"],
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

/// Where the type of A begins in a name: behind `mma.m16n8k16.f32.`, `v_mfma_f32_32x32x8_`, `v_mfma_f32_32x32x4_2b_`.
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

/// Whether a word stands at a place of a name.
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
