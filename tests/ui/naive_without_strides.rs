// Attempt: a naive base without strides.
use tiledesc::prelude::*;

descriptor! { type Rows: naive [8, 16]; }
layout! { type Tile = Layout<F16, Rows>; }

fn main() {}
