//! What a load straight to LDS asks of it: a wave writes bytes that follow each other, at 128 in a cycle, as is assumed.
//!
//! ```text
//!   global_load_lds_dword          4 bytes a lane: 256 of 64 lanes, 2 cycles
//!   buffer_load_dwordx4 .. lds    16: 8 cycles
//! ```

use crate::span::Span;

const BYTES: u64 = 128;

/// The cycles of a load by its name.
pub(super) fn cycles(name: &str, lanes: usize) -> Span {
    bytes(name).map_or(Span::UNKNOWN, |bytes| Span::of_work(bytes * lanes as u64, [BYTES; 2]))
}

/// The bytes of a lane.
fn bytes(name: &str) -> Option<u64> {
    const WORDS: [(&str, u64); 10] = [
        ("dwordx4", 16),
        ("dwordx3", 12),
        ("dword", 4),
        ("ushort", 2),
        ("sshort", 2),
        ("ubyte", 1),
        ("sbyte", 1),
        ("b128", 16),
        ("b64", 8),
        ("b32", 4),
    ];
    WORDS.into_iter().find(|(word, _)| name.contains(word)).map(|(_, bytes)| bytes)
}

#[cfg(test)]
mod tests {
    use super::cycles;

    #[test]
    fn loads() {
        assert_eq!(cycles("global_load_lds_dword", 64).to_string(), "2");
        assert_eq!(cycles("buffer_load_dwordx4", 64).to_string(), "8");
        assert_eq!(cycles("global_load_async_to_lds_b64", 32).to_string(), "2");
        assert_eq!(cycles("tensor_load_to_lds", 32).to_string(), "not known");
    }
}
