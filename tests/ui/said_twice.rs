// Attempt: operands of other elements than their tiles', and a distribution that exchanges the names of a square tile.
use tiledesc::matrix::mfma;
use tiledesc::prelude::*;

distribution! {
    type Fetch: k [again 8, row 8], m [chunk 8, half 8]; lane (row, chunk), thread (again, half);
}
layout! {
    type Bytes = recipe::RowMajor<F8, M<32>, K<16>>;
    type Square = recipe::RowPad<F16, M<64>, K<64>, Padding<16>>;
}
assert_conflict_free! { Bytes on gfx950: read ds_read_b64 by mfma::F16_32x32x16::A }
synthesize! {
    type Halves = BF16 [32, 16] on gfx950: read ds_read_b128 by mfma::F16_32x32x16::A;
}
assert_conflict_free! { Square on gfx942: write ds_write_b128 by Fetch }

fn main() {}
