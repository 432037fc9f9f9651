//! Operands in bf16.

/// The byte of an element of `A`.
#[must_use]
pub fn a(m: u32, k: u32) -> u32 {
    (m * 128 + ((k / 8) ^ (m % 16)) * 8 + k % 8) * 2
}

/// The byte of an element of `B`.
#[must_use]
pub fn b(n: u32, k: u32) -> u32 {
    (n * 128 + ((k / 8) ^ (n % 16)) * 8 + k % 8) * 2
}

/// The byte of an element of `TallA`.
#[must_use]
pub fn tall_a(m: u32, k: u32) -> u32 {
    (m / 2 * 64 + ((m % 2 * 4 + k / 8) ^ (m / 2 % 8)) * 8 + k % 8) * 2
}
