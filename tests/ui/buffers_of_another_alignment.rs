// Attempt: 16 bytes a lane of the second of two buffers that are packed to 8.
use tiledesc::prelude::*;
use tiledesc::storage::Buffered;

layout! { type Rows = recipe::RowPad<F16, M<64>, K<36>, Padding<4>>; }
pattern! { First(lane) => [lane, 0]; }
assert_conflict_free! {
    Buffered<Rows, U2> on gfx942: read ds_read_b128 by First;
    Buffered<Rows, U2, U8> on gfx942: read ds_read_b128 by First
}

fn main() {}
