//! gfx1101 (RDNA3, Navi 32): 32 lanes per wave, or 64, 64 KiB of LDS per block, 32 banks.
//!
//! All rows are inferred from gfx1100, the same generation; we know of no measurement of this one.

use super::{CROSSED, Instruction, lanes};

ds! {
    "gfx1101": wave 32, 64 KiB, 32 banks;
    ds_read_b32: lanes(32), inferred(source!(gfx1100 for "gfx1101"));
    ds_read_b64: lanes(16), inferred(source!(gfx1100 for "gfx1101"));
    ds_read_b96: CROSSED, inferred(source!(gfx1100 for "gfx1101"));
    ds_read_b128: CROSSED, inferred(source!(gfx1100 for "gfx1101"));
    ds_write_b32: lanes(32), inferred(source!(gfx1100 for "gfx1101"));
    ds_write_b64: lanes(16), inferred(source!(gfx1100 for "gfx1101"));
    ds_write_b96: lanes(8), inferred(source!(gfx1100 for "gfx1101"));
    ds_write_b128: lanes(8), inferred(source!(gfx1100 for "gfx1101"));
}

ds! { wave64
    "gfx1101::wave64" "gfx1101": 64 KiB, 32 banks;
    ds_read_b32: lanes(32), inferred(source!(WHITE_PAPER));
    ds_read_b64: lanes(16), inferred(source!(WHITE_PAPER));
    ds_read_b96: CROSSED, inferred(source!(WHITE_PAPER));
    ds_read_b128: CROSSED, inferred(source!(WHITE_PAPER));
    ds_write_b32: lanes(32), inferred(source!(WHITE_PAPER));
    ds_write_b64: lanes(16), inferred(source!(WHITE_PAPER));
    ds_write_b96: lanes(8), inferred(source!(WHITE_PAPER));
    ds_write_b128: lanes(8), inferred(source!(WHITE_PAPER));
}
