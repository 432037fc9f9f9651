//! MFMA: matrix instructions of gfx908 to gfx950, a wave of 64 lanes.
//!
//! An instruction of several blocks multiplies as many small matrices at once; its operands have a
//! third dimension, the block, before the others. The figures are M, N, K:
//!
//! ```text
//!   operand of R rows, B blocks   lane = (part of k, block, row)       a lane holds R * K * B / 64 of k
//!   C of 32x32, 16x16             lane = (part of m, column)           4 of m, again every 256 / N rows
//!   C of 4x4, 16 blocks           lane = (block, column)               4 of m
//!   C of f64                      lane = (part of m, block, column)    one of m, again every 64 / N rows
//! ```
//!
//! Source: CK Tile, `warp_gemm_attribute_mfma_impl.hpp`, and its tables `dist_mfma_*`. For the shapes of gfx908 to gfx942, AMD's
//! ROCm/amd_matrix_instruction_calculator agrees on every element; its 79 tables of dense MFMA are in `tests/golden/amd`.

use super::kind::of_module;
use crate::distribution::{Distribution, DistributionError, Encoding, OperandOf};
use tiledesc_transforms::Lit;

/// Shapes are on all chips that have MFMA, for one may be of several instructions.
const FAMILY: OperandOf = OperandOf::of_any("MFMA", GFX908);

crate::distribution! {
    /// A of R rows and K of k, or B of R columns: lane = (part of k, row), and a lane holds
    /// K * R / 64 neighbours of k.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// type A = mfma::Operand<U32, U8>;
    /// assert_eq!(A::ELEMENTS, 4);
    /// assert_eq!(A::coordinate(0, 33, 2), [1, 6]);
    /// ```
    pub type Operand<R, K> on FAMILY:
        m [row R], k [part (64 / R), pack (K * R / 64)];
        lane (part, row), thread (pack);

    /// A of R rows and K of k in two parts of k, or B of R columns: each lane holds K * R / 128 neighbours in either half of k.
    /// This is the operand of 8-bit types in the f8f6f4 instructions of gfx950: two `ds_read_b128` (AMD ROCm blog, "Matrix Core
    /// Programming on AMD CDNA 3 and CDNA 4 architecture", its kernel of 32x32x64).
    ///
    /// CK Tile takes 32 neighbours, as in an [`Operand`]. The product is the same if A and B permute k alike; it is not if the
    /// other operand has 4 or 6 bits, where a lane holds 32 neighbours, or if scales come with either.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// // fp8, 16x16x128: lane 17 holds k = 16 to 31 and 80 to 95 of row 1.
    /// type A = mfma::Halved<U16, U128>;
    /// assert_eq!((A::coordinate(0, 17, 0), A::coordinate(0, 17, 16)), ([1, 16], [1, 64 + 16]));
    /// ```
    pub type Halved<R, K> on FAMILY:
        m [row R], k [half 2, part (64 / R), pack (K * R / 128)];
        lane (part, row), thread (half, pack);

    /// C of M rows and N columns: lane = (part of m, column), and a lane holds 4
    /// neighbours of m, again every 256 / N rows.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// type C = mfma::Accumulator<U32, U32>;
    /// assert_eq!(C::ELEMENTS, 16);
    /// assert_eq!(C::coordinate(0, 33, 6), [8 + 4 + 2, 1]);
    /// ```
    pub type Accumulator<M, N> on FAMILY:
        m [again (M * N / 256), part (64 / N), group 4], n [column N];
        lane (part, column), thread (again, group);

    /// C of M rows and N columns, of operands that were swapped: a lane holds 4 neighbours of n.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// assert_eq!(mfma::SwappedAccumulator::<U32, U32>::coordinate(0, 33, 6), [1, 8 + 4 + 2]);
    /// ```
    pub type SwappedAccumulator<M, N> on FAMILY:
        m [column M], n [again (M * N / 256), part (64 / M), group 4];
        lane (part, column), thread (again, group);

    /// C of f64, 16x16: a lane holds every fourth row.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// assert_eq!(mfma::AccumulatorF64::coordinate(0, 33, 2), [4 * 2 + 2, 1]);
    /// ```
    pub type AccumulatorF64 on FAMILY:
        m [again 4, part 4], n [column 16];
        lane (part, column), thread (again);

    /// C of f64, 16x16, of operands that were swapped: a lane holds every fourth column.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// assert_eq!(mfma::SwappedAccumulatorF64::coordinate(0, 33, 2), [1, 4 * 2 + 2]);
    /// ```
    pub type SwappedAccumulatorF64 on FAMILY:
        m [column 16], n [again 4, part 4];
        lane (part, column), thread (again);

    /// A of B blocks of R rows and K of k, or B of as many columns: lane = (part of k, block, row).
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// // v_mfma_f32_4x4x4_16b_f16: lane 7 is row 3 of block 1, with its 4 of k.
    /// assert_eq!(mfma::BlockedOperand::<U16, U4, U4>::coordinate(0, 7, 2), [1, 3, 2]);
    /// ```
    pub type BlockedOperand<B, R, K> on FAMILY:
        block [block B], m [row R], k [part (64 / R / B), pack (K * R * B / 64)];
        lane (part, block, row), thread (pack);

    /// C of B blocks of 32x32 or 16x16: the registers of an [`Accumulator`] for each.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// // v_mfma_f32_16x16x4_4b_f16: registers 8 to 11 are of block 2.
    /// assert_eq!(mfma::BlockedAccumulator::<U4, U16>::coordinate(0, 17, 9), [2, 4 + 1, 1]);
    /// ```
    pub type BlockedAccumulator<B, R> on FAMILY:
        block [block B], m [again (R * R / 256), part (64 / R), group 4], n [column R];
        lane (part, column), thread (block, again, group);

    /// C of B blocks of 32x32 or 16x16, of operands that were swapped: the registers of a [`SwappedAccumulator`] for each.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// assert_eq!(mfma::SwappedBlockedAccumulator::<U4, U16>::coordinate(0, 17, 9), [2, 1, 4 + 1]);
    /// ```
    pub type SwappedBlockedAccumulator<B, R> on FAMILY:
        block [block B], m [column R], n [again (R * R / 256), part (64 / R), group 4];
        lane (part, column), thread (block, again, group);

    /// C of 16 blocks of 4x4: a lane holds a column of a block.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// assert_eq!(mfma::SmallAccumulator::coordinate(0, 7, 2), [1, 2, 3]);
    /// ```
    pub type SmallAccumulator on FAMILY:
        block [block 16], m [group 4], n [column 4];
        lane (block, column), thread (group);

    /// C of 16 blocks of 4x4, of operands that were swapped: a lane holds a row of a block.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// assert_eq!(mfma::SwappedSmallAccumulator::coordinate(0, 7, 2), [1, 3, 2]);
    /// ```
    pub type SwappedSmallAccumulator on FAMILY:
        block [block 16], m [column 4], n [group 4];
        lane (block, column), thread (group);

    /// C of f64, 4 blocks of 4x4: an element a lane.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// assert_eq!(mfma::SmallAccumulatorF64::coordinate(0, 16 * 2 + 4 * 3 + 1, 0), [3, 2, 1]);
    /// ```
    pub type SmallAccumulatorF64 on FAMILY:
        block [block 4], m [row 4], n [column 4];
        lane (row, block, column);

    /// C of f64, 4 blocks of 4x4, of operands that were swapped: an element a lane.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// assert_eq!(mfma::SwappedSmallAccumulatorF64::coordinate(0, 16 * 2 + 4 * 3 + 1, 0), [3, 1, 2]);
    /// ```
    pub type SwappedSmallAccumulatorF64 on FAMILY:
        block [block 4], m [column 4], n [row 4];
        lane (row, block, column);

    /// B of R columns with its columns in the order that makes [`SwizzledC`] of what the
    /// instruction of K0 of k, P a lane, returns: CK Tile's SwizzleB.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// // Lanes 4 to 7 hold columns 8 to 11, not 4 to 7.
    /// assert_eq!(mfma::SwizzledB::<U32, U16, U4>::coordinate(0, 4, 0), [8, 0]);
    /// ```
    pub type SwizzledB<R, K, P> on FAMILY:
        n [far (R * R / 128 / P), part (64 / R), both 2, near P],
        k [deep (64 / R), pack (K * R / 64)];
        lane (deep, far, both, part, near), thread (pack);

    /// C of swapped operands, the second of which is a [`SwizzledB`]: a lane holds 8 neighbours of n, as the operand of a further
    /// instruction does.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// assert_eq!(mfma::SwizzledC::<U32, U32>::coordinate(0, 33, 6), [1, 8 + 6]);
    /// ```
    pub type SwizzledC<M, N> on FAMILY:
        m [column M], n [again (M * N / 512), part (64 / M), group 8];
        lane (part, column), thread (again, group);

    /// The operand of R rows that is short of lanes, of 4x64 and 64x4: 64 / R lanes hold
    /// each of its elements, one for each block of the instruction.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*};
    ///
    /// type A = mfma::Repeated<U4, U16>;
    /// assert_eq!(A::ENCODING.unwrap().replicas(), 16);
    /// assert_eq!(A::coordinate(0, 7, 5), [3, 5]);
    /// ```
    pub type Repeated<R, K> on FAMILY:
        m [row R], k [pack K];
        repeat [copy (64 / R)], lane (copy, row), thread (pack);
}

/// The operands of an instruction, by its chips and the distributions of A, of B, of C, and of C of swapped operands.
macro_rules! instructions {
    // Of one block of R x R.
    (square $($(#[$doc:meta])* $Name:ident $chips:ident [$r:literal, $k:literal];)*) => {
        instructions! { @modules $(
            $(#[$doc])*
            $Name $chips Operand<Lit<$r>, Lit<$k>>, Operand<Lit<$r>, Lit<$k>>,
                Accumulator<Lit<$r>, Lit<$r>>, SwappedAccumulator<Lit<$r>, Lit<$r>>;
        )*}
    };
    // Of several blocks of 32x32 or 16x16, and of 16 blocks of 4x4.
    (blocked $($(#[$doc:meta])* $Name:ident $chips:ident [$b:literal x 4, $k:literal];)*) => {
        instructions! { @modules $(
            $(#[$doc])*
            $Name $chips BlockedOperand<Lit<$b>, Lit<4>, Lit<$k>>, BlockedOperand<Lit<$b>, Lit<4>, Lit<$k>>,
                SmallAccumulator, SwappedSmallAccumulator;
        )*}
    };
    (blocked $($(#[$doc:meta])* $Name:ident $chips:ident [$b:literal x $r:literal, $k:literal];)*) => {
        instructions! { @modules $(
            $(#[$doc])*
            $Name $chips BlockedOperand<Lit<$b>, Lit<$r>, Lit<$k>>, BlockedOperand<Lit<$b>, Lit<$r>, Lit<$k>>,
                BlockedAccumulator<Lit<$b>, Lit<$r>>, SwappedBlockedAccumulator<Lit<$b>, Lit<$r>>;
        )*}
    };
    // A module for each.
    (@modules $($(#[$doc:meta])* $Name:ident $chips:ident $A:ty, $B:ty, $C:ty, $Ct:ty;)*) => {
        $(
            $(#[$doc])*
            #[allow(non_snake_case)]
            pub mod $Name {
                use super::*;

                /// Under this name or the other of its assemblers.
                pub(crate) const CHIPS: &[&str] = super::$chips;

                const FACTOR: OperandOf = OperandOf {
                    name: concat!("mfma::", stringify!($Name)),
                    chips: CHIPS,
                    elements: of_module(stringify!($Name)),
                    is_converted: false,
                };
                const RESULT: OperandOf = OperandOf { elements: &[], ..FACTOR };

                instructions! { @operand
                    /// The first operand, m by k.
                    A = $A, FACTOR;
                    /// The second operand, n by k.
                    B = $B, FACTOR;
                    /// The result, m by n.
                    C = $C, RESULT;
                    /// The result of swapped operands, n by m.
                    Ct = $Ct, RESULT;
                }
            }
        )*
    };
    // A distribution of its own, that is known to be an operand of its module's instruction.
    (@operand $($(#[$doc:meta])* $Name:ident = $Held:ty, $of:ident;)*) => {$(
        $(#[$doc])*
        ///
        #[doc = concat!("A [`Distribution`](trait@Distribution): lanes hold it as they hold `", stringify!($Held), "`.")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $Name;

        // Said in words above: of all instructions these were 275 KB of the trait's page.
        #[doc(hidden)]
        impl Distribution for $Name {
            const ENCODING: Result<Encoding, DistributionError> = <$Held as Distribution>::ENCODING;
            const OPERAND_OF: Option<&'static OperandOf> = Some(&$of);
        }
    )*};
}

const GFX908: &[&str] = &["gfx908", "gfx90a", "gfx942", "gfx950"];
const GFX908_90A: &[&str] = &["gfx908", "gfx90a"];
const GFX90A: &[&str] = &["gfx90a", "gfx942", "gfx950"];
const GFX942: &[&str] = &["gfx942"];
const GFX942_950: &[&str] = &["gfx942", "gfx950"];
const GFX950: &[&str] = &["gfx950"];

instructions! { square
    /// fp32, 32x32x2: gfx908 to gfx950.
    F32_32x32x2 GFX908 [32, 2];
    /// fp32, 16x16x4: gfx908 to gfx950.
    F32_16x16x4 GFX908 [16, 4];
    /// xf32, 32x32x4: gfx942.
    XF32_32x32x4 GFX942 [32, 4];
    /// xf32, 16x16x8: gfx942.
    XF32_16x16x8 GFX942 [16, 8];
    /// fp16, 32x32x8: gfx908 to gfx950.
    F16_32x32x8 GFX908 [32, 8];
    /// fp16, 16x16x16: gfx908 to gfx950.
    F16_16x16x16 GFX908 [16, 16];
    /// fp16, 32x32x16: gfx950; before it, two of 32x32x8: `Operand<U32, U16>`.
    F16_32x32x16 GFX950 [32, 16];
    /// fp16, 16x16x32: gfx950; before it, two of 16x16x16: `Operand<U16, U32>`.
    F16_16x16x32 GFX950 [16, 32];
    /// bf16, 32x32x4: gfx908 and gfx90a.
    BF16_32x32x4 GFX908_90A [32, 4];
    /// bf16, 16x16x8: gfx908 and gfx90a.
    BF16_16x16x8 GFX908_90A [16, 8];
    /// bf16, 32x32x8: gfx90a (`_1k`) to gfx950.
    BF16_32x32x8 GFX90A [32, 8];
    /// bf16, 16x16x16: gfx90a (`_1k`) to gfx950.
    BF16_16x16x16 GFX90A [16, 16];
    /// bf16, 32x32x16: gfx950; before it, two of 32x32x8: `Operand<U32, U16>`.
    BF16_32x32x16 GFX950 [32, 16];
    /// bf16, 16x16x32: gfx950; before it, two of 16x16x16: `Operand<U16, U32>`.
    BF16_16x16x32 GFX950 [16, 32];
    /// int8, 32x32x8: gfx908 and gfx90a.
    I8_32x32x8 GFX908_90A [32, 8];
    /// int8, 16x16x16: gfx908 and gfx90a.
    I8_16x16x16 GFX908_90A [16, 16];
    /// int8, 32x32x16: gfx942 and gfx950.
    I8_32x32x16 GFX942_950 [32, 16];
    /// int8, 16x16x32: gfx942 and gfx950.
    I8_16x16x32 GFX942_950 [16, 32];
    /// int8, 32x32x32: gfx950 (inferred, as 16 bytes of fp16); before it, two of 32x32x16: `Operand<U32, U32>`.
    I8_32x32x32 GFX950 [32, 32];
    /// int8, 16x16x64: gfx950 (inferred, as 16 bytes of fp16); before it, two of 16x16x32: `Operand<U16, U64>`.
    I8_16x16x64 GFX950 [16, 64];
    /// fp8 and bf8, 32x32x16: gfx942 and gfx950.
    F8_32x32x16 GFX942_950 [32, 16];
    /// fp8 and bf8, 16x16x32: gfx942 and gfx950.
    F8_16x16x32 GFX942_950 [16, 32];
    /// fp6, bf6 and fp4, 32x32x64: gfx950. 32 neighbours of k, as CK Tile has it of fp8 and bf8, too; see [`Halved`].
    F8F6F4_32x32x64 GFX950 [32, 64];
    /// fp6, bf6 and fp4, 16x16x128: gfx950. 32 neighbours of k, as CK Tile has it of fp8 and bf8, too; see [`Halved`].
    F8F6F4_16x16x128 GFX950 [16, 128];
}

instructions! { blocked
    /// fp32, 32x32x1 with 2 blocks: gfx908 to gfx950.
    F32_32x32x1 GFX908 [2 x 32, 1];
    /// fp32, 16x16x1 with 4 blocks: gfx908 to gfx950.
    F32_16x16x1 GFX908 [4 x 16, 1];
    /// fp16, 32x32x4 with 2 blocks: gfx908 to gfx950.
    F16_32x32x4 GFX908 [2 x 32, 4];
    /// fp16, 16x16x4 with 4 blocks: gfx908 to gfx950.
    F16_16x16x4 GFX908 [4 x 16, 4];
    /// bf16, 32x32x2 with 2 blocks: gfx908 and gfx90a.
    BF16_32x32x2 GFX908_90A [2 x 32, 2];
    /// bf16, 16x16x2 with 4 blocks: gfx908 and gfx90a.
    BF16_16x16x2 GFX908_90A [4 x 16, 2];
    /// bf16, 32x32x4 with 2 blocks: gfx90a (`_1k`) to gfx950.
    BF16_32x32x4_2B GFX90A [2 x 32, 4];
    /// bf16, 16x16x4 with 4 blocks: gfx90a (`_1k`) to gfx950.
    BF16_16x16x4 GFX90A [4 x 16, 4];
    /// int8, 32x32x4 with 2 blocks: gfx908 to gfx950.
    I8_32x32x4 GFX908 [2 x 32, 4];
    /// int8, 16x16x4 with 4 blocks: gfx908 to gfx950.
    I8_16x16x4 GFX908 [4 x 16, 4];
}

instructions! { blocked
    /// fp32, 4x4x1 with 16 blocks: gfx908 to gfx950.
    F32_4x4x1 GFX908 [16 x 4, 1];
    /// fp16, 4x4x4 with 16 blocks: gfx908 to gfx950.
    F16_4x4x4 GFX908 [16 x 4, 4];
    /// bf16, 4x4x2 with 16 blocks: gfx908 and gfx90a.
    BF16_4x4x2 GFX908_90A [16 x 4, 2];
    /// bf16, 4x4x4 with 16 blocks: gfx90a (`_1k`) to gfx950.
    BF16_4x4x4 GFX90A [16 x 4, 4];
    /// int8, 4x4x4 with 16 blocks: gfx908 to gfx950.
    I8_4x4x4 GFX908 [16 x 4, 4];
}

instructions! { @modules
    /// fp8 and bf8, 32x32x64: gfx950.
    F8_32x32x64 GFX950 Halved<Lit<32>, Lit<64>>, Halved<Lit<32>, Lit<64>>,
        Accumulator<Lit<32>, Lit<32>>, SwappedAccumulator<Lit<32>, Lit<32>>;
    /// fp8 and bf8, 16x16x128: gfx950.
    F8_16x16x128 GFX950 Halved<Lit<16>, Lit<128>>, Halved<Lit<16>, Lit<128>>,
        Accumulator<Lit<16>, Lit<16>>, SwappedAccumulator<Lit<16>, Lit<16>>;
    /// fp64, 16x16x4: gfx90a to gfx950.
    F64_16x16x4 GFX90A Operand<Lit<16>, Lit<4>>, Operand<Lit<16>, Lit<4>>, AccumulatorF64, SwappedAccumulatorF64;
    /// fp64, 4x4x4 with 4 blocks: gfx90a to gfx950.
    F64_4x4x4 GFX90A BlockedOperand<Lit<4>, Lit<4>, Lit<4>>, BlockedOperand<Lit<4>, Lit<4>, Lit<4>>,
        SmallAccumulatorF64, SwappedSmallAccumulatorF64;
    /// fp16, 4x64: four of 4x4x4 with 16 blocks, whose A is repeated; gfx908 to gfx950.
    F16_4x64x16 GFX908 Repeated<Lit<4>, Lit<16>>, Operand<Lit<64>, Lit<16>>,
        Accumulator<Lit<4>, Lit<64>>, SwappedAccumulator<Lit<64>, Lit<4>>;
    /// fp16, 64x4: the same with B repeated.
    F16_64x4x16 GFX908 Operand<Lit<64>, Lit<16>>, Repeated<Lit<4>, Lit<16>>,
        Accumulator<Lit<64>, Lit<4>>, SwappedAccumulator<Lit<4>, Lit<64>>;
}
