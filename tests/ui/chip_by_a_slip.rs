// Attempt: `gfx943`, which no chip is called.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { ABlock on gfx943: read ds_read_b128 by MfmaRows<16> }
assert_direct_load! { ABlock on sm90: cp_async_b128 by 4 waves, from rows of 64 }
synthesize! { type Found = F16 [128, 64] on sm_90a: read ld_shared_b128 by RowMajor; }

fn main() {}
