//! gfx942 (MI300): 64 lanes per wave, 64 KiB of LDS, 32 banks of 4 bytes.
//!
//! | | a phase is | how sure |
//! |---|---|---|
//! | up to 4 bytes | 32 lanes | measured of 4 bytes, of `ds_read_u16` and of `ds_write_b16` |
//! | 8 bytes | 16 lanes | measured |
//! | read of 16 bytes | 0-3 with 20-23, 4-7 with 16-19, ... | measured |
//! | write of 16 bytes | 8 lanes | measured; documented by CK Tile too |
//! | 12 bytes | as 16 bytes | inferred from gfx950 |
//!
//! Reads are nod-ai/amd-shark-ai's measurements; writes and 2 bytes are those of AMD's Loom compiler, which says that
//! controls on this chip told these phases from crossed ones and from those of a whole wave, and prints no figures.
//! AMDResearch/dh_comms does not tell reads from writes, which differ at 16 bytes. These rows reproduce all 21 conflict counters that nod-ai/amd-shark-ai measured on
//! MI300X.

pub use super::transfer::gfx942::*;
use super::{CROSSED, Instruction, lanes};

ds! {
    "gfx942": wave 64, 64 KiB, 32 banks, measured [ds_read_u16 ds_write_b16] by source!(LOOM);
    ds_read_b32: lanes(32), measured(source!(SHARK_942));
    ds_read_b64: lanes(16), measured(source!(SHARK_942));
    ds_read_b96: CROSSED, inferred("as ds_read_b128, which HipKittens measured on gfx950");
    ds_read_b128: CROSSED, measured(source!(SHARK_942));
    ds_write_b32: lanes(32), measured(source!(LOOM));
    ds_write_b64: lanes(16), measured(source!(LOOM));
    ds_write_b96: lanes(8), inferred("as ds_write_b128");
    ds_write_b128: lanes(8), measured(source!(LOOM));
}
