//! The cycles that LDS takes for a load straight to it: a wave is assumed to write consecutive bytes, 128 in a cycle.
//!
//! ```text
//!   global_load_lds_dword          4 bytes a lane: 256 of 64 lanes, 2 cycles
//!   buffer_load_dwordx4 .. lds    16: 8 cycles
//! ```

use crate::span::Span;
use crate::width;

/// Bytes that LDS takes in a cycle.
const BYTES: u64 = 128;

/// The cycles of a load by its name.
pub(super) fn cycles(name: &str, lanes: usize) -> Span {
    let of_wave = |bytes: usize| Span::of_work((bytes * lanes) as u64, [BYTES; 2]);
    width::bytes(name).map_or(Span::UNKNOWN, of_wave)
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
