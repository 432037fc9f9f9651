// Attempt: read rows of a column-major tile.
use tiledesc::prelude::*;

layout! { type Columns = recipe::CShuffleColumn<F16, M<128>, N<64>>; }
assert_conflict_free! { Columns on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
