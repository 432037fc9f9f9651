// Attempt: an access that is neither read nor write.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { ABlock on gfx942: load ds_read_b128 by MfmaRows<16> }

fn main() {}
