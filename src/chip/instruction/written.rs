//! The builder of a row: from a read or a write of a width in bytes, a fact at a time.
//!
//! ```text
//!   Instruction::read("vx_read_b64", 8)      32 banks, phases of 16 consecutive lanes of 64, inferred
//!       .banks(64)                           the same on 64 banks, inferred
//!       .phases(Phases::contiguous(32))      2 phases
//!       .measured("here, 2026-11")           measured
//! ```
//!
//! Facts may be stated in any order: each is checked together with those before it, and rows that no hardware can have
//! are refused.

use super::service::{Fact, Service};
use super::{Access, DWORD, Instruction, Pair};
use crate::chip::evidence::Evidence;
use crate::chip::fragments::Fragments;
use crate::chip::immediate::Immediate;
use crate::chip::phases::Phases;
use tiledesc_transforms::number::is_same;
use tiledesc_transforms::say;

impl Instruction {
    /// A read of `bytes` per lane. Unless stated otherwise: a wave of 64, 32 banks, and
    /// phases of as many consecutive lanes as 32 banks serve.
    ///
    /// # Panics
    ///
    /// Unless `bytes` is 1, 2, 4, 8, 12 or 16.
    #[must_use]
    #[track_caller]
    pub const fn read(name: &'static str, bytes: u32) -> Self {
        Self::new(name, Access::Read, bytes)
    }

    /// A write of `bytes` per lane; see [`read`](Self::read).
    ///
    /// ```
    /// use tiledesc::chip::{Access, Instruction};
    ///
    /// const WRITE: Instruction = Instruction::write("vx_write_b128", 16);
    /// // 8 lanes of 16 bytes are the 128 that 32 banks serve at once: 8 phases of a wave of 64.
    /// assert_eq!((WRITE.access(), WRITE.service().phases.count()), (Access::Write, 8));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`read`](Self::read).
    #[must_use]
    #[track_caller]
    pub const fn write(name: &'static str, bytes: u32) -> Self {
        Self::new(name, Access::Write, bytes)
    }

    /// An instruction that a chip lacks.
    pub(in crate::chip) const fn absent(name: &'static str, chip: &'static str) -> Self {
        Self { chip, absent: true, ..Self::read(name, 4) }
    }

    /// Returns whether the chip lacks it.
    pub(crate) const fn is_absent(&self) -> bool {
        self.absent
    }

    /// The widths that a lane may touch, as a sentence.
    pub(crate) const WIDTHS: &'static str = "a lane touches 1, 2, 4, 8, 12 or 16 bytes";

    /// Returns whether a lane may touch this many bytes.
    pub(crate) const fn is_width(bytes: u32) -> bool {
        matches!(bytes, 1 | 2 | 4 | 8 | 12 | 16)
    }

    #[track_caller]
    const fn new(name: &'static str, access: Access, bytes: u32) -> Self {
        assert!(Self::is_width(bytes), "{}", Self::WIDTHS);
        // 12 bytes are served like 16, as measured on gfx950.
        let lanes = if bytes <= 4 { 32 } else { 128 / bytes.next_power_of_two() };
        let service = Service {
            banks: 32,
            phases: Phases::contiguous(lanes as usize),
            evidence: Evidence::Inferred,
            source: "not stated",
            stated: false,
        };
        Self {
            name,
            chip: "",
            memory: None,
            access,
            bytes,
            alignment: if bytes == 12 { 4 } else { bytes },
            looser: None,
            pair: None,
            immediate: Immediate::DS,
            whole_wave: false,
            fragments: Fragments::Own,
            absent: false,
            service,
            merged: None,
            rival: None,
            settled: false,
        }
    }

    /// Returns the row as inferred after a change of a fact that no source of the row mentions.
    const fn after_change_of(mut self, fact: Fact) -> Self {
        self.looser = None;
        self.service = self.service.after_change_of(fact);
        if let Some(merged) = self.merged {
            self.merged = Some(merged.after_change_of(fact));
        }
        if let Some(rival) = self.rival {
            self.rival = Some(rival.after_change_of(fact));
        }
        self
    }

    /// Refuses rows that no hardware can have, and rows that no count would be right for. Every method that
    /// changes one of these facts ends here, so they may be stated in any order.
    #[track_caller]
    const fn checked(self) -> Self {
        self.check_banks(self.service.banks);
        if let Some(rival) = self.rival {
            self.check_banks(rival.banks);
            self.check_wave(&rival.phases, "another source");
        }
        if let Some(merged) = self.merged {
            self.check_wave(&merged.phases, "merged accesses");
        }
        if let Some(pair) = self.pair {
            self.check_pair(pair);
        }
        self
    }

    /// All banks together serve a lane at once: with fewer, a lane would wait for itself.
    #[track_caller]
    const fn check_banks(&self, banks: u32) {
        assert!(banks.is_power_of_two() && banks <= 64, "banks are a power of two up to 64");
        if banks * 4 < self.bytes {
            let text = say!(Text::new():
                "a lane accesses ", self.bytes, " bytes at once, but all banks together are only ", banks * 4, " bytes wide"
            );
            text.refuse()
        }
    }

    /// Refuses phases whose lanes with an address are not those of the row, however they are served.
    #[track_caller]
    const fn check_wave(&self, other: &Phases, whose: &str) {
        let ours = &self.service.phases;
        if other.wave() != ours.wave() || other.addressed() != ours.addressed() {
            let text = say!(Text::new():
                "the phases of ", str(whose), " have ", other.addressed(), " lanes in a wave of ",
                other.wave(), ", but those of the row have ", ours.addressed(), " in a wave of ",
                ours.wave(), ": state `.phases(..)` first"
            );
            text.refuse()
        }
    }

    #[track_caller]
    const fn check_pair(&self, pair: Pair) {
        assert!(self.bytes != 12, "an access of 12 bytes has one address a lane");
        assert!(
            self.bytes == self.alignment,
            "an instruction of two addresses is aligned to what a lane touches at each"
        );
        let Pair { unit, .. } = pair;
        if unit == 0 || unit > Self::LARGEST_UNIT || !unit.is_multiple_of(self.alignment) {
            let text = say!(Text::new():
                "the unit of two offsets is ", unit, " bytes: it must be a multiple of the alignment, ",
                self.alignment, ", up to ", Self::LARGEST_UNIT
            );
            text.refuse()
        }
        let (furthest, largest) = (self.furthest(), self.immediate.largest());
        if furthest > largest {
            let text = say!(Text::new():
                "an offset of ", furthest, " bytes, where the field holds ", largest
            );
            text.refuse()
        }
    }

    /// The largest unit of two addresses, in bytes: 255 of them and an access end within 32 bits.
    const LARGEST_UNIT: u32 = 1 << 16;

    /// Returns the row of this chip, with this many bytes of LDS or shared memory for a block: a layout that takes more is
    /// refused. Unless stated, a row has neither. A row of another chip is inferred until its evidence is stated anew.
    ///
    /// ```
    /// use tiledesc::recipe::{K, M};
    /// use tiledesc::{chip::Instruction, prelude::*};
    ///
    /// const READ: Instruction = Instruction::read("vx_read_b128", 16).on("vx", 16_384);
    /// type Rows<const BM: usize> = recipe::RowMajor<F16, M<BM>, K<64>>;
    /// assert_eq!(Rows::<128>::degree::<MfmaRows<16>>(&READ), 8);
    /// assert_eq!(
    ///     Rows::<256>::verdict::<MfmaRows<16>>(&READ).unwrap_err().to_string(),
    ///     "the layout takes 32768 bytes, but a block has 16384",
    /// );
    /// ```
    #[must_use]
    pub const fn on(mut self, chip: &'static str, memory: u32) -> Self {
        if !self.chip.is_empty() && !is_same(self.chip, chip) {
            self = self.after_change_of(Fact::Chip);
        }
        self.chip = chip;
        self.memory = Some(memory);
        self
    }

    /// Returns the row with another number of banks, for merged accesses too. A source's statement is about the number before:
    /// such a row is inferred until [`measured`](Self::measured), [`source`](Self::source) or [`inferred`](Self::inferred) states
    /// its evidence anew.
    ///
    /// ```
    /// use tiledesc::chip::{Evidence, Instruction, gfx942::ds_read_b128};
    ///
    /// const WIDER: Instruction = ds_read_b128.banks(64);
    /// let service = WIDER.service();
    /// assert_eq!(
    ///     (service.evidence, service.source),
    ///     (Evidence::Inferred, "banks changed from a measured row"),
    /// );
    /// assert_eq!(WIDER.measured("here").service().evidence, Evidence::Measured);
    /// // The same banks are no change.
    /// assert_eq!(ds_read_b128.banks(32), ds_read_b128);
    /// ```
    ///
    /// # Panics
    ///
    /// Unless it is a power of two up to 64, the most of any chip, and all banks together hold
    /// what a lane touches: at least 4 banks for 16 bytes.
    #[must_use]
    #[track_caller]
    pub const fn banks(mut self, banks: u32) -> Self {
        self.service = self.service.with_banks(banks);
        if let Some(merged) = self.merged {
            self.merged = Some(merged.with_banks(banks));
        }
        self.checked()
    }

    /// Returns the row with other phases; then the row is inferred, as with other [`banks`](Self::banks).
    ///
    /// # Panics
    ///
    /// If [merged](Self::merging) or [disputed](Self::disputed) phases were stated for a wave
    /// of another size.
    #[must_use]
    #[track_caller]
    pub const fn phases(mut self, phases: Phases) -> Self {
        self.service = self.service.with_phases(phases);
        self.checked()
    }

    /// Returns the row with the source that states banks and phases.
    #[must_use]
    pub const fn source(self, source: &'static str) -> Self {
        self.known(Evidence::Documented, source)
    }

    /// Returns the row with the source that measured banks and phases.
    #[must_use]
    pub const fn measured(self, source: &'static str) -> Self {
        self.known(Evidence::Measured, source)
    }

    /// Returns the row as inferred, with the reason for banks and phases that no source states. Verdicts report that they rest on
    /// it.
    ///
    /// ```
    /// use tiledesc::{chip::Instruction, prelude::*};
    ///
    /// const WRITE: Instruction = Instruction::write("vx_write_b64", 8).inferred("as vx_read_b64");
    /// layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
    /// assert_eq!(
    ///     Rows::verdict::<RowMajor>(&WRITE).unwrap().found().as_str(),
    ///     "free of conflicts (phases inferred: as vx_read_b64)",
    /// );
    /// ```
    #[must_use]
    pub const fn inferred(self, reason: &'static str) -> Self {
        self.known(Evidence::Inferred, reason)
    }

    /// Returns the row as inferred from another row for this reason; the other row's rival, for the rival.
    pub(in crate::chip) const fn follows(
        mut self,
        reason: &'static str,
        rival: &'static str,
    ) -> Self {
        if let Some(Service { banks, phases, .. }) = self.rival {
            self.rival = Some(Service::new(banks, phases, Evidence::Inferred, rival));
        }
        self.inferred(reason)
    }

    /// Measured by this source itself, if the row is one of those it names.
    pub(in crate::chip) const fn measured_if(self, names: &[&str], source: &'static str) -> Self {
        let mut i = 0;
        while i < names.len() {
            if is_same(names[i], self.name) {
                return self.measured(source);
            }
            i += 1;
        }
        self
    }

    pub(crate) const fn known(mut self, evidence: Evidence, source: &'static str) -> Self {
        self.service = Service::new(self.service.banks, self.service.phases, evidence, source);
        self
    }

    /// Returns the row with other phases if lanes agree in pairs: for every active lane i, lane i xor 1 is inactive or at the
    /// same address, or the same holds of lane i xor 2. This is NVIDIA's merging of 64- and 128-bit accesses.
    ///
    /// ```
    /// use tiledesc::{access::Addresses, bank::conflicts};
    /// use tiledesc::chip::{Evidence, Instruction, Phases};
    ///
    /// const READ: Instruction = Instruction::read("vx_read_b64", 8)
    ///     .merging(Phases::contiguous(32), Evidence::Documented, "the manual");
    /// let cycles = |address: fn(u32) -> u32| {
    ///     conflicts(&Addresses::from_fn(|lane| Some(address(lane))), &READ).unwrap().base_cycles
    /// };
    /// // Phases of 16 lanes; of 32 where each pair of lanes reads the same 8 bytes.
    /// assert_eq!((cycles(|lane| lane * 8), cycles(|lane| lane / 2 * 8)), (4, 2));
    /// ```
    ///
    /// # Panics
    ///
    /// If the phases are of another wave than those of the row.
    #[must_use]
    #[track_caller]
    pub const fn merging(
        mut self,
        phases: Phases,
        evidence: Evidence,
        source: &'static str,
    ) -> Self {
        self.merged = Some(Service::new(self.service.banks, phases, evidence, source));
        self.checked()
    }

    /// Returns the row with the service by another source. A verdict that would differ reports it, and a layout is free only if
    /// it is by both; [`as_disputed`](Self::as_disputed) and [`as_rival`](Self::as_rival) choose one.
    ///
    /// ```
    /// use tiledesc::{chip::{Evidence, Instruction, Phases}, prelude::*};
    ///
    /// const READ: Instruction = Instruction::read("vx_read_b32", 4)
    ///     .source("the manual")
    ///     .disputed(64, Phases::contiguous(64), Evidence::Measured, "a benchmark");
    /// // Lanes 0 and 32 meet if all 64 are served together, in rows of 64 dwords.
    /// layout! { type Tile = recipe::RowMajor<F32, M<2>, K<64>>; }
    /// pattern! { Halves(lane) => [lane / 32, lane % 32]; }
    /// let verdict = Tile::verdict::<Halves>(&READ).unwrap();
    /// assert_eq!((verdict.degree(), verdict.rival_degree(), verdict.is_free()), (1, Some(2), false));
    /// assert_eq!(verdict.found().as_str(), "free of conflicts (disputed: 2-way by a benchmark)");
    /// ```
    ///
    /// # Panics
    ///
    /// As [`banks`](Self::banks) and [`merging`](Self::merging).
    #[must_use]
    #[track_caller]
    pub const fn disputed(
        mut self,
        banks: u32,
        phases: Phases,
        evidence: Evidence,
        source: &'static str,
    ) -> Self {
        self.rival = Some(Service::new(banks, phases, evidence, source));
        self.checked()
    }

    /// Defined only if all lanes that have an address are active.
    ///
    /// ```
    /// use tiledesc::chip::Instruction;
    /// use tiledesc::{access::Addresses, bank::conflicts};
    ///
    /// const READ: Instruction = Instruction::read("vx_read_tr_b64", 8).whole_wave();
    /// let lanes = |count| Addresses::from_fn(|lane| (lane < count).then_some(8 * lane));
    /// assert_eq!(conflicts(&lanes(64), &READ).unwrap().base_cycles, 4);
    /// assert_eq!(
    ///     conflicts(&lanes(48), &READ).unwrap_err().to_string(),
    ///     "lane 48 is inactive, but the instruction needs all lanes",
    /// );
    /// ```
    #[must_use]
    pub const fn whole_wave(mut self) -> Self {
        self.whole_wave = true;
        self
    }

    /// With lanes that do not get what they address.
    pub(in crate::chip) const fn handing(mut self, fragments: Fragments) -> Self {
        self.fragments = fragments;
        self
    }

    /// Returns the row under another name.
    #[must_use]
    pub const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Returns a row with the same service for `bytes` per lane: `ds_read_u8` is served like `ds_read_b32`. The alignment is that
    /// of the new width; and it is inferred, as a source for one width is none for another.
    ///
    /// ```
    /// use tiledesc::chip::{Instruction, Phases};
    ///
    /// const ALL: Phases = Phases::contiguous(64);
    /// const READ: Instruction = Instruction::read("vx_read_b32", 4).banks(64).phases(ALL);
    /// const BYTE: Instruction = READ.of_bytes("vx_read_u8", 1);
    /// assert_eq!((BYTE.bytes(), BYTE.alignment()), (1, 1));
    /// assert_eq!((BYTE.service().banks, BYTE.service().phases.count()), (64, 1));
    /// // Another mnemonic of the same instruction.
    /// const LOAD: Instruction = READ.named("vx_load_b32");
    /// assert_eq!((LOAD.name(), LOAD.bytes(), LOAD.service().banks), ("vx_load_b32", 4, 64));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`read`](Self::read), [`banks`](Self::banks) and [`paired`](Self::paired).
    #[must_use]
    #[track_caller]
    pub const fn of_bytes(self, name: &'static str, bytes: u32) -> Self {
        let plain = Self::new(name, self.access, bytes);
        let known = if bytes == self.bytes { self } else { self.after_change_of(Fact::Width) };
        Self { name, bytes, alignment: plain.alignment, ..known }.checked()
    }

    /// Returns the row with addresses that are multiples of `alignment` bytes, which may be less than a lane touches. Where the
    /// hardware serves such a wave in other phases, state them after it; the row is inferred until its evidence is stated anew.
    ///
    /// ```
    /// use tiledesc::access::Addresses;
    /// use tiledesc::bank::conflicts;
    /// use tiledesc::chip::{Instruction, Phases};
    ///
    /// const WHOLE: Instruction = Instruction::read("vx_read_b64", 8);
    /// const BY_DWORDS: Instruction = WHOLE.aligned_to(4).phases(Phases::contiguous(8));
    /// let wave = Addresses::from_fn(|lane| Some(4 + 8 * lane));
    /// assert_eq!(conflicts(&wave, &WHOLE).unwrap_err().to_string(), "byte 4 of lane 0 is not aligned to 8; some hardware accepts that, but no source says at what cost");
    /// // Eight phases of 8 lanes, 16 banks each.
    /// assert_eq!(conflicts(&wave, &BY_DWORDS)?.active_cycles(), 8);
    /// # Ok::<(), tiledesc::access::AddressError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Unless it is 4, 8 or 16 and divides what a lane touches, or is what the row has already; and for an
    /// instruction of two addresses.
    #[must_use]
    #[track_caller]
    pub const fn aligned_to(self, alignment: u32) -> Self {
        if alignment == self.alignment {
            return self;
        }
        let is_one = alignment.is_power_of_two() && alignment >= DWORD;
        if !is_one || !self.bytes.is_multiple_of(alignment) {
            let text = say!(Text::new():
                "an access of ", self.bytes, " bytes cannot be aligned to ", alignment,
                ": a power of two of at least 4 bytes divides it"
            );
            text.refuse()
        }
        Self { alignment, ..self.after_change_of(Fact::Alignment) }.checked()
    }

    /// The form with two addresses, each `unit` bytes times an offset from the lane's
    /// address. It is served as two accesses, one after the other, which is inferred. It is not an instruction
    /// until [`offsets`](Self::offsets) states both.
    ///
    /// ```
    /// use tiledesc::chip::Instruction;
    /// use tiledesc::{access::Addresses, bank::conflicts};
    ///
    /// const ONE: Instruction = Instruction::read("vx_read_b64", 8);
    /// const TWO: Instruction = ONE.paired("vx_read2_b64", 8);
    /// let wave = Addresses::from_fn(|lane| Some(8 * lane));
    /// let cycles = |row: &_| conflicts(&wave, row).map(|found| found.base_cycles);
    /// // The lanes' 512 bytes, and the 512 behind them.
    /// assert_eq!((cycles(&ONE)?, cycles(&TWO.offsets(0, 64))?), (4, 8));
    /// assert_eq!(
    ///     cycles(&TWO).unwrap_err().to_string(),
    ///     "`vx_read2_b64` has two addresses: write `vx_read2_b64(0, D)` with the distance D in \
    ///      units of 8 bytes (of a row: `.offsets(0, D)`)",
    /// );
    /// # Ok::<(), tiledesc::access::AddressError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Unless `unit` is a multiple of the alignment, up to 65,536 bytes; and for 12 bytes per
    /// lane.
    #[must_use]
    #[track_caller]
    pub const fn paired(mut self, name: &'static str, unit: u32) -> Self {
        if self.pair.is_none() {
            self = self.after_change_of(Fact::Addresses);
        }
        self.name = name;
        self.pair = Some(Pair { unit, offsets: None });
        // Refused by `checked` unless it is a multiple of the alignment.
        self.immediate = Immediate { bits: 8, signed: false, unit };
        self.checked()
    }

    /// Returns the row with another field for the constant that is added to an address; for two addresses each has one. Unless
    /// stated it is [`Immediate::DS`], and with two addresses 8 bits in units.
    ///
    /// ```
    /// use tiledesc::{chip::{Immediate, Instruction}, prelude::*};
    ///
    /// const FAR: Instruction = Instruction::read("vx_read_b128", 16);
    /// const NEAR: Instruction = FAR.with_immediate(Immediate::unsigned(12, 1));
    /// layout! { type Rows = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
    /// let registers = |row| Rows::addressing::<MfmaRows<16>>(row).unwrap().registers();
    /// // Eight steps of 16 rows, 2304 bytes each: 12 bits hold one step, so a register serves two.
    /// assert_eq!((registers(&FAR), registers(&NEAR)), (1, 4));
    /// ```
    ///
    /// # Panics
    ///
    /// With two addresses, unless the field has their unit and holds their offsets.
    #[must_use]
    #[track_caller]
    pub const fn with_immediate(mut self, immediate: Immediate) -> Self {
        if let Some(pair) = self.pair {
            assert!(immediate.unit == pair.unit, "the field of two addresses has their unit");
        }
        self.immediate = immediate;
        self.checked()
    }

    /// The two offsets of a `ds_read2` or `ds_write2`, in the instruction's own units:
    /// elements, or 64 elements for the `st64` forms.
    ///
    /// ```
    /// use tiledesc::chip::gfx942;
    ///
    /// const READ: tiledesc::chip::Instruction = gfx942::ds_read2_b64.offsets(0, 4);
    /// assert_eq!(READ.parts(), 2);
    /// assert_eq!((READ.part(0), READ.part(1)), (0, 32));
    /// ```
    ///
    /// # Panics
    ///
    /// If the instruction has only one address, or its field does not hold an offset.
    #[must_use]
    #[track_caller]
    pub const fn offsets(mut self, first: u8, second: u8) -> Self {
        if self.absent {
            return self;
        }
        let Some(pair) = self.pair else { panic!("the instruction has one address a lane") };
        self.pair = Some(Pair { offsets: Some([first, second]), ..pair });
        self.checked()
    }
}
