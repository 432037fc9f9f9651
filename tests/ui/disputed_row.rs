// Attempt: rely on a row about which two sources disagree.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F32, M<2>, K<64>>; }
pattern! { Halves(lane) => [lane / 32, lane % 32]; }
assert_conflict_free! { Tile on gfx950: read ds_read_b32 by Halves }

fn main() {}
