//! gfx90a (MI200): 64 lanes per wave, 64 KiB of LDS, 32 banks of 4 bytes.
//!
//! The phases of 4-byte reads are measured: they reproduce the 64 points of
//! rocprof-compute's conflict plot. The others are those of gfx942; AMD's own memory
//! analysis treats the two chips alike, and does not tell writes from reads.

pub use super::transfer::gfx90a::*;
use super::{CROSSED, Instruction, lanes};

/// The reason for inferred rows.
macro_rules! as_gfx942 {
    () => {
        "as gfx942; AMDResearch/dh_comms does not tell them apart"
    };
}

ds! {
    gfx90a: wave 64, 64 KiB, 32 banks;
    ds_read_b32: lanes(32), measured(source!(OMNIPERF));
    ds_read_b64: lanes(16), inferred(as_gfx942!());
    ds_read_b96: CROSSED, inferred("as ds_read_b128");
    ds_read_b128: CROSSED, inferred(as_gfx942!());
    ds_write_b32: lanes(32), inferred(as_gfx942!());
    ds_write_b64: lanes(16), inferred(as_gfx942!());
    ds_write_b96: lanes(8), inferred("as ds_write_b128");
    ds_write_b128: lanes(8), inferred("as gfx942");
}
