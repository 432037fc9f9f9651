// Attempt: two lengths, one stride.
use tiledesc::prelude::*;

descriptor! { type Rows: naive [8, 16] strides [16]; }
layout! { type Tile = Layout<F16, Rows>; }

fn main() {}
