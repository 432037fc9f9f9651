// Attempt: five buffers of 16 KiB on a chip of 64.
use tiledesc::prelude::*;
use tiledesc::storage::Buffered;

layout! { type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_conflict_free! { Buffered<Block, U5> on gfx950, gfx942: write ds_write_b128 by RowMajor }

fn main() {}
