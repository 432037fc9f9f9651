// Attempt: 16 bytes of 6-bit elements.
use tiledesc::prelude::*;

layout! { type Fp6 = recipe::RowMajor<F6, M<128>, K<128>>; }
assert_conflict_free! { Fp6 on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
