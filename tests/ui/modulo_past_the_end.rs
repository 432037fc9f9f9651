// Attempt: wrap around after 32 indices in a dimension of 16.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   modulo[32, 64] (1) -> (1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
