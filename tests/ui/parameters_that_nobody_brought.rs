// Attempt: recipe parameters without a `use`, outside of `layout!`. No other name is suggested; 72 has one.
use tiledesc::prelude::*;

type Tile = recipe::GemmXor<F16, M<128>, U72, KPack<8>>;
type Other = recipe::GemmXor<F16, N<128>, K<64>, KPack<8>>;

fn main() {}
