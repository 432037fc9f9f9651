//! gfx1201 (RDNA4): 32 lanes per wave, or 64, 64 KiB of LDS per block, 32 banks.
//!
//! Reads are measured (of 12 bytes: documented): phases of consecutive lanes, even for 12 and 16
//! bytes, unlike gfx11. Nothing was found about writes. `SQC_LDS_BANK_CONFLICT` reads 0 on
//! this chip (ROCm/rocm-systems issue 5953).

use super::{Instruction, lanes};

ds! {
    "gfx1201": wave 32, 64 KiB, 32 banks;
    ds_read_b32: lanes(32), measured(source!(SHARK_12));
    ds_read_b64: lanes(16), measured(source!(SHARK_12));
    ds_read_b96: lanes(8), source(source!(TRITON_12));
    ds_read_b128: lanes(8), measured(source!(SHARK_12));
    ds_write_b32: lanes(32), inferred(source!(CONSECUTIVE));
    ds_write_b64: lanes(16), inferred(source!(CONSECUTIVE));
    ds_write_b96: lanes(8), inferred(source!(CONSECUTIVE));
    ds_write_b128: lanes(8), inferred(source!(CONSECUTIVE));
}

ds! { wave64
    "gfx1201::wave64" "gfx1201": 64 KiB, 32 banks;
    ds_read_b32: lanes(32), inferred(source!(WHITE_PAPER));
    ds_read_b64: lanes(16), inferred(source!(WHITE_PAPER));
    ds_read_b96: lanes(8), inferred(source!(WHITE_PAPER));
    ds_read_b128: lanes(8), inferred(source!(WHITE_PAPER));
    ds_write_b32: lanes(32), inferred(source!(WHITE_PAPER));
    ds_write_b64: lanes(16), inferred(source!(WHITE_PAPER));
    ds_write_b96: lanes(8), inferred(source!(WHITE_PAPER));
    ds_write_b128: lanes(8), inferred(source!(WHITE_PAPER));
}
