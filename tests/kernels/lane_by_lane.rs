//! Kernels on the tile layer, run on the CPU lane by lane and compared with naive ones.
//!
//! | file | is |
//! |---|---|
//! | `gemm.rs` | a GEMM of any size: fetch, LDS twice, matrix instructions, C through LDS |
//! | `fmha.rs` | attention: K through LDS, V turned, scores that stay in their registers |
//! | `transpose.rs` | a transposition: turned in registers, through LDS |
//! | `backend.rs` | what a backend gives them: moves, barriers, instructions |
//! | `machine.rs` | the matrix instruction as the hardware has it |
//!
//! None of the kernels has an index of its own: where anything lies is said by its types, and the
//! statements beside them are about these accesses.

mod backend;
mod fmha;
mod gemm;
mod machine;
mod transpose;

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
    assert!(matches!(refused, tiledesc::access::AccessError::View { vector: 8, whole: 4, .. }));
}

#[test]
fn transposed() {
    for [m, n] in [[4, 8], [64, 64], [72, 200], [132, 60], [256, 64]] {
        let from: Vec<u16> = (0..m * n).map(|at| at as u16).collect();
        let found = transpose::transpose(&from, [m, n]).unwrap();
        let expected = |at: u32| from[(at % m * n + at / m) as usize];
        assert!(found.into_iter().eq((0..m * n).map(expected)), "{m} x {n}");
    }
}

/// Attention in f64, as it is defined.
fn naive_attention([q, k, v]: [&[u16]; 3], [queries, keys]: [u32; 2]) -> Vec<f64> {
    let value = |of: &[u16], row: u32, channel: u32| {
        half::f16::from_bits(of[(row * 64 + channel) as usize]).to_f64()
    };
    let row = |query: u32| {
        let dot = |key| (0..64).map(|c| value(q, query, c) * value(k, key, c)).sum::<f64>() / 8.0;
        let weights: Vec<f64> = (0..keys).map(|key| dot(key).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let channel = move |c| {
            let all = (0..keys).zip(&weights).map(|(key, weight)| weight * value(v, key, c));
            all.sum::<f64>() / sum
        };
        (0..64).map(channel).collect::<Vec<_>>()
    };
    (0..queries).flat_map(row).collect()
}

/// To the last bits of a half: weights and results are rounded to 11 bits.
#[test]
fn attention_of_any_size() {
    for [queries, keys] in [[1, 1], [128, 64], [100, 130], [129, 63], [257, 200]] {
        let [q, k, v] = [(queries, 1), (keys, 2), (keys, 3)]
            .map(|(rows, seed)| numbers::<F16>(rows * 64, seed));
        let inputs = [&q[..], &k, &v];
        let found = fmha::attention(inputs, [queries, keys]).unwrap();
        let expected = naive_attention(inputs, [queries, keys]);
        for (at, (found, expected)) in found.into_iter().zip(expected).enumerate() {
            let found = half::f16::from_bits(found).to_f64();
            assert!((found - expected).abs() < 2e-3, "{at}: {found} for {expected}");
        }
    }
}
