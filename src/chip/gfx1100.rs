//! gfx1100 (RDNA3): 32 lanes per wave, 64 KiB of LDS per block, 32 banks.
//!
//! Reads are measured (of 12 bytes: inferred); nothing was found about writes. A phase of
//! the 16-byte read has lanes that are not consecutive, as on gfx942.

use super::{CROSSED, Instruction, lanes};

/// The reason for inferred rows.
macro_rules! by_width {
    () => {
        "consecutive lanes by width; nothing was found"
    };
}

ds! {
    gfx1100: wave 32, 64 KiB, 32 banks;
    ds_read_b32: lanes(32), measured(source!(SHARK_11));
    ds_read_b64: lanes(16), measured(source!(SHARK_11));
    ds_read_b96: CROSSED, inferred("as ds_read_b128");
    ds_read_b128: CROSSED, measured(source!(SHARK_11));
    ds_write_b32: lanes(32), inferred(by_width!());
    ds_write_b64: lanes(16), inferred(by_width!());
    ds_write_b96: lanes(8), inferred(by_width!());
    ds_write_b128: lanes(8), inferred(by_width!());
}
