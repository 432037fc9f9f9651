// Attempt: a layout in a function, of the function's own parameter.
use tiledesc::prelude::*;

fn kernel<K: Number>(m: u32, k: u32) -> u32 {
    layout! { type Tile = recipe::RowMajor<F16, U128, K>; }
    Tile::at([m, k])
}

fn main() {}
