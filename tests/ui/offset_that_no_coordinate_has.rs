// Attempt: the coordinate of an element of the pad.
use tiledesc::prelude::*;

layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
const BACK: [u32; 2] = Padded::coordinate_of(70);

fn main() {}
