// Attempt: stores of what four waves hold.
use tiledesc::prelude::*;

distribution! {
    type Same: m [again 8, row 8], k [chunk 8, half 8];
        repeat [copy 4], wave (copy), lane (row, chunk), thread (again, half);
}
layout! { type Block = recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>; }

access! { Block on gfx942: type Stores = write ds_write_b128 by Same }

fn main() {}
