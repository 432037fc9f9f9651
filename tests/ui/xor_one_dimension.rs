// Attempt: wire xor to one lower and one upper dimension.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   xor[8, 16] (1) -> (1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
