//! `wgmma.mma_async` of sm_90: 64 rows, by the 4 warps of a warpgroup.
//!
//! Warp w holds rows 16w to 16w + 15, each as the fragments of an `mma` of 16 rows. A may come from registers; else it and
//! always B are read by the instruction itself from shared memory, through a descriptor.
//!
//! Documented: PTX ISA, "Asynchronous Warpgroup Level Matrix Register Fragment", a formula of row and column for A and D of
//! each shape. They depend on the width of an element and not on its kind: one figure serves fp32, fp16 and
//! int32 results of all N.

use super::kind::by_pack;
use crate::distribution::OperandOf;

const FAMILY: OperandOf = OperandOf::of_any("wgmma", &["sm_90"]);

/// Operands of elements that fill 32 bits, P together.
const fn of_packs(pack: u32) -> OperandOf {
    OperandOf { elements: by_pack(pack), ..FAMILY }
}

crate::distribution! {
    /// D, 64 by N, N a multiple of 8 up to 256: a lane holds N / 2 elements.
    ///
    /// ```
    /// use tiledesc::{matrix::wgmma, prelude::*};
    ///
    /// type D = wgmma::Accumulator<U128>;
    /// assert_eq!((D::WAVES, D::LANES_PER_WAVE, D::ELEMENTS), (4, 32, 64));
    /// // d6 of warp 2, lane 5: 8 rows further, 8 columns further.
    /// assert_eq!(D::coordinate(2, 5, 6), [2 * 16 + 1 + 8, 8 + 2]);
    /// ```
    pub type Accumulator<N> on FAMILY:
        m [wave 4, half 2, row 8], n [again (N / 8), quad 4, pair 2];
        wave (wave), lane (row, quad), thread (again, half, pair);

    /// A, 64 by K, in registers; P elements fill 32 bits, as in [`mma`](super::mma).
    ///
    /// ```
    /// use tiledesc::{matrix::wgmma, prelude::*};
    ///
    /// // m64nNk16 of fp16.
    /// assert_eq!(wgmma::A::<U16, U2>::coordinate(2, 5, 6), [2 * 16 + 1 + 8, 8 + 2]);
    /// ```
    pub type A<K, P> on of_packs(P):
        m [wave 4, half 2, row 8], k [deep (K / 4 / P), quad 4, pair P];
        wave (wave), lane (row, quad), thread (deep, half, pair);
}
