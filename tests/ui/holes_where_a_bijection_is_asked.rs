// Attempt: rows with a pad after each, claimed to fill their space.
use tiledesc::prelude::*;

layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
assert_bijective! { Padded }

fn main() {}
