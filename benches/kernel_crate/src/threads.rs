//! Which thread holds which elements of a tile.

use tiledesc::distribution::{BlockRaked, ThreadRaked, Within};
use tiledesc::matrix::mfma;
use tiledesc::prelude::*;

/// 128 rows of 64 halves by four waves: a thread loads 8 halves of every 32nd row.
pub type EveryRow = BlockRaked<U128, U64, U8, U4>;

/// The same rows: a thread loads 8 halves of each of four neighbouring rows.
pub type NextRows = ThreadRaked<U128, U64, U8, U4>;

distribution! {
    /// 64 rows of 96 halves by four waves: a row a lane, 24 columns a wave.
    pub type Rows96:
        m [row 64], k [wave 4, part 3, half 8];
        wave (wave), lane (row), thread (part, half);

    /// 2 x 2 waves, each with two matrix instructions along m and four along k.
    pub type Waves:
        m [down 2, wave 2], k [deep 4];
        repeat [across 2], wave (wave, across), thread (down, deep);
}

/// The A operand of 32x32x16 matrix instructions.
pub type Operand = Within<Waves, mfma::Operand<U32, U16>>;
