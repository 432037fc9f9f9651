// Attempt: A and B three times, on a chip of 64 KiB.
use tiledesc::prelude::*;
use tiledesc::storage::{Arena, Buffered};

layout! { type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
const LDS: Arena = Arena::on(&tiledesc::chip::gfx942)
    .holds::<Buffered<Block, U3>>("a")
    .holds::<Buffered<Block, U3>>("b");

fn main() {
    let _ = LDS;
}
