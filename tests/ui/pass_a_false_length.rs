// Attempt: pass a dimension of 8 through as 80.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[80] (0) -> (0),   pass[16] (1) -> (1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
