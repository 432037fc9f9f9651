// Attempt: split a dimension of 16 into 4 times 5.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   unmerge[4, 5] (1) -> (1, 2);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
