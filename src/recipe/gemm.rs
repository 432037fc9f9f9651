//! The universal GEMM's A and B operand: xor, and rows in layers.
//!
//! A row of 32 fp16 is 64 bytes and fills half the banks, so a swizzle within
//! it cannot reach the other half. CK lays L = MLdsLayer rows side by side
//! first, then swizzles the whole line:
//!
//! ```text
//!   naive    [K/P*L, M/L, P] | [P, K*L, 1]
//!   xor      on (M/L, K/P*L)
//!   unmerge  K/P*L -> (L, K/P)
//!   merge    (M/L, L) -> M,  (K/P, P) -> K
//!
//!   offset(m, k) = (m/L)*K*L + ((((m%L)*(K/P) + k/P) ^ ((m/L) % (K/P*L)))*P + k%P
//!   L = max(1, banks * 4 / K / sizeof)
//! ```
//!
//! `GemmXorBits` has a mask for each bit of m/L in place of m/L itself.
//!
//! CK since 2025-11 declares the xor's first length twice as long on 64 banks;
//! it does not enter the offset, and is declared truly here.

use super::outline::{layers, masked_layers};
use super::{RowsOf, RowsPerRound};
use crate::element::Element;
use tiledesc_transforms::{Error, Given, Lit, Number, Parameter, Plan, descriptor};

descriptor! {
    pub type Layered<K, M, P, L>:
        naive [K/P*L, M/L, P] strides [P, K*L, 1];
        xor[M/L, K/P*L] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
        unmerge[L, K/P] (0) -> (0, 2),      pass[M/L] (1) -> (1),   pass[P] (2) -> (3);
        merge[M/L, L] (1, 0) -> (0),        merge[K/P, P] (2, 3) -> (1);
}

descriptor! {
    type LayeredBits<K, M, P, L, Masks>:
        naive [K/P*L, M/L, P] strides [P, K*L, 1];
        xor_bits[M/L, K/P*L] masks Masks (1, 0) -> (1, 0),   pass[P] (2) -> (2);
        unmerge[L, K/P] (0) -> (0, 2),   pass[M/L] (1) -> (1),   pass[P] (2) -> (3);
        merge[M/L, L] (1, 0) -> (0),     merge[K/P, P] (2, 3) -> (1);
}

/// CK's choice of MLdsLayer: enough rows to fill `Banks` banks.
pub type MLdsLayerOf<E, K, Banks> = RowsPerRound<E, K, Banks>;

recipe! {
    /// A or B of the universal GEMM for 32 banks (gfx9 but gfx950, gfx11, gfx12):
    /// `M` rows, `K` deep, packs of `KPack`.
    ///
    /// * CK Tile: `gemm/pipeline/gemm_universal_pipeline_ag_bg_cr_policy.hpp`.
    /// * Offset: `(m/L)*K*L + (((m%L)*(K/P) + k/P) ^ ((m/L) % (K/P*L)))*P + k%P`,
    ///   P = KPack, L = MLdsLayer = max(1, 128 bytes / row).
    /// * Refuses: a K that is not a multiple of KPack; an M that is not a multiple of
    ///   MLdsLayer; K / KPack * MLdsLayer that is not a power of two.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type ABlock = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>; // MLdsLayer 2
    /// assert_eq!(ABlock::offset([3, 17]), 121);
    /// assert_eq!(ABlock::BYTES, 4096);
    /// ```
    #[doc(alias = "swizzle")]
    #[doc(alias = "index swapping")]
    #[example([64, 32, 8], [5, 17], 161)]
    pub type GemmXor<E, M, K, KPack> = Layered<K, M, KPack, MLdsLayerOf<E, K, Lit<32>>>,
        outline layers::<M, K, KPack, MLdsLayerOf<E, K, Lit<32>>>();

    /// `GemmXor` for 64 banks (gfx950): twice the layers. On 32 banks its reads are 2-way.
    ///
    /// * CK Tile: `gemm/pipeline/gemm_universal_pipeline_ag_bg_cr_policy.hpp`.
    /// * Offset: as `GemmXor`,
    ///   MLdsLayer = max(1, 256 bytes / row).
    /// * Refuses: what `GemmXor` refuses.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type ABlock = recipe::GemmXor64<F16, M<64>, K<32>, KPack<8>>; // MLdsLayer 4
    /// assert_eq!(ABlock::offset([3, 17]), 113);
    /// assert_eq!(ABlock::offset([4, 0]), 136);
    /// ```
    #[example([64, 32, 8], [5, 17], 185)]
    pub type GemmXor64<E, M, K, KPack> = Layered<K, M, KPack, MLdsLayerOf<E, K, Lit<64>>>,
        outline layers::<M, K, KPack, MLdsLayerOf<E, K, Lit<64>>>();

    /// `GemmXor` with `MLdsLayer` rows in a layer, whatever the banks.
    ///
    /// * CK Tile: `gemm/pipeline/gemm_universal_pipeline_ag_bg_cr_policy.hpp`.
    /// * Offset: as `GemmXor`.
    /// * Refuses: what `GemmXor` refuses.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type ABlock = recipe::GemmXorLayer<F16, M<64>, K<32>, KPack<8>, MLdsLayer<1>>;
    /// assert_eq!(ABlock::offset([3, 17]), 105);
    /// ```
    #[example([64, 32, 8, 1], [5, 17], 185)]
    pub type GemmXorLayer<E, M, K, KPack, MLdsLayer> = Layered<K, M, KPack, MLdsLayer>,
        outline layers::<M, K, KPack, MLdsLayer>();

    /// `GemmXorLayer` with a mask for each bit of the layer in place of the layer itself: every linear swizzle of packs.
    /// `seq![1, 2, 4, ..]` is `GemmXorLayer`.
    ///
    /// A chip serves lanes together that are far apart, in groups of its own for each
    /// instruction, so the key that is free on one is 2-way on another. Of rows of 128 bytes,
    /// `seq![1, 2, 4, 0, 1]` is free on gfx942 and on gfx950, for the write and for reads of
    /// 16 and of 32 rows; of rows of 64 bytes on gfx950, `seq![3, 2]` with 4 rows in a layer is,
    /// where no `GemmXorLayer` and no pad is.
    ///
    /// * CK Tile: none; Triton's and FlyDSL's swizzles of one key are `seq![1, 2, 4, ..]`.
    /// * Offset: as `GemmXor`, with the xor of `Masks[b]` over the bits b of m/L in place of
    ///   (m/L) % (K/P*L).
    /// * Refuses: what `GemmXor` refuses; a mask that is not less than K / KPack * MLdsLayer.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// layout! {
    ///     type Both = recipe::GemmXorBits<F16, M<128>, K<64>, KPack<8>, MLdsLayer<1>, seq![1, 2, 4, 0, 1]>;
    /// }
    /// assert_eq!(Both::offset([19, 17]), 19 * 64 + (2 ^ 3 ^ 1) * 8 + 1); // 19 is bits 0, 1 and 4
    /// assert_conflict_free! {
    ///     Both on gfx942, gfx950:
    ///         write ds_write_b128 by RowMajor,
    ///         read ds_read_b128 by MfmaRows<16>,
    ///         read ds_read_b128 by MfmaRows<32>
    /// }
    /// ```
    #[doc(alias = "swizzle")]
    pub type GemmXorBits<E, M, K, KPack, MLdsLayer; Masks> = LayeredBits<K, M, KPack, MLdsLayer, Masks>,
        outline masked_layers::<M, K, KPack, MLdsLayer, Masks>();
}

/// The plan of a [`GemmXorBits`](type@GemmXorBits) of numbers that only the run time knows, in this
/// order: `M`, `K`, `KPack`, `MLdsLayer`; and up to twelve masks.
///
/// ```
/// use tiledesc::{prelude::*, recipe};
///
/// type Typed = recipe::GemmXorBits<F16, recipe::M<128>, recipe::K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>;
/// assert_eq!(recipe::GemmXorBits::<F16>([128, 32, 8, 4], &[3, 2]), Ok(Typed::PLAN));
/// ```
///
/// # Errors
///
/// The errors of the type, in the same sentences; more than twelve masks.
#[allow(non_snake_case)]
pub const fn GemmXorBits<E: Element>(numbers: [u32; 4], masks: &[u32]) -> Result<Plan, Error> {
    of_list!(
        GemmXorBits, E, numbers, masks,
        ["M" 0 "K" 1 "KPack" 2 "MLdsLayer" 3], [4 5 6 7 8 9 10 11 12 13 14 15]
    )
}

/// [`GemmXorLayer`](type@GemmXorLayer) of elements of any width, as a plan of numbers known
/// only at run time: for sweeps over tiles and for the search of remedies.
///
/// ```
/// use tiledesc::{prelude::*, recipe};
///
/// type ABlock = recipe::GemmXor<F16, recipe::M<64>, recipe::K<32>, KPack<8>>;
/// let layers = recipe::mlds_layer(32, 16, 32);
/// assert_eq!(layers, 2);
/// assert_eq!(recipe::gemm_xor(64, 32, 8, layers), Ok(ABlock::PLAN));
/// ```
///
/// # Errors
///
/// A tile that does not divide, or whose chunks are not a power of two.
pub const fn gemm_xor(m: u32, k: u32, pack: u32, layers: u32) -> Result<Plan, Error> {
    // With an element of 8 bits, bytes fit wherever elements do.
    GemmXorLayer::<crate::F8>([m, k, pack, layers])
}

/// [`MLdsLayerOf`] of numbers known only at run time: elements of `bits` bits. 1 if there
/// is no such number.
///
/// ```
/// use tiledesc::recipe::mlds_layer;
///
/// // Rows of 64 bytes: two are a line of 32 banks, four of 64.
/// assert_eq!((mlds_layer(32, 16, 32), mlds_layer(32, 16, 64)), (2, 4));
/// ```
#[must_use]
pub const fn mlds_layer(k: u32, bits: u32, banks: u32) -> u32 {
    type Layers = RowsOf<Parameter<0>, Parameter<1>, Parameter<2>>;
    let given = Given { values: &[bits, k, banks], names: &["bits", "K", "banks"] };
    match <Layers as Number>::FORMULA.value(given) {
        Ok(layers) => layers,
        Err(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::outline::{assert_kept, is_kept, of_numbers};
    use super::{GemmXor, GemmXor64, GemmXorBits, GemmXorLayer};
    use crate::element::{F8, F16, F32};
    use crate::parameter::{K, KPack, M, MLdsLayer};
    use alloc::format;
    use tiledesc_transforms::seq;

    /// Outlines equal plans for all layers of small numbers; there is none where a plan refuses.
    #[test]
    fn as_plans_of_layers() {
        let (mut some, mut none) = (0, 0);
        for rows in [0, 1, 2, 3, 4, 6, 8, 31, 32, 48, 64, 80, 256, 1 << 20] {
            for columns in [0, 1, 2, 8, 12, 16, 32, 64, 128, 1 << 16] {
                for pack in [0, 1, 2, 3, 4, 8, 16, 64] {
                    for layers in [0, 1, 2, 3, 4, 8, 32] {
                        let numbers = [rows, columns, pack, layers];
                        let plan = GemmXorLayer::<F8>(numbers);
                        let kept =
                            is_kept(of_numbers(numbers, None), &plan, &format!("{numbers:?}"));
                        some += u32::from(kept);
                        none += u32::from(!kept && plan.is_ok());
                    }
                }
            }
        }
        // Left to the plan are packs that are no power of two, and lengths of a row that are none.
        assert!(some > 800 && none < some / 3, "{some} {none}");
    }

    #[test]
    fn as_plans_of_masks() {
        let lists: [&[u32]; 9] = [
            &[],
            &[1],
            &[3, 2],
            &[1, 2, 4],
            &[1, 2, 4, 0, 1],
            &[7, 7, 7],
            &[0, 8],
            &[1, 2, 4, 8, 16, 32, 64],
            &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 31],
        ];
        let mut some = 0;
        for (masks, layers) in lists.into_iter().flat_map(|list| [1, 2, 4].map(|l| (list, l))) {
            for (rows, columns) in [(1, 8), (4, 64), (24, 32), (64, 64), (96, 128), (128, 256)] {
                for pack in [1, 4, 8] {
                    let numbers = [rows, columns, pack, layers];
                    let plan = GemmXorBits::<F8>(numbers, masks);
                    let outline = of_numbers(numbers, Some(masks));
                    let what = format!("{numbers:?} {masks:?}");
                    let kept = is_kept(outline, &plan, &what);
                    some += u32::from(kept);
                    // All numbers but the masks are good wherever the layers divide the rows.
                    assert_eq!(kept, plan.is_ok(), "{what}");
                }
            }
        }
        assert!(some > 200, "{some}");
    }

    /// Each type of this file, on 32 and on 64 banks, of elements of three widths.
    #[test]
    fn as_plans_of_types() {
        assert_kept::<GemmXor<F16, M<64>, K<32>, KPack<8>>>();
        assert_kept::<GemmXor<F32, M<48>, K<8>, KPack<4>>>();
        assert_kept::<GemmXor<F8, M<96>, K<128>, KPack<16>>>();
        assert_kept::<GemmXor64<F16, M<64>, K<32>, KPack<8>>>();
        assert_kept::<GemmXor64<F8, M<80>, K<64>, KPack<16>>>();
        assert_kept::<GemmXorLayer<F16, M<64>, K<32>, KPack<8>, MLdsLayer<4>>>();
        assert_kept::<GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>>();
    }
}
