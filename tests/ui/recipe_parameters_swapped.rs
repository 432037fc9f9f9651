// Attempt: K where M is wanted, M where K is.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, K<64>, M<128>, KPack<8>>; }

fn main() {}
