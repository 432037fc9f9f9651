// Attempt: the place of what nobody keeps.
use tiledesc::prelude::*;
use tiledesc::storage::Arena;

layout! { type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
const LDS: Arena = Arena::on(&tiledesc::chip::gfx942).holds::<Block>("a").then();
const B: u32 = LDS.at("b");

fn main() {
    let _ = B;
}
