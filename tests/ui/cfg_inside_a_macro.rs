// Attempt: a condition of one declaration of a block.
use tiledesc::prelude::*;

descriptor! {
    #[cfg(unix)]
    type Rows: packed [64, 64];
}

pattern! {
    Half(lane) => [lane, 0] if lane < 32;
    /// Every other row.
    #[cfg(unix)]
    Other(lane) => [2 * lane, 0];
}

distribution! {
    #[cfg(unix)]
    type Held: m [row 64], k [half 8]; lane (row), thread (half);
}

synthesize! {
    #[cfg(unix)]
    type Found = F16 [128, 64] on gfx942: write ds_write_b128 by RowMajor;
}

layout! { type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
direct_load! {
    #[cfg(unix)]
    type LoadA = Block on gfx950: global_load_lds_b128 by 4 waves, from rows of 64;
}

fn main() {}
