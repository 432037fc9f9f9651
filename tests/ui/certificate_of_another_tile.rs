// Attempt: change a tile and keep its layout; then change its element.
use tiledesc::prelude::*;

synthesize! {
    type Longer = F16 [64, 96] on gfx942: read ds_read_b128 by MfmaRows<16>
    => recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>;

    type Wider = F32 [64, 64] on gfx942: read ds_read_b128 by MfmaRows<16>
    => recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>;
}

fn main() {}
