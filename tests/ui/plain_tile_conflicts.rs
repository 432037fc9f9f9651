// Attempt: read a row-major tile for a matrix instruction.
use tiledesc::prelude::*;

layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
assert_conflict_free! {
    Plain on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
}

fn main() {}
