// Attempt: names for accesses that are not read, or have none to give.
use tiledesc::prelude::*;

layout! { type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
type Fetch = tiledesc::distribution::BlockRaked<U128, U64, U8, U4>;

access! { Block on gfx942: write ds_write_b128 by Fetch }
access! { Block on gfx942: pub Stores = write ds_write_b128 by Fetch }
access! { Block on gfx942: type = write ds_write_b128 by Fetch }
access! { Block on gfx942: type Stores write ds_write_b128 by Fetch }
access! { Block on gfx942: type Stores<M> = write ds_write_b128 by Fetch }
access! { Block on gfx942: type Stores = write ds_write_b128 by first Fetch }
access! { Block on gfx942: type Stores = write ds_write2_b64(0, 1) by Fetch }
assert_conflict_free! { Block on gfx942: pub type Stores = write ds_write_b128 by Fetch }

fn main() {}
