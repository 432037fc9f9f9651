//! Operands in fp16.

use crate::threads::{EveryRow, Operand};
use tiledesc::prelude::*;

layout! {
    /// The A operand.
    pub type A = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    /// The A operand of a block of 256 rows.
    pub type TallA = recipe::GemmXor<F16, M<256>, K<64>, KPack<8>>;
    /// The B operand, half as deep: two of its rows fill a line.
    pub type B = recipe::GemmXor<F16, M<128>, K<32>, KPack<8>>;
}

assert_conflict_free! {
    A on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<32>;
    A on sm_90: write st_shared_b128 by RowMajor, read ldmatrix_x4 by LdmatrixRows<16>;
    TallA on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>;
    TallA on sm_90: write st_shared_b128 by RowMajor, read ldmatrix_x4 by LdmatrixRows<16>;
    B on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>
}
assert_direct_load! { TallA on sm_90: cp_async_b128 by 4 waves, from rows of 64 }

type Stores = Accesses<EveryRow, A, VectorSize<8>>;
type Loads = Accesses<Operand, A, VectorSize<8>>;
const _: () = assert!(Stores::ADDRESSING.registers() <= 8 && Loads::ADDRESSING.registers() <= 8);

/// The byte of an element of `A`.
#[must_use]
pub fn a(m: u32, k: u32) -> u32 {
    A::byte_at([m, k])
}

/// The byte of an element of `TallA`.
#[must_use]
pub fn tall_a(m: u32, k: u32) -> u32 {
    TallA::byte_at([m, k])
}

/// The byte of an element of `B`.
#[must_use]
pub fn b(n: u32, k: u32) -> u32 {
    B::byte_at([n, k])
}

/// Stores what a thread has loaded of `A`.
pub fn store_a(lds: &mut [u16], tile: &[u16], wave: u32, lane: u32) {
    Stores::each(wave, lane, |address, immediate, _, first| {
        let at = (address + immediate) as usize / 2;
        lds[at..at + 8].copy_from_slice(&tile[first..first + 8]);
    });
}

/// Loads a thread's operands of `A`.
pub fn load_a(lds: &[u16], operands: &mut [u16], wave: u32, lane: u32) {
    Loads::each(wave, lane, |address, immediate, _, first| {
        let at = (address + immediate) as usize / 2;
        operands[first..first + 8].copy_from_slice(&lds[at..at + 8]);
    });
}
