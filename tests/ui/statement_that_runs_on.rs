// Attempt: statements and accesses without what separates them, and an access without its verb.
use tiledesc::prelude::*;

layout! { type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }

assert_conflict_free! {
    Block on gfx942: read ds_read_b128 by MfmaRows<16>
    Block on gfx950: read ds_read_b128 by MfmaRows<16>
}
assert_conflict_free! { Block on gfx942: read ds_read_b128 by RowMajor write ds_write_b128 by RowMajor }
assert_conflict_free! { Block on gfx942: ds_read_b128 by RowMajor }

fn main() {}
