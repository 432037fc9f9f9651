//! Fetches of a tile by a block: vectors row by row, the rows dealt to waves in three ways.
//!
//! ```text
//!   32 rows, 4 waves of 2 rows at a time, so 4 times each    rows of wave 1
//!
//!   ThreadRaked   y = wave . row . again                     8  9 10 11 | 12 13 14 15   a lane's rows
//!   WarpRaked     y = wave . again . row                     8 10 12 14 |  9 11 13 15   a wave's block
//!   BlockRaked    y = again . wave . row                     2 10 18 26 |  3 11 19 27   rounds of the block
//! ```
//!
//! The last dimension is contiguous in memory; a lane takes V elements of it, or fewer if the
//! tile does not have V for each. Source: CK Tile, `static_encoding_pattern.hpp`
//! (`tile_distribution_encoding_pattern_2d`); its tables `dist_copy_*`.

use super::encoding::Encoding;
use super::fault::DistributionError;
use super::typed::Distribution;
use core::marker::PhantomData;
use tiledesc_transforms::{Div, Length, Lit, Min, Mul, Number, NumberError};

/// Numbers with what they count, for what does not divide: "rows = 100 is not a multiple of rows at once = 32".
macro_rules! counted {
    ($($Name:ident $name:literal;)*) => {$(
        #[derive(Clone, Copy, Debug, Default)]
        struct $Name<N>(PhantomData<N>);

        impl<N: Number> Number for $Name<N> {
            const N: u32 = N::N;
            const NAME: &'static str = $name;
            const FAULT: Option<NumberError> = N::FAULT;
        }
    )*};
}

counted! {
    Elements "rows * columns";
    Lanes "lanes";
    Columns "columns";
    VectorOf "elements of a vector";
    OfWave "lanes of a wave";
    Vectors "vectors of a row";
    Rows "rows";
    AtOnce "rows at once";
}

/// Elements of a vector.
type VectorLength<Y, X, V, W, L> = Min<V, Div<Elements<Mul<Y, X>>, Lanes<Mul<W, L>>>>;
/// Vectors of a row.
type VectorsPerRow<Y, X, V, W, L> = Div<Columns<X>, VectorOf<VectorLength<Y, X, V, W, L>>>;
/// Rows that a wave takes at a time.
type RowsAtOnce<Y, X, V, W, L> = Div<OfWave<L>, Vectors<VectorsPerRow<Y, X, V, W, L>>>;
/// The number of times that a wave takes rows.
type Rounds<Y, X, V, W, L> = Div<Rows<Y>, AtOnce<Mul<W, RowsAtOnce<Y, X, V, W, L>>>>;

/// Raked fetches. `$factor $Length` are the factors of y, slowest first, by which they differ. All else is equal.
macro_rules! raked {
    ($($(#[$doc:meta])* $Name:ident [$($factor:literal $Length:ty),+];)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $Name<Y, X, V, W, L = Lit<64>>(PhantomData<(Y, X, V, W, L)>);

        impl<Y: Number, X: Number, V: Number, W: Number, L: Number> Distribution
            for $Name<Y, X, V, W, L>
        {
            const ENCODING: Result<Encoding, DistributionError> = Encoding::of_numbers(
                &[],
                &[
                    ("y", &[$(($factor, <$Length>::KNOWN)),+]),
                    ("x", &[
                        ("chunk", VectorsPerRow::<Y, X, V, W, L>::KNOWN),
                        ("element", VectorLength::<Y, X, V, W, L>::KNOWN),
                    ]),
                ],
                &["wave"],
                &["row", "chunk"],
                &["again", "element"],
            );
        }
    )*};
}

raked! {
    /// A tile of Y rows of X, fetched by W waves of L lanes in vectors of V: each lane has
    /// neighbouring rows.
    ///
    /// ```
    /// use tiledesc::{distribution::ThreadRaked, prelude::*};
    ///
    /// type Fetch = ThreadRaked<U128, U64, U8, U4>;
    /// assert_eq!((Fetch::WAVES, Fetch::ELEMENTS), (4, 32));
    /// assert_eq!(Fetch::coordinate(1, 9, 2 * 8 + 3), [32 + 4 + 2, 8 + 3]);
    /// ```
    ThreadRaked ["wave" W, "row" RowsAtOnce<Y, X, V, W, L>, "again" Rounds<Y, X, V, W, L>];
    /// A tile fetched as by [`ThreadRaked`], but with the rows of a wave together: its lanes take neighbouring rows.
    ///
    /// ```
    /// use tiledesc::{distribution::WarpRaked, prelude::*};
    ///
    /// type Fetch = WarpRaked<U128, U64, U8, U4>;
    /// assert_eq!(Fetch::coordinate(1, 9, 2 * 8 + 3), [32 + 2 * 8 + 1, 8 + 3]);
    /// ```
    WarpRaked ["wave" W, "again" Rounds<Y, X, V, W, L>, "row" RowsAtOnce<Y, X, V, W, L>];
    /// A tile fetched as by [`ThreadRaked`], but in rounds of the block: all waves take neighbouring rows.
    ///
    /// ```
    /// use tiledesc::{distribution::BlockRaked, prelude::*};
    ///
    /// type Fetch = BlockRaked<U128, U64, U8, U4>;
    /// assert_eq!(Fetch::coordinate(1, 9, 2 * 8 + 3), [2 * 32 + 8 + 1, 8 + 3]);
    /// ```
    BlockRaked ["again" Rounds<Y, X, V, W, L>, "wave" W, "row" RowsAtOnce<Y, X, V, W, L>];
}
