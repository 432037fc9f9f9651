// Attempt: a condition that no lane meets.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<128>, K<64>>; }
pattern! { Nobody(lane) => [lane, 0] if lane > 63; }
assert_conflict_free! { Tile on gfx942: read ds_read_b128 by Nobody }

fn main() {}
