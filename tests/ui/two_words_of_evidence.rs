// Attempt: two words of evidence, of which the weaker would pass any row.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Tile on gfx942 as inferred measured: read ds_read_b128 by MfmaRows<16> }

fn main() {}
