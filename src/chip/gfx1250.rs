//! gfx1250: 32 lanes per wave, 320 KiB of LDS, 64 banks.
//!
//! Size and banks are documented (iree-org/iree, KnownTargets.cpp). The lanes are
//! said to be in gfx12's order (triton-lang/triton pull request 11365); with 64
//! banks, a phase then has twice as many lanes. The plain rows are inferred. Of pads by an odd number of
//! dwords, ROCm/rocm-libraries pull request 11409 says that their conflicts are not fully understood.
//!
//! The transposed loads and their widths: triton-lang/triton pull request 8461, ROCm/rocm-libraries pull request 8586. Their
//! lanes and 64 banks are documented by TensileLite, LdsPadding.py:
//!
//! | load | every address is a multiple of | lanes at a time |
//! |---|---|---|
//! | `ds_load_tr4_b64`, `ds_load_tr8_b64` | 8 bytes | 32 |
//! | the same, `_align4` here | 4 bytes, and one is not of 8 | 16 |
//! | `ds_load_tr16_b128` | 16 bytes | 16 |
//!
//! Of the pads that it chooses with these, pull request 7393 says that no load conflicts on silicon. Of `tr6` it says
//! nothing.

pub use super::transfer::gfx1250::*;
use super::{Fragments, Instruction, lanes, transposed};

ds! {
    "gfx1250": wave 32, 320 KiB, 64 banks, and [ds_load_tr4_b64 ds_load_tr4_b64_align4 ds_load_tr6_b96 ds_load_tr8_b64
        ds_load_tr8_b64_align4 ds_load_tr16_b128];
    ds_read_b32: lanes(32), inferred(source!(IREE));
    ds_read_b64: lanes(32), inferred(source!(IREE));
    ds_read_b96: lanes(16), inferred(source!(IREE));
    ds_read_b128: lanes(16), inferred(source!(IREE));
    ds_write_b32: lanes(32), inferred(source!(IREE));
    ds_write_b64: lanes(32), inferred(source!(IREE));
    ds_write_b96: lanes(16), inferred(source!(IREE));
    ds_write_b128: lanes(16), inferred(source!(IREE));
}

/// Reads 8 bytes a lane, 4-bit elements transposed among 16 lanes.
pub const ds_load_tr4_b64: Instruction =
    transposed(ds_read_b64, "ds_load_tr4_b64", Fragments::Unknown)
        .source(source!(TENSILE))
        .or("ds_load_tr4_b64_align4");

/// [`ds_load_tr4_b64`] of a wave in which an address is not a multiple of 8 bytes, but all are of 4. Where all
/// are multiples of 8, it counts twice the cycles that the hardware takes.
pub const ds_load_tr4_b64_align4: Instruction =
    by_dwords(ds_load_tr4_b64, "ds_load_tr4_b64_align4");

/// Reads 12 bytes a lane, 6-bit elements transposed among 16 lanes.
pub const ds_load_tr6_b96: Instruction =
    transposed(ds_read_b96, "ds_load_tr6_b96", Fragments::Unknown);

/// Reads 8 bytes a lane, 8-bit elements transposed among 16 lanes.
pub const ds_load_tr8_b64: Instruction =
    transposed(ds_read_b64, "ds_load_tr8_b64", Fragments::CrossedGroups)
        .source(source!(TENSILE))
        .or("ds_load_tr8_b64_align4");

/// [`ds_load_tr8_b64`] of a wave in which an address is not a multiple of 8 bytes, but all are of 4. Where all
/// are multiples of 8, it counts twice the cycles that the hardware takes.
///
/// ```
/// use tiledesc::access::Addresses;
/// use tiledesc::bank::conflicts;
/// use tiledesc::chip::gfx1250::{ds_load_tr8_b64, ds_load_tr8_b64_align4};
///
/// let rows = |from| Addresses::from_fn(move |lane| (lane < 32).then_some(from + 8 * lane));
/// assert_eq!(conflicts(&rows(0), &ds_load_tr8_b64)?.active_cycles(), 1);
/// assert_eq!(
///     conflicts(&rows(4), &ds_load_tr8_b64).unwrap_err().to_string(),
///     "byte 4 of lane 0 is not aligned to 8; `ds_load_tr8_b64_align4` takes multiples of 4",
/// );
/// assert_eq!(conflicts(&rows(4), &ds_load_tr8_b64_align4)?.active_cycles(), 2);
/// # Ok::<(), tiledesc::access::AddressError>(())
/// ```
pub const ds_load_tr8_b64_align4: Instruction =
    by_dwords(ds_load_tr8_b64, "ds_load_tr8_b64_align4");

/// Reads 16 bytes a lane, 16-bit elements transposed among 8 lanes.
pub const ds_load_tr16_b128: Instruction =
    transposed(ds_read_b128, "ds_load_tr16_b128", Fragments::SmallGroups).source(source!(TENSILE));

/// A transposed load of 8 bytes whose addresses are multiples of 4: half the wave at a time.
const fn by_dwords(load: Instruction, name: &'static str) -> Instruction {
    let halves = lanes(16).of_wave(32);
    load.named(name).aligned_to(4).phases(halves).source(source!(TENSILE))
}
