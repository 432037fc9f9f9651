// Attempt: two buffers of a tile that conflicts.
use tiledesc::prelude::*;
use tiledesc::storage::Buffered;

layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
assert_conflict_free! { Buffered<Plain, U2> on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
