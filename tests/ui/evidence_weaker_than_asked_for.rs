// Attempt: ask for measured rows where one is inferred.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! {
    Tile on gfx942 as measured:
        read  ds_read_b128  by MfmaRows<16>,
        write ds_write_b96  by FourRows
}
pattern! { FourRows(lane) => [lane, 0] if lane < 4; }

fn main() {}
