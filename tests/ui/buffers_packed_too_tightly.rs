// Attempt: store 16 bytes a lane into buffers that begin at any multiple of 2.
use tiledesc::prelude::*;
use tiledesc::storage::Buffered;

layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
type Two = Buffered<ABlock, U2, U2>;
assert_conflict_free! { Two on gfx942: write ds_write_b128 by RowMajor }

fn main() {}
