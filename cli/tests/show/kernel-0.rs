use tiledesc::prelude::*;

// Free of conflicts, in place of the layout as it is.
layout! {
    pub type ATile = recipe::GemmXorBits<F16, M<128>, K<64>, KPack<8>, MLdsLayer<1>, seq![4, 1, 2, 4]>;
}
assert_conflict_free! {
    ATile on gfx942:
        write ds_write_b128 by RowMajor,
        read ds_read_b128 by MfmaRows<16>,
        read ds_read_b128 by MfmaRows<32>;
    ATile on gfx950:
        write ds_write_b128 by RowMajor,
        read ds_read_b128 by MfmaRows<16>,
        read ds_read_b128 by MfmaRows<32>
}
