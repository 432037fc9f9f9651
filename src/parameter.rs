//! The names of tile parameters, as CK Tile has them.
//!
//! `recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>` says which number is which, and
//! an error does too: `K = 64 is not a multiple of KPack = 24`. Each is a
//! [`Number`], so a recipe takes any other number in its place.

use tiledesc_transforms::number::fits;
use tiledesc_transforms::{Number, NumberError};

/// The table of names.
macro_rules! parameters {
    ($($(#[$doc:meta])* $Name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $Name<const VALUE: usize>;

        impl<const VALUE: usize> Number for $Name<VALUE> {
            const N: u32 = VALUE as u32;
            const FAULT: Option<NumberError> = fits(VALUE as u64);
            const NAME: &'static str = stringify!($Name);
        }
    )*};
}

parameters! {
    /// Rows of the tile (CK `MPerBlock`).
    M;
    /// Columns of the tile (CK `NPerBlock`).
    N;
    /// Rows of an operand, be it M or N (CK `MNPerBlock`).
    MN;
    /// Depth of the tile (CK `KPerBlock`).
    K;
    /// Elements of K that stay together (CK `KPack`, `kKPerThread`).
    KPack;
    /// Rows of M that share a row of LDS (CK `MLdsLayer`).
    MLdsLayer;
    /// Elements after each row.
    Padding;
    /// Elements of one vector load or store.
    VectorSize;
    /// Waves of the block.
    Warps;
    /// Threads of the block.
    BlockSize;
    /// Rows of one matrix instruction (CK `MPerXdl`).
    MPerXdl;
    /// Consecutive buffers.
    Buffers;
    /// Number of the buffer, from 0.
    Buffer;
    /// Outer iterations over K.
    KIter;
    /// Repetitions.
    Rep;
}
