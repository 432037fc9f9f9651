// Attempt: exchange the dimensions of layouts that are wrong themselves, and of one that has three.
use tiledesc::prelude::*;

layout! {
    type Swapped = recipe::Transposed<recipe::GemmXor<F16, K<64>, M<128>, KPack<8>>>;
    type Odd = recipe::Transposed<recipe::GemmXor<F16, M<64>, K<128>, KPack<24>>>;
    type Cube = recipe::Transposed<Layout<F16, Naive<seq![4, 4, 4], seq![16, 4, 1]>>>;
}

fn main() {}
