// Attempt: put 128 KiB into the LDS of gfx942.
use tiledesc::prelude::*;

layout! { type Large = recipe::GemmXor<F32, M<512>, K<64>, KPack<4>>; }
assert_conflict_free! { Large on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
