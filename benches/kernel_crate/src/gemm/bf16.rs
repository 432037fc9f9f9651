//! Operands in bf16.

use tiledesc::prelude::*;

layout! {
    /// The A operand of a block of few rows.
    pub type A = recipe::GemmXor<BF16, M<64>, K<128>, KPack<8>>;
    /// The B operand.
    pub type B = recipe::GemmXor<BF16, M<128>, K<128>, KPack<8>>;
    /// The A operand of a block of 256 rows.
    pub type TallA = recipe::GemmXor<BF16, M<256>, K<32>, KPack<8>>;
}

assert_conflict_free! {
    A on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<32>;
    B on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>;
    B on sm_90: write st_shared_b128 by RowMajor, read ldmatrix_x4 by LdmatrixRows<16>;
    TallA on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>
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

/// The byte of an element of `TallA`.
#[must_use]
pub fn tall_a(m: u32, k: u32) -> u32 {
    TallA::byte_at([m, k])
}
