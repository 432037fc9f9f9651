//! Recipes: the layouts that CK Tile ships, by its parameter names.
//!
//! Each is a type of its own, so that errors name `GemmXor<..>`, and a [`Tile`](crate::layout::Tile): its
//! [`Descriptor`](crate::layout::Tile::Descriptor) is the composition of transforms that it stands for. The
//! arithmetic of the formulas is done by [numbers](mod@crate::number), so a tile that does
//! not divide is refused with the names of the parameters:
//!
//! ```text
//! error: ABlock: K = 64 is not a multiple of KPack = 24
//! ```
//!
//! | file | recipes | CK Tile (2025-08 unless said) |
//! |---|---|---|
//! | `row_major` | [`RowMajor`], [`RowPad`], [`CShuffle`], [`CShuffleColumn`], [`GemmDsReadTr`] | plain tiles |
//! | `xor` | [`XorPreshuffle`], [`FlatmmXor`] | docs `lds_index_swapping`; flatmm 16x16 |
//! | `gemm` | [`GemmXor`], [`GemmXor64`], [`GemmXorLayer`] | universal GEMM policy, 32 and 64 banks |
//! | `pad` | [`GemmV1Pad`], [`FlatmmPad`], [`FmhaK`], [`SplitKvCombine`] | `(M + 1) * KPack` |
//! | `asynchronous` | [`GemmAsync`], [`FmhaKAsyncStore`], [`FmhaKAsyncLoad`], [`MoeAStore`], [`MoeALoad`] | direct-to-LDS |
//! | `column_major` | [`GemmColumnMajor`], [`FmhaBwdXT`] | MN-contiguous operand (2025-11), X transposed |
//! | `tdm` | [`GemmTdm`] | gfx125x tensor DMA (2026) |
//! | `fmha` | [`FmhaKWholeK`], [`FmhaV`], [`FmhaBwdX`] | FMHA pipelines |
//! | `batched_transpose` | [`BatchedTranspose`] | batched transpose |
//! | `moe` | [`MoeBridge`] | fused MoE |
//!
//! Parameters are any [`Number`](crate::Number); the names `M<128>`, `K<64>` say
//! which is which and appear in errors. In a generic kernel pass `M: Number`
//! itself. [`layout!`](crate::layout!) knows the names; elsewhere they are
//! `use tiledesc::recipe::{K, M}`, so that a kernel's own `const K: usize` does not
//! meet a type of that name.

/// Declares recipes: a name, its parameters after the element type, and the descriptor.
macro_rules! recipe {
    ($($(#[$doc:meta])* pub struct $Name:ident<E $(, $P:ident)*> = $Descriptor:ty;)*) => {$(
        $(#[$doc])*
        pub struct $Name<E $(, $P)*>(core::marker::PhantomData<(E, $($P),*)>);

        impl<E $(, $P)*> Clone for $Name<E $(, $P)*> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<E $(, $P)*> Copy for $Name<E $(, $P)*> {}
        impl<E $(, $P)*> Default for $Name<E $(, $P)*> {
            fn default() -> Self {
                Self(core::marker::PhantomData)
            }
        }
        impl<E $(, $P)*> core::fmt::Debug for $Name<E $(, $P)*> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(stringify!($Name))
            }
        }

        impl<E: $crate::Element $(, $P: tiledesc_transforms::Number)*> $crate::layout::Tile
            for $Name<E $(, $P)*>
        {
            type Element = E;
            type Descriptor = $Descriptor;
        }
        tiledesc_transforms::__adaptor!(
            [E: $crate::Element $(, $P: tiledesc_transforms::Number)*]
            $Name<E $(, $P)*>,
            <Self as $crate::layout::Tile>::Descriptor,
            $crate::layout::checked::<Self>()
        );
    )*};
}
mod asynchronous;
mod batched_transpose;
mod column_major;
mod fmha;
mod gemm;
mod methods;
mod moe;
mod pad;
mod row_major;
mod tdm;
mod xor;

pub use asynchronous::{
    AsyncRows, AsyncStore, FmhaKAsyncLoad, FmhaKAsyncStore, FmhaKSize, FmhaSingle, GemmAsync,
    MoeALoad, MoeAStore,
};
pub use batched_transpose::BatchedTranspose;
pub use column_major::{FmhaBwdXT, GemmColumnMajor};
pub use fmha::{FmhaBwdX, FmhaKWholeK, FmhaV, FmhaVSize};
pub use gemm::{GemmXor, GemmXor64, GemmXorLayer, MLdsLayerOf, gemm_xor, mlds_layer};
pub use moe::MoeBridge;
pub use pad::{FlatmmPad, FmhaK, GemmV1Pad, SplitKvCombine, SplitKvCombineTransposed};
pub use row_major::{CShuffle, CShuffleColumn, GemmDsReadTr, RowMajor, RowPad};
pub use tdm::GemmTdm;
pub use xor::{FlatmmXor, XorPreshuffle};

pub use crate::parameter::*;

use crate::element::Bits;
pub(crate) use crate::layout::Layout;
pub(crate) use methods::{example, methods};
use tiledesc_transforms::{Lit, Max, Mul, Quotient};

/// Elements of `E` in `BYTES` bytes.
pub type PackOf<E, const BYTES: usize> = Quotient<Mul<Lit<BYTES>, Lit<8>>, Bits<E>>;

/// How many rows of `K` elements fill one round of `Banks` banks of 4 bytes; at
/// least 1: CK's `max(1, banks * 4 / KPerBlock / sizeof(T))`.
pub type RowsPerRound<E, K, Banks> =
    Max<Lit<1>, Quotient<Quotient<Mul<Banks, Lit<32>>, K>, Bits<E>>>;

/// Calls a macro with every type that has the methods of a layout, so that each room adds
/// its own in one place.
macro_rules! on_every_tile {
    ($methods:ident) => {
        $methods! {
            Layout<E, D>
            GemmAsync<E, M, K, KPack>
            FmhaKAsyncStore<E, N, K, Warps, Buffer, Single>
            FmhaKAsyncLoad<E, N, K, Warps, Buffers, Single>
            MoeAStore<E, M, K, Warps>
            MoeALoad<E, M, K, Warps>
            BatchedTranspose<E, M, N, VectorSize>
            GemmColumnMajor<E, MN, K, VectorSize, MPerXdl, BlockSize>
            FmhaBwdXT<E, KIter, MN, K, KPack, VectorSize, MPerXdl, BlockSize>
            FmhaKWholeK<E, N, K, Buffers>
            FmhaV<E, N, K, Buffers, Single>
            FmhaBwdX<E, MN, K, KPack, KIter>
            GemmXor<E, M, K, KPack>
            GemmXor64<E, M, K, KPack>
            GemmXorLayer<E, M, K, KPack, MLdsLayer>
            MoeBridge<E, RepM, RepN, Warps>
            GemmV1Pad<E, M, K>
            FlatmmPad<E, M, K, KPack>
            FmhaK<E, N, K>
            SplitKvCombine<E, M, N, KPack>
            SplitKvCombineTransposed<E, M, N, KPack>
            RowMajor<E, M, K>
            RowPad<E, M, K, Padding>
            CShuffle<E, M, N>
            CShuffleColumn<E, M, N>
            GemmDsReadTr<E, K, MN>
            GemmTdm<E, M, K, Padding>
            XorPreshuffle<E, M, K, KPack>
            FlatmmXor<E, M, K, KPack>
        }
    };
}
pub(crate) use on_every_tile;

on_every_tile!(methods);
