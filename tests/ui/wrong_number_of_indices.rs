// Attempt: three indices for two dimensions, in a constant.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<8>, K<16>>; }
const OFFSET: u32 = Tile::offset([1, 2, 3]);

fn main() {}
