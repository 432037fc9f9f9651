//! The yardstick: a generic GEMM of a workgroup, written as a kernel author would, run on the
//! CPU lane by lane, and equal to the naive product.
//!
//! What `kernel.rs` writes by hand although a type could know it:
//!
//! | what | where | lines |
//! |---|---|---|
//! | a mask for each element of a pack, twice | `fetch`, `store` | 11 |
//! | which lane reads which row and pack of an operand; waves two by two | `operand` | 15 |
//! | which lane holds which element of C; waves two by two again | `shuffle` | 14 |
//! | where B begins in LDS, and that C takes the place of A and B | `B_AT`, `LDS` | 6 |
//! | which thread moves which pack | `packs` | 5 |
//! | what must divide what | `FITS` | 5 |
//! | the C map once more, as a pattern for the statement below | `CRows` | 4 |
//!
//! That no access of LDS but one (`c_by_16_rows`) has a bank conflict is proven where the kernel
//! stands, for each block it is called with.

mod kernel;
mod machine;

use kernel::{CBlock, Gemm, Operands, Scalar};
use tiledesc::prelude::*;

pattern! {
    /// Register `step` of the accumulators of an instruction of R rows.
    CRows<const R: u32>(lane, step in 4) => [lane / R * 4 + step, lane % R];
}

// How wide the store of C is depends on the element, so it is not said in the kernel, which is
// generic over it.
assert_conflict_free! {
    CBlock<F16, 128, 64> on gfx942: write ds_write_b16 by CRows<32>;
    CBlock<F32, 64, 64> on gfx942: write ds_write_b32 by CRows<32>
}

/// By instructions of 16 rows C is stored 2-way: lanes 0 and 16 are 4 rows apart, 512 bytes. A pad
/// of 4 elements a row frees it.
#[test]
fn c_by_16_rows() {
    use tiledesc::chip::gfx942::ds_write_b16;
    type Padded = recipe::RowPad<F16, Lit<128>, Lit<64>, Padding<4>>;
    assert_eq!(CBlock::<F16, 128, 64>::degree::<CRows<16>>(&ds_write_b16), 2);
    assert_eq!(Padded::degree::<CRows<16>>(&ds_write_b16), 1);
}

/// Small whole numbers: every sum is exact in f32, and below 2048 in f16.
fn numbers<T: Scalar>(count: u32, seed: u32) -> Vec<T::Storage> {
    let next = |state: &mut u32| {
        *state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        Some((*state >> 24) as i32 % 5 - 2)
    };
    core::iter::repeat(())
        .scan(seed, |state, ()| next(state))
        .map(|number| T::store(number as f32))
        .take(count as usize)
        .collect()
}

fn naive<T: Scalar>(operands: Operands<'_, T>) -> Vec<f32> {
    let [m, n, k] = operands.sizes.map(|size| size as usize);
    let dot = |row: usize, column: usize| {
        let (a, b) = (&operands.a[row * k..][..k], &operands.b[column * k..][..k]);
        a.iter().zip(b).map(|(a, b)| T::load(*a) * T::load(*b)).sum()
    };
    (0..m * n).map(|at| dot(at / n, at % n)).collect()
}

/// Whole blocks, less than one, one more, and nothing that divides.
const SIZES: [[u32; 3]; 9] = [
    [1, 1, 1],
    [64, 64, 32],
    [128, 64, 64],
    [65, 63, 33],
    [7, 130, 5],
    [129, 1, 64],
    [1, 129, 65],
    [31, 33, 129],
    [150, 100, 70],
];

fn check<T: Scalar, const BM: usize, const BN: usize, const BK: usize, const R: u32>() {
    for sizes in SIZES {
        let [m, n, k] = sizes;
        let (a, b) = (numbers::<T>(m * k, 1), numbers::<T>(n * k, 2));
        let operands = Operands::<T> { a: &a, b: &b, sizes };
        let c = Gemm::<T, BM, BN, BK, R>::run(operands).unwrap();
        let c: Vec<f32> = c.into_iter().map(T::load).collect();
        assert!(c.iter().any(|x| *x != 0.0), "{sizes:?}");
        assert!(c == naive(operands), "{sizes:?} by blocks of {BM}x{BN}x{BK}, {R} rows");
    }
}

#[test]
fn halves() {
    check::<F16, 64, 64, 32, 32>();
    check::<F16, 128, 64, 64, 32>();
    check::<F16, 64, 128, 16, 32>();
}

#[test]
fn halves_by_16_rows() {
    check::<F16, 64, 64, 32, 16>();
    check::<F16, 32, 64, 64, 16>();
}

#[test]
fn singles() {
    check::<F32, 64, 64, 32, 32>();
    check::<F32, 128, 64, 16, 32>();
    check::<F32, 32, 32, 16, 16>();
}
