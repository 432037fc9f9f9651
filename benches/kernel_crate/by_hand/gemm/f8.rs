//! Operands in fp8.

/// The byte of an element of `A`.
#[must_use]
pub fn a(m: u32, k: u32) -> u32 {
    m * 128 + ((k / 16) ^ (m % 8)) * 16 + k % 16
}

/// The byte of an element of `B`.
#[must_use]
pub fn b(n: u32, k: u32) -> u32 {
    n / 2 * 128 + ((n % 2 * 4 + k / 16) ^ (n / 2 % 8)) * 16 + k % 16
}
