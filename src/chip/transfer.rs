//! Transfers: what moves global memory to LDS without registers.
//!
//! On gfx9 the LDS address is not a lane's to choose: lane L writes at `base + stride * L`, from a
//! base that is the wave's. Where it *reads* is its own, so a layout is made by reading the right
//! elements ([`direct`](crate::direct)). On gfx1250 and NVIDIA each lane has both addresses.

use super::Chip;
use super::evidence::Evidence;
use tiledesc_transforms::Text;
use tiledesc_transforms::number::is_same;

/// A transfer of one chip from global memory to LDS.
///
/// | chip | bytes of data | LDS address of lane L | source |
/// |---|---|---|---|
/// | gfx90a, gfx942 | 1, 2, 4 | base + 4 L | LLVM; 1 and 2 bytes are extended to 4, which are written |
/// | gfx950 | 1, 2, 4 | base + 4 L | the same |
/// | gfx950 | 12, 16 | base + 16 L | LLVM; of 12 the fourth dword is written as 0 |
/// | gfx1250 | 1, 4, 8, 16 | its own | LLVM |
/// | sm_80 and later | 4, 8, 16 | its own | PTX ISA, `cp.async` |
///
/// So only 4 bytes, and 16 on gfx950, give an image without holes; IREE's and Triton's compilers allow
/// no others. The base is a multiple of `stride`, and the source address of the bytes of data; an
/// instruction's immediate offset is added to both. A lane that is switched off leaves its place as it was,
/// and the others do not move up. That the source must be aligned, and what a switched-off lane does,
/// no source states: both are inferred.
///
/// ```
/// use tiledesc::chip::{gfx942, gfx950};
///
/// let wide = gfx950::global_load_lds_b128;
/// assert_eq!((wide.data(), wide.stride(), wide.chunk()), (16, Some(16), Some(1024)));
/// assert_eq!(wide.mnemonic(), "global_load_lds_dwordx4");
/// assert_eq!(gfx942::global_load_lds_b16.stride(), Some(4));
/// ```
///
/// A row of your own is one constant, as an instruction is:
///
/// ```
/// use tiledesc::chip::Transfer;
///
/// const MINE: Transfer = Transfer::new("vx_load_lds_b64", 8)
///     .called("vx_load_lds_dwordx2")
///     .every(8)
///     .on("vx", 32)
///     .source("the manual");
/// assert_eq!((MINE.data(), MINE.stride(), MINE.chunk()), (8, Some(8), Some(256)));
/// assert_eq!((MINE.name(), MINE.mnemonic()), ("vx_load_lds_b64", "vx_load_lds_dwordx2"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    name: &'static str,
    mnemonic: &'static str,
    chip: &'static str,
    wave: u32,
    data: u32,
    stride: Option<u32>,
    base_bits: u32,
    evidence: Evidence,
    source: &'static str,
}

// How a row is written.
impl Transfer {
    /// A transfer of `data` bytes a lane, each lane with an LDS address of its own, in a wave of 64.
    ///
    /// # Panics
    ///
    /// Unless `data` is 1, 2, 4, 8, 12 or 16.
    #[must_use]
    #[track_caller]
    pub const fn new(name: &'static str, data: u32) -> Self {
        assert!(
            matches!(data, 1 | 2 | 4 | 8 | 12 | 16),
            "a lane brings 1, 2, 4, 8, 12 or 16 bytes"
        );
        Self {
            name,
            mnemonic: name,
            chip: "",
            wave: 64,
            data,
            stride: None,
            base_bits: 32,
            evidence: Evidence::Inferred,
            source: "not stated",
        }
    }

    /// Returns the transfer from a base of the wave, each lane `stride` bytes after the one before it; all these bytes are
    /// written.
    ///
    /// # Panics
    ///
    /// Unless `stride` is a power of two, and not less than the bytes of data.
    #[must_use]
    #[track_caller]
    pub const fn every(mut self, stride: u32) -> Self {
        assert!(
            stride.is_power_of_two() && stride >= self.data,
            "lanes lie a power of two of bytes apart, and no less than what they bring"
        );
        self.stride = Some(stride);
        self
    }

    /// Returns the transfer on a chip, with the given number of lanes a wave.
    ///
    /// # Panics
    ///
    /// Unless those are a power of two up to 64.
    #[must_use]
    #[track_caller]
    pub const fn on(mut self, chip: &'static str, wave: u32) -> Self {
        assert!(
            wave.is_power_of_two() && wave <= 64,
            "a wave has a power of two of lanes up to 64"
        );
        (self.chip, self.wave) = (chip, wave);
        self
    }

    /// Returns the transfer with a base of the given number of bits (32 by default). LDS beyond its range is out of reach.
    ///
    /// ```
    /// use tiledesc::chip::Transfer;
    /// use tiledesc::direct::{Request, Source};
    /// use tiledesc::Plan;
    ///
    /// const NEAR: Transfer = Transfer::new("vx_load_lds_b32", 4).every(4).on("vx", 64).base_bits(12);
    /// let tile = Plan::packed(&[1, 64])?;
    /// let loads = Request::new(&tile, 32, Source::rows(64), &NEAR);
    /// assert_eq!(loads.at(4092).plan().unwrap().base(0, 0), 4092);
    /// assert_eq!(
    ///     loads.at(4096).plan().unwrap_err().to_string(),
    ///     "LDS byte 4096 is beyond the 12 bits of M0 on vx",
    /// );
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn base_bits(mut self, bits: u32) -> Self {
        self.base_bits = bits;
        self
    }

    /// Returns the transfer with the assembler's name; unless stated, it is the name here.
    #[must_use]
    pub const fn called(mut self, mnemonic: &'static str) -> Self {
        self.mnemonic = mnemonic;
        self
    }

    /// Stated by a source.
    #[must_use]
    pub const fn source(mut self, source: &'static str) -> Self {
        (self.evidence, self.source) = (Evidence::Documented, source);
        self
    }

    /// Inferred, with the reason: no source states it.
    ///
    /// ```
    /// use tiledesc::chip::{Evidence, gfx950};
    ///
    /// let stated = gfx950::global_load_lds_b128;
    /// assert_eq!(stated.evidence(), (Evidence::Documented, "LLVM, llvm/docs/AMDGPUDMAOperations.md"));
    /// assert_eq!(stated.inferred("as gfx950").evidence(), (Evidence::Inferred, "as gfx950"));
    /// ```
    #[must_use]
    pub const fn inferred(mut self, reason: &'static str) -> Self {
        (self.evidence, self.source) = (Evidence::Inferred, reason);
        self
    }
}

// What a row says.
impl Transfer {
    /// The name here: `global_load_lds_b128`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The assembler's: `global_load_lds_dwordx4`, `cp.async.cg.shared.global`.
    #[must_use]
    pub const fn mnemonic(&self) -> &'static str {
        self.mnemonic
    }

    /// The chip; empty if not stated.
    #[must_use]
    pub const fn chip(&self) -> &'static str {
        self.chip
    }

    /// Lanes of a wave.
    #[must_use]
    pub const fn wave(&self) -> u32 {
        self.wave
    }

    /// Bytes of data that a lane loads.
    #[must_use]
    pub const fn data(&self) -> u32 {
        self.data
    }

    /// Bytes from the LDS address of one lane to that of the next, all written; `None` if each lane has an address of its own.
    #[must_use]
    pub const fn stride(&self) -> Option<u32> {
        self.stride
    }

    /// Bytes of LDS that one instruction covers, if its lanes are at a stride.
    #[must_use]
    pub const fn chunk(&self) -> Option<u32> {
        match self.stride {
            Some(stride) => Some(stride * self.wave),
            None => None,
        }
    }

    /// Bits of the register that holds the base: M0 on gfx9. 32 where each lane has its own address.
    #[must_use]
    pub const fn bits_of_base(&self) -> u32 {
        self.base_bits
    }

    /// The alignment of an LDS address, in bytes: the stride, or with an address for each lane the bytes of data.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, gfx950, sm_90};
    ///
    /// assert_eq!(gfx942::global_load_lds_b16.alignment(), 4);
    /// assert_eq!(gfx950::global_load_lds_b96.alignment(), 16);
    /// assert_eq!(sm_90::cp_async_b64.alignment(), 8);
    /// ```
    #[must_use]
    pub const fn alignment(&self) -> u32 {
        match self.stride {
            Some(stride) => stride,
            None => self.data,
        }
    }

    /// The evidence for the row, and its source or the reason.
    #[must_use]
    pub const fn evidence(&self) -> (Evidence, &'static str) {
        (self.evidence, self.source)
    }
}

impl Chip {
    /// The ways in which it moves global memory to its LDS without registers, the narrowest first.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, gfx950, gfx1201};
    ///
    /// let data = |chip: &tiledesc::chip::Chip| chip.transfers().iter().map(|t| t.data()).collect::<Vec<_>>();
    /// assert_eq!(data(&gfx942), [1, 2, 4]);
    /// assert_eq!(data(&gfx950), [1, 2, 4, 12, 16]);
    /// assert!(gfx1201.transfers().is_empty());
    /// ```
    #[must_use]
    pub const fn transfers(&self) -> &'static [Transfer] {
        transfers_of(self.name())
    }

    /// The transfer of this name, which is ours and not the assembler's; `None` if the chip has
    /// none. `load_to_lds_b128` is each chip's of 16 bytes a lane, whatever it calls it.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, gfx950, sm_90};
    ///
    /// assert_eq!(sm_90.transfer_named("load_to_lds_b128"), sm_90.transfer_named("cp_async_b128"));
    /// let wide = gfx950.transfer_named("global_load_lds_b128").unwrap();
    /// assert_eq!((wide.mnemonic(), wide.chunk()), ("global_load_lds_dwordx4", Some(1024)));
    /// assert_eq!(gfx942.transfer_named("global_load_lds_b128"), None);
    /// ```
    #[must_use]
    pub const fn transfer_named(&self, name: &str) -> Option<&'static Transfer> {
        of_chip(self.name(), name)
    }

    /// The transfer of this many bytes a lane; `None` if the chip has none.
    ///
    /// ```
    /// use tiledesc::chip::{gfx950, sm_90};
    ///
    /// assert_eq!(gfx950.transfer(16).unwrap().name(), "global_load_lds_b128");
    /// assert_eq!(sm_90.transfer(16).unwrap().name(), "cp_async_b128");
    /// assert_eq!(gfx950.transfer(8), None);
    /// ```
    #[must_use]
    pub const fn transfer(&self, data: u32) -> Option<&'static Transfer> {
        of_data(self.transfers(), data)
    }
}

impl Transfer {
    /// Returns whether another writes the same bytes of LDS from the same data.
    pub(crate) const fn writes_as(&self, other: &Self) -> bool {
        let stride = match (self.stride, other.stride) {
            (Some(one), Some(other)) => one == other,
            (None, None) => true,
            _ => false,
        };
        stride
            && self.data == other.data
            && self.wave == other.wave
            && self.base_bits == other.base_bits
    }
}

/// The transfer of a chip, both by their names.
pub(crate) const fn of_chip(chip: &str, name: &str) -> Option<&'static Transfer> {
    let rows = transfers_of(chip);
    match (named(rows, name), of_every_chip(name)) {
        (Some(row), _) => Some(row),
        (None, Some(data)) => of_data(rows, data),
        (None, None) => None,
    }
}

/// The bytes of `load_to_lds_b128`, which is each chip's transfer of that width.
const fn of_every_chip(name: &str) -> Option<u32> {
    const NAMES: &[(&str, u32)] = &[
        ("load_to_lds_b8", 1),
        ("load_to_lds_b16", 2),
        ("load_to_lds_b32", 4),
        ("load_to_lds_b64", 8),
        ("load_to_lds_b96", 12),
        ("load_to_lds_b128", 16),
    ];
    let mut i = 0;
    while i < NAMES.len() {
        if is_same(NAMES[i].0, name) {
            return Some(NAMES[i].1);
        }
        i += 1;
    }
    None
}

/// The bytes of the transfer that some chip has under this name.
pub(crate) const fn data_of(name: &str) -> Option<u32> {
    if let Some(data) = of_every_chip(name) {
        return Some(data);
    }
    let mut i = 0;
    while i < TABLE.len() {
        if let Some(row) = named(TABLE[i].1, name) {
            return Some(row.data);
        }
        i += 1;
    }
    None
}

/// " has global_load_lds_b8, global_load_lds_b16", or that there is none.
pub(crate) const fn listed(text: Text, chip: &str) -> Text {
    let (rows, mut i) = (transfers_of(chip), 0);
    let mut text = text.str(if rows.is_empty() { " has none" } else { " has " });
    while i < rows.len() {
        text = text.str(if i > 0 { ", " } else { "" }).str(rows[i].name);
        i += 1;
    }
    text
}

const fn named(rows: &'static [Transfer], name: &str) -> Option<&'static Transfer> {
    let mut i = 0;
    while i < rows.len() {
        if is_same(rows[i].name, name) {
            return Some(&rows[i]);
        }
        i += 1;
    }
    None
}

/// A chip whose transfer of the same kind moves this many bytes; an error names it.
pub(crate) const fn elsewhere(data: u32, chip: &str) -> Option<&'static str> {
    let mut i = 0;
    while i < TABLE.len() {
        let (name, rows) = TABLE[i];
        if same_vendor(name, chip) && of_data(rows, data).is_some() {
            return Some(name);
        }
        i += 1;
    }
    None
}

const fn same_vendor(one: &str, other: &str) -> bool {
    match (one.as_bytes().first(), other.as_bytes().first()) {
        (Some(one), Some(other)) => *one == *other,
        _ => false,
    }
}

const fn of_data(rows: &'static [Transfer], data: u32) -> Option<&'static Transfer> {
    let mut i = 0;
    while i < rows.len() {
        if rows[i].data == data {
            return Some(&rows[i]);
        }
        i += 1;
    }
    None
}

/// The chip's transfer that moves this many bytes a lane.
pub(crate) const fn of_size(chip: &str, data: u32) -> Option<&'static Transfer> {
    of_data(transfers_of(chip), data)
}

const fn transfers_of(chip: &str) -> &'static [Transfer] {
    let mut i = 0;
    while i < TABLE.len() {
        if is_same(TABLE[i].0, chip) {
            return TABLE[i].1;
        }
        i += 1;
    }
    &[]
}

const LLVM: &str = "LLVM, llvm/docs/AMDGPUDMAOperations.md";
const PTX: &str = "PTX ISA, cp.async";

/// `global_load_lds` of gfx9: lanes at a stride from the base in M0.
const fn gfx9(name: &'static str, data: u32) -> Transfer {
    Transfer::new(name, data).every(if data <= 4 { 4 } else { 16 }).source(LLVM)
}

const fn own_address(name: &'static str, data: u32, source: &'static str) -> Transfer {
    Transfer::new(name, data).source(source)
}

/// The rows of each chip in a module of its name, which the chip's own module shows as its own. `@rows` writes a
/// module: lanes of a wave, bits of the base's register, and a row a line (name here, mnemonic, what it is); the other
/// rules add rows that several chips share.
macro_rules! transfers {
    (@rows $chip:ident $wave:literal $bits:literal [$($name:ident $called:literal = $row:expr;)*]) => {
        #[allow(non_upper_case_globals)]
        pub(in crate::chip) mod $chip {
            #[allow(unused_imports, reason = "a chip may have none")]
            use super::*;
            $(
                #[doc = concat!("`", $called, "` of ", stringify!($chip), ": see [`Transfer`].")]
                pub const $name: Transfer =
                    $row.called($called).on(stringify!($chip), $wave).base_bits($bits);
            )*
            pub(super) const ROWS: &[Transfer] = &[$($name),*];
        }
    };
    (@narrow $chip:ident $bits:literal [$($more:tt)*]) => {
        transfers! { @rows $chip 64 $bits [
            global_load_lds_b8 "global_load_lds_ubyte" = gfx9("global_load_lds_b8", 1);
            global_load_lds_b16 "global_load_lds_ushort" = gfx9("global_load_lds_b16", 2);
            global_load_lds_b32 "global_load_lds_dword" = gfx9("global_load_lds_b32", 4);
            $($more)*
        ] }
    };
    (@gfx1250 $chip:ident) => {
        transfers! { @rows $chip 32 32 [
            global_load_async_to_lds_b8 "global_load_async_to_lds_b8" = own_address("global_load_async_to_lds_b8", 1, LLVM);
            global_load_async_to_lds_b32 "global_load_async_to_lds_b32" = own_address("global_load_async_to_lds_b32", 4, LLVM);
            global_load_async_to_lds_b64 "global_load_async_to_lds_b64" = own_address("global_load_async_to_lds_b64", 8, LLVM);
            global_load_async_to_lds_b128 "global_load_async_to_lds_b128" = own_address("global_load_async_to_lds_b128", 16, LLVM);
        ] }
    };
    (@wide $chip:ident) => {
        transfers! { @narrow $chip 18 [
            global_load_lds_b96 "global_load_lds_dwordx3" = gfx9("global_load_lds_b96", 12);
            global_load_lds_b128 "global_load_lds_dwordx4" = gfx9("global_load_lds_b128", 16);
        ] }
    };
    (@none $chip:ident) => {
        transfers! { @rows $chip 32 32 [] }
    };
    (@cp_async $chip:ident) => {
        transfers! { @rows $chip 32 32 [
            cp_async_b32 "cp.async.ca.shared.global" = own_address("cp_async_b32", 4, PTX);
            cp_async_b64 "cp.async.ca.shared.global" = own_address("cp_async_b64", 8, PTX);
            cp_async_b128 "cp.async.cg.shared.global" = own_address("cp_async_b128", 16, PTX);
        ] }
    };
    ($($chip:ident: $kind:ident $($bits:literal)?;)*) => {
        $(transfers! { @$kind $chip $($bits [])? })*
        /// The chips that have any, the older first.
        const TABLE: &[(&str, &[Transfer])] = &[$((stringify!($chip), $chip::ROWS)),*];
    };
}

// Bits of M0: a third party's comparison of AMD's ISA documents of CDNA3 and CDNA4; gfx90a as gfx942.
transfers! {
    gfx90a: narrow 16;
    gfx942: narrow 16;
    gfx950: wide;
    gfx1250: gfx1250;
    sm_70: none;
    sm_75: none;
    sm_80: cp_async;
    sm_86: cp_async;
    sm_87: cp_async;
    sm_89: cp_async;
    sm_90: cp_async;
    sm_100: cp_async;
    sm_103: cp_async;
    sm_120: cp_async;
    sm_121: cp_async;
}
