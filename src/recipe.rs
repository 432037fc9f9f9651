//! Recipes: the layouts that CK Tile ships, by its parameter names.
//!
//! Each is one type alias that expands to transforms; the arithmetic of the
//! formulas is done by [numbers](mod@crate::number), so a tile that does not divide
//! is refused with the names of the parameters:
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

mod asynchronous;
mod batched_transpose;
mod column_major;
mod fmha;
mod gemm;
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
use tiledesc_transforms::{Lit, Max, Mul, Quotient};

/// Elements of `E` in `BYTES` bytes.
pub type PackOf<E, const BYTES: usize> = Quotient<Mul<Lit<BYTES>, Lit<8>>, Bits<E>>;

/// How many rows of `K` elements fill one round of `Banks` banks of 4 bytes; at
/// least 1: CK's `max(1, banks * 4 / KPerBlock / sizeof(T))`.
pub type RowsPerRound<E, K, Banks> =
    Max<Lit<1>, Quotient<Quotient<Mul<Banks, Lit<32>>, K>, Bits<E>>>;
