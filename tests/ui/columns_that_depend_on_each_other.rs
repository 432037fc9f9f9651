// Attempt: keep 32 of 64 columns, twice.
use tiledesc::prelude::*;

descriptor! {
    type Folded:
        naive [128, 32] strides [32, 1];
        pass[128] (0) -> (0),   modulo[32, 64] (1) -> (1);
}
layout! { type Twice = Layout<F16, Folded>; }

fn main() {}
