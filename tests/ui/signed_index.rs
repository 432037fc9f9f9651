// Attempt: an i32 index.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<8>, K<16>>; }

fn address(m: i32, k: i32) -> i32 {
    Tile::at([m, k])
}

fn main() {}
