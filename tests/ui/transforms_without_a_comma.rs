// Attempt: two transforms with nothing between them.
use tiledesc::prelude::*;

descriptor! {
    type Tile:
        packed [8, 16];
        pass[8] (0) -> (0) pass[16] (1) -> (1);
}

fn main() {}
