use tiledesc::prelude::*;

layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
assert_direct_load! { Padded on gfx950: global_load_lds_b128 by 4 waves, from rows of 64 }

fn main() {}
