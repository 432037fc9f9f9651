// Attempt: leave out the offsets of two addresses.
use tiledesc::prelude::*;

layout! { type Floats = recipe::RowMajor<F32, M<64>, K<64>>; }
assert_conflict_free! { Floats on gfx942: read ds_read2_b32 by RowMajor }

fn main() {}
