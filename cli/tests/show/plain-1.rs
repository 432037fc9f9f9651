use tiledesc::prelude::*;

layout! {
    pub type BTile = recipe::RowMajor<F32, M<32>, K<33>>;
}
assert_conflict_free! {
    BTile on sm_90:
        read ld_shared_b32 by Column
}
