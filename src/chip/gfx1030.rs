//! gfx1030 (RDNA2; the same is assumed of all gfx10): 32 lanes per wave, or 64, 64 KiB of
//! LDS per block, 32 banks.
//!
//! Nothing was found about gfx10. All rows are inferred.

use super::{Instruction, lanes};

ds! {
    "gfx1030": wave 32, 64 KiB, 32 banks;
    ds_read_b32: lanes(32), inferred(source!(CONSECUTIVE));
    ds_read_b64: lanes(16), inferred(source!(CONSECUTIVE));
    ds_read_b96: lanes(8), inferred(source!(CONSECUTIVE));
    ds_read_b128: lanes(8), inferred(source!(CONSECUTIVE));
    ds_write_b32: lanes(32), inferred(source!(CONSECUTIVE));
    ds_write_b64: lanes(16), inferred(source!(CONSECUTIVE));
    ds_write_b96: lanes(8), inferred(source!(CONSECUTIVE));
    ds_write_b128: lanes(8), inferred(source!(CONSECUTIVE));
}

ds! { wave64
    "gfx1030::wave64" "gfx1030": 64 KiB, 32 banks;
    ds_read_b32: lanes(32), inferred(source!(WHITE_PAPER));
    ds_read_b64: lanes(16), inferred(source!(WHITE_PAPER));
    ds_read_b96: lanes(8), inferred(source!(WHITE_PAPER));
    ds_read_b128: lanes(8), inferred(source!(WHITE_PAPER));
    ds_write_b32: lanes(32), inferred(source!(WHITE_PAPER));
    ds_write_b64: lanes(16), inferred(source!(WHITE_PAPER));
    ds_write_b96: lanes(8), inferred(source!(WHITE_PAPER));
    ds_write_b128: lanes(8), inferred(source!(WHITE_PAPER));
}
