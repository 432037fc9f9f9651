//! Plain tiles: consecutive rows, with or without a pad.
//!
//! | fp16 128x64 | LDS bytes | 16-row MFMA read, gfx942 |
//! |---|---|---|
//! | [`RowMajor`](type@RowMajor) | 16384 | 4-way |
//! | [`RowPad`](type@RowPad) of 8 | 18416 | 2-way |

use super::outline::rows;
use tiledesc_transforms::{Lit, Naive, descriptor};

descriptor! {
    type Rows<M, K, P>:
        naive [M, K] strides [K + P, 1];
}

recipe! {
    /// `M` rows of `K` elements.
    ///
    /// * CK Tile: any plain tile.
    /// * Offset: `m*K + k`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::RowMajor<F16, M<128>, K<64>>>::offset([3, 17]), 209);
    /// ```
    #[example([128, 64], [3, 17], 209)]
    pub type RowMajor<E, M, K> = Rows<M, K, Lit<0>>,
        outline rows::<M, K, Lit<0>>();

    /// `M` rows of `K` elements with `Padding` elements of padding after each.
    ///
    /// * CK Tile: a plain tile, padded.
    /// * Offset: `m*(K + Padding) + k`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::RowPad<F16, M<128>, K<64>, Padding<8>>>::offset([3, 17]), 233);
    /// ```
    #[doc(alias = "padding")]
    #[example([128, 64, 8], [3, 17], 233)]
    pub type RowPad<E, M, K, Padding> = Rows<M, K, Padding>,
        outline rows::<M, K, Padding>();

    /// The C tile of the C-shuffle epilogue, row-major: `M` rows of `N`.
    ///
    /// * CK Tile: `epilogue/cshuffle_epilogue.hpp`.
    /// * Offset: `m*N + n`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::CShuffle<F16, M<32>, N<64>>>::offset([3, 17]), 209);
    /// ```
    #[example([32, 64], [3, 17], 209)]
    pub type CShuffle<E, M, N> = Rows<M, N, Lit<0>>,
        outline rows::<M, N, Lit<0>>();

    /// The C tile of the C-shuffle epilogue, column-major: `(m, n)` at `n * M + m`.
    ///
    /// * CK Tile: `epilogue/cshuffle_epilogue.hpp`.
    /// * Offset: `n*M + m`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::CShuffleColumn<F16, M<32>, N<64>>>::offset([3, 17]), 547);
    /// ```
    #[example([32, 64], [3, 17], 547)]
    pub type CShuffleColumn<E, M, N> = Naive<(M, N), (Lit<1>, M)>;

    /// The operand of gfx950's transposed LDS read: plain `K` rows of `MN`.
    ///
    /// * CK Tile: `gemm/pipeline/gemm_universal_pipeline_ag_bg_cr_policy.hpp`.
    /// * Offset: `k*MN + mn`.
    /// * Refuses: only what every layout refuses: a length of 0, bytes beyond 32 bits.
    ///
    /// ```
    /// use tiledesc::{prelude::*, recipe::*};
    ///
    /// assert_eq!(<recipe::GemmDsReadTr<F16, K<32>, MN<128>>>::offset([3, 17]), 401);
    /// ```
    #[example([32, 128], [3, 17], 401)]
    pub type GemmDsReadTr<E, K, MN> = Rows<K, MN, Lit<0>>,
        outline rows::<K, MN, Lit<0>>();
}

#[cfg(test)]
mod tests {
    use super::super::outline::{assert_kept, is_kept, of_rows};
    use super::{CShuffle, GemmDsReadTr, RowMajor, RowPad};
    use crate::element::{F8, F16};
    use crate::parameter::{K, M, MN, N, Padding};
    use alloc::format;

    #[test]
    fn as_plans_of_rows() {
        let mut some = 0;
        for rows in [0, 1, 2, 7, 64, 96, 128, 1 << 12, 1 << 31] {
            for columns in [0, 1, 3, 8, 24, 64, 96, 1 << 20, u32::MAX] {
                for pad in [0, 1, 4, 8, 32, 1 << 20, u32::MAX] {
                    let plan = RowPad::<F8>([rows, columns, pad]);
                    let what = format!("{rows}x{columns}+{pad}");
                    some += u32::from(is_kept(of_rows(rows, columns, pad), &plan, &what));
                }
            }
        }
        assert!(some > 150, "{some}");
    }

    #[test]
    fn as_plans_of_types() {
        assert_kept::<RowMajor<F16, M<24>, K<96>>>();
        assert_kept::<RowPad<F16, M<128>, K<64>, Padding<8>>>();
        assert_kept::<CShuffle<F16, M<32>, N<96>>>();
        assert_kept::<GemmDsReadTr<F16, K<32>, MN<128>>>();
    }
}
