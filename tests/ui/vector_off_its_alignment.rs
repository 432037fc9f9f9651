// Attempt: a pad of 4 halves: every other row starts 8 bytes off.
use tiledesc::prelude::*;

layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<4>>; }
assert_conflict_free! { Padded on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
