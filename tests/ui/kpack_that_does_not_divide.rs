// Attempt: packs of 24 in rows of 64.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<24>>; }

fn main() {}
