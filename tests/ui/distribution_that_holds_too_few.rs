// Attempt: a lane holds 4 halves along k, the instruction moves 8.
use tiledesc::prelude::*;

distribution! {
    type Read: m [wave 4, row 32], k [deep 8, part 2, half 4];
        wave (wave), lane (part, row), thread (deep, half);
}
layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Tile on gfx942: read ds_read_b128 by Read }

fn main() {}
