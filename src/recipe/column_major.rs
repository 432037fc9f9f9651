//! Operands that are contiguous along M or N, read along K.
//!
//! The writing threads run along MN, the matrix instruction reads along K, so
//! both sides permute. CK's scheme (universal GEMM since 2025-11, FMHA backward
//! before) folds `kfold` thread rows into a line of all banks and swizzles lines
//! against the rows that a read touches at once:
//!
//! | name | is |
//! |---|---|
//! | K1 | elements of K that a thread writes together |
//! | M0, M1 | threads along MN, elements of MN per thread |
//! | KTW, K0W | threads along K when writing, K1-groups per thread |
//! | KTR | threads along K when reading, 64 / MPerXdl |
//! | kfold | thread rows per line: max(1, W / (K1 * M0 * e)), W = banks * 4 |
//! | KRP | part of KTR that is permuted: KTR / max(1, kfold * K0W / (K / K1 / KTR)) |
//! | mpair | max(1, min(M0, W / (K1 * MPerXdl * e))) |
//!
//! ```text
//!   packed   [KTW/kfold/KRP, K0W, KRP*M1, kfold*M0/mpair, mpair, K1]
//!   xor      on (KRP*M1, kfold*M0/mpair)
//!   unmerge  (KRP, M1), (kfold, M0/mpair)
//!   merge    (KRP, KTW/kfold/KRP, kfold, K0W, K1) -> K,  (M0/mpair, mpair, M1) -> MN
//! ```

use super::numbers;
use crate::element::{Bits, Element};
use tiledesc_transforms::{Div, Lit, Max, Min, Mul, Number, Quotient, descriptor};

descriptor! {
    /// T = KTW/kfold/KRP, A = K0W, R = KRP, F = kfold, Q = M0/mpair, S = mpair.
    type Folded<T, A, R, M1, F, Q, S, K1>:
        packed [T, A, R*M1, F*Q, S, K1];
        pass[T] (0) -> (0),  pass[A] (1) -> (1),  xor[R*M1, F*Q] (2, 3) -> (2, 3),  pass[S] (4) -> (4),  pass[K1] (5) -> (5);
        pass[T] (0) -> (1),  pass[A] (1) -> (2),  unmerge[R, M1] (2) -> (0, 3),  unmerge[F, Q] (3) -> (4, 5),  pass[S] (4) -> (6),  pass[K1] (5) -> (7);
        merge[R, T, F, A, K1] (0, 1, 4, 2, 7) -> (1),  merge[Q, S, M1] (5, 6, 3) -> (0);

    /// `Folded` with an outer iteration I along MN, and K first.
    type FoldedIterated<I, T, A, R, M1, F, Q, S, K1>:
        packed [I, T, A, R*M1, F*Q, S, K1];
        pass[I] (0) -> (0),  pass[T] (1) -> (1),  pass[A] (2) -> (2),  xor[R*M1, F*Q] (3, 4) -> (3, 4),  pass[S] (5) -> (5),  pass[K1] (6) -> (6);
        pass[I] (0) -> (0),  pass[T] (1) -> (2),  pass[A] (2) -> (3),  unmerge[R, M1] (3) -> (1, 4),  unmerge[F, Q] (4) -> (5, 6),  pass[S] (5) -> (7),  pass[K1] (6) -> (8);
        merge[R, T, F, A, K1] (1, 2, 5, 3, 8) -> (0),  merge[I, Q, S, M1] (0, 6, 7, 4) -> (1);
}

/// W / (a * b * e), rounded down, with W and e in bits.
type Fit<W, A, B, E> = Quotient<Mul<W, Lit<8>>, Mul<Mul<A, B>, Bits<E>>>;
type Ktr<Xdl> = Div<Lit<64>, Xdl>;

/// Thread rows per line: `max(1, W / (K1 * M0 * e))`.
type KFold<E, W, K1, M0> = Max<Lit<1>, Fit<W, K1, M0, E>>;
/// `max(1, min(M0, W / (K1 * MPerXdl * e)))`.
type MPair<E, W, K1, M0, Xdl> = Max<Lit<1>, Min<M0, Fit<W, K1, Xdl, E>>>;
/// The part of the threads along K that is permuted.
type Krp<K, K1, K0W, KFold, Xdl> =
    Div<Ktr<Xdl>, Max<Lit<1>, Quotient<Mul<KFold, K0W>, Div<Div<K, K1>, Ktr<Xdl>>>>>;

/// The fold from its independent parts; `KF`, `R` and `S` are kfold, KRP, mpair.
type Folds<KTW, K0W, R, M0, M1, KF, S, K1> =
    Folded<Div<Div<KTW, KF>, R>, K0W, R, M1, KF, Div<M0, S>, S, K1>;

numbers! {
    /// Elements of MN that one thread writes: the vector, or its share of the tile.
    PerThread<MN: Number, K: Number, V: Number, B: Number> = Min<V, Quotient<Mul<MN, K>, B>>;
    /// Threads along MN.
    M0<MN: Number, K: Number, V: Number, B: Number> = Div<MN, PerThread<MN, K, V, B>>;
    /// Threads along K: those of all waves that are not along MN.
    Ktw<MN: Number, K: Number, V: Number, B: Number> =
        Mul<Div<B, Lit<64>>, Div<Lit<64>, M0<MN, K, V, B>>>;
    /// Elements of K that a thread writes together.
    K1<MN: Number, K: Number, V: Number, B: Number> = Div<K, Ktw<MN, K, V, B>>;
    /// Thread rows per line of 32 banks.
    ColumnKFold<E: Element, MN: Number, K: Number, V: Number, B: Number> =
        KFold<E, Lit<128>, K1<MN, K, V, B>, M0<MN, K, V, B>>;
    /// The part of the threads along K that is permuted.
    ColumnKrp<E: Element, MN: Number, K: Number, V: Number, B: Number, Xdl: Number> =
        Krp<K, K1<MN, K, V, B>, Lit<1>, ColumnKFold<E, MN, K, V, B>, Xdl>;
    /// `mpair`, of lines of 32 banks.
    ColumnPair<E: Element, MN: Number, K: Number, V: Number, B: Number, Xdl: Number> =
        MPair<E, Lit<128>, K1<MN, K, V, B>, M0<MN, K, V, B>, Xdl>;
}

recipe! {
    /// The MN-contiguous operand of the universal GEMM on 32 banks (CK since
    /// 2025-11, wave64): `MN` by `K`, vectors of `VectorSize`, `MPerXdl` rows a matrix
    /// instruction, `BlockSize` threads (thread-raked).
    ///
    /// * CK Tile: `gemm/pipeline/gemm_universal_pipeline_ag_bg_cr_policy.hpp`.
    /// * Offset: packed `[KTW/kfold/KRP, K0W, KRP*M1, kfold*M0/mpair, mpair, K1]`, the fourth
    ///   xor-ed with the third.
    /// * Refuses: a tile that the threads do not divide.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type A = recipe::GemmColumnMajor<F16, MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>;
    /// assert_eq!(A::BYTES, 16384);
    /// assert_eq!(A::vector(1).length, 4);
    /// ```
    #[example([128, 64, 8, 32, 256], [19, 45], 3813)]
    pub type GemmColumnMajor<E, MN, K, VectorSize, MPerXdl, BlockSize> = Folds<
        Ktw<MN, K, VectorSize, BlockSize>,
        Lit<1>,
        ColumnKrp<E, MN, K, VectorSize, BlockSize, MPerXdl>,
        M0<MN, K, VectorSize, BlockSize>,
        PerThread<MN, K, VectorSize, BlockSize>,
        ColumnKFold<E, MN, K, VectorSize, BlockSize>,
        ColumnPair<E, MN, K, VectorSize, BlockSize, MPerXdl>,
        K1<MN, K, VectorSize, BlockSize>,
    >;
}

numbers! {
    /// Threads along MN, of packs of `P`.
    TransposedM0<MN: Number, P: Number> = Div<MN, P>;
    /// Threads along K when writing.
    TransposedKtw<MN: Number, P: Number, B: Number> = Div<B, TransposedM0<MN, P>>;
    /// Groups of elements of K that a thread writes.
    TransposedK0W<MN: Number, K: Number, P: Number, T: Number, B: Number> =
        Div<Div<K, T>, TransposedKtw<MN, P, B>>;
    /// Thread rows per line. CK takes 2 bytes an element here, whatever the type.
    TransposedKFold<MN: Number, P: Number, T: Number> = KFold<crate::F16, Lit<128>, T, TransposedM0<MN, P>>;
    /// The part of the threads along K that is permuted.
    TransposedKrp<MN: Number, K: Number, P: Number, T: Number, B: Number, Xdl: Number> =
        Krp<K, T, TransposedK0W<MN, K, P, T, B>, TransposedKFold<MN, P, T>, Xdl>;
    /// `mpair`, of 2 bytes an element.
    TransposedPair<MN: Number, P: Number, T: Number, Xdl: Number> =
        MPair<crate::F16, Lit<128>, T, TransposedM0<MN, P>, Xdl>;
}

recipe! {
    /// X transposed of FMHA backward: `(k, mn)`, `KIter` iterations of `MN` rows, packs
    /// of `KPack` along MN and of `VectorSize` along K, `MPerXdl` rows a matrix instruction, `BlockSize`
    /// threads.
    ///
    /// * CK Tile: `fmha/pipeline/block_fmha_bwd_pipeline_default_policy.hpp`.
    /// * Offset: as `GemmColumnMajor`, after the outer iteration; 2 bytes an element.
    /// * Refuses: a tile that the threads do not divide.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type X = recipe::FmhaBwdXT<
    ///     F16, KIter<1>, MN<128>, K<64>, KPack<8>, VectorSize<4>, MPerXdl<32>, BlockSize<256>,
    /// >;
    /// assert_eq!(X::LENGTHS, [64, 128]);
    /// assert_eq!(X::vector(0).length, 4);
    /// ```
    #[example([2, 128, 64, 8, 4, 32, 256], [45, 147], 12005)]
    pub type FmhaBwdXT<E, KIter, MN, K, KPack, VectorSize, MPerXdl, BlockSize> = FoldedIterated< KIter, Div< Div<TransposedKtw<MN, KPack, BlockSize>, TransposedKFold<MN, KPack, VectorSize>>, TransposedKrp<MN, K, KPack, VectorSize, BlockSize, MPerXdl>, >, TransposedK0W<MN, K, KPack, VectorSize, BlockSize>, TransposedKrp<MN, K, KPack, VectorSize, BlockSize, MPerXdl>, KPack, TransposedKFold<MN, KPack, VectorSize>, Div<TransposedM0<MN, KPack>, TransposedPair<MN, KPack, VectorSize, MPerXdl>>, TransposedPair<MN, KPack, VectorSize, MPerXdl>, VectorSize, >, exchanged dimensions;
}
