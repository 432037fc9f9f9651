//! Plain tiles: consecutive rows, with or without a pad.
//!
//! | fp16 128x64 | LDS bytes | 16-row MFMA read, gfx942 |
//! |---|---|---|
//! | [`RowMajor`](type@RowMajor) | 16384 | 4-way |
//! | [`RowPad`](type@RowPad) of 8 | 18416 | 2-way |

use tiledesc_transforms::{Lit, Naive, descriptor};

descriptor! {
    type Rows<M, K, P>:
        naive [M, K] strides [K + P, 1];
}

recipe! {
    /// `M` rows of `K` elements.
    ///
    /// * CK Tile: any plain tile.
    /// * Offset: `m*K + k`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::RowMajor<F16, M<128>, K<64>>>::offset([3, 17]), 209);
    /// ```
    #[example([128, 64], [3, 17], 209)]
    pub type RowMajor<E, M, K> = Rows<M, K, Lit<0>>;

    /// `M` rows of `K` elements with `Padding` elements of padding after each.
    ///
    /// * CK Tile: a plain tile, padded.
    /// * Offset: `m*(K + Padding) + k`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::RowPad<F16, M<128>, K<64>, Padding<8>>>::offset([3, 17]), 233);
    /// ```
    #[doc(alias = "padding")]
    #[example([128, 64, 8], [3, 17], 233)]
    pub type RowPad<E, M, K, Padding> = Rows<M, K, Padding>;

    /// The C tile of the C-shuffle epilogue, row-major: `M` rows of `N`.
    ///
    /// * CK Tile: `epilogue/cshuffle_epilogue.hpp`.
    /// * Offset: `m*N + n`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::CShuffle<F16, M<32>, N<64>>>::offset([3, 17]), 209);
    /// ```
    #[example([32, 64], [3, 17], 209)]
    pub type CShuffle<E, M, N> = Rows<M, N, Lit<0>>;

    /// The C tile of the C-shuffle epilogue, column-major: `(m, n)` at `n * M + m`.
    ///
    /// * CK Tile: `epilogue/cshuffle_epilogue.hpp`.
    /// * Offset: `n*M + m`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::CShuffleColumn<F16, M<32>, N<64>>>::offset([3, 17]), 547);
    /// ```
    #[example([32, 64], [3, 17], 547)]
    pub type CShuffleColumn<E, M, N> = Naive<(M, N), (Lit<1>, M)>;

    /// The operand of gfx950's transposed LDS read: plain `K` rows of `MN`.
    ///
    /// * CK Tile: `gemm/pipeline/gemm_universal_pipeline_ag_bg_cr_policy.hpp`.
    /// * Offset: `k*MN + mn`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::GemmDsReadTr<F16, K<32>, MN<128>>>::offset([3, 17]), 401);
    /// ```
    #[example([32, 128], [3, 17], 401)]
    pub type GemmDsReadTr<E, K, MN> = Rows<K, MN, Lit<0>>;
}
