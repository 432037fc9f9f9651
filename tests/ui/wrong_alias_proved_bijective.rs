// Attempt: prove a wrong recipe bijective that was named without layout!.
use tiledesc::prelude::*;

type Bad = recipe::GemmXor<F16, U128, Lit<60>, U8>;
assert_bijective! { Bad }

fn main() {}
