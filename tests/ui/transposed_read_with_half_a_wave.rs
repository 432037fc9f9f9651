// Attempt: read transposed with half of the lanes.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
pattern! { Half(lane) => [lane, 0] if lane < 32; }
assert_conflict_free! { Tile on gfx950: read ds_read_b64_tr_b16 by Half }

fn main() {}
