//! gfx1250: 32 lanes per wave, 320 KiB of LDS, 64 banks.
//!
//! Size and banks are documented (iree-org/iree, KnownTargets.cpp). The lanes are
//! said to be in gfx12's order (triton-lang/triton pull request 11365); with 64
//! banks, a phase then has twice as many lanes. The plain rows are inferred. Of pads by an odd number of
//! dwords, ROCm/rocm-libraries pull request 11409 says that their conflicts are not fully understood.
//!
//! The transposed loads and their widths: triton-lang/triton pull request 8461, ROCm/rocm-libraries pull request 8586. Their
//! lanes and 64 banks are documented by TensileLite, LdsPadding.py: 8 bytes a lane take the wave at once if all addresses
//! are multiples of 8, and 16 lanes at a time otherwise, which no row states, since an address off its alignment is refused;
//! 16 bytes a lane take 16 lanes. Of the pads that it chooses with these, pull request 7393 says that no load conflicts on
//! silicon. Of `tr6` it says nothing.

pub use super::transfer::gfx1250::*;
use super::{Fragments, Instruction, lanes, transposed};

/// The reason for inferred rows.
macro_rules! as_gfx1201 {
    () => {
        "64 banks by IREE, lanes as gfx1201"
    };
}

ds! {
    "gfx1250": wave 32, 320 KiB, 64 banks, and [ds_load_tr4_b64 ds_load_tr6_b96 ds_load_tr8_b64 ds_load_tr16_b128];
    ds_read_b32: lanes(32), inferred(as_gfx1201!());
    ds_read_b64: lanes(32), inferred(as_gfx1201!());
    ds_read_b96: lanes(16), inferred(as_gfx1201!());
    ds_read_b128: lanes(16), inferred(as_gfx1201!());
    ds_write_b32: lanes(32), inferred(as_gfx1201!());
    ds_write_b64: lanes(32), inferred(as_gfx1201!());
    ds_write_b96: lanes(16), inferred(as_gfx1201!());
    ds_write_b128: lanes(16), inferred(as_gfx1201!());
}

/// Reads 8 bytes a lane, 4-bit elements transposed among 16 lanes.
pub const ds_load_tr4_b64: Instruction =
    transposed(ds_read_b64, "ds_load_tr4_b64", Fragments::Unknown).source(source!(TENSILE));

/// Reads 12 bytes a lane, 6-bit elements transposed among 16 lanes.
pub const ds_load_tr6_b96: Instruction =
    transposed(ds_read_b96, "ds_load_tr6_b96", Fragments::Unknown);

/// Reads 8 bytes a lane, 8-bit elements transposed among 16 lanes.
pub const ds_load_tr8_b64: Instruction =
    transposed(ds_read_b64, "ds_load_tr8_b64", Fragments::CrossedGroups).source(source!(TENSILE));

/// Reads 16 bytes a lane, 16-bit elements transposed among 8 lanes.
pub const ds_load_tr16_b128: Instruction =
    transposed(ds_read_b128, "ds_load_tr16_b128", Fragments::SmallGroups).source(source!(TENSILE));
