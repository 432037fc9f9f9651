// Attempt: more dimensions than a descriptor has.
use tiledesc::prelude::*;

descriptor! { type Long: packed [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]; }
layout! { type Tile = Layout<F16, Long>; }

fn main() {}
