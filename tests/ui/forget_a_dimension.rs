// Attempt: transform dimension 0 and say nothing about dimension 1.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        unmerge[2, 4] (0) -> (0, 1);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
