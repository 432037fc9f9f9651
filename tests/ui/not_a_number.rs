// Attempt: a type that is not a number as a length.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, u32, KPack<8>>; }

fn main() {}
