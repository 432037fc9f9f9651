// Attempt: names for reads that conflict; the remedy serves the write, too.
use tiledesc::prelude::*;

layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
type Fetch = tiledesc::distribution::BlockRaked<U128, U64, U8, U4>;
distribution! { type Read: m [down 8, row 16], k [deep 2, part 4, half 8]; lane (part, row), thread (down, deep, half); }

access! {
    Rows on gfx942:
        type Stores = write ds_write_b128 by Fetch,
        type Loads = read ds_read_b128 by Read,
}

fn main() {}
