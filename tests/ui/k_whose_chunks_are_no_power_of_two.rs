// Attempt: a tile 96 deep: 12 packs of 8 to swizzle.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<96>, KPack<8>>; }

fn main() {}
