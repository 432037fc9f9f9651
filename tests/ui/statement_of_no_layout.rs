// Attempt: a statement of what is no layout.
use tiledesc::prelude::*;

assert_conflict_free! { u32 on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
