// Attempt: forget the `by` of an access.
use tiledesc::prelude::*;

synthesize! {
    pub type ABlock = F16 [128, 64] on gfx942: read ds_read_b128 MfmaRows<32>;
}

fn main() {}
