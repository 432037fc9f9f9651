// Attempt: a transform that does not exist.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        swizzle[8, 16] (0, 1) -> (0, 1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
