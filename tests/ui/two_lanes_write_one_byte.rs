// Attempt: let two lanes write each row's first pack.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
pattern! { Twice(lane) => [lane / 2, 0]; }
assert_conflict_free! { Tile on gfx942: write ds_write_b128 by Twice }

fn main() {}
