// Attempt: read 16 bytes where the swizzle keeps 8 together.
use tiledesc::prelude::*;

layout! { type Packs4 = recipe::GemmXor<F16, M<128>, K<64>, KPack<4>>; }
assert_conflict_free! { Packs4 on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
