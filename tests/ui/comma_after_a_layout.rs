// Attempt: a comma between two layouts.
use tiledesc::prelude::*;

layout! {
    type A = recipe::RowMajor<F16, M<128>, K<64>>,
    type B = recipe::RowMajor<F16, M<64>, K<64>>;
}

fn main() {}
