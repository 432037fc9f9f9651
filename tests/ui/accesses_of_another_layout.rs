// Attempt: the place of one layout, and accesses of another one of as many bytes.
use tiledesc::distribution::ThreadRaked;
use tiledesc::prelude::*;
use tiledesc::storage::Arena;

layout! {
    type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    type Swizzled = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
}
type Stores = Accesses<ThreadRaked<U128, U64, U8, U4>, Swizzled, VectorSize<8>>;
const LDS: Arena = Arena::on(&tiledesc::chip::gfx942).holds::<Rows>("a").accessed_by::<Stores>();

fn main() {
    let _ = LDS;
}
