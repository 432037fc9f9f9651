// Attempt: an operand of 48 rows, which no matrix instruction has.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Tile on gfx942: read ds_read_b128 by MfmaRows<48> }

fn main() {}
