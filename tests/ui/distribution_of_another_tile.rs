// Attempt: a distribution of 128x64 over a tile of 64x64.
use tiledesc::prelude::*;

distribution! {
    type Read: m [wave 4, row 32], k [deep 4, part 2, half 8];
        wave (wave), lane (part, row), thread (deep, half);
}
layout! { type Small = recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>; }
assert_conflict_free! { Small on gfx942: read ds_read_b128 by Read }

fn main() {}
