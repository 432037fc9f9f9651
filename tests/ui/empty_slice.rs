// Attempt: a slice from 4 to 4.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        slice[8, 4, 4] (0) -> (0),   pass[16] (1) -> (1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
