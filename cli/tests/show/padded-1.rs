use tiledesc::prelude::*;

// Free of conflicts, in place of the layout as it is.
layout! {
    pub type STile = recipe::Transposed<recipe::RowMajor<F16, M<64>, K<64>>>;
}
assert_conflict_free! {
    STile on gfx942:
        read ds_read_u16 by Column
}
