use tiledesc::prelude::*;

layout! {
    pub type WovenBlockTile = recipe::Transposed<recipe::GemmXor<F32, M<32>, K<32>, KPack<1>>>;
}
distribution! {
    pub type WovenBlockTileHeld1: m [again 4, wave 4, row 2], k [column 32]; wave (wave), lane (row, column), thread (again);
}
assert_conflict_free! {
    WovenBlockTile on gfx942:
        read ds_read_b32 by RowMajor,
        read ds_read_b32 by WovenBlockTileHeld1
}
