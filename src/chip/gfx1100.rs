//! gfx1100 (RDNA3): 32 lanes per wave, or 64, 64 KiB of LDS per block, 32 banks.
//!
//! Reads and writes are measured (of 12 bytes and of 1: inferred). A phase of the 16-byte read has lanes that are not
//! consecutive, as on gfx942. Writes and 2 bytes are those of AMD's Loom compiler: controls on this chip, in waves of 32
//! and of 64, told these phases from crossed ones and from those of a whole wave; it prints no figures. Its reads are those
//! of nod-ai/amd-shark-ai.

use super::{CROSSED, Instruction, lanes};

ds! {
    "gfx1100": wave 32, 64 KiB, 32 banks,
        measured [ds_read_u16 ds_read_u16_d16 ds_read_u16_d16_hi ds_write_b16] by source!(LOOM);
    ds_read_b32: lanes(32), measured(source!(SHARK_11));
    ds_read_b64: lanes(16), measured(source!(SHARK_11));
    ds_read_b96: CROSSED, inferred("as ds_read_b128");
    ds_read_b128: CROSSED, measured(source!(SHARK_11));
    ds_write_b32: lanes(32), measured(source!(LOOM));
    ds_write_b64: lanes(16), measured(source!(LOOM));
    ds_write_b96: lanes(8), inferred("as ds_write_b128");
    ds_write_b128: lanes(8), measured(source!(LOOM));
}

ds! { wave64
    "gfx1100::wave64" "gfx1100": 64 KiB, 32 banks,
        measured [ds_read_u16 ds_read_u16_d16 ds_read_u16_d16_hi ds_write_b16] by source!(LOOM);
    ds_read_b32: lanes(32), measured(source!(LOOM));
    ds_read_b64: lanes(16), measured(source!(LOOM));
    ds_read_b96: CROSSED, inferred("as ds_read_b128");
    ds_read_b128: CROSSED, measured(source!(LOOM));
    ds_write_b32: lanes(32), measured(source!(LOOM));
    ds_write_b64: lanes(16), measured(source!(LOOM));
    ds_write_b96: lanes(8), inferred("as ds_write_b128");
    ds_write_b128: lanes(8), measured(source!(LOOM));
}
