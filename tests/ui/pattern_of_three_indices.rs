// Attempt: a pattern of three indices over a tile of two dimensions.
use tiledesc::prelude::*;

pattern! { Cube(lane) => [lane / 16, lane % 16, 0]; }
layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { ABlock on gfx942: read ds_read_b128 by Cube }

fn main() {}
