// Attempt: merge [8, 16] with the lengths the wrong way round.
use tiledesc::prelude::*;

descriptor! {
    type Wrong:
        packed [8, 16];
        merge[16, 8] (0, 1) -> (0);
}
layout! { type Tile = Layout<F16, Wrong>; }

fn main() {}
