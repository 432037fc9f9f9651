// Attempt: rely on a row that has not been measured.
use tiledesc::prelude::*;

layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
assert_conflict_free! { Plain on gfx1030: read ds_read_b128 by MfmaRows<16> }

fn main() {}
