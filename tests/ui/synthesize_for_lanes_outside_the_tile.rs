// Attempt: 64 lanes of 16 rows are 32 halves of each row, and the tile has 16.
use tiledesc::prelude::*;

synthesize! {
    type Short = F16 [64, 16] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16> times 3;
}

fn main() {}
