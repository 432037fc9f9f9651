// Attempt: wire xor to one lower dimension and two upper ones.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   xor[4, 4] (1) -> (1, 2);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
