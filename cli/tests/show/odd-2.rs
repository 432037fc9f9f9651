use tiledesc::prelude::*;

descriptor! {
    pub type Of3dTileStages:
        naive [2, 64, 32] strides [2048, 32, 1];
}
layout! {
    pub type Of3dTile = Layout<BF16, Of3dTileStages>;
}
distribution! {
    pub type Of3dTileHeld0: x [plane 2], y [row 32, part 2], z [column 16, half 2]; wave (plane), lane (part, column), thread (row, half);
}
assert_conflict_free! {
    Of3dTile on sm_90:
        read ld_shared_b32 by Of3dTileHeld0
}
