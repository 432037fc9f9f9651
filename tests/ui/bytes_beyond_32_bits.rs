// Attempt: 3 G elements of 2 bytes: the elements fit 32-bit offsets, the bytes do not.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<49152>, K<65536>>; }

fn main() {}
