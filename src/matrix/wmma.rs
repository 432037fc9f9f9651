//! WMMA: matrix instructions of gfx11, gfx12 and gfx1250, a wave of 32 lanes, 16 by 16.
//!
//! Sources: CK Tile, `warp_gemm_attribute_wmma_impl.hpp`; AMD GPUOpen, "How to accelerate AI applications on RDNA 3
//! using WMMA" and "Using the Matrix Cores of AMD RDNA 4 architecture GPUs"; of gfx1250, whose 16-bit instructions alone are
//! here, triton-lang/triton pull requests 8174 and 8253 on the operands, and C inferred as gfx12's. AMD's ROCm/amd_matrix_instruction_calculator agrees (`tests/golden/amd`), but for 16-bit operands of
//! gfx12, where it numbers k in fours and not in eights. Both are right: permuting k of A and of B alike does
//! not change the product.

/// gfx1100 to gfx1151: both halves of a wave hold the operands.
pub mod gfx11 {
    use crate::distribution::OperandOf;

    const FAMILY: OperandOf =
        OperandOf { name: "gfx11's WMMA", chips: &["gfx1100", "gfx1101", "gfx1151"] };

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

        /// C: the lower half of a wave holds even rows, the upper half odd ones. Of 16 bits, an
        /// element fills the lower or the upper half of a register, as OPSEL says.
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
}

/// gfx1200, gfx1201 and gfx1250: each half of a wave holds half of k.
pub mod gfx12 {
    use crate::distribution::OperandOf;

    const FAMILY: OperandOf =
        OperandOf { name: "gfx12's WMMA", chips: &["gfx1200", "gfx1201", "gfx1250"] };

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

        /// A of 16 rows and K of k, or B of 16 columns: K / 2 neighbours of k a lane. How int4
        /// lies in 16x16x32.
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
}
