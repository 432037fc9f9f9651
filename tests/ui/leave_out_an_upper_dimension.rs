// Attempt: number the new dimensions 0 and 2.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   pass[16] (1) -> (2);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
