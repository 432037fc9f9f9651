//! Scores in floats: rows of 64, added up down their columns, and rows of 100.

use tiledesc::chip::{gfx942::ds_read_b128, sm_90::st_shared_b128};
use tiledesc::prelude::*;

layout! {
    /// Scores that are read by columns.
    pub type Scores = recipe::RowPad<F32, M<64>, K<64>, Padding<1>>;
    /// Scores of 100 keys.
    pub type Wide = recipe::RowPad<F32, M<64>, K<100>, Padding<4>>;
}

assert_conflict_free! {
    Scores on sm_90: write st_shared_b32 by RowMajor, read ld_shared_b32 by Column
}
const _: () = assert!(Wide::degree::<RowMajor>(&st_shared_b128) == 2);
const _: () = assert!(Wide::degree::<RowMajor>(&ds_read_b128) == 2);

/// The byte of a score.
#[must_use]
pub fn score(m: u32, k: u32) -> u32 {
    Scores::byte_at([m, k])
}

/// The byte of a score of 100 keys.
#[must_use]
pub fn wide(m: u32, k: u32) -> u32 {
    Wide::byte_at([m, k])
}
