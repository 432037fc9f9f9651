// Attempt: u16 elements.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<u16, M<8>, K<16>>; }

fn main() {}
