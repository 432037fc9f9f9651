// Attempt: four buffers of plain rows, which fill the memory; padded they would not fit.
use tiledesc::prelude::*;
use tiledesc::storage::Buffered;

layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
type Four = Buffered<Plain, U4>;
assert_conflict_free! { Four on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
