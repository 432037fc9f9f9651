// Attempt: a tile of 16 by 16 for 64 lanes of 16 bytes.
use tiledesc::prelude::*;

layout! { type Small = recipe::RowMajor<F16, M<16>, K<16>>; }
assert_conflict_free! { Small on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
