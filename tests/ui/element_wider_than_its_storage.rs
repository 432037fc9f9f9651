// Attempt: an element of 96 bits that 64 hold.
use tiledesc::prelude::*;

struct Rgb;
impl Element for Rgb {
    type Storage = u64;
    const BITS: u32 = 96;
    const NAME: &'static str = "rgb";
}
layout! { type Image = recipe::RowMajor<Rgb, M<4>, K<8>>; }
const AT: u32 = recipe::RowMajor::<Rgb, U4, U8>::offset([1, 2]);

fn main() {
    let _ = AT;
}
