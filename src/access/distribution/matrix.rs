//! Operands of matrix instructions: which lane holds what of A, B and C.
//!
//! ```text
//!   mfma, A and B     m [row R],  k [part 64/R, pack P]          lane (part, row), thread (pack)
//!   mfma, C           m [again, part 64/N, group 4], n [column]  lane (part, column), thread (again, group)
//!   wmma gfx11, A, B  m [row 16], k [pack 16], repeat [copy 2]   lane (copy, row), thread (pack)
//!   wmma gfx12, A, B  m [row 16], k [again, part 2, pack 8]      lane (part, row), thread (again, pack)
//!   mma, A            m [half 2, row 8], k [deep, quad 4, pair]  lane (row, quad), thread (deep, half, pair)
//! ```
//!
//! A is m by k, B is n by k, C is m by n. Ct is what an instruction returns that was given B for
//! A and A for B: m and n change places, and a lane's neighbours are along the other one. An operand of more k than one
//! instruction takes is that of as many as it needs (CK Tile's IterateK): its packs are longer,
//! so that one read feeds several.
//!
//! | instruction | A and B | C | source |
//! |---|---|---|---|
//! | MFMA | [`mfma::Operand`] | [`mfma::Accumulator`], [`mfma::Transposed`] | CK Tile, `warp_gemm_attribute_mfma_impl.hpp`, and its tables `dist_mfma_*` |
//! | WMMA of gfx11 | [`wmma::gfx11::Operand`] | [`wmma::gfx11::C`] | CK Tile, `warp_gemm_attribute_wmma_impl.hpp`; AMD GPUOpen, "How to accelerate AI applications on RDNA 3 using WMMA" |
//! | WMMA of gfx12 | [`wmma::gfx12::Operand`] | [`wmma::gfx12::C`] | the same; AMD GPUOpen, "Using the Matrix Cores of AMD RDNA 4 architecture GPUs" |
//! | `mma.m16n8k*` | [`mma::A`], [`mma::B`] | [`mma::C`] | PTX ISA, "Matrix Fragments for mma"; the bases of Triton's `nvidia_mma` |
//!
//! [`Within`](super::Within) puts waves and iterations around one.

/// Matrix instructions of gfx908 to gfx950, a wave of 64 lanes.
pub mod mfma {
    use tiledesc_transforms::Lit;

    crate::distribution! {
        /// A of R rows and K of k, or B of R columns: lane = (part of k, row), and a lane holds
        /// K * R / 64 neighbours of k.
        ///
        /// ```
        /// use tiledesc::{distribution::matrix::mfma, prelude::*};
        ///
        /// type A = mfma::Operand<U32, U8>;
        /// assert_eq!(A::ELEMENTS, 4);
        /// assert_eq!(A::coordinate(0, 33, 2), [1, 6]);
        /// ```
        pub type Operand<R, K>:
            m [row R], k [part (64 / R), pack (K * R / 64)];
            lane (part, row), thread (pack);

        /// C of M rows and N columns: lane = (part of m, column), and a lane holds 4
        /// neighbours of m, again every 256 / N rows.
        ///
        /// ```
        /// use tiledesc::{distribution::matrix::mfma, prelude::*};
        ///
        /// type C = mfma::Accumulator<U32, U32>;
        /// assert_eq!(C::ELEMENTS, 16);
        /// assert_eq!(C::coordinate(0, 33, 6), [8 + 4 + 2, 1]);
        /// ```
        pub type Accumulator<M, N>:
            m [again (M * N / 256), part (64 / N), group 4], n [column N];
            lane (part, column), thread (again, group);

        /// The same of operands that were swapped: a lane holds 4 neighbours of n.
        ///
        /// ```
        /// use tiledesc::{distribution::matrix::mfma, prelude::*};
        ///
        /// assert_eq!(mfma::Transposed::<U32, U32>::coordinate(0, 33, 6), [1, 8 + 4 + 2]);
        /// ```
        pub type Transposed<M, N>:
            m [column M], n [again (M * N / 256), part (64 / M), group 4];
            lane (part, column), thread (again, group);

        /// B of R columns with its columns in the order that makes [`SwizzledC`] of what the
        /// instruction of K0 of k, P a lane, returns: CK Tile's SwizzleB.
        ///
        /// ```
        /// use tiledesc::{distribution::matrix::mfma, prelude::*};
        ///
        /// // Lanes 4 to 7 hold columns 8 to 11, not 4 to 7.
        /// assert_eq!(mfma::SwizzledB::<U32, U16, U4>::coordinate(0, 4, 0), [8, 0]);
        /// ```
        pub type SwizzledB<R, K, P>:
            n [far (R * R / 128 / P), part (64 / R), both 2, near P],
            k [deep (64 / R), pack (K * R / 64)];
            lane (deep, far, both, part, near), thread (pack);

        /// C of swapped operands, of which the second is a [`SwizzledB`]: a lane holds 8
        /// neighbours of n, as the operand of a further instruction does.
        ///
        /// ```
        /// use tiledesc::{distribution::matrix::mfma, prelude::*};
        ///
        /// assert_eq!(mfma::SwizzledC::<U32, U32>::coordinate(0, 33, 6), [1, 8 + 6]);
        /// ```
        pub type SwizzledC<M, N>:
            m [column M], n [again (M * N / 512), part (64 / M), group 8];
            lane (part, column), thread (again, group);

        /// The operand of R rows that is short of lanes, of 4x64 and 64x4: 64 / R lanes hold
        /// each of its elements, one for each block of the instruction.
        ///
        /// ```
        /// use tiledesc::{distribution::matrix::mfma, prelude::*};
        ///
        /// type A = mfma::Repeated<U4, U16>;
        /// assert_eq!(A::ENCODING.unwrap().replicas(), 16);
        /// assert_eq!(A::coordinate(0, 7, 5), [3, 5]);
        /// ```
        pub type Repeated<R, K>:
            m [row R], k [pack K];
            repeat [copy (64 / R)], lane (copy, row), thread (pack);
    }

    macro_rules! instructions {
        ($($(#[$doc:meta])* $Name:ident [$m:literal, $n:literal, $k:literal] $A:ident $B:ident;)*) => {$(
            $(#[$doc])*
            #[allow(non_snake_case)]
            pub mod $Name {
                use super::Lit;

                /// The first operand, m by k.
                pub type A = super::$A<Lit<$m>, Lit<$k>>;
                /// The second operand, n by k.
                pub type B = super::$B<Lit<$n>, Lit<$k>>;
                /// What it returns, m by n.
                pub type C = super::Accumulator<Lit<$m>, Lit<$n>>;
                /// What it returns of swapped operands, n by m.
                pub type Ct = super::Transposed<Lit<$n>, Lit<$m>>;
            }
        )*};
    }

    instructions! {
        /// fp32, 32x32x2: gfx908 to gfx950.
        F32_32x32x2 [32, 32, 2] Operand Operand;
        /// fp32, 16x16x4: gfx908 to gfx950.
        F32_16x16x4 [16, 16, 4] Operand Operand;
        /// fp16, 32x32x8: gfx908 to gfx950.
        F16_32x32x8 [32, 32, 8] Operand Operand;
        /// fp16, 16x16x16: gfx908 to gfx950.
        F16_16x16x16 [16, 16, 16] Operand Operand;
        /// fp16, 32x32x16: gfx950; before it, two of 32x32x8.
        F16_32x32x16 [32, 32, 16] Operand Operand;
        /// fp16, 16x16x32: gfx950; before it, two of 16x16x16.
        F16_16x16x32 [16, 16, 32] Operand Operand;
        /// fp16, 4x64: four of 4x4x4 with 16 blocks, whose A is repeated; gfx908 to gfx950.
        F16_4x64x16 [4, 64, 16] Repeated Operand;
        /// fp16, 64x4: the same with B repeated.
        F16_64x4x16 [64, 4, 16] Operand Repeated;
        /// bf16, 32x32x8: gfx90a to gfx950 (`_1k`).
        BF16_32x32x8 [32, 32, 8] Operand Operand;
        /// bf16, 16x16x16: gfx90a to gfx950 (`_1k`).
        BF16_16x16x16 [16, 16, 16] Operand Operand;
        /// bf16, 32x32x16: gfx950; before it, two of 32x32x8.
        BF16_32x32x16 [32, 32, 16] Operand Operand;
        /// bf16, 16x16x32: gfx950; before it, two of 16x16x16.
        BF16_16x16x32 [16, 16, 32] Operand Operand;
        /// fp8 and bf8, 32x32x16: gfx942 and gfx950.
        F8_32x32x16 [32, 32, 16] Operand Operand;
        /// fp8 and bf8, 16x16x32: gfx942 and gfx950.
        F8_16x16x32 [16, 16, 32] Operand Operand;
        /// fp8, bf8, fp6, bf6 and fp4, 32x32x64: gfx950.
        F8F6F4_32x32x64 [32, 32, 64] Operand Operand;
        /// fp8, bf8, fp6, bf6 and fp4, 16x16x128: gfx950.
        F8F6F4_16x16x128 [16, 16, 128] Operand Operand;
    }
}

/// Matrix instructions of gfx11 and gfx12, a wave of 32 lanes, 16 by 16.
pub mod wmma {
    /// gfx1100 to gfx1151: both halves of a wave hold the operands.
    pub mod gfx11 {
        crate::distribution! {
            /// A of 16 rows and 16 of k, or B of 16 columns: lanes 16 to 31 hold what lanes 0
            /// to 15 do.
            ///
            /// ```
            /// use tiledesc::{distribution::matrix::wmma::gfx11, prelude::*};
            ///
            /// assert_eq!(gfx11::Operand::coordinate(0, 19, 5), [3, 5]);
            /// assert_eq!(gfx11::Operand::ENCODING.unwrap().replicas(), 2);
            /// ```
            pub type Operand:
                m [row 16], k [pack 16];
                repeat [copy 2], lane (copy, row), thread (pack);

            /// C: the lower half of a wave holds even rows, the upper half odd ones.
            ///
            /// ```
            /// use tiledesc::{distribution::matrix::wmma::gfx11, prelude::*};
            ///
            /// assert_eq!(gfx11::C::coordinate(0, 19, 5), [11, 3]);
            /// ```
            pub type C:
                m [again 8, part 2], n [column 16];
                lane (part, column), thread (again);
        }
    }

    /// gfx1200 and gfx1201: each half of a wave holds half of k.
    pub mod gfx12 {
        crate::distribution! {
            /// A of 16 rows and K of k, or B of 16 columns: 8 neighbours of k a lane, again
            /// every 16.
            ///
            /// ```
            /// use tiledesc::{distribution::matrix::wmma::gfx12, prelude::*};
            ///
            /// assert_eq!(gfx12::Operand::<U16>::coordinate(0, 19, 5), [3, 13]);
            /// ```
            pub type Operand<K>:
                m [row 16], k [again (K / 16), part 2, pack 8];
                lane (part, row), thread (again, pack);

            /// C: the lower half of a wave holds rows 0 to 7, the upper half 8 to 15.
            ///
            /// ```
            /// use tiledesc::{distribution::matrix::wmma::gfx12, prelude::*};
            ///
            /// assert_eq!(gfx12::C::coordinate(0, 19, 5), [13, 3]);
            /// ```
            pub type C:
                m [part 2, group 8], n [column 16];
                lane (part, column), thread (group);
        }
    }
}

/// `mma.sync` of sm_75 and later, 16 by 8, a warp of 32 lanes. P elements fill 32 bits: 1 of
/// tf32, 2 of fp16 and bf16, 4 of fp8 and int8.
pub mod mma {
    crate::distribution! {
        /// A, 16 by K: lane = (row, quarter of k), registers first along rows, then along k.
        ///
        /// ```
        /// use tiledesc::{distribution::matrix::mma, prelude::*};
        ///
        /// // m16n8k16 of fp16: a2 and a3 are 8 rows further, a4 and a5 8 columns.
        /// type A = mma::A<U16, U2>;
        /// assert_eq!(A::coordinate(0, 5, 2), [1 + 8, 2]);
        /// assert_eq!(A::coordinate(0, 5, 4), [1, 2 + 8]);
        /// ```
        pub type A<K, P>:
            m [half 2, row 8], k [deep (K / 4 / P), quad 4, pair P];
            lane (row, quad), thread (deep, half, pair);

        /// B, n by k, 8 by K.
        ///
        /// ```
        /// use tiledesc::{distribution::matrix::mma, prelude::*};
        ///
        /// assert_eq!(mma::B::<U16, U2>::coordinate(0, 5, 3), [1, 2 + 8 + 1]);
        /// ```
        pub type B<K, P>:
            n [row 8], k [deep (K / 4 / P), quad 4, pair P];
            lane (row, quad), thread (deep, pair);

        /// C, 16 by 8.
        ///
        /// ```
        /// use tiledesc::{distribution::matrix::mma, prelude::*};
        ///
        /// assert_eq!(mma::C::coordinate(0, 5, 3), [1 + 8, 2 + 1]);
        /// ```
        pub type C:
            m [half 2, row 8], n [quad 4, pair 2];
            lane (row, quad), thread (half, pair);
    }
}
