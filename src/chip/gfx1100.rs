//! gfx1100 (RDNA3): 32 lanes a wave, 64 KiB of LDS a block, 32 banks.
//!
//! Reads are measured; of writes nothing was found. The 16-byte read crosses lanes
//! as gfx942's does.

use super::{CROSSED_32, Instruction, source, wave32};

/// Why the rows are believed.
const BY_WIDTH: &str = "consecutive lanes by width; nothing was found";

ds! {
    "gfx1100", 64 KiB;
    ds_read_b32: 32 banks, wave32(32), measured(source::SHARK_11);
    ds_read_b64: 32 banks, wave32(16), measured(source::SHARK_11);
    ds_read_b96: 32 banks, CROSSED_32, inferred("as ds_read_b128");
    ds_read_b128: 32 banks, CROSSED_32, measured(source::SHARK_11);
    ds_write_b32: 32 banks, wave32(32), inferred(BY_WIDTH);
    ds_write_b64: 32 banks, wave32(16), inferred(BY_WIDTH);
    ds_write_b96: 32 banks, wave32(8), inferred(BY_WIDTH);
    ds_write_b128: 32 banks, wave32(8), inferred(BY_WIDTH);
}

ds_renamed! {}
