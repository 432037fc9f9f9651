//! gfx1200 (RDNA4, Navi 44): 32 lanes per wave, or 64, 64 KiB of LDS per block, 32 banks.
//!
//! All rows are inferred from gfx1201, the same generation.

use super::{Instruction, lanes};

ds! {
    "gfx1200": wave 32, 64 KiB, 32 banks;
    ds_read_b32: lanes(32), inferred(source!(gfx1201 for "gfx1200"));
    ds_read_b64: lanes(16), inferred(source!(gfx1201 for "gfx1200"));
    ds_read_b96: lanes(8), inferred(source!(gfx1201 for "gfx1200"));
    ds_read_b128: lanes(8), inferred(source!(gfx1201 for "gfx1200"));
    ds_write_b32: lanes(32), inferred(source!(gfx1201 for "gfx1200"));
    ds_write_b64: lanes(16), inferred(source!(gfx1201 for "gfx1200"));
    ds_write_b96: lanes(8), inferred(source!(gfx1201 for "gfx1200"));
    ds_write_b128: lanes(8), inferred(source!(gfx1201 for "gfx1200"));
}

ds! { wave64
    "gfx1200::wave64" "gfx1200": 64 KiB, 32 banks;
    ds_read_b32: lanes(32), inferred(source!(WHITE_PAPER));
    ds_read_b64: lanes(16), inferred(source!(WHITE_PAPER));
    ds_read_b96: lanes(8), inferred(source!(WHITE_PAPER));
    ds_read_b128: lanes(8), inferred(source!(WHITE_PAPER));
    ds_write_b32: lanes(32), inferred(source!(WHITE_PAPER));
    ds_write_b64: lanes(16), inferred(source!(WHITE_PAPER));
    ds_write_b96: lanes(8), inferred(source!(WHITE_PAPER));
    ds_write_b128: lanes(8), inferred(source!(WHITE_PAPER));
}
