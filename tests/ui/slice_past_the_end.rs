// Attempt: take indices 4 to 20 of a dimension of 8.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        slice[8, 4, 20] (0) -> (0),   pass[16] (1) -> (1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
