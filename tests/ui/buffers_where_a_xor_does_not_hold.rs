// Attempt: addresses that are one xor of 576 apart, of two buffers 1536 bytes apart.
use tiledesc::access::Accesses;
use tiledesc::prelude::*;
use tiledesc::storage::{Arena, Buffered};

layout! { type Block = recipe::GemmXor<F16, M<12>, K<64>, KPack<8>>; }
distribution! {
    type Store:
        m [again 3, row 4], k [chunk 8, half 8];
        lane (row, chunk), thread (again, half);
}
const LDS: Arena = Arena::on(&tiledesc::chip::sm_90)
    .holds::<Buffered<Block, U2>>("a")
    .accessed_by::<Accesses<Store, Block, VectorSize<8>>>();

fn main() {
    let _ = LDS;
}
