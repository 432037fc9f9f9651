// Attempt: stages over nothing.
use tiledesc::prelude::*;

descriptor! {
    type Tile: xor[8, 16] (0, 1) -> (0, 1);
}

fn main() {}
