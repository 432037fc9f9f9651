//! Kernels on the tile layer, run on the CPU lane by lane and compared with naive ones.
//!
//! | file | is |
//! |---|---|
//! | `gemm.rs` | a GEMM of any size: fetch, LDS twice, matrix instructions, C through LDS |
//! | `backend.rs` | what a backend gives it: moves, barriers, the matrix instruction |
//!
//! Lane maps of the matrix instruction: `machine.rs`.

mod backend;
mod gemm;
mod machine;

use backend::{Scalar, numbers};
use gemm::Gemm;
use tiledesc::prelude::*;

fn naive<T: Scalar>([a, b]: [&[T::Storage]; 2], [m, n, k]: [u32; 3]) -> Vec<f32> {
    let [m, n, k] = [m, n, k].map(|size| size as usize);
    let dot = |row: usize, column: usize| {
        let (a, b) = (&a[row * k..][..k], &b[column * k..][..k]);
        a.iter().zip(b).map(|(a, b)| T::load(*a) * T::load(*b)).sum()
    };
    (0..m * n).map(|at| dot(at / n, at % n)).collect()
}

/// The grid of blocks, equal to the naive product.
fn gemm<T: Scalar, P: Number, const BM: usize, const BN: usize, const BK: usize, const R: usize>(
    sizes: [u32; 3],
) {
    let [m, n, k] = sizes;
    let (a, b) = (numbers::<T>(m * k, 1), numbers::<T>(n * k, 2));
    let mut c = vec![T::store(f32::NAN); (m * n) as usize];
    let kernel = Gemm::<T, P, BM, BN, BK, R>::new(sizes).unwrap();
    for row in (0..m).step_by(BM) {
        for column in (0..n).step_by(BN) {
            kernel.block([row, column], k, [&a, &b], &mut c);
        }
    }
    let found: Vec<f32> = c.iter().map(|c| T::load(*c)).collect();
    assert_eq!(found, naive::<T>([&a, &b], sizes), "{sizes:?}");
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

#[test]
fn gemm_of_any_size() {
    for sizes in SIZES {
        gemm::<F16, U1, 128, 64, 64, 32>(sizes);
        gemm::<F32, U1, 64, 64, 32, 32>(sizes);
        gemm::<F16, U1, 64, 64, 64, 16>(sizes);
    }
}

/// Rows that are whole packs are moved 16 bytes at a time.
#[test]
fn gemm_of_whole_packs() {
    for sizes in [[8, 8, 8], [128, 64, 64], [136, 72, 200], [250, 8, 64]] {
        gemm::<F16, KPack<8>, 128, 64, 64, 32>(sizes);
        gemm::<F32, KPack<4>, 64, 64, 32, 32>(sizes);
    }
    let refused = Gemm::<F16, KPack<8>, 128, 64, 64, 32>::new([64, 64, 36]).err().unwrap();
    assert_eq!(refused, tiledesc::AccessError::View { vector: 8, along: 1, whole: 4 });
}
