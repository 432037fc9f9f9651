// Attempt: name a descriptor in layout!, without element type.
use tiledesc::prelude::*;

layout! { type Tile = Packed<seq![8, 16]>; }

fn main() {}
