// Attempt: a recipe without its KPack.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>>; }

fn main() {}
