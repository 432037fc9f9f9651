// Attempt: statements by the kernel's own accesses, which are of other layouts.
use tiledesc::distribution::ThreadRaked;
use tiledesc::prelude::*;

layout! {
    type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    type Swizzled = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Half = recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>;
    type Floats = recipe::RowMajor<F32, M<128>, K<64>>;
}
type Fetch = ThreadRaked<U128, U64, U8, U4>;
assert_conflict_free! { Swizzled on gfx942: write ds_write_b128 by Accesses<Fetch, Rows, VectorSize<8>> }
assert_conflict_free! { Swizzled on gfx942: write ds_write_b128 by Accesses<Fetch, Half, VectorSize<8>> }
assert_conflict_free! { Floats on gfx942: write ds_write_b128 by Accesses<Fetch, Rows, VectorSize<8>> }

fn main() {}
