use tiledesc::prelude::*;

// Free of conflicts, in place of the layout as it is.
layout! {
    pub type STile = recipe::GemmXorBits<F16, M<64>, K<64>, KPack<1>, MLdsLayer<1>, seq![2, 4, 8, 16, 32]>;
}
assert_conflict_free! {
    STile on gfx942:
        read ds_read_u16 by Column
}
