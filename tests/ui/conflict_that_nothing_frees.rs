// Attempt: read rows of 96 halves by 16 and by 32, which want different pads.
use tiledesc::prelude::*;

layout! { type Odd = recipe::RowMajor<F16, M<96>, K<96>>; }
assert_conflict_free! {
    Odd on gfx942:
        read ds_read_b128 by MfmaRows<16>,
        read ds_read_b128 by MfmaRows<32>,
}

fn main() {}
