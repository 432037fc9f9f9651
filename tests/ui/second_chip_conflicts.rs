// Attempt: a layout that is conflict-free only on the first chip.
use tiledesc::prelude::*;

layout! { type Swapped = recipe::XorPreshuffle<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Swapped on gfx942, gfx950: read ds_read_b128 by MfmaRows<32> }

fn main() {}
