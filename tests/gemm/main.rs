//! The yardstick: a generic GEMM of a workgroup, written as a kernel author would, run on the
//! CPU lane by lane, and equal to the naive product.
//!
//! What `kernel.rs` writes by hand although a type could know it:
//!
//! | what | where | lines |
//! |---|---|---|
//! | the view of a padded matrix, its type and its value | `View`, `view` | 16 |
//! | a mask for each element of a pack, twice | `fetch`, `store` | 15 |
//! | which lane reads which row and pack of an operand; waves two by two | `operand` | 15 |
//! | which lane holds which element of C; waves two by two again | `shuffle` | 14 |
//! | where B begins in LDS, and that C takes the place of A and B | `B_AT`, `LDS` | 6 |
//! | which thread moves which pack | `packs` | 5 |
//! | what must divide what | `FITS` | 5 |
//! | the C map once more, as a pattern for the statement below | `CRows` | 4 |

mod kernel;
mod machine;

use kernel::{ABlock, BBlock, CBlock, Gemm, Operands, Scalar};
use tiledesc::prelude::*;

type A16 = ABlock<F16, 128, 64>;
type B16 = BBlock<F16, 64, 64>;
type C16 = CBlock<F16, 128, 64>;
type A32 = ABlock<F32, 64, 32>;
type C32 = CBlock<F32, 64, 64>;

assert_bijective! { A16, B16, C16, A32, C32 }

pattern! {
    /// Register `step` of the accumulators of a 32x32 instruction: a row a half-wave.
    CRows(lane, step in 16) => [8 * (step / 4) + 4 * (lane / 32) + step % 4, lane % 32];
}

assert_conflict_free! {
    A16 on gfx942:
        write ds_write_b128 by Whole<RowMajor>,
        read  ds_read_b128  by Whole<MfmaRows<32>>,
        read  ds_read_b128  by Whole<MfmaRows<16>>;
    B16 on gfx942:
        write ds_write_b128 by Whole<RowMajor>,
        read  ds_read_b128  by Whole<MfmaRows<32>>;
    A32 on gfx942:
        write ds_write_b128 by Whole<RowMajor>,
        read  ds_read_b128  by Whole<MfmaRows<32>>;
    C16 on gfx942:
        write ds_write_b16 by CRows,
        read  ds_read_b128 by Whole<RowMajor>;
    C32 on gfx942:
        write ds_write_b32 by CRows,
        read  ds_read_b128 by Whole<RowMajor>;
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
