use tiledesc::prelude::*;
use tiledesc::storage::Buffered;

layout! {
    type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
}

// No pad is suggested: a direct load would write it.
assert_conflict_free! {
    Plain on gfx950: filled by global_load_lds_b128 by 4 waves, read ds_read_b128 by MfmaRows<16>
}
// Free, and not to be filled.
assert_conflict_free! {
    Padded on gfx950: filled by global_load_lds_b128 by 4 waves, read ds_read_b128 by MfmaRows<32>
}
// Nor twice.
assert_conflict_free! {
    Buffered<Padded, Lit<2>> on gfx950: filled by global_load_lds_b128 by 4 waves, read ds_read_b128 by MfmaRows<32>
}
// Not on this chip.
assert_conflict_free! {
    Plain on gfx942: filled by global_load_lds_b128 by 4 waves, read ds_read_b128 by MfmaRows<16>
}
// 16 chunks of 1024 bytes are not dealt to 3 waves, whatever the swizzle.
synthesize! {
    type Found = F16 [128, 64] on gfx950:
        filled by global_load_lds_b128 by 3 waves,
        read ds_read_b128 by MfmaRows<16>;
}

fn main() {}
