// Attempt: read 64 times 255 dwords past the first of the tile.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F32, M<64>, K<64>>; }
assert_conflict_free! { Tile on gfx942: read ds_read2st64_b32(0, 255) by RowMajor }

fn main() {}
