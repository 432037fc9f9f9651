//! gfx908 (MI100): 64 lanes per wave, 64 KiB of LDS, 32 banks of 4 bytes.
//!
//! The number of banks is documented (rocprof-compute, `soc_gfx908.py`); the
//! phases are inferred from gfx942.

use super::{CROSSED, Instruction, lanes};

ds! {
    "gfx908": wave 64, 64 KiB, 32 banks;
    ds_read_b32: lanes(32), inferred(source!(gfx942 for "gfx908"));
    ds_read_b64: lanes(16), inferred(source!(gfx942 for "gfx908"));
    ds_read_b96: CROSSED, inferred(source!(gfx942 for "gfx908"));
    ds_read_b128: CROSSED, inferred(source!(gfx942 for "gfx908"));
    ds_write_b32: lanes(32), inferred(source!(gfx942 for "gfx908"));
    ds_write_b64: lanes(16), inferred(source!(gfx942 for "gfx908"));
    ds_write_b96: lanes(8), inferred(source!(gfx942 for "gfx908"));
    ds_write_b128: lanes(8), inferred(source!(gfx942 for "gfx908"));
}
