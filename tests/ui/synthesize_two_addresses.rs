// Attempt: a tile of which rows that are padded would keep two addresses apart.
use tiledesc::prelude::*;

synthesize! {
    type Pairs = F32 [64, 2] on gfx942: write ds_write2_b32(0, 4) by first RowMajor;
}

fn main() {}
