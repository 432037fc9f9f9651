// Attempt: a pattern that is not announced.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { ABlock on gfx942: read ds_read_b128 MfmaRows<16> }

fn main() {}
