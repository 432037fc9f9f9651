// Attempt: store eight elements of a column at once, and load eight of a row.
use tiledesc::prelude::*;

distribution! {
    type Columns:
        m [chunk 16, half 8],  k [again 4, wave 4, column 4];
        wave (wave), lane (column, chunk), thread (again, half);
}
synthesize! {
    type ABlock = F16 [128, 64] on gfx942:
        write ds_write_b128 by Columns,
        read  ds_read_b128  by MfmaRows<16>;
}

fn main() {}
