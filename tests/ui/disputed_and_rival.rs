// Attempt: both of two sources that disagree, of which the last word would win.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Tile on gfx942 as disputed rival: read ds_read_b128 by MfmaRows<16> }

fn main() {}
