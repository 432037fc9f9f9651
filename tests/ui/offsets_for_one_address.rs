// Attempt: give two offsets to an instruction with one address.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Tile on gfx942: read ds_read_b64(0, 1) by MfmaRows<16> }

fn main() {}
