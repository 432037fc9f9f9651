// Attempt: 16 indices from index 8 on, of a dimension of 16.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   offset[16, 8] (1) -> (1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
