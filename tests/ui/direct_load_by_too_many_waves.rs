use tiledesc::prelude::*;

layout! { type Rows = recipe::RowMajor<F16, M<16>, K<64>>; }
direct_load! {
    /// Two chunks for four waves.
    type Load = Rows on gfx950: global_load_lds_b128 by 4 waves, from rows of 64
}

fn main() {}
