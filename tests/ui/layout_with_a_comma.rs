// Attempt: a comma in place of the semicolon.
use tiledesc::prelude::*;

layout! {
    type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>,
    type BBlock = recipe::GemmXor<F16, N<128>, K<64>, KPack<8>>;
}

fn main() {}
