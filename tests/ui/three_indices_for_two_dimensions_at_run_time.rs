// Attempt: three indices for two dimensions, in a kernel.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<8>, K<16>>; }

fn address(m: u32, k: u32) -> u32 {
    Tile::at([m, k, 0])
}

fn main() {}
