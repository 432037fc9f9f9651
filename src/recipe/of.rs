//! Recipes of layouts, by name: `recipe::GemmXor<F16, M<128>, ..>` is [`Layout<F16, of::GemmXor<M<128>, ..>>`](crate::Layout).
//!
//! The types here have no value and no methods. Each is described where its alias is, under the same name in
//! [`recipe`](mod@crate::recipe).

/// Calls a macro with every recipe and its parameters, those of a number first.
macro_rules! every_recipe {
    ($listed:ident) => {
        $listed! {
            GemmAsync<M, K, KPack>
            FmhaKAsyncStore<N, K, Warps, Buffer, Single>
            FmhaKAsyncLoad<N, K, Warps, Buffers, Single>
            MoeAStore<M, K, Warps>
            MoeALoad<M, K, Warps>
            BatchedTranspose<M, N, VectorSize>
            GemmColumnMajor<MN, K, VectorSize, MPerXdl, BlockSize>
            FmhaBwdXT<KIter, MN, K, KPack, VectorSize, MPerXdl, BlockSize>
            FmhaKWholeK<N, K, Buffers>
            FmhaV<N, K, Buffers, Single>
            FmhaBwdX<MN, K, KPack, KIter>
            GemmXor<M, K, KPack>
            GemmXor64<M, K, KPack>
            GemmXorLayer<M, K, KPack, MLdsLayer>
            GemmXorBits<M, K, KPack, MLdsLayer, Masks>
            LinearPacks<M, K, KPack, Columns>
            DenseXor<M, K, KPack, LinePacks, Masks>
            MoeBridge<RepM, RepN, Warps>
            GemmV1Pad<M, K>
            FlatmmPad<M, K, KPack>
            FmhaK<N, K>
            SplitKvCombine<M, N, KPack>
            SplitKvCombineTransposed<M, N, KPack>
            RowMajor<M, K>
            RowPad<M, K, Padding>
            IntervalPad<M, K, Every, Padding>
            RowShift<M, K, KPack>
            CShuffle<M, N>
            CShuffleColumn<M, N>
            GemmDsReadTr<K, MN>
            GemmTdm<M, K, Padding>
            XorPreshuffle<M, K, KPack>
            FlatmmXor<M, K, KPack>
        }
    };
}
pub(super) use every_recipe;

/// A type without a value for each recipe, with its parameters.
macro_rules! recipes {
    ($($Name:ident<$($P:ident),*>)*) => {$(
        #[doc = concat!("What a [`recipe::", stringify!($Name), "`](type@crate::recipe::", stringify!($Name), ") is made of.")]
        #[derive(Debug)]
        pub struct $Name<$($P),*>(core::marker::PhantomData<($($P,)*)>);
    )*};
}
every_recipe!(recipes);
// Those that are made of another.
recipes! {
    Transposed<R>
    Joined<R, Lines>
}
