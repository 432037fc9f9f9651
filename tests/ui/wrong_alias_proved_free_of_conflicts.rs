// Attempt: prove a wrong recipe conflict-free that was named without layout!.
use tiledesc::prelude::*;

type Bad = recipe::GemmXor<F16, U128, Lit<60>, U8>;
assert_conflict_free! { Bad on gfx942: read ds_read_b128 by MfmaRows<16> }

fn main() {}
