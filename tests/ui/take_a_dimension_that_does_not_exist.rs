// Attempt: take dimension 2 of two.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   pass[16] (2) -> (1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
