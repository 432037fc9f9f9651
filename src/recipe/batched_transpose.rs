//! The batched transpose's tile: store and load alike.

use tiledesc_transforms::descriptor;

descriptor! {
    type Vectors<S, Lead, V>:
        naive [S, Lead/V, V] strides [Lead, V, 1];
        pass[S] (0) -> (0),   merge[Lead/V, V] (1, 2) -> (1);
}

recipe! {
    /// `M` rows of `N` elements, in vectors of `VectorSize`.
    ///
    /// * CK Tile: `batched_transpose/pipeline/batched_transpose_lds_policy.hpp`.
    /// * Offset: `m*N + n`.
    /// * Refuses: an N that is not a multiple of VectorSize.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::BatchedTranspose<F16, M<64>, N<64>, VectorSize<4>>>::offset([3, 17]), 209);
    /// ```
    #[example([64, 64, 4], [3, 17], 209)]
    pub type BatchedTranspose<E, M, N, VectorSize> = Vectors<M, N, VectorSize>;
}
