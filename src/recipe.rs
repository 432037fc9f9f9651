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
//! | `row_major` | [`RowMajor`](struct@RowMajor), [`RowPad`](struct@RowPad), [`CShuffle`](struct@CShuffle), [`CShuffleColumn`](struct@CShuffleColumn), [`GemmDsReadTr`](struct@GemmDsReadTr) | plain tiles |
//! | `xor` | [`XorPreshuffle`](struct@XorPreshuffle), [`FlatmmXor`](struct@FlatmmXor) | docs `lds_index_swapping`; flatmm 16x16 |
//! | `shift` | [`RowShift`](struct@RowShift) | packs rotated by the row, for any length |
//! | `gemm` | [`GemmXor`](struct@GemmXor), [`GemmXor64`](struct@GemmXor64), [`GemmXorLayer`](struct@GemmXorLayer) | universal GEMM policy, 32 and 64 banks |
//! | | [`GemmXorBits`](struct@GemmXorBits) | none: `GemmXorLayer` with any masks |
//! | `linear_packs` | [`LinearPacks`](struct@LinearPacks) | none: any linear layout of packs |
//! | `pad` | [`GemmV1Pad`](struct@GemmV1Pad), [`FlatmmPad`](struct@FlatmmPad), [`FmhaK`](struct@FmhaK), [`SplitKvCombine`](struct@SplitKvCombine) | `(M + 1) * KPack` |
//! | `asynchronous` | [`GemmAsync`](struct@GemmAsync), [`FmhaKAsyncStore`](struct@FmhaKAsyncStore), [`FmhaKAsyncLoad`](struct@FmhaKAsyncLoad), [`MoeAStore`](struct@MoeAStore), [`MoeALoad`](struct@MoeALoad) | direct-to-LDS |
//! | `column_major` | [`GemmColumnMajor`](struct@GemmColumnMajor), [`FmhaBwdXT`](struct@FmhaBwdXT) | MN-contiguous operand (2025-11), X transposed |
//! | `tdm` | [`GemmTdm`](struct@GemmTdm) | gfx125x tensor DMA (2026) |
//! | `fmha` | [`FmhaKWholeK`](struct@FmhaKWholeK), [`FmhaV`](struct@FmhaV), [`FmhaBwdX`](struct@FmhaBwdX) | FMHA pipelines |
//! | `batched_transpose` | [`BatchedTranspose`](struct@BatchedTranspose) | batched transpose |
//! | `transposed` | [`Transposed`] | any of two dimensions, these exchanged |
//! | `joined` | [`Joined`] | any of two dimensions, several rows to a row |
//! | `moe` | [`MoeBridge`](struct@MoeBridge) | fused MoE |
//!
//! The name is also a `const` function: the [`Plan`](crate::Plan) of numbers that only the run time
//! knows, in the order of the parameters, from the same formula and with the same errors. So
//! links in rustdoc say which one they mean, `struct@GemmXor` or `fn@GemmXor`.
//!
//! ```
//! use tiledesc::{prelude::*, recipe};
//!
//! let (m, k) = (128, 64); // from a file, say
//! assert_eq!(recipe::GemmXor::<F16>([m, k, 8])?.offset(&[3, 17]), Ok(201));
//! # Ok::<(), tiledesc::Error>(())
//! ```
//!
//! By name, with numbers from a file: [`family`].
//!
//! CK Tile's files are those of `include/ck_tile/ops`.
//!
//! Parameters are any [`Number`](crate::Number); the names `M<128>`, `K<64>` say
//! which is which and appear in errors. In a generic kernel pass `M: Number`
//! itself. [`layout!`](crate::layout!) knows the names; elsewhere they are
//! `use tiledesc::recipe::{K, M}`, so that a kernel's own `const K: usize` does not
//! meet a type of that name.

/// Declares recipes: a name, its parameters after the element type, perhaps a sequence after
/// `;`, and the descriptor. The name is a type, and a function of run-time numbers, which a
/// recipe with a sequence writes itself. `#[example(numbers, coordinate, offset)]` is the
/// function's, of halves, the offset by the formula of the page.
macro_rules! recipe {
    ($(
        $(#[doc = $doc:literal])* $(#[doc(alias = $alias:literal)])* $(#[example($numbers:tt, $index:tt, $offset:literal)])? pub struct $Name:ident<E $(, $P:ident)* $(; $S:ident)?> = $Descriptor:ty;
    )*) => {$(
        $(#[doc = $doc])*
        $(#[doc(alias = $alias)])*
        pub struct $Name<E $(, $P)* $(, $S)?> {
            // Named, so that the name is free for the function.
            parameters: core::marker::PhantomData<(E, $($P,)* $($S)?)>,
        }

        impl<E $(, $P)* $(, $S)?> $Name<E $(, $P)* $(, $S)?> {
            /// Its page, line by line: what a [`Family`](crate::recipe::Family) tells of it.
            pub(in crate::recipe) const PAGE: &'static [&'static str] = &[$($doc),*];
        }
        impl<E $(, $P)* $(, $S)?> Clone for $Name<E $(, $P)* $(, $S)?> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<E $(, $P)* $(, $S)?> Copy for $Name<E $(, $P)* $(, $S)?> {}
        impl<E $(, $P)* $(, $S)?> Default for $Name<E $(, $P)* $(, $S)?> {
            fn default() -> Self {
                Self { parameters: core::marker::PhantomData }
            }
        }
        impl<E $(, $P)* $(, $S)?> core::fmt::Debug for $Name<E $(, $P)* $(, $S)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(stringify!($Name))
            }
        }

        impl<
            E: $crate::Element
            $(, $P: tiledesc_transforms::Number)*
            $(, $S: tiledesc_transforms::Lengths + Default + 'static)?
        > $crate::layout::Tile for $Name<E $(, $P)* $(, $S)?>
        {
            type Element = E;
            type Descriptor = $Descriptor;
            const FAULT: Option<tiledesc_transforms::NumberError> = $crate::parameter::misplaced(
                &[$((<$P as tiledesc_transforms::Number>::N, <$P as tiledesc_transforms::Number>::NAME)),*],
                &[$(stringify!($P)),*],
            );
        }
        tiledesc_transforms::__adaptor!(
            [E: $crate::Element $(, $P: tiledesc_transforms::Number)* $(, $S: tiledesc_transforms::Lengths + Default + 'static)?]
            $Name<E $(, $P)* $(, $S)?>,
            <Self as $crate::layout::Tile>::Descriptor,
            $crate::layout::refused::<Self>()
        );
        $crate::recipe::of_numbers! { $Name [] [$($P)*] [0 1 2 3 4 5 6 7 8 9 10 11] [$($numbers, $index, $offset)?] $($S)? }
    )*};
}

/// The function of a recipe, with its parameters paired with their positions.
macro_rules! of_numbers {
    ($Name:ident [] $parameters:tt $positions:tt [] $Sequence:ident) => {};
    ($Name:ident [$($done:tt)*] [$P:ident $($rest:ident)*] [$i:tt $($more:tt)*] $example:tt) => {
        $crate::recipe::of_numbers! { $Name [$($done)* $P $i] [$($rest)*] [$($more)*] $example }
    };
    ($Name:ident [$($P:ident $i:tt)+] [] $more:tt [$numbers:tt, $index:tt, $offset:literal]) => {
        #[doc = concat!("The plan of a [`", stringify!($Name), "`](struct@", stringify!($Name), ") of")]
        #[doc = concat!("numbers that only the run time knows, in this order:" $(, " `", stringify!($P), "`")+, ".")]
        ///
        /// ```
        /// use tiledesc::{F16, recipe};
        ///
        #[doc = concat!("let plan = recipe::", stringify!($Name), "::<F16>(", stringify!($numbers), ")?;")]
        #[doc = concat!("assert_eq!(plan.offset(&", stringify!($index), "), Ok(", stringify!($offset), "));")]
        /// # Ok::<(), tiledesc::Error>(())
        /// ```
        ///
        /// # Errors
        ///
        /// Those of the type, in the same sentences.
        #[allow(non_snake_case)]
        pub const fn $Name<E: $crate::Element>(
            numbers: [u32; [$(stringify!($P)),+].len()],
        ) -> Result<tiledesc_transforms::Plan, tiledesc_transforms::Error> {
            let form = <$Name<E, $(tiledesc_transforms::Parameter<$i>),+> as tiledesc_transforms::Adaptor>::FORM;
            $crate::layout::sized(form.plan_of(numbers, [$(stringify!($P)),+]), E::BITS)
        }
    };
}
pub(crate) use of_numbers;

/// The plan of a recipe of so many numbers and a list, known only at run time: `numbers` are its
/// parameters by name and position, `items` the positions of the list.
macro_rules! of_list {
    ($Name:ident, $E:ident, $numbers:expr, $list:expr, [$($name:literal $i:literal)+], [$($item:literal)*]) => {{
        // One form for each length of the list.
        let forms = $crate::recipe::of_list!(@each $Name $E [$($i)+] [] [] $($item)*);
        let (numbers, list) = ($numbers, $list);
        if list.len() >= forms.len() {
            let length = list.len() as u32;
            return Err(tiledesc_transforms::Error::Number(
                tiledesc_transforms::NumberError::TooLong { length },
            ));
        }
        const COUNT: usize = [$($i),+].len();
        let (mut values, mut names) = ([0; COUNT + [$($item),*].len()], [""; COUNT + [$($item),*].len()]);
        $(
            values[$i] = numbers[$i];
            names[$i] = $name;
        )+
        let mut i = 0;
        while i < list.len() {
            values[COUNT + i] = list[i];
            i += 1;
        }
        $crate::layout::sized(forms[list.len()].plan_of(values, names), <$E as $crate::Element>::BITS)
    }};
    (@each $Name:ident $E:ident $numbers:tt [$($form:expr,)*] $before:tt $($rest:literal)*) => {
        $crate::recipe::of_list!(@one $Name $E $numbers $numbers [$($form,)*] $before [$($rest)*])
    };
    (@one $Name:ident $E:ident [$($i:literal)+] $numbers:tt [$($form:expr,)*] [$($before:literal)*] $rest:tt) => {
        $crate::recipe::of_list!(@more $Name $E $numbers [
            $($form,)*
            <$Name<
                $E, $(tiledesc_transforms::Parameter<$i>,)+ ($(tiledesc_transforms::Parameter<$before>,)*)
            > as tiledesc_transforms::Adaptor>::FORM,
        ] [$($before)*] $rest)
    };
    (@more $Name:ident $E:ident $numbers:tt $forms:tt [$($before:literal)*] [$next:literal $($rest:literal)*]) => {
        $crate::recipe::of_list!(@each $Name $E $numbers $forms [$($before)* $next] $($rest)*)
    };
    (@more $Name:ident $E:ident $numbers:tt $forms:tt $before:tt []) => { $forms };
}
pub(crate) use of_list;

mod asynchronous;
mod batched_transpose;
mod column_major;
mod family;
mod fmha;
mod gemm;
mod joined;
mod linear_packs;
mod methods;
mod moe;
mod pad;
mod row_major;
mod shift;
mod tdm;
mod transposed;
mod xor;

pub use asynchronous::{
    AsyncRows, AsyncStore, FmhaKAsyncLoad, FmhaKAsyncStore, FmhaKSize, FmhaSingle, GemmAsync,
    MoeALoad, MoeAStore,
};
pub use batched_transpose::BatchedTranspose;
pub use column_major::{FmhaBwdXT, GemmColumnMajor};
pub use family::{Family, families, family};
pub use fmha::{FmhaBwdX, FmhaKWholeK, FmhaV, FmhaVSize};
pub use gemm::{GemmXor, GemmXor64, GemmXorBits, GemmXorLayer, MLdsLayerOf, gemm_xor, mlds_layer};
pub use joined::{Joined, JoinedRows, RowsOver, joined};
pub use linear_packs::LinearPacks;
pub use moe::MoeBridge;
pub use pad::{FlatmmPad, FmhaK, GemmV1Pad, SplitKvCombine, SplitKvCombineTransposed};
pub use row_major::{CShuffle, CShuffleColumn, GemmDsReadTr, RowMajor, RowPad};
pub use shift::RowShift;
pub use tdm::GemmTdm;
pub use transposed::{Exchanged, LengthOf, Transposed, transposed};
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
pub type RowsPerRound<E, K, Banks> = RowsOf<Bits<E>, K, Banks>;

/// The same of elements of so many bits.
pub(crate) type RowsOf<Bits, K, Banks> =
    Max<Lit<1>, Quotient<Quotient<Mul<Banks, Lit<32>>, K>, Bits>>;

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
            GemmXorBits<E, M, K, KPack, MLdsLayer, Masks>
            LinearPacks<E, M, K, KPack, Columns>
            MoeBridge<E, RepM, RepN, Warps>
            GemmV1Pad<E, M, K>
            FlatmmPad<E, M, K, KPack>
            FmhaK<E, N, K>
            SplitKvCombine<E, M, N, KPack>
            SplitKvCombineTransposed<E, M, N, KPack>
            RowMajor<E, M, K>
            RowPad<E, M, K, Padding>
            RowShift<E, M, K, KPack>
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
