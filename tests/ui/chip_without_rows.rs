// Attempt: a chip that has no rows yet.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { ABlock on gfx1152: read ds_read_b128 by WmmaRows<16> }

fn main() {}
