// Attempt: two transforms take dimension 0.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   pass[8] (0) -> (1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
