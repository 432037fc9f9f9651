// Attempt: load four matrices with the rows of two.
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
pattern! { Half(lane) => [lane, 0] if lane < 16; }
assert_conflict_free! { Tile on sm_90: read ldmatrix_x4 by Half }

fn main() {}
