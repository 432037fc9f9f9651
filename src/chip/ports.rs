//! The service of an LDS or shared memory to the waves of several SIMDs: bytes a cycle, and the ports between both.
//!
//! ```text
//!   gfx942      SIMD  SIMD     SIMD  SIMD        32 banks: 128 bytes a cycle, the cycles that rows count
//!                  \  /           \  /           port: 64 bytes a cycle and direction, one SIMD of a pair at a time
//!                  port           port
//!                     \           /             ds_read_b128 of 64 lanes: 1,024 bytes, 8 cycles of the banks,
//!                      32 banks of 4 bytes                                             16 of its pair's port
//! ```
//!
//! So two pairs that read at once keep the banks busy, and one alone cannot: a workgroup whose waves are all of one pair
//! takes twice the cycles that its rows count.

use super::evidence::Evidence::{self, Documented, Inferred, Measured};
use super::evidence::sourced;
use super::instruction::{Access, Instruction};
use super::{Chip, phases::Phases};

/// The bytes that the LDS of a CU, or the shared memory of an SM, moves in a cycle, and its ports.
///
/// | chip | bytes a cycle | ports | how sure |
/// |---|---|---|---|
/// | gfx908, gfx90a, gfx942 | 128 | 2, of 64 bytes | documented |
/// | gfx950 | 256 by reads of 8 and 16 bytes, else 128 | 2 | documented |
/// | gfx906 | 128 | 2 | inferred |
/// | RDNA, gfx1030 to gfx1201 | 128 | not known | inferred |
/// | gfx1250 | not known | not known | |
/// | NVIDIA | 128 | 1 | documented, measured on sm_103 |
///
/// ```
/// use tiledesc::chip::{Evidence, gfx942, gfx950, sm_90};
///
/// let ports = gfx942.ports().unwrap();
/// assert_eq!((ports.bytes(), ports.count()), (128, Some(2)));
/// assert_eq!(ports.evidence(), Evidence::Documented);
/// // 1,024 bytes of a wave: 8 phases of the banks, and twice that through the port of its pair.
/// let read = &gfx942::ds_read_b128;
/// assert_eq!((read.service().phases.count(), ports.cycles(read)), (8, Some(16)));
/// // gfx950's are twice as wide, for its 64 banks; NVIDIA has one for all.
/// assert_eq!(gfx950.ports().unwrap().cycles(&gfx950::ds_read_b128), Some(8));
/// assert_eq!(sm_90.ports().unwrap().cycles(&sm_90::ld_shared_b128), Some(4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    bytes: u32,
    count: Option<u32>,
    evidence: Evidence,
    source: &'static str,
}

impl Ports {
    /// The most bytes that all SIMDs of a CU, or all of an SM, move in a cycle: 4 of each bank.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// The number of ports that share these bytes; `None` if no source states it. Two have a pair of SIMDs each, which issue in
    /// turn.
    #[must_use]
    pub const fn count(&self) -> Option<u32> {
        self.count
    }

    sourced! {}

    /// The cycles that a whole wave keeps its port busy without conflicts; `None` where the ports are not known.
    ///
    /// A read takes the cycles of the banks times the number of ports. A write of AMD brings its addresses through the
    /// port, too, 4 bytes a lane: 8 cycles of 4 bytes, 20 of 16, as rocprof-compute documents of a wave of 64.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, gfx1100};
    ///
    /// let ports = gfx942.ports().unwrap();
    /// assert_eq!(ports.cycles(&gfx942::ds_read_b32), Some(4));
    /// assert_eq!(ports.cycles(&gfx942::ds_write_b32), Some(8));
    /// assert_eq!(ports.cycles(&gfx942::ds_write_b128), Some(20));
    /// assert_eq!(gfx1100.ports().unwrap().cycles(&gfx1100::ds_read_b32), None);
    /// ```
    #[must_use]
    pub fn cycles(&self, row: &Instruction) -> Option<u32> {
        let count = self.count?;
        let phases: Phases = row.service().phases;
        let parts = row.parts() as u32;
        if count == 1 || matches!(row.access(), Access::Read) {
            return Some(count * parts * phases.count() as u32);
        }
        // Registers of 4 bytes, and one of addresses.
        let bytes = parts * row.bytes().next_multiple_of(4) + 4;
        Some((phases.addressed() as u32 * bytes).div_ceil(WRITTEN))
    }
}

/// Bytes that a port of AMD takes in a cycle.
const WRITTEN: u32 = 64;

const ROCPROF: &str = "rocprof-compute documentation, pipeline-descriptions.rst: pairs of SIMDs, 128 bytes a clock in \
    all, 64 a port and direction";
const GFX950: &str = "amd-shark-ai, kernel guide, 256 bytes a clock of 64 banks; ROCm/rocm-libraries, rocRoller, \
    LDSModel.cpp, 16 lanes of b64 and 8 of b128 a clock and pair";
const NVIDIA: &str = "NVIDIA, CUDA C++ Best Practices Guide: 32 bits a clock of each of 32 banks";
const B300: &str = "QuickRunCUDA, B300_PIPE_CATALOG.md: 98 % of 128 bytes a clock";

impl Chip {
    /// The bytes that its LDS or shared memory moves in a cycle; `None` for gfx1250, for which no source states them.
    ///
    /// ```
    /// use tiledesc::chip::{gfx90a, gfx950, gfx1250, sm_80};
    ///
    /// let bytes = [gfx90a, gfx950, sm_80].map(|chip| chip.ports().unwrap().bytes());
    /// assert_eq!(bytes, [128, 256, 128]);
    /// assert_eq!(gfx1250.ports(), None);
    /// ```
    #[must_use]
    pub fn ports(&self) -> Option<Ports> {
        let (bytes, count, evidence, source) = match self.product() {
            "gfx908" | "gfx90a" | "gfx942" => (128, Some(2), Documented, ROCPROF),
            "gfx906" => (128, Some(2), Inferred, "as gfx908"),
            "gfx950" => (256, Some(2), Documented, GFX950),
            "gfx1250" => return None,
            "sm_103" => (128, Some(1), Measured, B300),
            other if other.starts_with("sm_") => (128, Some(1), Documented, NVIDIA),
            _ => (128, None, Inferred, "32 banks of 4 bytes"),
        };
        Some(Ports { bytes, count, evidence, source })
    }
}

#[cfg(test)]
mod tests {
    use crate::chip::CHIPS;

    /// Every chip has ports but gfx1250, and they move what its banks hold in a cycle.
    #[test]
    fn ports_are_as_wide_as_the_banks() {
        for chip in CHIPS {
            let ports = chip.ports();
            assert_eq!(ports.is_none(), chip.name() == "gfx1250");
            assert!(ports.is_none_or(|ports| ports.bytes() == 4 * chip.banks()), "{}", chip.name());
            assert!(ports.is_none_or(|ports| !ports.source().is_empty()), "{}", chip.name());
        }
    }

    /// A wave's reads and writes at the port of a pair, beside the cycles of the banks: bytes of all lanes by 64, or by
    /// 128 of the reads that gfx950 widens.
    #[test]
    fn cycles_of_a_pair() {
        for name in ["gfx908", "gfx90a", "gfx942", "gfx950"] {
            let chip = CHIPS.iter().find(|chip| chip.name() == name).unwrap();
            let cycles = |row| chip.ports().unwrap().cycles(chip.instruction(row).unwrap());
            for (bytes, read, write) in [
                (4, "ds_read_b32", "ds_write_b32"),
                (8, "ds_read_b64", "ds_write_b64"),
                (16, "ds_read_b128", "ds_write_b128"),
            ] {
                let wide = if name == "gfx950" && bytes > 4 { 2 } else { 1 };
                assert_eq!(cycles(read), Some(64 * bytes / 64 / wide), "{name} {read}");
                assert_eq!(cycles(write), Some(64 * (bytes + 4) / 64), "{name} {write}");
            }
            assert_eq!(cycles("ds_write_b8"), cycles("ds_write_b32"));
            assert_eq!(cycles("ds_read2_b64"), cycles("ds_read_b64").map(|one| 2 * one));
            assert_eq!(cycles("ds_write2_b64"), cycles("ds_write_b128"));
        }
    }
}
