// Attempt: a statement that names no chip.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { ABlock: read ds_read_b128 by MfmaRows<16> }

fn main() {}
