//! Operands in fp8.

use tiledesc::prelude::*;

layout! {
    /// The A operand.
    pub type A = recipe::GemmXor<F8, M<128>, K<128>, KPack<16>>;
    /// The B operand.
    pub type B = recipe::GemmXor<F8, M<64>, K<64>, KPack<16>>;
}

assert_conflict_free! {
    A on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<32>;
    B on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>
}

/// The byte of an element of `A`.
#[must_use]
pub fn a(m: u32, k: u32) -> u32 {
    A::byte_at([m, k])
}

/// The byte of an element of `B`.
#[must_use]
pub fn b(n: u32, k: u32) -> u32 {
    B::byte_at([n, k])
}
