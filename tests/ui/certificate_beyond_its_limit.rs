// Attempt: state fewer cycles than the layout takes; then let a read take what the statement calls a write.
use tiledesc::prelude::*;

synthesize! {
    type Odd = F16 [64, 96] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
        read  ds_read_b128  by MfmaRows<32> times 2
    => recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2, 3]>;
    at most 352 cycles;

    type Other = F16 [64, 96] on gfx942:
        write ds_read_b128 by RowMajor,
        read  ds_read_b128 by MfmaRows<16>
    => recipe::RowMajor<F16, M<64>, K<96>>;
    at most 352 cycles;
}

fn main() {}
