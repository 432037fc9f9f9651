// Attempt: a word of evidence that there is not.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Tile on gfx942 as sure: read ds_read_b128 by MfmaRows<16> }

fn main() {}
