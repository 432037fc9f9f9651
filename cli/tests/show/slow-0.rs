use tiledesc::prelude::*;

// Free of conflicts, in place of the layout as it is.
layout! {
    pub type ATile = recipe::RowPad<F16, M<128>, K<64>, Padding<16>>;
}
assert_conflict_free! {
    ATile on gfx942:
        write ds_write_b128 by RowMajor,
        read ds_read_b128 by MfmaRows<16>
}
