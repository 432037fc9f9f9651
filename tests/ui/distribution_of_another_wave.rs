// Attempt: a distribution of 64 lanes on a chip of 32.
use tiledesc::prelude::*;

distribution! {
    type Read: m [wave 4, row 32], k [deep 4, part 2, half 8];
        wave (wave), lane (part, row), thread (deep, half);
}
layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Tile on gfx1100: read ds_load_b128 by Read }

fn main() {}
