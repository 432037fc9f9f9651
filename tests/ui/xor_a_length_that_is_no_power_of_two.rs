// Attempt: swizzle rows of 12 chunks with xor.
use tiledesc::prelude::*;

descriptor! {
    type Swizzled:
        packed [8, 12];
        xor[8, 12] (0, 1) -> (0, 1);
}
layout! { type Tile = Layout<F16, Swizzled>; }

fn main() {}
