// Attempt: a comma after the base of a descriptor.
use tiledesc::prelude::*;

descriptor! {
    type Tile: naive [8, 16] strides [16, 1], xor[8, 16] (0, 1) -> (0, 1);
}

fn main() {}
