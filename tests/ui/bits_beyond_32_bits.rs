// Attempt: a tile of half bytes beyond offsets of 32 bits, in bits.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F4, M<32768>, K<65536>>; }

fn main() {}
