// Attempt: write down a layout that one of the reads conflicts on; then one whose read conflicts where others are free.
use tiledesc::prelude::*;

synthesize! {
    type Odd = F16 [64, 96] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
        read  ds_read_b128  by MfmaRows<32>
    => recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2, 3]>;

    type Plain = F16 [64, 64] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>
    => recipe::RowMajor<F16, M<64>, K<64>>;
}

fn main() {}
