// Attempt: chips by the names of products.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! {
    ABlock on MI300X: read ds_read_b128 by MfmaRows<16>;
    ABlock on h100: read ld_shared_b128 by RowMajor
}
direct_load! { type LoadA = ABlock on mi355x: global_load_lds_b128 by 4 waves, from rows of 64; }

fn main() {}
