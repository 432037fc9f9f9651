// Attempt: an operand of 64 rows in a wave of 32 lanes, whole or not.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Tile on gfx1201: read ds_load_b128 by MfmaRows<64> }

fn main() {}
