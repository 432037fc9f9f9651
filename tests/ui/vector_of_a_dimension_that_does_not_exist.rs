// Attempt: the vector width along dimension 2 of two.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<8>, K<16>>; }
const WIDTH: u32 = Tile::vector(2).length;

fn main() {}
