// Attempt: call a read a write.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { ABlock on gfx942: write ds_read_b128 by RowMajor }

fn main() {}
