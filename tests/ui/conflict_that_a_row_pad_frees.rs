// Attempt: read rows of 96 halves, whose 12 packs no xor permutes.
use tiledesc::prelude::*;

layout! { type Odd = recipe::RowMajor<F16, M<96>, K<96>>; }
assert_conflict_free! { Odd on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
