// Attempt: an access that is done 0 times.
use tiledesc::prelude::*;

synthesize! {
    type ABlock = F16 [128, 64] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16> times 0;
}

fn main() {}
