use tiledesc::prelude::*;

layout! { type Transposed = Layout<F16, Naive<seq![128, 64], seq![1, 128]>>; }
assert_direct_load! {
    recipe::GemmXor<F16, U128, U64, U8> on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192;
    Transposed on gfx942: global_load_lds_b32 by 4 waves, from rows of 4096
}

fn main() {}
