//! The xor swizzle without layers: chunk ^ row.
//!
//! ```text
//!   naive  [K/P, M, P] | [P, K, 1]
//!   xor    on (M, K/P)                     chunk' = chunk xor (m mod K/P)
//!   merge  (K/P, P) -> K
//! ```

use tiledesc_transforms::descriptor;

descriptor! {
    pub type Chunks<K, M, P>:
        naive [K/P, M, P] strides [P, K, 1];
        xor[M, K/P] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
        pass[M] (1) -> (0),             merge[K/P, P] (0, 2) -> (1);
}

recipe! {
    /// The swizzle of CK Tile's documentation (`lds_index_swapping.rst`): packs of
    /// `KPack` xor-ed with the row. On gfx942 its 16-byte operand reads are free where a
    /// row fills 32 banks or more; for shorter rows use [`GemmXor`](type@super::GemmXor), which
    /// layers them. The key belongs to chip and pattern: with rows of 128 bytes a
    /// 32-row read of gfx950 is 2-way, and a diagonal is 8-way on any chip.
    ///
    /// * CK Tile: `lds_index_swapping.rst` of its documentation.
    /// * Offset: `m*K + ((k/P) ^ (m % (K/P)))*P + k%P`,
    ///   P = KPack.
    /// * Refuses: a K that is not a multiple of KPack; K / KPack that is not a power of
    ///   two.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type Tile = recipe::XorPreshuffle<F16, M<128>, K<64>, KPack<8>>;
    /// assert_eq!(Tile::offset([3, 17]), 3 * 64 + (2 ^ 3) * 8 + 1);
    /// ```
    #[doc(alias = "swizzle")]
    #[doc(alias = "preshuffle")]
    #[example([128, 64, 8], [3, 17], 201)]
    pub type XorPreshuffle<E, M, K, KPack> = Chunks<K, M, KPack>;

    /// A of flatmm and weight-preshuffle GEMM with 16x16 matrix instructions: the
    /// same transforms.
    ///
    /// * CK Tile: `flatmm/pipeline/flatmm_pipeline_agmem_bgmem_creg_v1_policy.hpp`.
    /// * Offset: `m*K + ((k/P) ^ (m % (K/P)))*P + k%P`,
    ///   P = KPack.
    /// * Refuses: a K that is not a multiple of KPack; K / KPack that is not a power of
    ///   two.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::FlatmmXor<F16, M<32>, K<64>, KPack<8>>>::BYTES, 4096);
    /// ```
    #[example([32, 64, 8], [3, 17], 201)]
    pub type FlatmmXor<E, M, K, KPack> = Chunks<K, M, KPack>;
}
