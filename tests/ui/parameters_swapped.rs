// Attempt: rows and depth change places; a pad stands where the depth belongs.
use tiledesc::prelude::*;

layout! {
    type ABlock = recipe::GemmXor<F16, K<64>, M<128>, KPack<8>>;
    type Padded = recipe::RowPad<F16, M<128>, Padding<8>, K<64>>;
    type BBlock = recipe::GemmXor<F16, N<128>, K<64>, KPack<8>>; // the other operand: N rows
    type CBlock = recipe::CShuffle<F16, N<64>, M<32>>;
}

fn main() {}
