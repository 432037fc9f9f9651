// Attempt: addresses that are one xor apart, of a tile behind 96 floats.
use tiledesc::access::Accesses;
use tiledesc::distribution::ThreadRaked;
use tiledesc::prelude::*;
use tiledesc::storage::Arena;

layout! { type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
type Stores = Accesses<ThreadRaked<U128, U64, U8, U4>, Block, VectorSize<8>>;
const LDS: Arena =
    Arena::on(&tiledesc::chip::gfx942).holds_bytes("sums", 384).holds::<Block>("a");
const A: u32 = LDS.at_multiple_of("a", Stores::ADDRESSING.alignment());

fn main() {
    let _ = A;
}
