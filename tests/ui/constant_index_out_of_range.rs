// Attempt: the offset of (9, 99) in a tile of 8 by 16.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<8>, K<16>>; }
const OFFSET: u32 = Tile::offset([9, 99]);

fn main() {}
