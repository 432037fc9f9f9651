//! The batched transpose's tile: store and load alike.

use crate::layout::Layout;
use tiledesc_transforms::descriptor;

descriptor! {
    type Vectors<S, Lead, V>:
        naive [S, Lead/V, V] strides [Lead, V, 1];
        pass[S] (0) -> (0),   merge[Lead/V, V] (1, 2) -> (1);
}

/// `S` rows of `Lead` elements, in vectors of `V`.
///
/// ```
/// use tiledesc::{prelude::*, recipe::*};
///
/// assert_eq!(<recipe::BatchedTranspose<F16, M<64>, N<64>, VectorSize<4>>>::offset([3, 17]), 209);
/// ```
pub type BatchedTranspose<E, S, Lead, V> = Layout<E, Vectors<S, Lead, V>>;
