// Attempt: take the swizzle for 32 banks to gfx950, whose widest reads have 64.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! {
    ABlock on gfx950:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
        read  ds_read_b128  by MfmaRows<32>,
}

fn main() {}
