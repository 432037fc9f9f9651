// Attempt: write down a layout with padding where a direct load writes without; then one that overlaps itself.
use tiledesc::prelude::*;

synthesize! {
    type Padded = F16 [128, 64] on gfx950:
        filled by global_load_lds_b128 by 4 waves,
        read ds_read_b128 by MfmaRows<16>
    => recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;

    type Overlapping = F16 [128, 64] on gfx950: read ds_read_b128 by MfmaRows<16>
    => Layout<F16, Naive<seq![128, 64], seq![56, 1]>>;
}

fn main() {}
