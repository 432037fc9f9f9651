// Attempt: read along the rows of a tile whose columns are contiguous.
use tiledesc::prelude::*;

layout! { type BBlock = recipe::Transposed<recipe::RowMajor<F16, M<64>, K<128>>>; }
assert_conflict_free! {
    BBlock on gfx942 as inferred:
        write ds_write_b128 by ColumnMajor,
        read  ds_read_u16   by MfmaRows<16>
}

fn main() {}
