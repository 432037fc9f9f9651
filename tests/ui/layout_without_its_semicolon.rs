// Attempt: forget the semicolon after a layout.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>> }

fn main() {}
