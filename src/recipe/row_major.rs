//! Plain tiles: rows behind each other, with or without a pad.
//!
//! | fp16 128x64 | LDS bytes | 16-row MFMA read, gfx942 |
//! |---|---|---|
//! | [`RowMajor`] | 16384 | 4-way |
//! | [`RowPad`] of 8 | 18416 | 2-way |

use crate::layout::Layout;
use tiledesc_transforms::{Naive, descriptor};

descriptor! {
    type Rows<M, K, P>:
        naive [M, K] strides [K + P, 1];
}

/// `M` rows of `K` elements.
///
/// ```
/// use tiledesc::{prelude::*, recipe::*};
///
/// assert_eq!(<recipe::RowMajor<F16, M<128>, K<64>>>::offset([3, 17]), 209);
/// ```
pub type RowMajor<E, M, K> = Layout<E, Rows<M, K, crate::Lit<0>>>;

/// `M` rows of `K` elements with `P` elements of padding behind each.
///
/// ```
/// use tiledesc::{prelude::*, recipe::*};
///
/// assert_eq!(<recipe::RowPad<F16, M<128>, K<64>, Padding<8>>>::offset([3, 17]), 233);
/// ```
pub type RowPad<E, M, K, P> = Layout<E, Rows<M, K, P>>;

/// The C tile of the C-shuffle epilogue, row-major: `M` rows of `N`.
///
/// ```
/// use tiledesc::{prelude::*, recipe::*};
///
/// assert_eq!(<recipe::CShuffle<F16, M<32>, N<64>>>::offset([3, 17]), 209);
/// ```
pub type CShuffle<E, M, N> = RowMajor<E, M, N>;

/// The C tile of the C-shuffle epilogue, column-major: `(m, n)` at `n * M + m`.
///
/// ```
/// use tiledesc::{prelude::*, recipe::*};
///
/// assert_eq!(<recipe::CShuffleColumn<F16, M<32>, N<64>>>::offset([3, 17]), 547);
/// ```
pub type CShuffleColumn<E, M, N> = Layout<E, Naive<(M, N), (crate::Lit<1>, M)>>;

/// The operand of gfx950's transposed LDS read: plain `K` rows of `MN`.
///
/// ```
/// use tiledesc::{prelude::*, recipe::*};
///
/// assert_eq!(<recipe::GemmDsReadTr<F16, K<32>, MN<128>>>::offset([3, 17]), 401);
/// ```
pub type GemmDsReadTr<E, K, MN> = RowMajor<E, K, MN>;
