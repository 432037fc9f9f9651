// Attempt: embed 4 by 5 with pitch 4 in a dimension of 16.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        pass[8] (0) -> (0),   embed[4, 5] strides [4, 1] (1) -> (1, 2);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
