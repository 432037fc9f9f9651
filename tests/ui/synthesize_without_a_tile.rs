// Attempt: forget the lengths of the tile.
use tiledesc::prelude::*;

synthesize! {
    type ABlock = F16 on gfx942: write ds_write_b128 by RowMajor;
}

fn main() {}
