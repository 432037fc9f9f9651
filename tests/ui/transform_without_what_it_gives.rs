// Attempt: a transform that does not say what it gives.
use tiledesc::prelude::*;

descriptor! {
    type Tile:
        packed [8, 16];
        xor[8, 16] (0, 1);
}

fn main() {}
