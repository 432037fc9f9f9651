// Attempt: a dimension without indices.
use tiledesc::prelude::*;

descriptor! { type Empty: packed [8, 0]; }
layout! { type Tile = Layout<F16, Empty>; }

fn main() {}
