//! gfx1151 (RDNA3.5, Strix Halo): 32 lanes per wave, or 64, 64 KiB of LDS per block, 32 banks.
//!
//! Reads and writes are measured (of 12 bytes and of 1: inferred), and are those of gfx1100: AMD's Loom compiler says that
//! controls on this chip, in waves of 32 and of 64, told these phases from crossed ones and from those of a whole wave; it
//! prints no figures. ROCm/rocm-libraries issue 10891 has the conflicts of whole kernels, which agree; the strides that it
//! tries do not tell which lanes.

use super::{CROSSED, Instruction, lanes};

ds! {
    "gfx1151": wave 32, 64 KiB, 32 banks,
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

ds! { wave64
    "gfx1151::wave64" "gfx1151": 64 KiB, 32 banks,
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
