// Attempt: four waves read a row-major tile by 32 rows each.
use tiledesc::prelude::*;

distribution! {
    type Read: m [wave 4, row 32], k [deep 4, part 2, half 8];
        wave (wave), lane (part, row), thread (deep, half);
}
layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
assert_conflict_free! { Plain on gfx942: read ds_read_b128 by Read }

fn main() {}
