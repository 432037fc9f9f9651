//! `mma.sync` of NVIDIA, a warp of 32 lanes. P elements fill 32 bits: 1 of tf32, 2 of fp16 and bf16, 4 of fp8 and
//! int8, 8 of int4, 32 of a bit. An fp64 fills two registers; its P is 1.
//!
//! Source: PTX ISA, "Matrix Fragments for mma", a formula of row and column for each shape; the bases of
//! Triton's `nvidia_mma`.

use super::kind::by_pack;
use crate::distribution::OperandOf;

/// NVIDIA's chips by their compute capabilities.
pub(crate) const BY_CAPABILITY: [&str; 11] = [
    "sm_70", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120",
    "sm_121",
];

/// Shapes are on all chips that have one of them: all but the first.
const FAMILY: OperandOf = OperandOf::of_any("mma", const { &BY_CAPABILITY }.split_at(1).1);

/// Operands of elements that fill 32 bits, P together.
const fn of_packs(pack: u32) -> OperandOf {
    OperandOf { elements: by_pack(pack), ..FAMILY }
}

crate::distribution! {
    /// A, 16 by K: lane = (row, quarter of k), registers first along rows, then along k.
    ///
    /// ```
    /// use tiledesc::{matrix::mma, prelude::*};
    ///
    /// // m16n8k16 of fp16: a2 and a3 are 8 rows further, a4 and a5 8 columns.
    /// type A = mma::A<U16, U2>;
    /// assert_eq!(A::coordinate(0, 5, 2), [1 + 8, 2]);
    /// assert_eq!(A::coordinate(0, 5, 4), [1, 2 + 8]);
    /// ```
    pub type A<K, P> on of_packs(P):
        m [half 2, row 8], k [deep (K / 4 / P), quad 4, pair P];
        lane (row, quad), thread (deep, half, pair);

    /// B, n by k, 8 by K.
    ///
    /// ```
    /// use tiledesc::{matrix::mma, prelude::*};
    ///
    /// assert_eq!(mma::B::<U16, U2>::coordinate(0, 5, 3), [1, 2 + 8 + 1]);
    /// ```
    pub type B<K, P> on of_packs(P):
        n [row 8], k [deep (K / 4 / P), quad 4, pair P];
        lane (row, quad), thread (deep, pair);

    /// C, 16 by 8.
    ///
    /// ```
    /// use tiledesc::{matrix::mma, prelude::*};
    ///
    /// assert_eq!(mma::C::coordinate(0, 5, 3), [1 + 8, 2 + 1]);
    /// ```
    pub type C on FAMILY:
        m [half 2, row 8], n [quad 4, pair 2];
        lane (row, quad), thread (half, pair);

    /// A of the shapes m8n8, 8 by K: as [`B`].
    ///
    /// ```
    /// use tiledesc::{matrix::mma, prelude::*};
    ///
    /// // m8n8k16 of int8.
    /// assert_eq!(mma::ShortA::<U16, U4>::coordinate(0, 5, 3), [1, 4 + 3]);
    /// ```
    pub type ShortA<K, P> on of_packs(P):
        m [row 8], k [deep (K / 4 / P), quad 4, pair P];
        lane (row, quad), thread (deep, pair);

    /// C of the shapes m8n8, 8 by 8.
    ///
    /// ```
    /// use tiledesc::{matrix::mma, prelude::*};
    ///
    /// assert_eq!(mma::ShortC::coordinate(0, 5, 1), [1, 2 + 1]);
    /// ```
    pub type ShortC on FAMILY:
        m [row 8], n [quad 4, pair 2];
        lane (row, quad), thread (pair);
}

/// `mma.m8n8k4` of fp16 on sm_70: four products of 8x8 at once, each of lanes 4i to 4i + 3 and those 16 further, a
/// *quad pair*.
pub mod quad_pair {
    use crate::distribution::OperandOf;

    use crate::element::{ElementName, F16};

    const RESULT: OperandOf = OperandOf::of_any("mma of quad pairs", &["sm_70"]);
    const FACTOR: OperandOf = OperandOf { elements: &[ElementName::new::<F16>()], ..RESULT };

    crate::distribution! {
        /// A by rows, or B by columns: a lane holds 4 of k.
        ///
        /// ```
        /// use tiledesc::{matrix::mma::quad_pair, prelude::*};
        ///
        /// assert_eq!(quad_pair::Operand::coordinate(0, 16 + 4 + 3, 2), [1, 4 + 3, 2]);
        /// ```
        pub type Operand on FACTOR:
            block [block 4], m [half 2, row 4], k [pack 4];
            lane (half, block, row), thread (pack);

        /// C of fp16: a lane holds a row.
        ///
        /// ```
        /// use tiledesc::{matrix::mma::quad_pair, prelude::*};
        ///
        /// assert_eq!(quad_pair::CF16::coordinate(0, 16 + 4 + 3, 6), [1, 4 + 3, 6]);
        /// ```
        pub type CF16 on RESULT:
            block [block 4], m [half 2, row 4], n [column 8];
            lane (half, block, row), thread (column);

        /// C of fp32: a lane holds pairs of 2 rows, 4 columns apart.
        ///
        /// ```
        /// use tiledesc::{matrix::mma::quad_pair, prelude::*};
        ///
        /// assert_eq!(quad_pair::CF32::coordinate(0, 16 + 4 + 3, 6), [1, 4 + 2 + 1, 4 + 2]);
        /// ```
        pub type CF32 on RESULT:
            block [block 4], m [half 2, second 2, odd 2], n [far 2, pairs 2, pair 2];
            lane (half, block, pairs, odd), thread (far, second, pair);
    }
}
