//! The tensor data mover of gfx125x: rows in layers, a pad after each line.

use super::{PackOf, RowsPerRound};
use tiledesc_transforms::{Lit, descriptor};

descriptor! {
    type PaddedLayers<M, K, V, L, P>:
        naive [M/L, K/V*L, V] strides [K*L + P, V, 1];
        pass[M/L] (0) -> (0),     unmerge[L, K/V] (1) -> (1, 2),   pass[V] (2) -> (3);
        merge[M/L, L] (0, 1) -> (0),   merge[K/V, V] (2, 3) -> (1);
}

recipe! {
    /// A or B of a GEMM fed by TDM (CK 2026): 64 banks, 16-byte vectors, `Padding` elements
    /// of pad after each line of MLdsLayer rows. The TDM itself writes the pad.
    ///
    /// * CK Tile: `gemm/pipeline/gemm_pipeline_ag_bg_cr_comp_tdm_default_policy.hpp`.
    /// * Offset: `m/L*(K*L + Padding) + m%L*K + k`,
    ///   L = max(1, 256 bytes / row).
    /// * Refuses: a K that is not a multiple of 16 bytes; an M that is not a multiple of L.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type A = recipe::GemmTdm<F16, M<64>, K<32>, Padding<8>>; // MLdsLayer 4
    /// assert_eq!(A::SPACE, 2168);
    /// ```
    #[example([64, 32, 8], [5, 17], 185)]
    pub type GemmTdm<E, M, K, Padding> = PaddedLayers<M, K, PackOf<E, 16>, RowsPerRound<E, K, Lit<64>>, Padding>;
}
