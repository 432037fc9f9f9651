// Attempt: the offset of a coordinate in the padding.
use tiledesc::prelude::*;

descriptor! {
    type PaddedRows:
        packed [10, 16];
        right_pad[10, 6] (0) -> (0),   pass[16] (1) -> (1);
}
layout! { type Tile = Layout<F16, PaddedRows>; }
const OFFSET: u32 = Tile::offset([12, 3]);

fn main() {}
