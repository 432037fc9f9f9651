// Attempt: allow 2-way of a 4-way read.
use tiledesc::{chip::gfx942, prelude::*};

layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
const _: () = assert!(Plain::degree::<MfmaRows<16>>(&gfx942::ds_read_b128) <= 2, "more than 2-way");

fn main() {}
