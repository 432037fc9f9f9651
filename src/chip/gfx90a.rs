//! gfx90a (MI200): 64 lanes per wave, 64 KiB of LDS, 32 banks of 4 bytes.
//!
//! The phases of 4-byte reads are measured: they reproduce the 64 points of
//! rocprof-compute's conflict plot. Those of 8 and 16 bytes and of writes are AMD's rocKE's, which calls them measured
//! and an empirical rule, and prints no figures. They are those of gfx942. Of 12 bytes nothing was found.

pub use super::transfer::gfx90a::*;
use super::{CROSSED, Instruction, lanes};

ds! {
    "gfx90a": wave 64, 64 KiB, 32 banks;
    ds_read_b32: lanes(32), measured(source!(OMNIPERF));
    ds_read_b64: lanes(16), measured(source!(ROCKE));
    ds_read_b96: CROSSED, inferred("as ds_read_b128");
    ds_read_b128: CROSSED, measured(source!(ROCKE));
    ds_write_b32: lanes(32), measured(source!(ROCKE));
    ds_write_b64: lanes(16), measured(source!(ROCKE));
    ds_write_b96: lanes(8), inferred("as ds_write_b128");
    ds_write_b128: lanes(8), measured(source!(ROCKE));
}
