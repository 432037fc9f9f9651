use tiledesc::prelude::*;

descriptor! {
    pub type WovenBlockTileStages:
        packed [32, 32];
        xor[32, 32] (0, 1) -> (0, 1);
        pass[32] (0) -> (0), pass[32] (1) -> (1);
        pass[32] (0) -> (1), pass[32] (1) -> (0);
}
layout! {
    pub type WovenBlockTile = Layout<F32, WovenBlockTileStages>;
}
distribution! {
    pub type WovenBlockTileHeld1: m [again 4, wave 4, row 2], k [column 32]; wave (wave), lane (row, column), thread (again);
}
assert_conflict_free! {
    WovenBlockTile on gfx942:
        read ds_read_b32 by RowMajor,
        read ds_read_b32 by WovenBlockTileHeld1
}
