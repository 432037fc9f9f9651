// Attempt: freeze a dimension of 8 at index 8.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        freeze[8] (0) -> (),   pass[16] (1) -> (0);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
