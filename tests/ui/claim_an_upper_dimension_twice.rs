// Attempt: two transforms give dimension 0.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   pass[16] (1) -> (0);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
