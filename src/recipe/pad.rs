//! The pad after each pack column: `(M + 1) * KPack`.
//!
//! ```text
//!   naive  [K/P, M, P] | [(M + 1)*P, P, 1]     all rows of one pack, then one pack of pad
//!   merge  (K/P, P) -> K
//! ```
//!
//! Costs K/P - 1 packs of LDS. In the model of gfx942's phases it stays 2-way on
//! 16-row reads, which users have measured (ROCm/composable_kernel#200), and rows
//! shorter than 128 bytes are written 2-way.

use super::PackOf;
use tiledesc_transforms::{Lit, descriptor};

descriptor! {
    type Columns<M, K, P>:
        naive [K/P, M, P] strides [(M + 1) * P, P, 1];
        pass[M] (1) -> (0),   merge[K/P, P] (0, 2) -> (1);

    type ColumnsTransposed<M, K, P>:
        naive [K/P, M, P] strides [(M + 1) * P, P, 1];
        pass[M] (1) -> (1),   merge[K/P, P] (0, 2) -> (0);
}

recipe! {
    /// A or B of GEMM pipeline v1's default policy: packs of 8.
    ///
    /// * CK Tile: `gemm/pipeline/gemm_pipeline_agmem_bgmem_creg_v1_default_policy.hpp`.
    /// * Offset: `(k/8)*(M + 1)*8 + m*8 + k%8`.
    /// * Refuses: a K that is not a multiple of 8.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type ABlock = recipe::GemmV1Pad<F16, M<128>, K<32>>;
    /// assert_eq!(ABlock::offset([3, 17]), 2 * 1032 + 3 * 8 + 1);
    /// assert_eq!(ABlock::SPACE, 4120);
    /// ```
    #[example([128, 32], [3, 17], 2089)]
    pub type GemmV1Pad<E, M, K> = Columns<M, K, Lit<8>>;

    /// A of flatmm with 32x32 matrix instructions.
    ///
    /// * CK Tile: `flatmm/pipeline/flatmm_pipeline_agmem_bgmem_creg_v1_policy.hpp`.
    /// * Offset: `(k/P)*(M + 1)*P + m*P + k%P`,
    ///   P = KPack.
    /// * Refuses: a K that is not a multiple of KPack.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::FlatmmPad<F16, M<128>, K<64>, KPack<8>>>::SPACE, 8248);
    /// ```
    #[example([128, 64, 8], [3, 17], 2089)]
    pub type FlatmmPad<E, M, K, KPack> = Columns<M, K, KPack>;

    /// K of FMHA forward, copied synchronously: `N` rows, packs of 16 bytes.
    ///
    /// * CK Tile: `fmha/pipeline/block_fmha_pipeline_qx_ks_vs_custom_policy.hpp`.
    /// * Offset: `(k/P)*(N + 1)*P + n*P + k%P`,
    ///   P = 16 bytes.
    /// * Refuses: a K that is not a multiple of 16 bytes.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::FmhaK<F32, N<128>, K<32>>>::SPACE, 4124);
    /// ```
    #[example([128, 32], [3, 17], 2089)]
    pub type FmhaK<E, N, K> = Columns<N, K, PackOf<E, 16>>;

    /// LSE of the split-KV combine: `M` rows of `N` splits in packs of `KPack`.
    ///
    /// * CK Tile:
    ///   `fmha/pipeline/block_fmha_fwd_splitkv_combine_pipeline_default_policy.hpp`.
    /// * Offset: `(n/P)*(M + 1)*P + m*P + n%P`,
    ///   P = KPack.
    /// * Refuses: an N that is not a multiple of KPack.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type Lse = recipe::SplitKvCombine<F32, M<32>, N<64>, KPack<4>>;
    /// assert_eq!(Lse::offset([3, 17]), 4 * 132 + 3 * 4 + 1);
    /// ```
    #[example([32, 64, 4], [3, 17], 541)]
    pub type SplitKvCombine<E, M, N, KPack> = Columns<M, N, KPack>;

    /// `SplitKvCombine` with the splits as dimension 0.
    ///
    /// * CK Tile:
    ///   `fmha/pipeline/block_fmha_fwd_splitkv_combine_pipeline_default_policy.hpp`.
    /// * Offset: `(n/P)*(M + 1)*P + m*P + n%P of (n`,
    ///   m), P = KPack.
    /// * Refuses: an N that is not a multiple of KPack.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type Lse = recipe::SplitKvCombineTransposed<F32, M<32>, N<64>, KPack<4>>;
    /// assert_eq!(Lse::offset([17, 3]), 4 * 132 + 3 * 4 + 1);
    /// ```
    #[example([32, 64, 4], [17, 3], 541)]
    pub type SplitKvCombineTransposed<E, M, N, KPack> = ColumnsTransposed<M, N, KPack>, exchanged dimensions;
}
