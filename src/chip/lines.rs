//! Cache lines and sectors that one instruction touches in global memory.
//!
//! ```text
//!   64 lanes of 4 bytes, base aligned to 128       gfx942: lines of 128     sm_90, 32 lanes: lines of 4 sectors
//!     contiguous     4 * lane                      2                        1 line,   4 sectors
//!     the same, base aligned to 4                  2 to 3                   1 to 2,   4 to 5
//!     every other    8 * lane                      4                        2,        8
//!     by rows        1024 * lane                   64                       32,      32
//! ```
//!
//! A count of what is touched, never of time: hits in L2, pages and the TLB are not in it.

use super::Chip;
use super::evidence::Evidence::{self, Documented, Inferred};
use super::evidence::sourced;
use crate::distribution::MOST_LANES;
use tiledesc_transforms::{all, range};

/// The most bytes of a lane.
const BYTES: u32 = 32;

/// Lines and sectors of global memory that one instruction touches.
///
/// A line without sectors counts as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Distinct lines.
    pub lines: u32,
    /// Distinct sectors.
    pub sectors: u32,
}

/// The lines of a chip's first cache on the way to global memory, and the sectors that are fetched of them.
///
/// | chip | line | sector | how sure |
/// |---|---|---|---|
/// | NVIDIA | 128 | 32 | documented |
/// | gfx908, gfx90a | 64 | | documented |
/// | gfx942, gfx950 | 128 | | documented |
/// | gfx906 | 64 | | inferred |
/// | RDNA, gfx1030 to gfx1201 | 128 | | inferred |
/// | gfx1250 | not known | | |
///
/// ```
/// use tiledesc::chip::{gfx90a, gfx942, sm_90};
/// use tiledesc::chip::Touched;
///
/// let row = |stride: u64| core::array::from_fn::<_, 32, _>(|lane| Some(stride * lane as u64));
/// let lines = sm_90.lines().unwrap();
/// assert_eq!((lines.bytes(), lines.sector()), (128, 32));
/// assert_eq!(lines.touched(&row(4), 4), Touched { lines: 1, sectors: 4 });
/// assert_eq!(lines.touched(&row(1024), 4), Touched { lines: 32, sectors: 32 });
/// assert_eq!(lines.least(&row(1024), 4), Touched { lines: 1, sectors: 4 });
/// // A base of which only 4 bytes are known to be aligned.
/// let (best, worst) = lines.over_bases(&row(4), 4, 4);
/// assert_eq!((best.sectors, worst.sectors), (4, 5));
/// assert_eq!([gfx90a, gfx942].map(|chip| chip.lines().unwrap().bytes()), [64, 128]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    bytes: u32,
    sector: u32,
    /// Whether four lanes that read a dword each are one access if their dwords are contiguous.
    quads: bool,
    evidence: Evidence,
    source: &'static str,
}

impl Lines {
    /// Bytes of a line.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Bytes of a sector: the least that is fetched. Of lines without sectors, the line's.
    #[must_use]
    pub const fn sector(&self) -> u32 {
        self.sector
    }

    sourced! {}

    /// Returns the lines and sectors that lanes touch, each accessing `bytes` bytes at its address; `None` is an inactive lane.
    ///
    /// # Panics
    ///
    /// With more than 64 lanes, or with bytes that are not 1 to 32.
    #[must_use]
    #[track_caller]
    pub const fn touched(&self, addresses: &[Option<u64>], bytes: u32) -> Touched {
        self.shifted(addresses, bytes, 0)
    }

    /// The least that holds as many bytes as these lanes access: lanes at one address share theirs.
    ///
    /// ```
    /// use tiledesc::chip::{Touched, sm_80};
    ///
    /// // All 32 lanes read the same 4 bytes, across the end of a line.
    /// let lines = sm_80.lines().unwrap();
    /// assert_eq!(lines.touched(&[Some(126); 32], 4), Touched { lines: 2, sectors: 2 });
    /// assert_eq!(lines.least(&[Some(126); 32], 4), Touched { lines: 1, sectors: 1 });
    /// ```
    ///
    /// # Panics
    ///
    /// As [`touched`](Self::touched).
    #[must_use]
    #[track_caller]
    pub const fn least(&self, addresses: &[Option<u64>], bytes: u32) -> Touched {
        let unique = unique_bytes(addresses, bytes);
        Touched { lines: unique.div_ceil(self.bytes), sectors: unique.div_ceil(self.sector) }
    }

    /// Returns the fewest and the most lines and sectors that are touched if a base with only this alignment known is added;
    /// lines and sectors each for themselves.
    ///
    /// ```
    /// use tiledesc::chip::{Touched, gfx942};
    ///
    /// let lines = gfx942.lines().unwrap();
    /// let wave: Vec<_> = (0..64).map(|lane| Some(16 * lane)).collect();
    /// let (best, worst) = lines.over_bases(&wave, 16, 16);
    /// assert_eq!((best.lines, worst.lines), (8, 9));
    /// assert_eq!(lines.over_bases(&wave, 16, 256), (best, best));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`touched`](Self::touched), or with an alignment of zero.
    #[must_use]
    #[track_caller]
    pub const fn over_bases(
        &self,
        addresses: &[Option<u64>],
        bytes: u32,
        alignment: u32,
    ) -> (Touched, Touched) {
        assert!(alignment > 0, "every address is a multiple of 1 byte, and none of 0");
        let mut best = self.touched(addresses, bytes);
        let mut worst = best;
        // Multiples of the alignment modulo the line are those of its greatest power of two.
        let step = alignment & alignment.wrapping_neg();
        let mut base = step;
        while base < self.bytes {
            let one = self.shifted(addresses, bytes, base);
            (best, worst) = (best.each(one, false), worst.each(one, true));
            base += step;
        }
        (best, worst)
    }

    /// Returns the accesses of the first cache that gfx9 counts for a dword of each lane: one for four neighbouring lanes whose
    /// dwords are contiguous in a line, four if each is in a line of its own. `None` of what is between, which no source states,
    /// and of other chips. Wider loads count otherwise.
    ///
    /// ```
    /// use tiledesc::chip::gfx942;
    ///
    /// let lines = gfx942.lines().unwrap();
    /// let wave = |stride| core::array::from_fn::<_, 64, _>(|lane| Some(stride * lane as u64));
    /// // The counters of 2,048 waves on MI300X: 32,768 accesses coalesced, 131,072 not.
    /// assert_eq!(lines.accesses_of_dwords(&wave(4)).map(|one| 2048 * one), Some(32_768));
    /// assert_eq!(lines.accesses_of_dwords(&wave(4096)).map(|one| 2048 * one), Some(131_072));
    /// assert_eq!(lines.accesses_of_dwords(&wave(8)), None);
    /// ```
    #[must_use]
    pub fn accesses_of_dwords(&self, addresses: &[Option<u64>]) -> Option<u32> {
        if !self.quads || !addresses.len().is_multiple_of(4) {
            return None;
        }
        addresses.chunks(4).map(|quad| self.accesses_of_quad(quad)).sum()
    }

    fn accesses_of_quad(&self, quad: &[Option<u64>]) -> Option<u32> {
        let first = quad[0]?;
        let in_a_row = (0..).step_by(4).map(|by| first.wrapping_add(by));
        if first.is_multiple_of(16) && in_a_row.zip(quad).all(|(next, own)| Some(next) == *own) {
            return Some(1);
        }
        let is_active = quad.iter().all(Option::is_some);
        (is_active && self.touched(quad, 4).lines == 4).then_some(4)
    }

    #[track_caller]
    const fn shifted(&self, addresses: &[Option<u64>], bytes: u32, base: u32) -> Touched {
        let lines = distinct_units(addresses, bytes, base, self.bytes);
        if self.sector == self.bytes {
            return Touched { lines, sectors: lines };
        }
        Touched { lines, sectors: distinct_units(addresses, bytes, base, self.sector) }
    }
}

impl Touched {
    /// The larger of both lines and of both sectors, or the smaller.
    const fn each(self, other: Self, is_larger: bool) -> Self {
        Self {
            lines: one_of(self.lines, other.lines, is_larger),
            sectors: one_of(self.sectors, other.sectors, is_larger),
        }
    }
}

const fn one_of(one: u32, other: u32, is_larger: bool) -> u32 {
    if (one < other) == is_larger { other } else { one }
}

/// Units of `unit` bytes that lanes touch: each touches at most two, since it has at most as many bytes.
///
/// A unit is sought from the last one back: neighbouring lanes mostly touch what the lane before did. One behind all others is
/// new: addresses mostly rise with the lanes.
#[track_caller]
const fn distinct_units(addresses: &[Option<u64>], bytes: u32, base: u32, unit: u32) -> u32 {
    check(addresses, bytes);
    let (mut units, mut count, mut last) = ([0; 2 * MOST_LANES], 0, 0);
    range!(lane, 0..addresses.len(), {
        if let Some(address) = addresses[lane] {
            let first = address.wrapping_add(base as u64);
            let ends = [first / unit as u64, first.wrapping_add(bytes as u64 - 1) / unit as u64];
            range!(end, 0..ends.len(), {
                let mut before = if count > 0 && ends[end] > last { 0 } else { count };
                while before > 0 && units[before - 1] != ends[end] {
                    before -= 1;
                }
                if before == 0 {
                    units[count] = ends[end];
                    count += 1;
                    if count == 1 || ends[end] > last {
                        last = ends[end];
                    }
                }
            });
        }
    });
    count as u32
}

/// Bytes that lanes access, those of several counted once.
#[track_caller]
const fn unique_bytes(addresses: &[Option<u64>], bytes: u32) -> u32 {
    check(addresses, bytes);
    // In their order. Distances may be negative: an address is a base and what a lane adds, modulo 2^64.
    let (mut begins, mut count) = ([0_i64; MOST_LANES], 0);
    let mut first = None;
    range!(lane, 0..addresses.len(), {
        if let Some(address) = addresses[lane] {
            let base = match first {
                Some(first) => first,
                None => address,
            };
            first = Some(base);
            let begin = address.wrapping_sub(base) as i64;
            let mut at = count;
            while at > 0 && begins[at - 1] > begin {
                begins[at] = begins[at - 1];
                at -= 1;
            }
            begins[at] = begin;
            count += 1;
        }
    });
    let mut unique = if count == 0 { 0 } else { bytes };
    range!(at, 1..count, {
        let gap = begins[at - 1].abs_diff(begins[at]);
        unique += if gap < bytes as u64 { gap as u32 } else { bytes };
    });
    unique
}

#[track_caller]
const fn check(addresses: &[Option<u64>], bytes: u32) {
    assert!(addresses.len() <= MOST_LANES, "a wave has at most 64 lanes");
    assert!(0 < bytes && bytes <= BYTES, "a lane accesses 1 to 32 bytes");
}

const NVIDIA: &str = "NVIDIA developer forum, 49571 and 312884; CUDA C++ Programming Guide, transactions of 32 bytes; \
    CUPTI, ActivityGlobalAccess3";
const RDNA: &str = "AMD's RDNA white paper, of its caches; no rule of coalescing was found";
const ROCPROF: &str =
    "rocprof-compute, analysis_configs, 1600: bytes of an access of the vL1D cache";

impl Chip {
    /// The cache lines and sectors by which it fetches global memory; `None` for gfx1250, for which no source states them.
    ///
    /// ```
    /// use tiledesc::chip::{Evidence, gfx942, gfx1100, gfx1250};
    ///
    /// assert_eq!(gfx942.lines().unwrap().evidence(), Evidence::Documented);
    /// assert_eq!(gfx1100.lines().unwrap().evidence(), Evidence::Inferred);
    /// assert_eq!(gfx1250.lines(), None);
    /// ```
    #[must_use]
    pub fn lines(&self) -> Option<Lines> {
        Lines::of_chip(self.name())
    }
}

/// The lines of the chips by the beginnings of their names: the first that fits.
const LINES: &[(&str, Lines)] = &[
    ("gfx906", Lines::row(64, 64, true, Inferred, "as gfx908")),
    ("gfx90", Lines::row(64, 64, true, Documented, ROCPROF)),
    ("gfx9", Lines::row(128, 128, true, Documented, ROCPROF)),
    ("sm_", Lines::row(128, 32, false, Documented, NVIDIA)),
    ("gfx", Lines::row(128, 128, false, Inferred, RDNA)),
];

impl Lines {
    const fn row(
        bytes: u32,
        sector: u32,
        quads: bool,
        evidence: Evidence,
        source: &'static str,
    ) -> Self {
        Self { bytes, sector, quads, evidence, source }
    }

    /// Those of the chip of a name, for constants: a [`Chip`] would bring all its instructions.
    pub(crate) const fn of_chip(chip: &str) -> Option<Self> {
        if begins_with(chip, "gfx1250") {
            return None;
        }
        range!(i, 0..LINES.len(), {
            if begins_with(chip, LINES[i].0) {
                return Some(LINES[i].1);
            }
        });
        None
    }
}

const fn begins_with(name: &str, word: &str) -> bool {
    let (name, word) = (name.as_bytes(), word.as_bytes());
    name.len() >= word.len() && all!(i, 0..word.len(), name[i] == word[i])
}
