// Attempt: a descriptor without its element type.
use tiledesc::prelude::*;

layout! { type Tile = Naive<seq![128, 64], seq![64, 1]>; }

fn main() {}
