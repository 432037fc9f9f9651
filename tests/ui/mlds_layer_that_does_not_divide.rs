// Attempt: three rows to a layer of a tile of 128.
use tiledesc::prelude::*;

layout! { type ABlock = recipe::GemmXorLayer<F16, M<128>, K<32>, KPack<8>, MLdsLayer<3>>; }

fn main() {}
