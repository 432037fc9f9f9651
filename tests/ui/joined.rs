// Attempt: join rows that do not divide, none at all, and rows of a layout that is wrong itself.
use tiledesc::prelude::*;

layout! {
    type Odd = recipe::Joined<recipe::GemmXor<F32, M<128>, K<32>, KPack<4>>, Lines<3>>;
    type None = recipe::Joined<recipe::GemmXor<F32, M<128>, K<32>, KPack<4>>, Lines<0>>;
    type Wrong = recipe::Joined<recipe::GemmXor<F32, M<128>, K<32>, KPack<24>>, Lines<4>>;
    type Swapped = recipe::Joined<recipe::GemmXor<F32, M<128>, K<32>, KPack<4>>, MLdsLayer<4>>;
}

fn main() {}
