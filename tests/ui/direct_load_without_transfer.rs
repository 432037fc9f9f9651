use tiledesc::prelude::*;

layout! { type Rows = recipe::RowMajor<I32, M<16>, K<64>>; }
assert_direct_load! { Rows on gfx942: global_load_lds_b128 by 4 waves, from rows of 64 }
assert_direct_load! { Rows on gfx942: global_load_lds_b64 by 4 waves, from rows of 64 }

fn main() {}
