//! Recipes: the layouts that CK Tile ships, by its parameter names.
//!
//! Each is an alias: `GemmXor<F16, M<128>, K<64>, KPack<8>>` is a [`Layout<F16, of::GemmXor<..>>`](crate::Layout), which has all
//! the methods. Its second parameter, in [`of`], is the [`Recipe`](crate::Recipe): its [`Descriptor`](crate::Recipe::Descriptor)
//! is the composition of transforms of that name, and errors have the name. The arithmetic of the formulas is done by
//! [numbers](mod@crate::number), so a tile that does not divide is refused with the names of the parameters:
//!
//! ```text
//! error: ABlock: K = 64 is not a multiple of KPack = 24
//! ```
//!
//! | file | recipes | CK Tile (2025-08 unless said) |
//! |---|---|---|
//! | `row_major` | [`RowMajor`](type@RowMajor), [`RowPad`](type@RowPad), [`CShuffle`](type@CShuffle), [`CShuffleColumn`](type@CShuffleColumn), [`GemmDsReadTr`](type@GemmDsReadTr) | plain tiles |
//! | `xor` | [`XorPreshuffle`](type@XorPreshuffle), [`FlatmmXor`](type@FlatmmXor) | docs `lds_index_swapping`; flatmm 16x16 |
//! | `shift` | [`RowShift`](type@RowShift) | packs rotated by the row, for any length |
//! | `gemm` | [`GemmXor`](type@GemmXor), [`GemmXor64`](type@GemmXor64), [`GemmXorLayer`](type@GemmXorLayer) | universal GEMM policy, 32 and 64 banks |
//! | | [`GemmXorBits`](type@GemmXorBits) | none: `GemmXorLayer` with any masks |
//! | `linear_packs` | [`LinearPacks`](type@LinearPacks) | none: any linear layout of packs |
//! | `dense` | [`DenseXor`](type@DenseXor) | none: CuTe's swizzle of the offset, for any length |
//! | `interval` | [`IntervalPad`](type@IntervalPad) | none: Triton's `padded_shared`, TensileLite's pads |
//! | `pad` | [`GemmV1Pad`](type@GemmV1Pad), [`FlatmmPad`](type@FlatmmPad), [`FmhaK`](type@FmhaK), [`SplitKvCombine`](type@SplitKvCombine) | `(M + 1) * KPack` |
//! | `asynchronous` | [`GemmAsync`](type@GemmAsync), [`FmhaKAsyncStore`](type@FmhaKAsyncStore), [`FmhaKAsyncLoad`](type@FmhaKAsyncLoad), [`MoeAStore`](type@MoeAStore), [`MoeALoad`](type@MoeALoad) | direct-to-LDS |
//! | `column_major` | [`GemmColumnMajor`](type@GemmColumnMajor), [`FmhaBwdXT`](type@FmhaBwdXT) | MN-contiguous operand (2025-11), X transposed |
//! | `tdm` | [`GemmTdm`](type@GemmTdm) | gfx125x tensor DMA (2026) |
//! | `fmha` | [`FmhaKWholeK`](type@FmhaKWholeK), [`FmhaV`](type@FmhaV), [`FmhaBwdX`](type@FmhaBwdX) | FMHA pipelines |
//! | `batched_transpose` | [`BatchedTranspose`](type@BatchedTranspose) | batched transpose |
//! | `transposed` | [`Transposed`] | any of two dimensions, these exchanged |
//! | `joined` | [`Joined`] | any of two dimensions, several rows to a row |
//! | `moe` | [`MoeBridge`](type@MoeBridge) | fused MoE |
//!
//! The name is also a `const` function: the [`Plan`](crate::Plan) of run-time numbers, in the order of the parameters, from the
//! same formula and with the same errors. Links in rustdoc therefore state which one they mean, `type@GemmXor` or `fn@GemmXor`.
//!
//! ```
//! use tiledesc::{prelude::*, recipe};
//!
//! let (m, k) = (128, 64); // from a file, say
//! assert_eq!(recipe::GemmXor::<F16>([m, k, 8])?.offset(&[3, 17]), Ok(201));
//! # Ok::<(), tiledesc::Error>(())
//! ```
//!
//! By name, with numbers from a file: [`family`]. As a choice of numbers, which a search makes: a [`Spec`] of a [`Shape`],
//! whose [`Scheme`] names the recipe.
//!
//! CK Tile's files are those of `include/ck_tile/ops`.
//!
//! Parameters are any [`Number`](crate::Number); the names `M<128>`, `K<64>` say
//! which is which and appear in errors. In a generic kernel pass `M: Number`
//! itself. [`layout!`](crate::layout!) knows the names; elsewhere they are
//! `use tiledesc::recipe::{K, M}`, so that a kernel's own `const K: usize` does not
//! meet a type of that name.

/// Declares recipes. The name is an alias of the layout, and a function of run-time numbers, which a recipe with
/// a sequence writes itself.
///
/// | argument | holds |
/// |---|---|
/// | `$doc`, `$alias` | the page, and what else it is searched by |
/// | `$numbers, $index, $offset` | the function's example, of halves: `([128, 64, 8], [3, 17], 201)`, the offset by the formula of the page |
/// | `$Name`, `$P` | the recipe and its parameters after the element type |
/// | `$S` | a sequence after `;`, if it takes one |
/// | `$Descriptor` | the composition, in these names and `E` |
/// | `$rank` | the number of dimensions, unless it is 2 |
/// | `$exchanged` | `dimensions`, where the parameter of the second comes first |
/// | `$outline` | what its numbers tell without a plan, if they do: see `outline` |
///
/// `@function` writes the function, with its parameters paired with their positions: it gets the parameters that are paired
/// `P i ..`, the parameters and the positions that are left, and the example, `[]` where a recipe writes its function itself.
macro_rules! recipe {
    ($(
        $(#[doc = $doc:literal])* $(#[doc(alias = $alias:literal)])* $(#[example($numbers:tt, $index:tt, $offset:literal)])? pub type $Name:ident<E $(, $P:ident)* $(; $S:ident)?> = $Descriptor:ty $(, rank $rank:ident)? $(, exchanged $exchanged:ident)? $(, outline $outline:expr)?;
    )*) => {$(
        $(#[doc = $doc])*
        $(#[doc(alias = $alias)])*
        pub type $Name<E $(, $P)* $(, $S)?> = $crate::Layout<E, $crate::recipe::of::$Name<$($P,)* $($S)?>>;

        impl<$($P,)* $($S)?> $crate::recipe::of::$Name<$($P,)* $($S)?> {
            /// Its page, line by line: the page of a [`Family`](crate::recipe::Family).
            pub(in crate::recipe) const PAGE: &'static [&'static str] = &[$($doc),*];
        }

        impl<
            E: $crate::Element
            $(, $P: tiledesc_transforms::Number)*
            $(, $S: tiledesc_transforms::Lengths + Default + 'static)?
        > $crate::Recipe<E> for $crate::recipe::of::$Name<$($P,)* $($S)?>
        {
            type Rank = $crate::recipe::recipe!(@rank $($rank)?);
            type Descriptor = $Descriptor;
            const NAME: &'static str = stringify!($Name);
            const DIMENSIONS: [&'static str; 2] = $crate::recipe::recipe!(@names [$($exchanged)?] $crate::parameter::dimensions(
                &[$(<$P as tiledesc_transforms::Number>::NAME),*],
                &[$(stringify!($P)),*],
            ));
            const PLACES: &'static [(u32, &'static str)] =
                &[$((<$P as tiledesc_transforms::Number>::N, stringify!($P))),*];
            const FAULT: Option<tiledesc_transforms::NumberError> = $crate::parameter::misplaced(
                &[$((<$P as tiledesc_transforms::Number>::N, <$P as tiledesc_transforms::Number>::NAME)),*],
                &[$(stringify!($P)),*],
            );
            $(const OUTLINE: &'static Option<$crate::layout::Outline> = &{
                let outline = $outline;
                outline
            };)?
        }
        $crate::recipe::recipe! { @function $Name [] [$($P)*] [0 1 2 3 4 5 6 7 8 9 10 11] [$($numbers, $index, $offset)?] $($S)? }
    )*};
    // The names of the dimensions, from those of its parameters.
    (@names [] $names:expr) => {
        $names
    };
    (@names [dimensions] $names:expr) => {{
        let [second, first] = $names;
        [first, second]
    }};
    // The number of dimensions: 2, unless it states another.
    (@rank) => {
        typenum::U2
    };
    (@rank $rank:ident) => {
        typenum::$rank
    };
    // With a sequence: its own.
    (@function $Name:ident [] $parameters:tt $positions:tt [] $Sequence:ident) => {};
    // Pairs one parameter.
    (@function $Name:ident [$($done:tt)*] [$P:ident $($rest:ident)*] [$i:tt $($more:tt)*] $example:tt) => {
        $crate::recipe::recipe! { @function $Name [$($done)* $P $i] [$($rest)*] [$($more)*] $example }
    };
    // All are paired: the function.
    (@function $Name:ident [$($P:ident $i:tt)+] [] $more:tt [$numbers:tt, $index:tt, $offset:literal]) => {
        #[doc = concat!("The plan of a [`", stringify!($Name), "`](type@", stringify!($Name), ") of")]
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
        /// The errors of the type, in the same sentences.
        #[allow(non_snake_case)]
        pub const fn $Name<E: $crate::Element>(
            numbers: [u32; [$(stringify!($P)),+].len()],
        ) -> Result<tiledesc_transforms::Plan, tiledesc_transforms::Error> {
            let form = <$Name<E, $(tiledesc_transforms::Parameter<$i>),+> as tiledesc_transforms::Adaptor>::FORM;
            $crate::layout::sized(form.plan_of(numbers, [$(stringify!($P)),+]), E::BITS)
        }
    };
}
pub(crate) use recipe;

/// The plan of a recipe of several numbers and a list, known only at run time. A type's list has a fixed length,
/// so there is a form for each length; the values of the list follow the numbers.
///
/// | rule | does |
/// |---|---|
/// | without a name | checks the length, lines up names and values, fills in the form |
/// | `@each`, `@one`, `@more` | the forms of lists of 0, 1, .. items: one is added, then the list grows |
///
/// | argument | holds |
/// |---|---|
/// | `$Name`, `$E` | the recipe and the element |
/// | `$numbers`, `$list` | the values, expressions |
/// | `$name $i` | each parameter and its position among the values |
/// | `$item` | the positions that the items of the longest list have |
/// | `$form` | the forms so far |
/// | `$before`, `$rest` | the positions that the next form's list has, and those that are left |
macro_rules! of_list {
    // The plan.
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
    // The next form, with the numbers once to repeat and once to keep.
    (@each $Name:ident $E:ident $numbers:tt [$($form:expr,)*] $before:tt $($rest:literal)*) => {
        $crate::recipe::of_list!(@one $Name $E $numbers $numbers [$($form,)*] $before [$($rest)*])
    };
    // Adds the form of a list of the positions before.
    (@one $Name:ident $E:ident [$($i:literal)+] $numbers:tt [$($form:expr,)*] [$($before:literal)*] $rest:tt) => {
        $crate::recipe::of_list!(@more $Name $E $numbers [
            $($form,)*
            <$Name<
                $E, $(tiledesc_transforms::Parameter<$i>,)+ ($(tiledesc_transforms::Parameter<$before>,)*)
            > as tiledesc_transforms::Adaptor>::FORM,
        ] [$($before)*] $rest)
    };
    // A longer list.
    (@more $Name:ident $E:ident $numbers:tt $forms:tt [$($before:literal)*] [$next:literal $($rest:literal)*]) => {
        $crate::recipe::of_list!(@each $Name $E $numbers $forms [$($before)* $next] $($rest)*)
    };
    // None is longer.
    (@more $Name:ident $E:ident $numbers:tt $forms:tt $before:tt []) => { $forms };
}
pub(crate) use of_list;

mod asynchronous;
mod batched_transpose;
mod column_major;
mod dense;
mod family;
mod fmha;
mod gemm;
mod interval;
mod joined;
mod linear_packs;
mod moe;
mod named;
pub mod of;
pub(crate) mod outline;
mod pad;
mod row_major;
mod shape;
mod shift;
pub(crate) mod spec;
mod tdm;
mod transposed;
mod xor;

pub use asynchronous::{
    AsyncRows, AsyncStore, FmhaKAsyncLoad, FmhaKAsyncStore, FmhaKSize, FmhaSingle, GemmAsync,
    MoeALoad, MoeAStore,
};
pub use batched_transpose::BatchedTranspose;
pub use column_major::{FmhaBwdXT, GemmColumnMajor};
pub use dense::DenseXor;
pub use family::{Family, families, family};
pub use fmha::{FmhaBwdX, FmhaKWholeK, FmhaV, FmhaVSize};
pub use gemm::{GemmXor, GemmXor64, GemmXorBits, GemmXorLayer, MLdsLayerOf, gemm_xor, mlds_layer};
pub use interval::IntervalPad;
pub use joined::{Joined, JoinedRows, RowsOver, joined};
pub use linear_packs::LinearPacks;
pub use moe::MoeBridge;
pub(crate) use named::RowsOf;
use named::numbers;
pub use named::{PackOf, RowsPerRound};
pub use pad::{FlatmmPad, FmhaK, GemmV1Pad, SplitKvCombine, SplitKvCombineTransposed};
pub use row_major::{CShuffle, CShuffleColumn, GemmDsReadTr, RowMajor, RowPad};
pub use shape::Shape;
pub use shift::RowShift;
pub use spec::{Scheme, Spec};
pub use tdm::GemmTdm;
pub use transposed::{Exchanged, LengthOf, Transposed, transposed};
pub use xor::{FlatmmXor, XorPreshuffle};

pub use crate::parameter::*;
