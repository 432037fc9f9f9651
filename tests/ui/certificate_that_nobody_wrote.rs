// Attempt: leave the layout to the test, and build before it was run.
use tiledesc::prelude::*;

synthesize! {
    type ABlock = F16 [64, 96] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>
    => _;
}

fn main() {}
