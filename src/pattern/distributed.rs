//! `distribution!` names a distribution, its factors and their owners, and checks it where it is written.

/// A distribution as a type: tile dimensions as products of named factors, slowest first, and
/// who owns which.
///
/// ```
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 256 lanes take 128 rows of 64 halves, 8 each.
///     pub type Fetch:
///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
///         wave (wave), lane (row, chunk), thread (again, half);
///
///     /// For any tile: no bounds but `Number`.
///     pub type Rows<M, K, V, W>:
///         m [again (M * K / V / 64 / W), wave W, row (64 * V / K)],  k [chunk (K / V), element V];
///         wave (wave), lane (row, chunk), thread (again, element);
///
///     /// A gfx11 WMMA: lanes 16 to 31 hold what lanes 0 to 15 do.
///     pub type Wmma:
///         m [row 16], k [pack 16];
///         repeat [copy 2], lane (copy, row), thread (pack);
/// }
/// assert_eq!(Fetch::coordinate(1, 10, 19), [73, 19]);
/// assert_eq!(Rows::<U128, U64, U8, U4>::coordinate(1, 10, 19), [73, 19]);
/// assert_eq!(Wmma::coordinate(0, 19, 5), [3, 5]);
/// ```
///
/// Factors that do not divide the tile cover it: `of` gives the length of a dimension, and several dimensions in parentheses are
/// counted as one number, the last one fastest. No lane holds what is beyond the tile:
/// [`masked`](crate::distribution::Distribution::masked), and whatever hands out addresses, reports the lanes that are idle.
///
/// ```
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 31 rows by 8 lanes.
///     type Rows: m [again 4, row 8] of 31; lane (row), thread (again);
///     /// A halo of 22x40 by 256 threads: 220 vectors of 4.
///     type Halo: (m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part);
/// }
/// assert_eq!(Rows::masked(0, 6, 3), ([30], true));
/// assert_eq!(Halo::masked(1, 0, 1), ([6, 17], true)); // number 257
/// assert!(!Halo::masked::<2>(3, 28, 0).1);
/// ```
///
/// A factor's length is a literal, a parameter, or arithmetic in parentheses. An owner lists factors slowest first, and is
/// written only if it owns something, in this order: `repeat`, `wave`, `lane`, `thread`. The factors of `repeat` belong to no
/// dimension: lanes that differ only there hold the same.
///
/// A distribution without parameters is checked where it is written, the others where they are used. A fault is an error at the
/// name, with the names of its factors:
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// distribution! {
///     type Lost: m [row 32], k [part 2, pack 4]; lane (part, row);
/// }
/// // error: Lost: factor "pack" of k (length 4) has no owner: no lane would hold its other elements
/// ```
#[macro_export]
macro_rules! distribution {
    ($($distributions:tt)*) => { $crate::__distributions! { {$crate} $($distributions)* } };
}
