// Attempt: recipes without their element types.
use tiledesc::prelude::*;

layout! { type Named = recipe::GemmXor<M<128>, K<64>, KPack<8>>; }
layout! { type Plain = recipe::RowMajor<128, 64>; }

fn main() {}
