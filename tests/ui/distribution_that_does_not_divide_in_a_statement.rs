// Attempt: a generic distribution of numbers that do not divide.
use tiledesc::prelude::*;

distribution! {
    type Read<K, V>: m [row 64, again 2], k [part (K / V), half V];
        lane (row), thread (again, part, half);
}
layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Tile on gfx942: read ds_read_b128 by Read<U64, Lit<24>> }

fn main() {}
