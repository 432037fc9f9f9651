//! The functions whose machine code `tests/codegen.rs` reads: each offset by the
//! library, and the same offset as one would write it by hand.
//!
//! The test compiles this file alone, as a crate of its own. `ours_x` stands
//! beside `hand_x`; `best_x`, where there is one, is the shortest form we know,
//! which nobody would write first, and `staged_x` the library's without fusing. All
//! are symbols of their own, so the compiler cannot fold one into the caller of
//! another.

use tiledesc::prelude::*;

layout! {
    /// The tile of every page: 128 rows of 64 halves, packs of eight.
    type Xor128x64 = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    /// Two rows in a line of LDS.
    type Layered2 = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>;
    /// Four rows in a line.
    type Layered4 = recipe::GemmXor<F16, M<64>, K<16>, KPack<8>>;
    /// Layers, and an outer iteration over K.
    type Backward = recipe::FmhaBwdX<F16, MN<128>, K<32>, KPack<8>, KIter<2>>;
}
layout! {
    type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    type PaddedRows = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    type V1Pad = recipe::GemmV1Pad<F16, M<128>, K<32>>;
    type FmhaV = recipe::FmhaV<F16, N<128>, K<32>, Buffers<2>, recipe::FmhaVSize<F16, N<128>, K<32>>>;
}

/// A kernel that knows no more of its tile than that it has numbers.
#[inline]
fn kernel<K: Number, M: Number>(m: u32, k: u32) -> u32 {
    recipe::GemmXor::<F16, M, K, U8>::at([m, k])
}

/// The same over const generics.
#[inline]
fn kernel_const<const K: usize, const M: usize>(m: u32, k: u32) -> u32 {
    recipe::GemmXor::<F16, Lit<M>, Lit<K>, U8>::at([m, k])
}

/// The xor tile with every length known only at run time.
pub type RunTime = Transformed<
    Transformed<
        Naive<[Dyn; 3], [Dyn; 3]>,
        (tiledesc::Xor<Dyn, Dyn>, PassThrough<Dyn>),
        lower![[1, 0], [2]],
        upper![[1, 0], [2]],
    >,
    (PassThrough<Dyn>, Merge<[Dyn; 2]>),
    lower![[1], [0, 2]],
    upper![[0], [1]],
>;

/// Functions of two indices, each a symbol.
macro_rules! functions {
    ($($name:ident |$m:ident, $k:ident| $body:expr;)*) => {$(
        // Nothing is called by this name but by the test, which reads text.
        #[unsafe(no_mangle)]
        pub fn $name($m: u32, $k: u32) -> u32 {
            $body
        }
    )*};
}

functions! {
    ours_xor_128x64 |m, k| Xor128x64::at([m, k]);
    hand_xor_128x64 |m, k| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;
    // The pack index and the place in the pack need not be taken apart.
    best_xor_128x64 |m, k| m * 64 + (k ^ (m % 8 * 8));

    staged_xor_128x64 |m, k| Xor128x64::default().offset([m, k]);

    ours_xor_128x64_bytes |m, k| Xor128x64::byte_at([m, k]);
    hand_xor_128x64_bytes |m, k| (m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8) * 2;
    best_xor_128x64_bytes |m, k| m * 128 + ((k * 2) ^ (m % 8 * 16));

    ours_layered_64x32 |m, k| Layered2::at([m, k]);
    hand_layered_64x32 |m, k| {
        m / 2 * 64 + ((m % 2 * 4 + k / 8) ^ (m / 2 % 8)) * 8 + k % 8
    };
    best_layered_64x32 |m, k| m * 32 + k ^ (m / 2 % 8 * 8);

    staged_layered_64x32 |m, k| Layered2::default().offset([m, k]);

    ours_layered_64x16 |m, k| Layered4::at([m, k]);
    hand_layered_64x16 |m, k| {
        m / 4 * 64 + ((m % 4 * 2 + k / 8) ^ (m / 4 % 8)) * 8 + k % 8
    };
    best_layered_64x16 |m, k| m * 16 + k ^ (m / 4 % 8 * 8);

    staged_layered_64x16 |m, k| Layered4::default().offset([m, k]);

    ours_fmha_backward |m, k| Backward::at([m, k]);
    hand_fmha_backward |m, k| {
        k / 32 * 4096 + m / 2 * 64 + ((k % 32 / 8 * 2 + m % 2) ^ (m / 2 % 8)) * 8 + k % 8
    };
    staged_fmha_backward |m, k| Backward::default().offset([m, k]);

    ours_row_major |m, k| Rows::at([m, k]);
    hand_row_major |m, k| m * 64 + k;

    ours_row_pad |m, k| PaddedRows::at([m, k]);
    hand_row_pad |m, k| m * 72 + k;

    ours_gemm_v1_pad |m, k| V1Pad::at([m, k]);
    hand_gemm_v1_pad |m, k| k / 8 * 1032 + m * 8 + k % 8;

    ours_fmha_v |n, k| FmhaV::at([n, k]);
    hand_fmha_v |n, k| {
        n / 128 * 4608 + k / 8 * 1152 + n / 8 % 16 * 72 + n % 8 * 8 + k % 8
    };

    ours_generic |m, k| kernel::<U64, U128>(m, k);
    hand_generic |m, k| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;

    ours_const_generic |m, k| kernel_const::<64, 128>(m, k);
    hand_const_generic |m, k| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;
}

/// A constant coordinate costs nothing: the offset stands in the code.
#[unsafe(no_mangle)]
pub fn ours_constant() -> u32 {
    const OFFSET: u32 = Xor128x64::offset([3, 17]);
    OFFSET
}

#[unsafe(no_mangle)]
pub fn hand_constant() -> u32 {
    201
}

/// The run-time descriptor divides by multiplication.
#[unsafe(no_mangle)]
pub fn ours_run_time_lengths(tile: &RunTime, m: u32, k: u32) -> u32 {
    tile.offset([m, k])
}
