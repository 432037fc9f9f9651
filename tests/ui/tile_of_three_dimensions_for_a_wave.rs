// Attempt: a pattern of rows over a tile of three dimensions.
use tiledesc::prelude::*;

layout! { type Cube = Layout<F16, Packed<seq![64, 64, 64]>>; }
assert_conflict_free! { Cube on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
