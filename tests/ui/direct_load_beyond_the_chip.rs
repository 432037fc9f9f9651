// Attempt: load 192 KiB directly to LDS, of which the chip has 160.
use tiledesc::prelude::*;

layout! { type Large = recipe::RowMajor<F16, M<96>, K<1024>>; }
assert_direct_load! { Large on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192; }

fn main() {}
