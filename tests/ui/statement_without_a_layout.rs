// Attempt: a statement about no layout.
use tiledesc::prelude::*;

assert_conflict_free! { on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
