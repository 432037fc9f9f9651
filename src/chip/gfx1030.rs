//! gfx1030 (RDNA2; the same is assumed of all gfx10): 32 lanes a wave, 64 KiB of
//! LDS a block, 32 banks.
//!
//! Nothing was found about gfx10. All rows are inferred.

use super::{Instruction, wave32};

/// Why the rows are believed.
const BY_WIDTH: &str = "consecutive lanes by width; nothing was found";

ds! {
    "gfx1030", 64 KiB;
    ds_read_b32: 32 banks, wave32(32), inferred(BY_WIDTH);
    ds_read_b64: 32 banks, wave32(16), inferred(BY_WIDTH);
    ds_read_b96: 32 banks, wave32(8), inferred(BY_WIDTH);
    ds_read_b128: 32 banks, wave32(8), inferred(BY_WIDTH);
    ds_write_b32: 32 banks, wave32(32), inferred(BY_WIDTH);
    ds_write_b64: 32 banks, wave32(16), inferred(BY_WIDTH);
    ds_write_b96: 32 banks, wave32(8), inferred(BY_WIDTH);
    ds_write_b128: 32 banks, wave32(8), inferred(BY_WIDTH);
}
