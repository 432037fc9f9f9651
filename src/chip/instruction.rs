//! A memory instruction as the banks see it: bytes per lane, phases, banks.
//!
//! A wave of 64 lanes requests up to 1024 bytes at once; 32 banks deliver 128 in a cycle. So the hardware serves the lanes in
//! *phases*, and only lanes of the same phase can conflict. Which lanes those are, and how many banks there are, depends on both
//! the chip and the instruction:
//!
//! | `ds_read_b128` on | a phase is | banks |
//! |---|---|---|
//! | gfx942 | 8 lanes: 0-3 with 20-23, ... | 32 |
//! | gfx950 | 16 lanes: 0-3 with 12-15 and 20-27, ... | 64 |
//! | gfx1201 | 8 consecutive lanes | 32 |
//!
//! The rows of the chips we know are in [`chip`](crate::chip). A row of your
//! own is one constant:
//!
//! ```
//! use tiledesc::chip::{Instruction, Phases};
//!
//! const MY_READ: Instruction = Instruction::read("vx_read_b64", 8)
//!     .banks(64)
//!     .phases(Phases::contiguous(32))
//!     .measured("here, 2026-11");
//! assert_eq!((MY_READ.bytes(), MY_READ.service().phases.count()), (8, 2));
//! ```

mod service;
mod written;

use super::fragments::Fragments;
use super::immediate::Immediate;
pub use service::Service;

/// Bytes of a bank's word.
const DWORD: u32 = 4;

/// The direction of an instruction: it reads or writes.
///
/// ```
/// use tiledesc::chip::{Access, gfx942};
///
/// assert_eq!(gfx942::ds_write_b64.access(), Access::Write);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
}

impl Access {
    pub(crate) const fn is(self, other: Self) -> bool {
        matches!((self, other), (Self::Read, Self::Read) | (Self::Write, Self::Write))
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    pub(crate) const fn verb(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Write => "writes",
        }
    }
}

/// One instruction of one chip: a row of the [table](crate::chip).
///
/// ```
/// use tiledesc::chip::{gfx942, gfx950};
///
/// let (mi300, mi350) = (gfx942::ds_read_b128, gfx950::ds_read_b128);
/// assert_eq!((mi300.bytes(), mi300.service().banks, mi300.service().phases.count()), (16, 32, 8));
/// assert_eq!((mi350.bytes(), mi350.service().banks, mi350.service().phases.count()), (16, 64, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    name: &'static str,
    chip: &'static str,
    memory: Option<u32>,
    access: Access,
    bytes: u32,
    alignment: u32,
    /// The row of the same instruction where addresses are multiples of less.
    looser: Option<&'static str>,
    pair: Option<Pair>,
    immediate: Immediate,
    whole_wave: bool,
    fragments: Fragments,
    /// True if the chip lacks it: a name without a row.
    absent: bool,
    service: Service,
    merged: Option<Service>,
    rival: Option<Service>,
    /// True if the user has stated which of two sources counts.
    settled: bool,
}

/// The two addresses of `ds_read2` and `ds_write2`: offsets from a lane's address, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    unit: u32,
    /// `None` until they are stated.
    offsets: Option<[u8; 2]>,
}

// What a row says.
impl Instruction {
    /// The mnemonic.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The chip; empty if not stated.
    #[must_use]
    pub const fn chip(&self) -> &'static str {
        self.chip
    }

    /// Bytes of LDS or shared memory that a block may use, if stated.
    #[must_use]
    pub const fn memory(&self) -> Option<u32> {
        self.memory
    }

    /// Returns whether its memory has at least this many bytes, or its size is not stated.
    pub(crate) const fn holds(&self, bytes: u64) -> bool {
        self.too_small_for(bytes).is_none()
    }

    /// The size of its memory in bytes, if `bytes` do not fit. Every check of sizes calls this.
    pub(crate) const fn too_small_for(&self, bytes: u64) -> Option<u32> {
        match self.memory {
            Some(memory) if bytes > memory as u64 => Some(memory),
            _ => None,
        }
    }

    /// Reads or writes.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.access
    }

    /// Bytes that each lane accesses at each of its addresses.
    #[must_use]
    #[inline]
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// The alignment of an address, in bytes.
    #[must_use]
    #[inline]
    pub const fn alignment(&self) -> u32 {
        self.alignment
    }

    /// The chip's row for waves in which an address is a multiple of less than [`alignment`](Self::alignment), where the hardware
    /// serves the same instruction in other phases then. The assembler has no such name: the addresses decide.
    ///
    /// ```
    /// use tiledesc::chip::gfx1250::{ds_load_tr8_b64, ds_load_tr16_b128};
    ///
    /// assert_eq!(ds_load_tr8_b64.looser(), Some("ds_load_tr8_b64_align4"));
    /// assert_eq!(ds_load_tr16_b128.looser(), None);
    /// ```
    #[must_use]
    pub const fn looser(&self) -> Option<&'static str> {
        self.looser
    }

    /// States that row.
    pub(super) const fn or(mut self, looser: &'static str) -> Self {
        self.looser = Some(looser);
        self
    }

    /// The bytes by whose multiples all lanes may be moved without another verdict: the alignment of an address, and at least a
    /// bank's word. So it is also the alignment that the layout's first byte needs for what was judged from byte 0 on.
    pub(crate) const fn moved_unit(&self) -> u32 {
        if self.alignment > DWORD { self.alignment } else { DWORD }
    }

    /// The addresses of a lane: 1, or 2 for `ds_read2` and `ds_write2`.
    ///
    /// ```
    /// use tiledesc::chip::gfx942::{ds_read_b64, ds_read2_b64};
    ///
    /// assert_eq!((ds_read_b64.parts(), ds_read2_b64.parts()), (1, 2));
    /// ```
    #[must_use]
    #[inline]
    pub const fn parts(&self) -> usize {
        match self.pair {
            Some(_) => 2,
            None => 1,
        }
    }

    /// Bytes from a lane's address to that of part 0 or 1; 0 until its
    /// [`offsets`](Self::offsets) are stated.
    ///
    /// ```
    /// use tiledesc::chip::gfx942::ds_read2_b64;
    ///
    /// // Four elements of 8 bytes further on.
    /// let read = ds_read2_b64.offsets(0, 4);
    /// assert_eq!((read.part(0), read.part(1)), (0, 32));
    /// ```
    #[must_use]
    #[inline]
    pub const fn part(&self, part: usize) -> u32 {
        match self.pair {
            Some(Pair { unit, offsets: Some(offsets) }) if part < 2 => unit * offsets[part] as u32,
            _ => 0,
        }
    }

    /// The unit of two offsets, in bytes, if they are not stated.
    pub(crate) const fn lacks_offsets(&self) -> Option<u32> {
        match self.pair {
            Some(Pair { unit, offsets: None }) => Some(unit),
            _ => None,
        }
    }

    /// The field of the constant that is added to an address; one for each of two.
    #[must_use]
    #[inline]
    pub const fn immediate(&self) -> Immediate {
        self.immediate
    }

    /// Returns whether the offset fields have room for this many bytes beyond the instruction's own offsets.
    ///
    /// ```
    /// use tiledesc::chip::gfx942;
    ///
    /// // Two fields of 8 bits, in units of 8 bytes: the further of the two holds 5 already.
    /// let row = gfx942::ds_read2_b64.offsets(0, 5);
    /// assert_eq!([250 * 8, 251 * 8, 4].map(|bytes| row.reaches(bytes)), [true, false, false]);
    /// ```
    #[must_use]
    pub const fn reaches(&self, distance: u32) -> bool {
        distance.is_multiple_of(self.immediate.unit)
            && distance as u64 + self.furthest() as u64 <= self.immediate.largest() as u64
    }

    /// Bytes from a lane's address to the further of two.
    const fn furthest(&self) -> u32 {
        match self.pair {
            Some(Pair { unit, offsets: Some([first, second]) }) => {
                unit * if first > second { first } else { second } as u32
            }
            _ => 0,
        }
    }

    /// Bytes from a lane's address to the end of what it touches.
    pub(crate) const fn bytes_to_end(&self) -> u32 {
        self.furthest() + self.bytes
    }

    /// Returns whether the instruction is defined only with all lanes active.
    #[must_use]
    pub const fn needs_whole_wave(&self) -> bool {
        self.whole_wave
    }

    /// Returns whether lanes hold what others address: `ldmatrix`, `stmatrix` and the transposing reads. By any other instruction
    /// a lane holds what it addresses.
    ///
    /// ```
    /// use tiledesc::chip::{gfx950, sm_90};
    ///
    /// assert!(sm_90::stmatrix_x2.hands_round() && gfx950::ds_read_b64_tr_b16.hands_round());
    /// assert!(!sm_90::st_shared_b32.hands_round());
    /// ```
    #[must_use]
    pub const fn hands_round(&self) -> bool {
        !self.fragments.is_own()
    }

    /// Bytes that a lane holds of one instruction. Where fewer lanes address than hold, fewer than there are at an address:
    ///
    /// ```
    /// use tiledesc::chip::sm_90::{ldmatrix_x2, ldmatrix_x4, ld_shared_b64};
    ///
    /// assert_eq!((ldmatrix_x4.bytes(), ldmatrix_x4.held_bytes()), (16, 16));
    /// // 16 lanes name 16 bytes each, and 32 hold them.
    /// assert_eq!((ldmatrix_x2.bytes(), ldmatrix_x2.held_bytes()), (16, 8));
    /// assert_eq!((ld_shared_b64.bytes(), ld_shared_b64.held_bytes()), (8, 8));
    /// ```
    #[must_use]
    pub const fn held_bytes(&self) -> u32 {
        let phases = &self.service().phases;
        if self.hands_round() {
            self.bytes * phases.addressed() as u32 / phases.wave() as u32
        } else {
            self.bytes
        }
    }

    /// Returns whether each lane moves what it addresses, by one address, in the same direction as another row: then it may
    /// replace that row if it moves as many bytes.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, gfx950};
    ///
    /// assert!(gfx942::ds_read_b64.is_plain_as(&gfx942::ds_read_b128));
    /// assert!(!gfx942::ds_write_b64.is_plain_as(&gfx942::ds_read_b128));
    /// // Its lanes receive what others address.
    /// assert!(!gfx950::ds_read_b64_tr_b16.is_plain_as(&gfx950::ds_read_b64));
    /// ```
    #[must_use]
    pub const fn is_plain_as(&self, other: &Self) -> bool {
        !self.absent
            && self.parts() == 1
            && matches!(self.fragments, Fragments::Own)
            && self.access.is(other.access)
    }

    /// Returns whether it is one access of the chip, by one source, to a memory that holds `space` bytes. One question where
    /// there were five: each call counts.
    #[allow(
        clippy::redundant_pattern_matching,
        reason = "`is_none` would be a call, which a constant pays for"
    )]
    pub(crate) const fn is_simple(&self, space: u64) -> bool {
        let fits = match self.memory {
            Some(memory) => space <= memory as u64,
            None => true,
        };
        !self.absent && fits && matches!(self.pair, None) && matches!(self.rival, None)
    }

    /// Returns whether a source states which of the addressed elements each lane gets.
    ///
    /// ```
    /// use tiledesc::chip::gfx950::{ds_read_b64, ds_read_b64_tr_b16};
    ///
    /// assert!(ds_read_b64.has_known_fragments() && ds_read_b64_tr_b16.has_known_fragments());
    /// ```
    #[must_use]
    pub const fn has_known_fragments(&self) -> bool {
        self.fragments.are_known()
    }

    /// The fragments that lanes get of what lanes address.
    pub(crate) const fn fragments(&self) -> Fragments {
        self.fragments
    }

    /// Phases and banks.
    #[must_use]
    #[inline]
    pub const fn service(&self) -> &Service {
        &self.service
    }

    /// Phases and banks where lanes agree in pairs, if that differs.
    #[must_use]
    #[inline]
    pub const fn merged(&self) -> Option<&Service> {
        self.merged.as_ref()
    }

    /// The service by another source, if sources disagree.
    #[must_use]
    pub const fn rival(&self) -> Option<&Service> {
        self.rival.as_ref()
    }

    /// Phases and banks of one access: [`merged`](Self::merged) where its lanes agree in pairs and the chip has such
    /// phases, else [`service`](Self::service).
    ///
    /// ```
    /// use tiledesc::chip::gfx942::ds_read_b128;
    ///
    /// assert!(ds_read_b128.merged().is_none());
    /// assert_eq!(ds_read_b128.served(true).phases.count(), ds_read_b128.service().phases.count());
    /// ```
    #[must_use]
    pub const fn served(&self, merged: bool) -> &Service {
        match self.merged() {
            Some(service) if merged => service,
            _ => self.service(),
        }
    }

    /// Returns whether one source alone counts of two that disagree, by [`as_disputed`](Self::as_disputed) or
    /// [`as_rival`](Self::as_rival).
    ///
    /// ```
    /// use tiledesc::chip::gfx950::ds_read_b32;
    ///
    /// assert!(ds_read_b32.rival().is_some() && !ds_read_b32.is_settled());
    /// assert!(ds_read_b32.as_disputed().is_settled());
    /// ```
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.settled
    }
}

// Which source counts, if two disagree.
impl Instruction {
    /// Returns the row by its own source, though another disputes it: a verdict is free if it is so by this source.
    /// `on gfx950 as disputed` in a statement. Without a rival it changes nothing.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950, prelude::*};
    ///
    /// // Lanes 0 and 32 meet if all 64 are served together, in rows of 64 dwords.
    /// layout! { type Tile = recipe::RowMajor<F32, M<2>, K<64>>; }
    /// pattern! { Halves(lane) => [lane / 32, lane % 32]; }
    /// let free = |row| Tile::verdict::<Halves>(row).unwrap().is_free();
    /// let row = gfx950::ds_read_b32;
    /// assert_eq!([free(&row), free(&row.as_disputed()), free(&row.as_rival())], [false, true, false]);
    /// ```
    #[must_use]
    pub const fn as_disputed(mut self) -> Self {
        self.settled = self.rival.is_some();
        self
    }

    /// The row by the [other source](Self::rival). `on gfx950 as rival` in a statement. Without
    /// a rival it changes nothing.
    #[must_use]
    pub const fn as_rival(mut self) -> Self {
        if let Some(rival) = self.rival {
            self.rival = Some(self.service);
            self.service = rival;
            // That source says nothing of merging.
            self.merged = None;
            self.settled = true;
        }
        self
    }
}
