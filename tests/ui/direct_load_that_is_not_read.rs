use tiledesc::prelude::*;

layout! { type Rows = recipe::RowMajor<F16, M<16>, K<64>>; }
assert_direct_load! { Rows on gfx950: global_load_lds_b128 by 2 waves from 64 }
assert_direct_load! { Rows: global_load_lds_b128 by 2 waves, from rows of 64 }
assert_direct_load! { Rows on gfx950: global_load_lds_b128 by 2 waves shuffled, from rows of 64 }
direct_load! { type Load<C> = Rows on C: global_load_lds_b128 by 2 waves, from rows of 64; }

fn main() {}
