//! gfx950 (MI350): 64 lanes per wave, 160 KiB of LDS; 64 banks for reads of 8 and 16 bytes,
//! 32 for everything else.
//!
//! | | banks | a phase is | how sure |
//! |---|---|---|---|
//! | read of 8 bytes | 64 | 32 lanes | measured |
//! | read of 16 bytes | 64 | 0-3 with 12-15 and 20-27, ... | measured |
//! | read of 12 bytes | 32 | 0-3 with 20-23, ... | measured |
//! | write of 8 bytes | 32 | 16 lanes | measured |
//! | write of 16 bytes | 32 | 8 lanes | measured |
//! | 4 bytes | 32 | 32 lanes | measured, **disputed**: one source has 64 lanes on 64 banks, against four |
//! | `ds_read_b64_tr_b16` | 64 | 32 lanes | documented |
//!
//! Of 4 bytes, four sources have 32 banks: rocKE, whose lanes these are; rocRoller's model, `LDSBankModel.cpp`, with a
//! test of its latencies; a review by rocRoller's author in ROCm/rocm-libraries pull request 3668, which says the same
//! of all writes; and FlyDSL's notes, by the times of two strides. amd-shark-ai alone has 64.
//!
//! HipKittens says which lanes of `ds_read_b64_tr_b16` are a phase, from which it predicts 32 conflicts of 16
//! instructions; the profiler counted 32.5. A count does not tell which lanes, so that row is documented.
//!
//! rocprof-compute's formulas assume 32 banks for this chip too, so the bandwidth that it
//! prints is for 32 banks.

pub use super::transfer::gfx950::*;
use super::{CROSSED, Fragments, Instruction, Phases, lanes, transposed};

/// The phases of `ds_read_b128`: twice as many lanes as on gfx942, for twice the banks.
const WIDE: Phases = Phases::halves(&[
    &[0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27],
    &[4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31],
]);

ds! {
    "gfx950": wave 64, 160 KiB, 64 banks, and [ds_read_b64_tr_b4 ds_read_b64_tr_b8 ds_read_b64_tr_b16 ds_read_b96_tr_b6];
    ds_read_b32: lanes(32), 32 banks, measured(source!(ROCKE)), disputed(64 banks, lanes(64), Documented, source!(SHARK_950));
    ds_read_b64: lanes(32), measured(source!(HIPKITTENS));
    ds_read_b96: CROSSED, 32 banks, measured(source!(HIPKITTENS));
    ds_read_b128: WIDE, measured(source!(HIPKITTENS));
    ds_write_b32: lanes(32), 32 banks, measured(source!(ROCKE)), disputed(64 banks, lanes(64), Inferred, "amd-shark-ai, of ds_read_b32");
    ds_write_b64: lanes(16), 32 banks, measured(source!(HIPKITTENS));
    ds_write_b96: lanes(8), 32 banks, inferred("as ds_write_b128");
    ds_write_b128: lanes(8), 32 banks, measured(source!(ROCKE));
}

/// Reads 8 bytes a lane, 4-bit elements transposed among 16 lanes.
pub const ds_read_b64_tr_b4: Instruction =
    transposed(ds_read_b64, "ds_read_b64_tr_b4", Fragments::Groups { bits: 4 });

/// Reads 8 bytes a lane, 8-bit elements transposed among 16 lanes.
pub const ds_read_b64_tr_b8: Instruction =
    transposed(ds_read_b64, "ds_read_b64_tr_b8", Fragments::Groups { bits: 8 });

/// Reads 8 bytes a lane, 16-bit elements transposed among 16 lanes.
pub const ds_read_b64_tr_b16: Instruction =
    transposed(ds_read_b64, "ds_read_b64_tr_b16", Fragments::Groups { bits: 16 })
        .source(source!(HIPKITTENS_TR));

/// Reads 12 bytes a lane, 6-bit elements transposed among 16 lanes.
pub const ds_read_b96_tr_b6: Instruction =
    transposed(ds_read_b96, "ds_read_b96_tr_b6", Fragments::Groups { bits: 6 });
