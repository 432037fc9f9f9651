//! gfx906 (MI50, MI60): 64 lanes per wave, 64 KiB of LDS, 32 banks of 4 bytes.
//!
//! All rows are inferred from gfx942. Of accesses of 4 bytes an older guide of AMD's says that lanes 0 to 31 and 32 to 63 are
//! served apart, as quoted in the forum community.amd.com ("Still confused about LDS"); of other widths nothing was found.

use super::{CROSSED, Instruction, lanes};

ds! {
    "gfx906": wave 64, 64 KiB, 32 banks;
    ds_read_b32: lanes(32), inferred(source!(gfx942 for "gfx906"));
    ds_read_b64: lanes(16), inferred(source!(gfx942 for "gfx906"));
    ds_read_b96: CROSSED, inferred(source!(gfx942 for "gfx906"));
    ds_read_b128: CROSSED, inferred(source!(gfx942 for "gfx906"));
    ds_write_b32: lanes(32), inferred(source!(gfx942 for "gfx906"));
    ds_write_b64: lanes(16), inferred(source!(gfx942 for "gfx906"));
    ds_write_b96: lanes(8), inferred(source!(gfx942 for "gfx906"));
    ds_write_b128: lanes(8), inferred(source!(gfx942 for "gfx906"));
}
