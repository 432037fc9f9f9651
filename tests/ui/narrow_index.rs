// Attempt: a 16-bit index.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<8>, K<16>>; }

fn address(m: u16, k: u16) -> u16 {
    Tile::at([m, k])
}

fn main() {
    address(1, 2);
}
