//! gfx1250: 32 lanes per wave, 320 KiB of LDS, 64 banks.
//!
//! Size and banks are documented (iree-org/iree, KnownTargets.cpp). The lanes are
//! said to be in gfx12's order (triton-lang/triton pull request 11365); with 64
//! banks, a phase then has twice as many lanes. All rows are inferred.

use super::{Instruction, lanes};

/// The reason for inferred rows.
const AS_GFX1201: &str = "64 banks by IREE, lanes as gfx1201";

ds! {
    gfx1250: wave 32, 320 KiB, 64 banks;
    ds_read_b32: lanes(32), inferred(AS_GFX1201);
    ds_read_b64: lanes(32), inferred(AS_GFX1201);
    ds_read_b96: lanes(16), inferred(AS_GFX1201);
    ds_read_b128: lanes(16), inferred(AS_GFX1201);
    ds_write_b32: lanes(32), inferred(AS_GFX1201);
    ds_write_b64: lanes(32), inferred(AS_GFX1201);
    ds_write_b96: lanes(16), inferred(AS_GFX1201);
    ds_write_b128: lanes(16), inferred(AS_GFX1201);
}
