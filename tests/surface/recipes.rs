//! A recipe is written once: the plan that its type has and the plan that its function
//! makes of run-time numbers are one, and so are their refusals.

use std::collections::{BTreeMap, BTreeSet};
use tiledesc::prelude::*;
use tiledesc::recipe::{
    BlockSize, Buffer, Buffers, Every, K, KIter, KPack, LinePacks, M, MLdsLayer, MN, MPerXdl, N,
    Padding, Rep, VectorSize, Warps,
};
use tiledesc::{Error, Plan, layout};

mod formulas;

/// Parameters that recipes have and the crate has no name for.
macro_rules! names {
    ($($Name:ident)*) => {$(
        #[derive(Clone, Copy, Default)]
        struct $Name<const VALUE: usize>;
        impl<const VALUE: usize> Number for $Name<VALUE> {
            const N: u32 = VALUE as u32;
            const NAME: &'static str = stringify!($Name);
        }
    )*};
}
names! { Single RepM RepN }

/// What the type of a recipe says, or its function.
type Made = fn() -> Result<Plan, Error>;
/// A recipe, its type and its function.
type Case = (&'static str, Made, Made);

macro_rules! cases {
    ($($Recipe:ident<$E:ty>($($P:ident $n:literal),*))*) => {
        [$((
            stringify!($Recipe),
            || <recipe::$Recipe<$E, $($P<$n>),*> as Adaptor>::PLAN,
            || recipe::$Recipe::<$E>([$($n),*]),
        )),*]
    };
}

const CASES: &[Case] = &cases! {
    RowMajor<F16>(M 128, K 64) RowMajor<F8>(M 12, K 20) RowMajor<F32>(M 1, K 1)
    RowMajor<F4>(M 64, K 64) RowMajor<F16>(M 0, K 64) RowMajor<F64>(M 32768, K 65536)
    RowMajor<F16>(M 65536, K 65537)

    RowPad<F16>(M 128, K 64, Padding 8) RowPad<F8>(M 12, K 20, Padding 1)
    RowPad<F32>(M 1, K 1, Padding 0) RowPad<F4>(M 64, K 64, Padding 2)
    RowPad<F16>(M 128, K 0, Padding 8) RowPad<F16>(M 128, K 4294967295, Padding 8)

    IntervalPad<F16>(M 64, K 96, Every 256, Padding 8) IntervalPad<F8>(M 3, K 20, Every 4, Padding 1)
    IntervalPad<F32>(M 128, K 32, Every 32, Padding 1) IntervalPad<F4>(M 64, K 64, Every 512, Padding 0)
    IntervalPad<F16>(M 64, K 96, Every 250, Padding 8) IntervalPad<F16>(M 64, K 96, Every 0, Padding 8)

    RowShift<F16>(M 64, K 96, KPack 8) RowShift<F8>(M 3, K 15, KPack 5)
    RowShift<F32>(M 64, K 48, KPack 4) RowShift<F16>(M 1, K 8, KPack 8)
    RowShift<F16>(M 64, K 100, KPack 8)

    CShuffle<F16>(M 32, N 64) CShuffle<F32>(M 64, N 64) CShuffle<F8>(M 3, N 5)
    CShuffle<BF16>(M 128, N 256) CShuffle<F16>(M 32, N 0)

    CShuffleColumn<F16>(M 32, N 64) CShuffleColumn<F32>(M 64, N 64)
    CShuffleColumn<F8>(M 3, N 5) CShuffleColumn<BF16>(M 128, N 256)
    CShuffleColumn<F16>(M 0, N 64)

    GemmDsReadTr<F16>(K 32, MN 128) GemmDsReadTr<F8>(K 64, MN 128)
    GemmDsReadTr<F16>(K 16, MN 64) GemmDsReadTr<BF16>(K 3, MN 5) GemmDsReadTr<F16>(K 0, MN 5)

    XorPreshuffle<F16>(M 128, K 64, KPack 8) XorPreshuffle<F8>(M 64, K 64, KPack 16)
    XorPreshuffle<F32>(M 32, K 32, KPack 4) XorPreshuffle<F16>(M 7, K 8, KPack 2)
    XorPreshuffle<F16>(M 128, K 64, KPack 24) XorPreshuffle<F16>(M 128, K 96, KPack 8)
    XorPreshuffle<F16>(M 128, K 64, KPack 0)

    FlatmmXor<F16>(M 32, K 64, KPack 8) FlatmmXor<F8>(M 64, K 64, KPack 16)
    FlatmmXor<F32>(M 32, K 32, KPack 4) FlatmmXor<F16>(M 7, K 8, KPack 2)
    FlatmmXor<F16>(M 128, K 64, KPack 24)

    GemmXor<F16>(M 128, K 64, KPack 8) GemmXor<F16>(M 64, K 32, KPack 8)
    GemmXor<F8>(M 64, K 32, KPack 16) GemmXor<F32>(M 96, K 32, KPack 4)
    GemmXor<F16>(M 96, K 16, KPack 8) GemmXor<F16>(M 128, K 64, KPack 24)
    GemmXor<F16>(M 128, K 96, KPack 8) GemmXor<F16>(M 63, K 32, KPack 8)
    GemmXor<F16>(M 128, K 0, KPack 8) GemmXor<F16>(M 128, K 64, KPack 0)
    GemmXor<F16>(M 4294967295, K 64, KPack 8)

    GemmXor64<F16>(M 128, K 64, KPack 8) GemmXor64<F16>(M 64, K 32, KPack 8)
    GemmXor64<F8>(M 64, K 32, KPack 16) GemmXor64<F32>(M 96, K 32, KPack 4)
    GemmXor64<F16>(M 66, K 32, KPack 8) GemmXor64<F16>(M 64, K 60, KPack 8)

    GemmXorLayer<F16>(M 128, K 64, KPack 8, MLdsLayer 1)
    GemmXorLayer<F16>(M 64, K 32, KPack 8, MLdsLayer 4)
    GemmXorLayer<F8>(M 64, K 32, KPack 16, MLdsLayer 8)
    GemmXorLayer<F4>(M 96, K 32, KPack 4, MLdsLayer 2)
    GemmXorLayer<F16>(M 128, K 64, KPack 8, MLdsLayer 3)
    GemmXorLayer<F16>(M 128, K 64, KPack 24, MLdsLayer 3)

    GemmV1Pad<F16>(M 128, K 32) GemmV1Pad<F8>(M 64, K 64) GemmV1Pad<F32>(M 17, K 8)
    GemmV1Pad<F16>(M 256, K 128) GemmV1Pad<F16>(M 128, K 12)

    FlatmmPad<F16>(M 128, K 64, KPack 8) FlatmmPad<F8>(M 64, K 64, KPack 16)
    FlatmmPad<F32>(M 17, K 8, KPack 4) FlatmmPad<F16>(M 256, K 128, KPack 1)
    FlatmmPad<F16>(M 128, K 64, KPack 12)

    FmhaK<F16>(N 128, K 32) FmhaK<F32>(N 128, K 32) FmhaK<F8>(N 64, K 16)
    FmhaK<BF16>(N 3, K 8) FmhaK<F16>(N 128, K 36)

    SplitKvCombine<F32>(M 32, N 64, KPack 4) SplitKvCombine<F32>(M 8, N 16, KPack 4)
    SplitKvCombine<F16>(M 16, N 16, KPack 8) SplitKvCombine<F32>(M 5, N 6, KPack 2)
    SplitKvCombine<F32>(M 32, N 65, KPack 4)

    SplitKvCombineTransposed<F32>(M 32, N 64, KPack 4)
    SplitKvCombineTransposed<F32>(M 8, N 16, KPack 4)
    SplitKvCombineTransposed<F16>(M 16, N 16, KPack 8)
    SplitKvCombineTransposed<F32>(M 5, N 6, KPack 2)
    SplitKvCombineTransposed<F32>(M 32, N 65, KPack 4)

    GemmAsync<F16>(M 128, K 64, KPack 8) GemmAsync<F8>(M 64, K 64, KPack 16)
    GemmAsync<F32>(M 17, K 8, KPack 4) GemmAsync<F16>(M 256, K 128, KPack 2)
    GemmAsync<F16>(M 128, K 64, KPack 10)

    FmhaKAsyncStore<F16>(N 128, K 32, Warps 4, Buffer 1, Single 4352)
    FmhaKAsyncStore<F16>(N 128, K 32, Warps 4, Buffer 0, Single 5000)
    FmhaKAsyncStore<F16>(N 64, K 64, Warps 2, Buffer 3, Single 4608)
    FmhaKAsyncStore<F8>(N 128, K 128, Warps 4, Buffer 1, Single 20000)
    FmhaKAsyncStore<F16>(N 100, K 32, Warps 4, Buffer 1, Single 4352)
    FmhaKAsyncStore<F16>(N 128, K 24, Warps 4, Buffer 1, Single 4352)
    FmhaKAsyncStore<F16>(N 128, K 32, Warps 4, Buffer 65536, Single 65536)

    FmhaKAsyncLoad<F16>(N 128, K 32, Warps 4, Buffers 2, Single 5000)
    FmhaKAsyncLoad<F16>(N 128, K 32, Warps 4, Buffers 1, Single 4352)
    FmhaKAsyncLoad<F16>(N 64, K 64, Warps 2, Buffers 3, Single 5000)
    FmhaKAsyncLoad<F8>(N 128, K 128, Warps 4, Buffers 2, Single 20000)
    FmhaKAsyncLoad<F16>(N 128, K 32, Warps 3, Buffers 2, Single 5000)

    MoeAStore<F16>(M 32, K 64, Warps 4) MoeAStore<F16>(M 64, K 64, Warps 2)
    MoeAStore<F8>(M 64, K 128, Warps 4) MoeAStore<F32>(M 32, K 32, Warps 8)
    MoeAStore<F16>(M 33, K 64, Warps 4)

    MoeALoad<F16>(M 32, K 64, Warps 4) MoeALoad<F16>(M 64, K 64, Warps 2)
    MoeALoad<F8>(M 64, K 128, Warps 4) MoeALoad<F32>(M 32, K 32, Warps 8)
    MoeALoad<F16>(M 32, K 63, Warps 4)

    BatchedTranspose<F16>(M 64, N 64, VectorSize 4) BatchedTranspose<F8>(M 32, N 64, VectorSize 8)
    BatchedTranspose<F32>(M 5, N 6, VectorSize 2) BatchedTranspose<F16>(M 1, N 8, VectorSize 8)
    BatchedTranspose<F16>(M 64, N 64, VectorSize 5)

    GemmColumnMajor<F16>(MN 128, K 64, VectorSize 8, MPerXdl 32, BlockSize 256)
    GemmColumnMajor<F16>(MN 128, K 32, VectorSize 8, MPerXdl 32, BlockSize 256)
    GemmColumnMajor<F16>(MN 256, K 64, VectorSize 8, MPerXdl 16, BlockSize 256)
    GemmColumnMajor<F16>(MN 256, K 32, VectorSize 4, MPerXdl 32, BlockSize 256)
    GemmColumnMajor<F16>(MN 128, K 64, VectorSize 8, MPerXdl 24, BlockSize 256)
    GemmColumnMajor<F16>(MN 100, K 64, VectorSize 8, MPerXdl 32, BlockSize 256)

    FmhaBwdXT<F16>(KIter 1, MN 128, K 64, KPack 8, VectorSize 4, MPerXdl 32, BlockSize 256)
    FmhaBwdXT<F16>(KIter 2, MN 128, K 64, KPack 8, VectorSize 4, MPerXdl 32, BlockSize 256)
    FmhaBwdXT<F16>(KIter 1, MN 64, K 64, KPack 4, VectorSize 4, MPerXdl 32, BlockSize 256)
    FmhaBwdXT<BF16>(KIter 1, MN 128, K 128, KPack 8, VectorSize 4, MPerXdl 32, BlockSize 256)
    FmhaBwdXT<F16>(KIter 1, MN 100, K 64, KPack 8, VectorSize 4, MPerXdl 32, BlockSize 256)

    FmhaKWholeK<F16>(N 128, K 32, Buffers 2) FmhaKWholeK<F16>(N 64, K 64, Buffers 1)
    FmhaKWholeK<F8>(N 64, K 64, Buffers 3) FmhaKWholeK<F32>(N 16, K 16, Buffers 2)
    FmhaKWholeK<F16>(N 128, K 36, Buffers 2)

    FmhaV<F16>(N 128, K 32, Buffers 2, Single 5000) FmhaV<F16>(N 64, K 32, Buffers 1, Single 2304)
    FmhaV<F8>(N 128, K 64, Buffers 2, Single 9216) FmhaV<F32>(N 64, K 32, Buffers 3, Single 4000)
    FmhaV<F16>(N 100, K 32, Buffers 2, Single 5000)

    FmhaBwdX<F16>(MN 128, K 32, KPack 8, KIter 1) FmhaBwdX<F16>(MN 128, K 64, KPack 8, KIter 2)
    FmhaBwdX<F32>(MN 64, K 32, KPack 4, KIter 1) FmhaBwdX<BF16>(MN 64, K 16, KPack 8, KIter 3)
    FmhaBwdX<F16>(MN 127, K 32, KPack 8, KIter 1)

    GemmTdm<F16>(M 64, K 32, Padding 8) GemmTdm<F16>(M 128, K 64, Padding 0)
    GemmTdm<F8>(M 64, K 64, Padding 16) GemmTdm<F32>(M 32, K 32, Padding 4)
    GemmTdm<F16>(M 63, K 32, Padding 8)

    MoeBridge<F16>(RepM 2, RepN 2, Warps 4) MoeBridge<F16>(RepM 1, RepN 4, Warps 2)
    MoeBridge<BF16>(RepM 4, RepN 1, Warps 4) MoeBridge<F8>(RepM 2, RepN 3, Warps 1)
    MoeBridge<F16>(RepM 2, RepN 0, Warps 4)
};

macro_rules! listed_cases {
    ($(($($case:tt)+))*) => {
        [$(listed_cases! { @one $($case)+ }),*]
    };
    (@one $Recipe:ident <$E:ty>($($P:ident $n:literal),*; $($item:literal)*)) => {
        (
            stringify!($Recipe),
            || <recipe::$Recipe<$E, $($P<$n>,)* ($(Lit<$item>,)*)> as Adaptor>::PLAN,
            || recipe::$Recipe::<$E>([$($n),*], &[$($item),*]),
        )
    };
}

/// The recipes with a sequence.
const LISTED: &[Case] = &listed_cases! {
    (GemmXorBits <F16>(M 128, K 64, KPack 8, MLdsLayer 1; 1 2 4 0 1))
    (GemmXorBits <F16>(M 128, K 32, KPack 8, MLdsLayer 4; 3 2))
    (GemmXorBits <F8>(M 64, K 32, KPack 16, MLdsLayer 4; 7))
    (GemmXorBits <F4>(M 96, K 32, KPack 4, MLdsLayer 2; 15 0 1 8))
    (GemmXorBits <F16>(M 4096, K 64, KPack 8, MLdsLayer 1; 1 2 3 4 5 6 7 1 2 3 4 5))
    (GemmXorBits <F16>(M 128, K 64, KPack 8, MLdsLayer 1; 1 2 8))
    (GemmXorBits <F16>(M 128, K 64, KPack 24, MLdsLayer 1; 1))
    (GemmXorBits <F16>(M 128, K 64, KPack 8, MLdsLayer 3; 1))

    (DenseXor <F16>(M 64, K 96, KPack 8, LinePacks 8; 1 2 4))
    (DenseXor <F16>(M 128, K 64, KPack 8, LinePacks 8; 1 2 4 0 1))
    (DenseXor <F8>(M 24, K 80, KPack 16, LinePacks 4; 0 3 1))
    (DenseXor <F4>(M 96, K 40, KPack 8, LinePacks 16; 15 0 1 8))
    (DenseXor <F32>(M 7, K 24, KPack 4, LinePacks 2; 1))
    (DenseXor <F16>(M 64, K 96, KPack 8, LinePacks 8; 1 2 8))
    (DenseXor <F16>(M 64, K 96, KPack 24, LinePacks 3; 1))
    (DenseXor <F16>(M 64, K 100, KPack 8, LinePacks 8; 1))
    (DenseXor <F16>(M 1, K 96, KPack 8, LinePacks 8; 1))

    (LinearPacks <F16>(M 8, K 64, KPack 8; 1 2 4 9 18 36))
    (LinearPacks <F32>(M 16, K 32, KPack 4; 1 2 4 12 26))
    (LinearPacks <F8>(M 64, K 64, KPack 4; 16 32 1 2 4 8))
    (LinearPacks <F64>(M 2, K 8, KPack 1; 8 4 2 1))
    (LinearPacks <F16>(M 8, K 64, KPack 24; 1 2))
    (LinearPacks <F16>(M 96, K 64, KPack 8; 1 2))
    (LinearPacks <F16>(M 2, K 32, KPack 8; 1 2 4 8))
    (LinearPacks <F16>(M 2, K 32, KPack 8; 1 2 4294967295))
};

fn all() -> impl Iterator<Item = &'static Case> {
    CASES.iter().chain(LISTED)
}

/// More masks than a sequence holds; and those of single bits are `GemmXorLayer`.
#[test]
fn masks_of_bits() {
    let error = recipe::GemmXorBits::<F16>([128, 64, 8, 1], &[1; 13]).unwrap_err();
    assert_eq!(error.to_string(), "a sequence of 13 elements (the limit is 12)");
    for (m, k, pack, layers) in
        [(128u32, 64u32, 8, 1), (64, 32, 8, 2), (256, 16, 4, 4), (32, 128, 8, 1)]
    {
        let chunks = k / pack * layers;
        let masks: Vec<u32> = (0..chunks.ilog2()).map(|b| 1 << b).collect();
        let bits = recipe::GemmXorBits::<F16>([m, k, pack, layers], &masks).unwrap();
        let layer = recipe::gemm_xor(m, k, pack, layers).unwrap();
        assert_eq!(bits.linear(), layer.linear());
        assert_eq!(bits.vector(1), layer.vector(1));
    }
}

#[test]
fn a_type_and_its_function_have_one_plan() {
    for (number, (recipe, of_type, of_numbers)) in all().enumerate() {
        let (of_type, of_numbers) = (of_type(), of_numbers());
        assert_eq!(of_type, of_numbers, "case {number}, {recipe}");
        if let (Err(typed), Err(given)) = (of_type, of_numbers) {
            assert_eq!(typed.to_string(), given.to_string());
        }
    }
}

/// The recipes that the sources declare.
fn declared() -> BTreeSet<String> {
    let folder = support::root().join("src/recipe");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let text: Vec<_> = files.map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let heads = text.iter().flat_map(|text| text.lines()).filter_map(|line| {
        line.strip_prefix("    pub type ")?.split_once("<E, ").map(|(name, _)| name)
    });
    heads.map(str::to_owned).collect()
}

/// Refuses a list that is not of the recipes that there are, with the names that it lacks or has too many.
fn lists_all(listed: &BTreeSet<String>, all: &BTreeSet<String>, place: &str) {
    let (lacks, has) = (all - listed, listed - all);
    assert!(lacks.is_empty(), "{place} has no line of {lacks:?}");
    assert!(has.is_empty(), "{place} has a line of {has:?}, which no file of src/recipe declares");
}

#[test]
fn every_recipe_has_four_plans_and_a_refusal_here() {
    let mut counted = BTreeMap::<_, [u32; 2]>::new();
    for (recipe, of_type, _) in all() {
        counted.entry((*recipe).to_owned()).or_default()[usize::from(of_type().is_err())] += 1;
    }
    lists_all(&counted.keys().cloned().collect(), &declared(), "`CASES` or `LISTED` of this file");
    for (recipe, [plans, refusals]) in counted {
        assert!(plans >= 4 && refusals >= 1, "{recipe}: {plans} plans, {refusals} refusals");
    }
}

/// The kernels that compute the offsets of every recipe on a device are of a workspace that a plain `cargo test`
/// does not build: 208 crates. Its list is read here, so that a new recipe is missed at once.
#[test]
fn every_recipe_is_computed_on_a_device_too() {
    let text = |file| std::fs::read_to_string(support::root().join(file)).unwrap();
    let offsets = text("kernels/run/tests/offsets.rs");
    let lines = offsets.lines().filter_map(|line| {
        let (launch, recipe) = line.trim().split_once(": ")?;
        launch.starts_with("launch").then(|| recipe.split('<').next().unwrap().to_owned())
    });
    // Recipes made of another recipe are not in `families`.
    let of = text("src/recipe/of.rs");
    let made = of.split("\nrecipes! {").nth(1).unwrap();
    let made = made.split('}').next().unwrap().lines().filter_map(|line| line.split_once('<'));
    let mut all: BTreeSet<_> = made.map(|(name, _)| name.trim().to_owned()).collect();
    assert!(all.contains("Joined"), "the combinators are not read: {all:?}");
    all.extend(recipe::families::<F16>().iter().map(|family| family.name().to_owned()));
    lists_all(&lines.collect(), &all, "kernels/run/tests/offsets.rs");
}

/// Names in sentences are those of the recipe's parameters.
#[test]
fn a_refusal_names_the_parameters() {
    let said = |plan: Result<Plan, Error>| plan.unwrap_err().to_string();
    assert_eq!(
        said(recipe::GemmXor::<F16>([128, 64, 24])),
        "K = 64 is not a multiple of KPack = 24"
    );
    assert_eq!(
        said(recipe::GemmXorLayer::<F16>([128, 64, 8, 3])),
        "M = 128 is not a multiple of MLdsLayer = 3"
    );
}

/// A constant, as the search of remedies needs it.
#[test]
fn a_plan_of_numbers_can_be_a_constant() {
    const SPACE: u64 = match recipe::GemmXor::<F16>([64, 32, 8]) {
        Ok(plan) => plan.element_space(),
        Err(_) => 0,
    };
    assert_eq!(SPACE, 2048);
}

/// A number by the name `$Other` in each place of a recipe in turn.
macro_rules! misplaced {
    ($made:ident $Other:ident $($Recipe:ident($($P:ident $n:literal),*))*) => {
        $(misplaced! { @each $made $Other $Recipe [] [] [$($P $n)*] })*
    };
    (@each $made:ident $Other:ident $Recipe:ident $tail:tt $before:tt []) => {};
    (@each $made:ident $Other:ident $Recipe:ident [$($Tail:ty)?] [$($b:literal)*]
        [$P:ident $n:literal $($Q:ident $a:literal)*]) => {
        $made.push((
            stringify!($Recipe), stringify!($P), stringify!($Other), $n,
            (|| <recipe::$Recipe<F16, $(Lit<$b>,)* $Other<$n> $(, Lit<$a>)* $(, $Tail)?> as Adaptor>::PLAN) as Made,
        ));
        misplaced! { @each $made $Other $Recipe [$($Tail)?] [$($b)* $n] [$($Q $a)*] }
    };
}

/// Another name is refused in every place of every recipe; its own, and a number without a
/// name, are taken.
#[test]
fn another_name_is_refused() {
    let mut made = Vec::new();
    macro_rules! with {
        ($($Other:ident)*) => {$(misplaced! { made $Other
            RowMajor(M 128, K 64) RowPad(M 128, K 64, Padding 8)
            IntervalPad(M 64, K 96, Every 256, Padding 8) CShuffle(M 32, N 64)
            CShuffleColumn(M 32, N 64) RowShift(M 64, K 96, KPack 8)
            GemmDsReadTr(K 32, MN 128) XorPreshuffle(M 128, K 64, KPack 8)
            FlatmmXor(M 32, K 64, KPack 8) GemmXor(M 128, K 64, KPack 8)
            GemmXor64(M 128, K 64, KPack 8) GemmXorLayer(M 64, K 32, KPack 8, MLdsLayer 4)
            GemmV1Pad(M 128, K 32) FlatmmPad(M 128, K 64, KPack 8) FmhaK(N 128, K 32)
            SplitKvCombine(M 32, N 64, KPack 4) SplitKvCombineTransposed(M 32, N 64, KPack 4)
            GemmAsync(M 128, K 64, KPack 8)
            FmhaKAsyncStore(N 128, K 32, Warps 4, Buffer 1, Single 4608)
            FmhaKAsyncLoad(N 128, K 32, Warps 4, Buffers 2, Single 5000)
            MoeAStore(M 32, K 64, Warps 4) MoeALoad(M 32, K 64, Warps 4)
            BatchedTranspose(M 64, N 64, VectorSize 4)
            GemmColumnMajor(MN 128, K 64, VectorSize 8, MPerXdl 32, BlockSize 256)
            FmhaBwdXT(KIter 1, MN 128, K 64, KPack 8, VectorSize 4, MPerXdl 32, BlockSize 256)
            FmhaKWholeK(N 128, K 32, Buffers 2) FmhaV(N 128, K 32, Buffers 2, Single 5000)
            FmhaBwdX(MN 128, K 32, KPack 8, KIter 1) GemmTdm(M 64, K 32, Padding 8)
            MoeBridge(RepM 2, RepN 2, Warps 4)
        })*};
    }
    macro_rules! bits {
        ($($Other:ident)*) => {$(misplaced! { @each made $Other GemmXorBits [(Lit<3>, Lit<2>)]
            [] [M 128 K 32 KPack 8 MLdsLayer 4] })*};
    }
    macro_rules! packs {
        ($($Other:ident)*) => {$(misplaced! { @each made $Other LinearPacks [(Lit<1>, Lit<2>)]
            [] [M 128 K 32 KPack 8] })*};
    }
    macro_rules! dense {
        ($($Other:ident)*) => {$(misplaced! { @each made $Other DenseXor [(Lit<3>, Lit<2>)]
            [] [M 64 K 96 KPack 8 LinePacks 8] })*};
    }
    packs! { M N MN K KPack MLdsLayer Padding VectorSize Warps }
    dense! { M N MN K KPack LinePacks Lines Every MLdsLayer Padding VectorSize Warps }
    bits! { M N MN K KPack MLdsLayer Padding VectorSize Warps }
    with! { M N MN K KPack Every LinePacks MLdsLayer Padding VectorSize Warps BlockSize MPerXdl Buffers Buffer
    KIter Rep Single RepM RepN }
    let recipes: BTreeSet<_> = made.iter().map(|case| case.0.to_owned()).collect();
    lists_all(&recipes, &declared(), "the list of this test");

    for (recipe, place, name, value, plan) in &made {
        let has_n = made.iter().any(|case| case.0 == *recipe && case.1 == "N");
        let belongs = match *place {
            "M" if !has_n => ["M", "N", "MN"].contains(name),
            "MN" => ["M", "N", "MN"].contains(name),
            "RepM" | "RepN" => *name == "Rep" || name == place,
            own => *name == own,
        };
        match plan() {
            Ok(_) => assert!(belongs, "{recipe}: {name} as {place}"),
            Err(error) => {
                assert_eq!(
                    error.to_string(),
                    format!("{name}<{value}> stands where {place} belongs")
                );
                assert!(!belongs, "{recipe}: {error}");
            }
        }
    }
}

mod descriptors {
    use super::*;
    use tiledesc::Function;

    /// The user's own constants do not meet the parameters of a descriptor.
    #[allow(dead_code)]
    const K: usize = 3;

    struct Backwards;
    impl Function for Backwards {
        const TABLE: &'static [u32] = &[3, 2, 1, 0];
    }

    descriptor! {
        type Everything<K, M, P>:
            packed [K div P + 1, M, 4, P] offset 2 * (K - P);
            right_pad[K div P + 1, 3] (0) -> (0),   slice[M, 1, M - 1] (1) -> (1),
            functor[Backwards] (2) -> (2),          left_pad[P, 2, unchecked] (3) -> (3);
            pass[K div P + 4] (0) -> (0),           pass[M - 2] (1) -> (1),
            cyclic_shift[4, P + 2] (2, 3) -> (2, 3);

        type AlignedTo<M, K, A>: aligned [M, K] to A;

        type Above<M, K, A>:
            over AlignedTo<M, K, A>;
            embed [K, M] strides [1, K] (0) -> (0, 1),   freeze[2] (1) -> ();

        type Gathered<F>:
            packed [4];
            functor[F] (0) -> (0);
    }

    macro_rules! same {
        ($($Name:ident($($n:literal),*))*) => {$(
            let typed = <$Name<$(Lit<$n>),*> as Adaptor>::PLAN;
            let given = $Name([$($n),*]);
            assert_eq!(typed.is_ok(), given.is_ok(), stringify!($Name));
            if typed.is_ok() {
                assert_eq!(typed, given);
            }
        )*};
    }

    #[test]
    fn every_base_and_kind_of_field() {
        same! {
            Everything(64, 8, 8) Everything(7, 5, 2) Everything(4, 8, 8) Everything(8, 1, 8)
            AlignedTo(9, 21, 16) AlignedTo(9, 32, 16) AlignedTo(9, 21, 0) AlignedTo(0, 21, 4)
            Above(9, 21, 16) Above(9, 2, 1)
        }
        assert!(Everything([64, 8, 8]).is_ok() && AlignedTo([9, 21, 16]).is_ok());
        let error = Everything([4, 8, 8]).unwrap_err();
        assert_eq!(error.to_string(), "the difference 4 - 8 is below zero");
    }

    /// A parameter that is not a number: the type is there, the function is not asked.
    #[test]
    fn a_parameter_may_be_a_function() {
        assert_eq!(Gathered::<Backwards>::default().at([1u32]), 2);
    }
}

/// Inside `recipe::..<..>` the one-letter names are the crate's, and a path is the user's.
mod own_names {
    use tiledesc::prelude::*;

    #[derive(Clone, Copy, Default)]
    struct M<const HALF: usize>;
    impl<const HALF: usize> Number for M<HALF> {
        const N: u32 = 2 * HALF as u32;
    }
    layout! {
        type Ours = recipe::RowMajor<F16, M<128>, K<64>>;
        type Theirs = recipe::RowMajor<F16, self::M<128>, K<64>>;
    }

    #[test]
    fn a_path_is_left_alone() {
        assert_eq!(Ours::LENGTHS, [128, 64]);
        assert_eq!(Theirs::LENGTHS, [256, 64]);
    }
}

/// A number of layers there is even of what is not a tile: 1.
#[test]
fn layers_of_what_is_no_tile() {
    assert_eq!([recipe::mlds_layer(32, 16, 32), recipe::mlds_layer(256, 16, 32)], [2, 1]);
    assert_eq!([recipe::mlds_layer(0, 16, 32), recipe::mlds_layer(u32::MAX, u32::MAX, 32)], [1, 1]);
}

/// A path that is too long for its line stands in the next one.
#[test]
fn the_source_of_a_recipe() {
    let source = |name| recipe::family::<F16>(name).unwrap().source();
    assert_eq!(
        source("fmha-k-whole-k"),
        Some("`fmha/pipeline/block_fmha_pipeline_qr_ks_vs_whole_k_prefetch_default_policy.hpp`."),
    );
    assert_eq!(
        source("gemm-xor"),
        Some("`gemm/pipeline/gemm_universal_pipeline_ag_bg_cr_policy.hpp`."),
    );
    // Its page has words in place of a path.
    assert!(source("gemm-xor-bits").unwrap().starts_with("none; "));
}

/// K's 128 rows of 32 halves go in 8 rounds of 4 waves of 64 dwords, each wave with a pack of 8 more;
/// V's are rows of 64 halves with 8 more.
#[test]
fn buffers_that_serve_k_and_v() {
    use tiledesc::recipe::{FmhaKSize, FmhaSingle, FmhaVSize};
    type K1 = FmhaKSize<F16, N<128>, K<32>, Warps<4>>;
    assert_eq!(K1::N, 8 * 4 * (64 * 2 + 8));
    assert_eq!(<FmhaVSize<F16, N<128>, K<32>>>::N, 64 * (64 + 8));
    assert_eq!(<FmhaSingle<F16, N<128>, K<32>, Warps<4>>>::N, 4608);
    // Floats: a lane's dword is one element, a pack four.
    assert_eq!(<FmhaKSize<F32, N<128>, K<32>, Warps<4>>>::N, 16 * 4 * (64 + 4));
}

/// Of each recipe of two dimensions: the element at (n, m) lies where the recipe has (m, n), and the
/// type's plan is that of the function.
#[test]
fn transposed() {
    fn exchanged<T: layout::Tile>(name: &str) {
        let (recipe, both) = (LayoutOf::<T>::PLAN, <recipe::Transposed<T>>::PLAN);
        let [rows, columns] = recipe.lengths().as_slice()[..] else { panic!("{name}") };
        assert_eq!(both.lengths(), [columns, rows], "{name}");
        assert_eq!(both.element_space(), recipe.element_space(), "{name}");
        let plan = recipe::transposed(&recipe).unwrap();
        for id in 0..recipe.elements() {
            let at = recipe.nth(id);
            let offset = recipe.offset(at.as_slice());
            assert_eq!(both.offset(&[at.at(1), at.at(0)]), offset, "{name} at {at:?}");
            assert_eq!(plan.offset(&[at.at(1), at.at(0)]), offset, "{name} at {at:?}");
        }
        let [down, along] = [0, 1].map(|dimension| LayoutOf::<T>::vector(dimension));
        assert_eq!(<recipe::Transposed<T>>::vector(0), along, "{name}");
        assert_eq!(<recipe::Transposed<T>>::vector(1), down, "{name}");
    }
    exchanged::<recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>>("GemmXor");
    exchanged::<recipe::RowPad<F32, M<24>, K<40>, Padding<3>>>("RowPad");
    exchanged::<recipe::RowShift<F16, M<32>, K<96>, KPack<8>>>("RowShift");
    exchanged::<
        recipe::GemmColumnMajor<F16, MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>,
    >("GemmColumnMajor");
    exchanged::<recipe::Transposed<recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>>>("twice");
    // The lengths of another number of dimensions.
    let line = Plan::packed(&[64]).unwrap();
    let said = recipe::transposed(&line).unwrap_err().to_string();
    assert_eq!(said, Error::Rank { wanted: 2, given: 1 }.to_string());
}

/// Of each recipe of two dimensions: the element at (m, k) lies where the recipe has its line, and the
/// type's plan is that of the function.
#[test]
fn joined() {
    fn of_lines<T: layout::Tile, const LINES: usize>(name: &str) {
        let (recipe, wide) = (LayoutOf::<T>::PLAN, <recipe::Joined<T, Lines<LINES>>>::PLAN);
        let [rows, width] = recipe.lengths().as_slice()[..] else { panic!("{name}") };
        let lines = LINES as u32;
        assert_eq!(wide.lengths(), [rows / lines, width * lines], "{name}");
        assert_eq!(wide.element_space(), recipe.element_space(), "{name}");
        assert_eq!(recipe::joined(&recipe, lines), Ok(wide), "{name}");
        for id in 0..wide.elements() {
            let at = wide.nth(id);
            let line = at.at(0) * lines + at.at(1) / width;
            let offset = recipe.offset(&[line, at.at(1) % width]);
            assert_eq!(wide.offset(at.as_slice()), offset, "{name} at {at:?}");
        }
    }
    of_lines::<recipe::GemmXor<F32, M<64>, K<32>, KPack<4>>, 4>("GemmXor");
    of_lines::<recipe::RowPad<F32, M<24>, K<32>, Padding<1>>, 3>("RowPad");
    of_lines::<recipe::RowShift<F16, M<32>, K<96>, KPack<8>>, 2>("RowShift");
    of_lines::<recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>, 1>("one line");
    of_lines::<recipe::Joined<recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>, Lines<2>>, 4>("twice");
    of_lines::<recipe::Transposed<recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>>, 2>("columns");
    let rows = Plan::packed(&[128, 32]).unwrap();
    let said = |plan: &Plan, lines| recipe::joined(plan, lines).unwrap_err().to_string();
    assert_eq!(said(&rows, 3), "rows = 128 is not a multiple of Lines = 3");
    assert_eq!(said(&rows, 0), "rows = 128 is not a multiple of Lines = 0");
    assert_eq!(
        said(&Plan::packed(&[64]).unwrap(), 2),
        Error::Rank { wanted: 2, given: 1 }.to_string()
    );
}
