// Attempt: rows of 96 halves, for which no layout is known that is free, without saying how many
// cycles will do; then with too few.
use tiledesc::prelude::*;

synthesize! {
    type Odd = F16 [64, 96] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
        read  ds_read_b128  by MfmaRows<32>;

    type Fewer = F16 [64, 96] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
        read  ds_read_b128  by MfmaRows<32>;
    at most 288 cycles;
}

fn main() {}
