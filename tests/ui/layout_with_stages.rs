// Attempt: the stages of a descriptor in a layout.
use tiledesc::prelude::*;

layout! {
    type Tile:
        naive [128, 64] strides [64, 1];
}

fn main() {}
