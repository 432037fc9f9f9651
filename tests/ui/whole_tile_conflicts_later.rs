// Attempt: assert the whole tile where the first instruction is free.
use tiledesc::prelude::*;

layout! { type Tile = recipe::RowMajor<F16, M<128>, K<64>>; }
pattern! {
    /// Two instructions: a row, then a column.
    RowThenColumn(lane, step in 2) => [lane / 8 * (1 - step) + lane * step, 8 * (lane % 8) * (1 - step)];
}
assert_conflict_free! { Tile on gfx942: read ds_read_b128 by RowThenColumn }

fn main() {}
