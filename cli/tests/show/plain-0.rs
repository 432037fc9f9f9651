use tiledesc::prelude::*;

// Free of conflicts, in place of the layout as it is.
layout! {
    pub type ATile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
}
distribution! {
    pub type ATileHeld0: m [again 4, wave 4, row 8], k [chunk 8, half 8]; wave (wave), lane (row, chunk), thread (again, half);
}
assert_conflict_free! {
    ATile on gfx942:
        write ds_write_b128 by ATileHeld0,
        read ds_read_b128 by MfmaRows<16>,
        read ds_read_b128 by MfmaRows<32>
}
