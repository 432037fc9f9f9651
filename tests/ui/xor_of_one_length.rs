// Attempt: xor with one length.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        xor[16] (0, 1) -> (0, 1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
