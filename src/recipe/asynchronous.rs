//! Direct-to-LDS copies: a wave writes 64 consecutive dwords, one a lane.
//!
//! The destination of one wave instruction is fixed, base + 4 * lane, so the
//! store side is (issue, wave, lane * vector) and a pad is possible only between
//! waves:
//!
//! ```text
//!   KV = 4 bytes of elements     lanes along K: K / KV      row groups: 64 / (K / KV)
//!   naive  [issues, groups, waves, K/KV, KV] | [waves*(64*KV + P), K, 64*KV + P, KV, 1]
//! ```
//!
//! Loads see the same bytes as rows and packs.

use super::fmha::FmhaVSize;
use super::{PackOf, numbers};
use crate::element::Element;
use tiledesc_transforms::{Div, Lit, Max, Mul, Number, descriptor};

descriptor! {
    type Async<K, M, P>:
        naive [K/P, M, P] strides [P, K, 1];
        pass[M] (1) -> (0),   merge[K/P, P] (0, 2) -> (1);

    /// The store side: KV elements a lane, G groups of rows a wave, padded by P.
    pub type AsyncStore<N, K, KV, P, G, W, O>:
        naive [N/(G*W), G, W, K/KV, KV] strides [W*(64*KV + P), K, 64*KV + P, KV, 1] offset O;
        pass[N/(G*W)] (0) -> (0),   pass[W] (2) -> (1),   merge[G, K/KV, KV] (1, 3, 4) -> (2);

    /// The load side: B buffers of `Single` elements.
    type AsyncLoad<N, K, KV, P, G, W, B, Single>:
        naive [B, N/(G*W), W, G, K/P, P] strides [Single, W*(64*KV + P), 64*KV + P, K, P, 1];
        merge[B, N/(G*W), G, W] (0, 1, 3, 2) -> (0),   merge[K/P, P] (4, 5) -> (1);

    /// The rows of fused MoE's A: waves innermost.
    pub type AsyncRows<M, K, KV, P, G, W>:
        naive [M/(G*W), G, W, K/KV, KV] strides [W*(64*KV + P), K, 64*KV + P, KV, 1];
        merge[M/(G*W), G, W] (0, 1, 2) -> (0),   merge[K/KV, KV] (3, 4) -> (1);
}

/// Elements of a lane's dword.
type KV<E> = PackOf<E, 4>;

numbers! {
    /// Groups of rows that one wave copies at once.
    Groups<E: Element, K: Number> = Div<Lit<64>, Div<K, KV<E>>>;
}

recipe! {
    /// A or B of the async GEMM pipeline: neither xor nor pad.
    ///
    /// * CK Tile: `gemm/pipeline/gemm_pipeline_ag_bg_cr_comp_async_default_policy.hpp`.
    /// * Offset: `m*K + k`.
    /// * Refuses: a K that is not a multiple of KPack.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::GemmAsync<F16, M<128>, K<64>, KPack<8>>>::offset([3, 17]), 209);
    /// ```
    #[example([128, 64, 8], [3, 17], 209)]
    pub type GemmAsync<E, M, K, KPack> = Async<K, M, KPack>;
}

/// Elements of one K buffer of FMHA forward, copied asynchronously.
pub type FmhaKSize<E, N, K, W> = Mul<
    Div<N, Mul<Groups<E, K>, W>>,
    Mul<W, tiledesc_transforms::Add<Mul<Lit<64>, KV<E>>, PackOf<E, 16>>>,
>;

/// Elements of one buffer that serves K and V in turn (CK
/// `SingleSmemElementSpaceSize`): the larger of the two.
pub type FmhaSingle<E, N, K, W> = Max<FmhaKSize<E, N, K, W>, FmhaVSize<E, N, K>>;

recipe! {
    /// K of FMHA forward, async store: `(issue, wave, lane * vector)` of buffer `Buffer`.
    /// `Warps` waves; `Single` is the size of a buffer, for instance [`FmhaSingle`].
    ///
    /// * CK Tile: `fmha/pipeline/block_fmha_pipeline_qx_ks_vs_custom_policy.hpp`.
    /// * Offset: `Buffer*Single + (issue*Warps + wave)*S + x`,
    ///   S = 64 dwords + 16 bytes.
    /// * Refuses: 64 lanes that are not whole rows of K; an N that is not a multiple of the
    ///   rows of all waves.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type Single = recipe::FmhaSingle<F16, N<128>, K<32>, Warps<4>>;
    /// type Store = recipe::FmhaKAsyncStore<F16, N<128>, K<32>, Warps<4>, recipe::Buffer<1>, Single>;
    /// assert_eq!(Store::offset([7, 1, 58]), 8610);
    /// ```
    #[example([128, 32, 4, 1, 4476], [7, 1, 58], 8478)]
    pub type FmhaKAsyncStore<E, N, K, Warps, Buffer, Single> = AsyncStore<N, K, KV<E>, PackOf<E, 16>, Groups<E, K>, Warps, Mul<Buffer, Single>>,
        rank U3;

    /// K of FMHA forward, async load: `Buffers` buffers of `N` rows of `K`.
    ///
    /// * CK Tile: `fmha/pipeline/block_fmha_pipeline_qx_ks_vs_custom_policy.hpp`.
    /// * Offset: `b*Single + (issue*Warps + wave)*S + group*K + k`,
    ///   row (b, issue, group, wave), S = 64 dwords + 16 bytes.
    /// * Refuses: what `FmhaKAsyncStore` refuses; a K that is not a multiple of 16 bytes.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type Single = recipe::FmhaSingle<F16, N<128>, K<32>, Warps<4>>;
    /// type Load = recipe::FmhaKAsyncLoad<F16, N<128>, K<32>, Warps<4>, Buffers<2>, Single>;
    /// assert_eq!(Load::SPACE, 8952);
    /// ```
    #[example([128, 32, 4, 2, 4476], [150, 17], 5341)]
    pub type FmhaKAsyncLoad<E, N, K, Warps, Buffers, Single> = AsyncLoad<N, K, KV<E>, PackOf<E, 16>, Groups<E, K>, Warps, Buffers, Single>;

    /// A of fused MoE, async store: as FMHA's, one buffer.
    ///
    /// * CK Tile: `fused_moe/pipeline/fused_moegemm_pipeline_flatmm_policy.hpp`.
    /// * Offset: `(issue*Warps + wave)*S + x`,
    ///   S = 64 dwords + 16 bytes.
    /// * Refuses: 64 lanes that are not whole rows of K; an M that is not a multiple of the
    ///   rows of all waves.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::MoeAStore<F16, M<32>, K<64>, Warps<4>>>::offset([1, 2, 3]), 819);
    /// ```
    #[example([32, 64, 4], [1, 2, 3], 819)]
    pub type MoeAStore<E, M, K, Warps> = AsyncStore<M, K, KV<E>, PackOf<E, 16>, Groups<E, K>, Warps, Lit<0>>,
        rank U3;

    /// A of fused MoE, load: `M` rows of `K`.
    ///
    /// * CK Tile: `fused_moe/pipeline/fused_moegemm_pipeline_flatmm_policy.hpp`.
    /// * Offset: `(issue*Warps + wave)*S + group*K + k`,
    ///   row (issue, group, wave), S = 64 dwords + 16 bytes.
    /// * Refuses: what `MoeAStore` refuses.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::MoeALoad<F16, M<32>, K<64>, Warps<4>>>::SPACE, 2168);
    /// ```
    #[example([32, 64, 4], [13, 17], 761)]
    pub type MoeALoad<E, M, K, Warps> = AsyncRows<M, K, KV<E>, PackOf<E, 16>, Groups<E, K>, Warps>;
}
