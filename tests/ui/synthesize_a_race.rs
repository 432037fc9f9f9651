// Attempt: store with a pattern whose upper lanes repeat the lower ones.
use tiledesc::prelude::*;

synthesize! {
    type Twice = F16 [64, 64] on gfx1100: write ds_store_b128 by WmmaRows<16>;
}

fn main() {}
