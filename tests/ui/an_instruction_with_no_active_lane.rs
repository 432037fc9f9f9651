// Attempt: two instructions, of which the second is nobody's.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
pattern! { FirstOnly(lane, step in 2) => [lane % 16, 8 * (lane / 16)] if step == 0; }
assert_conflict_free! { Tile on gfx942: read ds_read_b128 by FirstOnly }

fn main() {}
