// Attempt: xor [8, 16] as if it were [16, 8].
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        xor[16, 8] (0, 1) -> (0, 1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
