//! Fused MoE's bridge between its two GEMMs.

use tiledesc_transforms::descriptor;

descriptor! {
    /// The order in which the micro kernel writes C: (RepM, RepN, waves, 4, 16, 4).
    type MicroKernel<RM, RN, W>:
        packed [RM, RN, W, 4, 16, 4];
        merge[RM, 16] (0, 4) -> (0),   merge[RN, W, 4, 4] (1, 2, 3, 5) -> (1);
}

recipe! {
    /// The bridge as the micro kernel stores it: `RepM` times 16 rows, `RN * W * 16`
    /// columns.
    ///
    /// * CK Tile: `fused_moe/pipeline/fused_moegemm_pipeline_flatmm_policy.hpp`.
    /// * Offset: `((((rm*RepN + rn)*Warps + w)*4 + a)*16 + r)*4 + b`,
    ///   m = rm*16 + r, n = ((rn*Warps + w)*4 + a)*4 + b.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// type Bridge = recipe::MoeBridge<F16, Rep<2>, Rep<2>, Warps<4>>;
    /// assert_eq!(Bridge::LENGTHS, [32, 128]);
    /// assert_eq!(Bridge::offset([17, 5]), 2048 + 64 + 4 + 1);
    /// ```
    #[example([2, 2, 4], [17, 70], 3142)]
    pub type MoeBridge<E, RepM, RepN, Warps> = MicroKernel<RepM, RepN, Warps>;
}
