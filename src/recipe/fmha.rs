//! FMHA's own layouts: whole-K prefetch, V, and the backward X.

use super::{PackOf, RowsPerRound};
use tiledesc_transforms::{Div, Lit, Mul, descriptor};

descriptor! {
    /// B buffers; K in vectors of V, each in packs of P, padded by a pack a vector.
    type WholeK<N, K, V, P, B>:
        naive [B, K/V, V/P, N, P] strides [K*N + K*P/V, N*V + P, N*P, P, 1];
        merge[B, N] (0, 3) -> (0),   merge[K/V, V/P, P] (1, 2, 4) -> (1);

    /// Lines of R elements (all 32 banks), a pack of pad after each.
    type PaddedLines<N, K, P, R, B, Single>:
        naive [B, K/P, N/(R/P), R/P, P] strides [Single, N/(R/P)*(R + P), R + P, P, 1];
        merge[B, N/(R/P), R/P] (0, 2, 3) -> (0),   merge[K/P, P] (1, 4) -> (1);

    /// The universal GEMM's, with an outer KIter, and the layer as the fast part
    /// of the chunk.
    type BackwardX<MN, K, P, L, I>:
        naive [I, K/P*L, MN/L, P] strides [MN*K, P, K*L, 1];
        pass[I] (0) -> (0),   xor[MN/L, K/P*L] (2, 1) -> (2, 1),   pass[P] (3) -> (3);
        pass[I] (0) -> (0),   unmerge[K/P, L] (1) -> (1, 3),   pass[MN/L] (2) -> (2),   pass[P] (3) -> (4);
        merge[MN/L, L] (2, 3) -> (0),   merge[I, K/P, P] (0, 1, 4) -> (1);
}

recipe! {
    /// K of FMHA forward with the whole K prefetched: `Buffers` buffers of `N` rows.
    ///
    /// * CK Tile:
    ///   `fmha/pipeline/block_fmha_pipeline_qr_ks_vs_whole_k_prefetch_default_policy.hpp`.
    /// * Offset: `b*(K*N + K*P/V) + (k/V)*(N*V + P) + (k%V/P)*N*P + n*P + k%P`,
    ///   V = 16 bytes, P = 8 bytes.
    /// * Refuses: a K that is not a multiple of 16 bytes.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::FmhaKWholeK<F16, N<128>, K<32>, Buffers<2>>>::SPACE, 8220);
    /// ```
    #[example([128, 32, 2], [131, 13], 5665)]
    pub type FmhaKWholeK<E, N, K, Buffers> = WholeK<N, K, PackOf<E, 16>, PackOf<E, 8>, Buffers>;
}

/// Elements of a line of 32 banks.
type Line<E> = PackOf<E, 128>;

/// Elements of one V buffer of FMHA forward.
pub type FmhaVSize<E, N, K> = Mul<
    Mul<Div<K, PackOf<E, 16>>, Div<N, Div<Line<E>, PackOf<E, 16>>>>,
    tiledesc_transforms::Add<Line<E>, PackOf<E, 16>>,
>;

recipe! {
    /// V of FMHA forward: `Buffers` buffers of `Single` elements, lines of 32 banks with a
    /// pack of pad after each.
    ///
    /// * CK Tile: `fmha/pipeline/block_fmha_pipeline_qx_ks_vs_custom_policy.hpp`.
    /// * Offset: `b*Single + (k/P)*(N/8)*(R + P) + (n/8)*(R + P) + (n%8)*P + k%P`,
    ///   P = 16 bytes, R = 128 bytes.
    /// * Refuses: a K that is not a multiple of 16 bytes; an N that is not a multiple of 8.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type Single = recipe::FmhaVSize<F16, N<128>, K<32>>;
    /// assert_eq!(<recipe::FmhaV<F16, N<128>, K<32>, Buffers<2>, Single>>::SPACE, 9208);
    /// ```
    #[example([128, 32, 2, 4608], [131, 13], 5789)]
    pub type FmhaV<E, N, K, Buffers, Single> = PaddedLines<N, K, PackOf<E, 16>, Line<E>, Buffers, Single>;

    /// X of FMHA backward: `MN` rows, `KIter` times `K` deep, packs of `KPack`. CK takes 2
    /// bytes an element for MLdsLayer, whatever the type.
    ///
    /// CK unmerges (K/P, MLdsLayer) where the GEMM unmerges (MLdsLayer, K/P). With
    /// layers that leaves conflicts: 2-way for 32-row reads at K = 32, 4-way for
    /// 16-row reads.
    ///
    /// * CK Tile: `fmha/pipeline/block_fmha_bwd_pipeline_default_policy.hpp`.
    /// * Offset: `(k/K)*MN*K + (m/L)*K*L + (((k%K)/P*L + m%L) ^ ((m/L) % (K/P*L)))*P + k%P`,
    ///   P = KPack, L = max(1, 64 / K).
    /// * Refuses: what `GemmXor` refuses.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type X = recipe::FmhaBwdX<F16, MN<128>, K<32>, KPack<8>, KIter<1>>;
    /// assert_eq!(X::BYTES, 8192);
    /// ```
    #[example([128, 32, 8, 2], [5, 49], 4281)]
    pub type FmhaBwdX<E, MN, K, KPack, KIter> = BackwardX<MN, K, KPack, RowsPerRound<crate::F16, K, Lit<32>>, KIter>;
}
