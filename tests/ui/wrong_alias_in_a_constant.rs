// Attempt: an offset of a wrong recipe that was named without layout!.
use tiledesc::prelude::*;

type Bad = recipe::GemmXor<F16, U128, Lit<60>, U8>;
const OFFSET: u32 = Bad::offset([0, 0]);

fn main() {}
