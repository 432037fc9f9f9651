// Attempt: a chip that the tables do not have.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { ABlock on gfx7000: read ds_read_b128 by MfmaRows<16> }

fn main() {}
