// Attempt: a length that is a type of another kind.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, u32, KPack<8>>; }

fn main() {}
