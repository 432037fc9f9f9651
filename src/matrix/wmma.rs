//! WMMA: matrix instructions of gfx11, gfx12 and gfx1250, 16 by 16, in waves of 32 lanes, and of gfx11 and gfx12 in waves of
//! 64, whose operands are those of the module `wave64` of each:
//!
//! ```text
//!   gfx11   A, B   both sizes: a lane of row r holds all 16 of k; 2 or 4 lanes hold the same
//!           C      lane l of 32 holds rows l/16, l/16 + 2, ..; lane l of 64 rows l/16, l/16 + 4, ..
//!   gfx12   A, B   what a lane of 32 holds, two lanes of 64 share: lane l the first half, lane l + 32 the second
//!           C      as A and B
//! ```
//!
//! Sources: CK Tile, `warp_gemm_attribute_wmma_impl.hpp`; AMD GPUOpen, "How to accelerate AI applications on RDNA 3
//! using WMMA" and "Using the Matrix Cores of AMD RDNA 4 architecture GPUs"; of gfx1250,
//! triton-lang/triton pull requests 8174 and 8253 on 16-bit operands, and on those of 8 bits its test
//! `test/Conversion/amd/ds_transpose_gfx1250.mlir`, which has 8 neighbours of k for 16x16x64 and 16 for 16x16x128 (`kWidth`); C is inferred as gfx12's. Waves of 64: AMD's
//! ROCm/amd_matrix_instruction_calculator. It agrees with the rest (`tests/golden/amd`), but for 16-bit operands of
//! gfx12, where it numbers k in fours and not in eights. Both are right: permuting k of A and of B alike does
//! not change the product.

/// gfx1100 to gfx1151: both halves of a wave hold the operands.
pub mod gfx11 {
    use crate::distribution::OperandOf;

    /// The chips that have it.
    pub(crate) const CHIPS: &[&str] = &["gfx1100", "gfx1101", "gfx1151"];
    const FAMILY: OperandOf = OperandOf::of_any("gfx11's WMMA", CHIPS);

    crate::distribution! {
        /// A of 16 rows and 16 of k, or B of 16 columns: lanes 16 to 31 hold what lanes 0
        /// to 15 do.
        ///
        /// ```
        /// use tiledesc::{matrix::wmma::gfx11, prelude::*};
        ///
        /// assert_eq!(gfx11::Operand::coordinate(0, 19, 5), [3, 5]);
        /// assert_eq!(gfx11::Operand::ENCODING.unwrap().replicas(), 2);
        /// ```
        pub type Operand on FAMILY:
            m [row 16], k [pack 16];
            repeat [copy 2], lane (copy, row), thread (pack);

        /// C: the lower half of a wave holds even rows, the upper half odd ones. An element of 16 bits fills the lower or the
        /// upper half of a register, by OPSEL.
        ///
        /// ```
        /// use tiledesc::{matrix::wmma::gfx11, prelude::*};
        ///
        /// assert_eq!(gfx11::C::coordinate(0, 19, 5), [11, 3]);
        /// ```
        pub type C on FAMILY:
            m [again 8, part 2], n [column 16];
            lane (part, column), thread (again);

        /// C of operands that were swapped: the lower half of a wave holds even columns.
        ///
        /// ```
        /// use tiledesc::{matrix::wmma::gfx11, prelude::*};
        ///
        /// assert_eq!(gfx11::Ct::coordinate(0, 19, 5), [3, 11]);
        /// ```
        pub type Ct on FAMILY:
            m [column 16], n [again 8, part 2];
            lane (part, column), thread (again);
    }

    /// Waves of 64: four lanes hold each row of an operand.
    pub mod wave64 {
        use crate::distribution::OperandOf;

        /// The chips that have it.
        pub(crate) const CHIPS: &[&str] =
            &["gfx1100::wave64", "gfx1101::wave64", "gfx1151::wave64"];
        const FAMILY: OperandOf = OperandOf::of_any("gfx11's WMMA in waves of 64", CHIPS);

        crate::distribution! {
            /// A of 16 rows and 16 of k, or B of 16 columns: lanes 16 to 63 hold what lanes 0 to 15 do.
            ///
            /// ```
            /// use tiledesc::{matrix::wmma::gfx11::wave64, prelude::*};
            ///
            /// assert_eq!(wave64::Operand::coordinate(0, 51, 5), [3, 5]);
            /// assert_eq!(wave64::Operand::ENCODING.unwrap().replicas(), 4);
            /// ```
            pub type Operand on FAMILY:
                m [row 16], k [pack 16];
                repeat [copy 4], lane (copy, row), thread (pack);

            /// C: a quarter of a wave holds every fourth row.
            ///
            /// ```
            /// use tiledesc::{matrix::wmma::gfx11::wave64, prelude::*};
            ///
            /// assert_eq!(wave64::C::coordinate(0, 35, 3), [14, 3]);
            /// ```
            pub type C on FAMILY:
                m [again 4, part 4], n [column 16];
                lane (part, column), thread (again);

            /// C of operands that were swapped: a quarter of a wave holds every fourth column.
            ///
            /// ```
            /// use tiledesc::{matrix::wmma::gfx11::wave64, prelude::*};
            ///
            /// assert_eq!(wave64::Ct::coordinate(0, 35, 3), [3, 14]);
            /// ```
            pub type Ct on FAMILY:
                m [column 16], n [again 4, part 4];
                lane (part, column), thread (again);
        }
    }
}

/// gfx1200, gfx1201 and gfx1250: each half of a wave holds half of k.
pub mod gfx12 {
    use crate::distribution::OperandOf;

    const ALL: &[&str] = &["gfx1200", "gfx1201", "gfx1250"];
    /// The chips that have the instructions of gfx12: all but the last, which has its own.
    pub(crate) const CHIPS: &[&str] = ALL.split_at(ALL.len() - 1).0;
    const FAMILY: OperandOf = OperandOf::of_any("gfx12's WMMA", ALL);

    crate::distribution! {
        /// A of 16 rows and K of k, or B of 16 columns: 8 neighbours of k a lane, again
        /// every 16.
        ///
        /// ```
        /// use tiledesc::{matrix::wmma::gfx12, prelude::*};
        ///
        /// assert_eq!(gfx12::Operand::<U16>::coordinate(0, 19, 5), [3, 13]);
        /// // gfx1250, 16x16x32: lanes 16 to 31 hold k = 8 to 15 and 24 to 31.
        /// assert_eq!(gfx12::Operand::<U32>::coordinate(0, 19, 8), [3, 24]);
        /// ```
        pub type Operand<K> on FAMILY:
            m [row 16], k [again (K / 16), part 2, pack 8];
            lane (part, row), thread (again, pack);

        /// A of 16 rows and K of k, or B of 16 columns: 16 neighbours of k a lane, again every 32. This is the operand of 8 bits
        /// in gfx1250's 16x16x128.
        ///
        /// ```
        /// use tiledesc::{matrix::wmma::gfx12, prelude::*};
        ///
        /// assert_eq!(gfx12::Wide::<U128>::coordinate(0, 19, 16), [3, 32 + 16]);
        /// ```
        pub type Wide<K> on FAMILY:
            m [row 16], k [again (K / 32), part 2, pack 16];
            lane (part, row), thread (again, pack);

        /// A of 16 rows and K of k, or B of 16 columns: K / 2 neighbours of k a lane. This is the operand of int4 in 16x16x32.
        ///
        /// ```
        /// use tiledesc::{matrix::wmma::gfx12, prelude::*};
        ///
        /// assert_eq!(gfx12::Contiguous::<U32>::coordinate(0, 19, 5), [3, 16 + 5]);
        /// ```
        pub type Contiguous<K> on FAMILY:
            m [row 16], k [part 2, pack (K / 2)];
            lane (part, row), thread (pack);

        /// C: the lower half of a wave holds rows 0 to 7, the upper half 8 to 15.
        ///
        /// ```
        /// use tiledesc::{matrix::wmma::gfx12, prelude::*};
        ///
        /// assert_eq!(gfx12::C::coordinate(0, 19, 5), [13, 3]);
        /// ```
        pub type C on FAMILY:
            m [part 2, group 8], n [column 16];
            lane (part, column), thread (group);

        /// C of operands that were swapped: a lane holds 8 neighbours of n.
        ///
        /// ```
        /// use tiledesc::{matrix::wmma::gfx12, prelude::*};
        ///
        /// assert_eq!(gfx12::Ct::coordinate(0, 19, 5), [3, 13]);
        /// ```
        pub type Ct on FAMILY:
            m [column 16], n [part 2, group 8];
            lane (part, column), thread (group);
    }

    /// Waves of 64, on gfx1200 and gfx1201: lane l + 32 holds what follows in lane l of a wave of 32.
    pub mod wave64 {
        use crate::distribution::OperandOf;

        /// The chips that have it.
        pub(crate) const CHIPS: &[&str] = &["gfx1200::wave64", "gfx1201::wave64"];
        const FAMILY: OperandOf = OperandOf::of_any("gfx12's WMMA in waves of 64", CHIPS);

        crate::distribution! {
            /// A of 16 rows and K of k, or B of 16 columns: K / 4 neighbours of k a lane.
            ///
            /// ```
            /// use tiledesc::{matrix::wmma::gfx12::wave64, prelude::*};
            ///
            /// // Lanes 0, 32, 16 and 48 hold row 0, in the order of k.
            /// let first = [0, 32, 16, 48].map(|lane| wave64::Operand::<U16>::coordinate(0, lane, 0));
            /// assert_eq!(first, [[0, 0], [0, 4], [0, 8], [0, 12]]);
            /// ```
            pub type Operand<K> on FAMILY:
                m [row 16], k [part 2, half 2, pack (K / 4)];
                lane (half, part, row), thread (pack);

            /// C: lanes 0 to 15 hold rows 0 to 3, lanes 32 to 47 rows 4 to 7.
            ///
            /// ```
            /// use tiledesc::{matrix::wmma::gfx12::wave64, prelude::*};
            ///
            /// assert_eq!(wave64::C::coordinate(0, 35, 1), [5, 3]);
            /// ```
            pub type C on FAMILY:
                m [part 2, half 2, group 4], n [column 16];
                lane (half, part, column), thread (group);

            /// C of operands that were swapped: a lane holds 4 neighbours of n.
            ///
            /// ```
            /// use tiledesc::{matrix::wmma::gfx12::wave64, prelude::*};
            ///
            /// assert_eq!(wave64::Ct::coordinate(0, 35, 1), [3, 5]);
            /// ```
            pub type Ct on FAMILY:
                m [column 16], n [part 2, half 2, group 4];
                lane (half, part, column), thread (group);
        }
    }
}
