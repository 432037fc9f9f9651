// Attempt: indices 4 to 10 of a dimension of 12, said to be 8.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [12, 16];
        slice[8, 4, 10] (0) -> (0),   pass[16] (1) -> (1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
