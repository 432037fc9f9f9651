//! Chips, and their memory instructions: one module each, one constant a row.
//!
//! Phases and banks depend on both the chip and the instruction. Each row says how sure they are
//! (measured, documented or inferred), and by which source or for what reason.
//!
//! <div style="overflow-x: auto">
#![doc = include_str!("../docs/src/figures/served.svg")]
//! </div>
//!
//! | chip | lanes per wave | memory per block | banks | rows |
//! |---|---|---|---|---|
//! | [`mod@gfx906`] (MI50), [`mod@gfx908`] (MI100), [`mod@gfx90a`] (MI200), [`mod@gfx942`] (MI300) | 64 | 64 KiB | 32 | `ds_read_*`, `ds_write_*` |
//! | [`mod@gfx950`] (MI350) | 64 | 160 KiB | 64 for `ds_read_b64` and `_b128`, else 32 | the same, and `ds_read_*_tr_*` |
//! | [`mod@gfx1030`] (RDNA2) | 32, or 64 | 64 KiB | 32 | `ds_read_*`, `ds_write_*` |
//! | [`mod@gfx1100`], [`mod@gfx1101`], [`mod@gfx1151`] (RDNA3), [`mod@gfx1200`], [`mod@gfx1201`] (RDNA4) | 32, or 64 | 64 KiB | 32 | the same |
//! | [`mod@gfx1250`] | 32 | 320 KiB | 64 | the same, and `ds_load_tr*` |
//! | [`mod@sm_70`] to [`mod@sm_121`] (NVIDIA) | 32 | 64 to 227 KiB | 32 | `ld_shared_*`, `st_shared_*`, `ldmatrix_*`, `stmatrix_*` |
//!
//! RDNA3 and later call the same instructions `ds_load_*` and `ds_store_*`; every AMD chip has
//! its rows under both names. `ld.shared.v4.b32` is `ld.shared.b128`, and has its name too.
//!
//! The eight services of an AMD chip (reads and writes of up to 4, of 8, 12 and
//! 16 bytes) are written out; narrower and paired forms are inferred from them, and so are those
//! that fill one half of a register (`_d16`, `_d16_hi`), unless a source measured them. An RDNA chip
//! in waves of 64 is a chip of its own, [`mod@gfx1100::wave64`], `on gfx1100::wave64` in a
//! statement; gfx1250 has waves of 32. Atomics (`ds_add_u32`) have no rows: a separate counter
//! counts lanes of one address, and no source says what they cost.
//!
//! A row that no source states is [`Evidence::Inferred`]; if sources disagree, see
//! [`Instruction::rival`].
//!
//! A chip of your own is a module of such constants in your crate;
//! [`assert_conflict_free!`](crate::assert_conflict_free!) takes its name.

pub(crate) mod cosets;
pub(crate) mod evidence;
pub(crate) mod fragments;
pub(crate) mod immediate;
pub(crate) mod instruction;
#[doc(hidden)]
pub mod names;
pub(crate) mod phases;
mod target;
pub(crate) mod transfer;

pub use evidence::Evidence;
use fragments::Fragments;
pub use immediate::Immediate;
pub use instruction::{Access, Instruction, Service};
pub use phases::Phases;
pub use target::{
    Gfx90a, Gfx906, Gfx908, Gfx942, Gfx950, Gfx1030, Gfx1030Wave64, Gfx1100, Gfx1100Wave64,
    Gfx1101, Gfx1101Wave64, Gfx1151, Gfx1151Wave64, Gfx1200, Gfx1200Wave64, Gfx1201, Gfx1201Wave64,
    Gfx1250, Sm70, Sm75, Sm80, Sm86, Sm87, Sm89, Sm90, Sm100, Sm103, Sm120, Sm121, Target,
};
pub use transfer::Transfer;

/// A chip: what all its rows share, and the rows.
///
/// The module of the same name holds each row as a constant; `use tiledesc::chip::gfx942`
/// brings both. [`matrix_instructions`](Chip::matrix_instructions) are what the rows feed.
///
/// ```
/// use tiledesc::chip::gfx950;
///
/// assert_eq!((gfx950.wave(), gfx950.lds(), gfx950.banks()), (64, 160 * 1024, 64));
/// // 64 banks belong to its wide reads only.
/// assert_eq!(gfx950.instruction("ds_write_b64")?.service().banks, 32);
/// assert_eq!(gfx950.instruction("ds_write_b64")?, &gfx950::ds_write_b64);
/// # Ok::<(), tiledesc::chip::ChipError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    name: &'static str,
    wave: u32,
    lds: u32,
    banks: u32,
    rows: &'static [Instruction],
    renamed: &'static [Instruction],
}

impl Chip {
    /// The name: `gfx942`, `gfx1100::wave64`, `sm_90`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Lanes of a wave, or threads of a warp.
    #[must_use]
    pub const fn wave(&self) -> u32 {
        self.wave
    }

    /// The same chip in waves of the given number of lanes; `None` if it has no rows for that size.
    ///
    /// RDNA chips run waves of 32 or of 64, as a kernel asks. Both are chips here, and the second is named after its module:
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, gfx1100, gfx1250};
    ///
    /// let wide = gfx1100.in_waves_of(64).unwrap();
    /// assert_eq!((wide.name(), wide.in_waves_of(32)), ("gfx1100::wave64", Some(&gfx1100)));
    /// assert_eq!((gfx942.in_waves_of(64), gfx942.in_waves_of(32)), (Some(&gfx942), None));
    /// assert_eq!(gfx1250.in_waves_of(64), None);
    /// ```
    #[must_use]
    pub fn in_waves_of(&self, lanes: u32) -> Option<&'static Self> {
        let same = |other: &&Self| other.wave == lanes && other.product() == self.product();
        CHIPS.iter().find(same)
    }

    /// The name without the size of the waves.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, gfx1100};
    ///
    /// assert_eq!([gfx942, gfx1100::wave64].map(|chip| chip.product()), ["gfx942", "gfx1100"]);
    /// ```
    #[must_use]
    pub fn product(&self) -> &'static str {
        self.name.split("::").next().unwrap_or(self.name)
    }

    /// Bytes of LDS or shared memory that a block may use.
    #[must_use]
    pub const fn lds(&self) -> u32 {
        self.lds
    }

    /// Banks of 4 bytes: the most that any of its instructions uses.
    #[must_use]
    pub const fn banks(&self) -> u32 {
        self.banks
    }

    /// The rows, under the names that the chip's own assembler uses.
    #[must_use]
    pub const fn rows(&self) -> &'static [Instruction] {
        self.rows
    }

    /// The same rows under other names: of another generation, `ds_load_b128` on gfx9; of vectors,
    /// `ld.shared.v4.b32`.
    #[must_use]
    pub const fn renamed(&self) -> &'static [Instruction] {
        self.renamed
    }

    /// How sure its [rows](Self::rows) are, counted.
    ///
    /// ```
    /// use tiledesc::chip::gfx950;
    ///
    /// let tally = gfx950.tally();
    /// assert_eq!((tally.rows(), tally.measured, tally.disputed), (34, 7, 20));
    /// ```
    #[must_use]
    pub const fn tally(&self) -> Tally {
        Tally::of(self.rows)
    }

    /// The row of an instruction, by its mnemonic in assembly (`ld.shared.b32`) or its name
    /// here (`ld_shared_b32`).
    ///
    /// # Errors
    ///
    /// [`ChipError::NoInstruction`].
    pub fn instruction(&self, name: &str) -> Result<&'static Instruction, ChipError> {
        let same =
            |row: &&Instruction| row.name().chars().map(in_code).eq(name.chars().map(in_code));
        let row = self.rows.iter().chain(self.renamed).find(same);
        row.ok_or(ChipError::NoInstruction { chip: self.name, rows: self.rows })
    }
}

/// Rows by how sure they are.
///
/// ```
/// use tiledesc::chip::{CHIPS, Tally};
///
/// let all = CHIPS.iter().fold(Tally::NONE, |all, chip| all.plus(chip.tally()));
/// println!("{all}");
/// assert_eq!(all.rows(), CHIPS.iter().map(|chip| chip.rows().len()).sum::<usize>());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Rows that a source measured.
    pub measured: usize,
    /// Rows that a source states.
    pub documented: usize,
    /// Rows that follow from others.
    pub inferred: usize,
    /// Rows, of all of these, about which another source says otherwise.
    pub disputed: usize,
}

impl Tally {
    /// No rows.
    pub const NONE: Self = Self { measured: 0, documented: 0, inferred: 0, disputed: 0 };

    const fn of(rows: &[Instruction]) -> Self {
        let (mut tally, mut i) = (Self::NONE, 0);
        while i < rows.len() {
            match rows[i].service().evidence {
                Evidence::Measured => tally.measured += 1,
                Evidence::Documented => tally.documented += 1,
                Evidence::Inferred => tally.inferred += 1,
            }
            tally.disputed += rows[i].rival().is_some() as usize;
            i += 1;
        }
        tally
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            measured: self.measured + other.measured,
            documented: self.documented + other.documented,
            inferred: self.inferred + other.inferred,
            disputed: self.disputed + other.disputed,
        }
    }

    /// All rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.measured + self.documented + self.inferred
    }
}

impl core::fmt::Display for Tally {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { measured, documented, inferred, disputed } = self;
        write!(
            f,
            "{} rows: {measured} measured, {documented} documented, {inferred} inferred; {disputed} \
             of them disputed",
            self.rows(),
        )
    }
}

/// The chip of this name, for tools that read the name from a file.
///
/// ```
/// use tiledesc::chip;
///
/// assert_eq!(chip::find("gfx942")?.instruction("ds_read_b128")?.bytes(), 16);
/// assert!(chip::find("gfx942")?.instruction("ds_load_b128").is_ok());
/// assert_eq!(
///     chip::find("gfx1152").unwrap_err().to_string(),
///     "there are no rows for this chip; its nearest relative with rows is gfx1151",
/// );
/// // Products and compilers have other names.
/// for name in ["MI300X", "GFX942", "Strix Halo", "sm90a"] {
///     assert!(matches!(chip::find(name), Err(chip::ChipError::Meant { .. })));
/// }
/// # Ok::<(), chip::ChipError>(())
/// ```
///
/// # Errors
///
/// [`ChipError::Meant`] of a name that a chip goes by elsewhere, else [`ChipError::NoChip`].
pub fn find(name: &str) -> Result<&'static Chip, ChipError> {
    let found = CHIPS.iter().find(|chip| chip.name == name);
    found.ok_or_else(|| match meant(name) {
        Some(meant) => ChipError::Meant { chip: meant },
        None => ChipError::NoChip { nearest: nearest(name) },
    })
}

/// The chip of a name that differs in case, or is a product's or a compiler's.
fn meant(name: &str) -> Option<&'static str> {
    let own = CHIPS.iter().map(Chip::name).find(|chip| names::is_alike(chip, name));
    own.or_else(|| listed_under(names::MEANT, name))
}

/// The chip of a row that holds this name.
fn listed_under(rows: &[(&'static str, &[&str])], name: &str) -> Option<&'static str> {
    let is_in = |(_, all): &&(_, &[&str])| all.iter().any(|one| names::is_alike(one, name));
    rows.iter().find(is_in).map(|(chip, _)| *chip)
}

/// The relative of a chip without rows; of one that no table has, the chip whose name shares the longest beginning, of
/// several the last, which is the newest.
fn nearest(name: &str) -> Option<&'static str> {
    let common =
        |chip: &&Chip| chip.name.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    // The letters before the number say no more than the vendor.
    let is_near =
        |chip: &&Chip| common(chip) > chip.name.bytes().take_while(|c| !c.is_ascii_digit()).count();
    let listed = listed_under(names::WITHOUT_ROWS, name);
    listed.or_else(|| CHIPS.iter().filter(is_near).max_by_key(common).map(Chip::name))
}

impl Chip {
    /// Whether it has an instruction of this name, as constants have it.
    pub(crate) const fn has(&self, name: &str) -> bool {
        is_among(self.rows, name) || is_among(self.renamed, name)
    }
}

const fn is_among(rows: &[Instruction], name: &str) -> bool {
    let mut i = 0;
    while i < rows.len() {
        if is_in_code(rows[i].name().as_bytes(), name.as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether a mnemonic has this name here.
const fn is_in_code(mnemonic: &[u8], name: &[u8]) -> bool {
    let mut i = 0;
    while i < mnemonic.len() && i < name.len() {
        let byte = if mnemonic[i] == b'.' { b'_' } else { mnemonic[i] };
        if byte != name[i] {
            return false;
        }
        i += 1;
    }
    mnemonic.len() == name.len()
}

/// Mnemonics have dots, constants cannot.
fn in_code(c: char) -> char {
    if c == '.' { '_' } else { c }
}

/// No chip or no row has this name.
///
/// Reported where a chip or a row is looked up by a name that is data, as in a file. In Rust a wrong name is an
/// unresolved one.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the chip | `NoChip` | [`find`] |
/// | the row | `NoInstruction` | [`Chip::instruction`] |
///
/// It wraps nothing, and nothing wraps it. A matrix instruction that a chip lacks is a
/// [`NoMatrixInstruction`](crate::matrix::NoMatrixInstruction), a transfer a
/// [`DirectError`](crate::direct::DirectError).
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc::chip::ChipError;
///
/// let printed = [
///     (
///         ChipError::NoChip { nearest: Some("gfx942") },
///         "there are no rows for this chip; its nearest relative with rows is gfx942",
///     ),
///     (ChipError::NoInstruction { chip: "mine", rows: &[] }, "mine has no rows"),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChipError {
    /// No chip has this name here, but one has it elsewhere: `MI300X`, `sm_90a`, `GFX942`.
    Meant {
        /// The chip.
        chip: &'static str,
    },
    /// No chip has this name.
    NoChip {
        /// The chip with the nearest name, if any is near.
        nearest: Option<&'static str>,
    },
    /// The chip has no such row.
    NoInstruction {
        /// The chip.
        chip: &'static str,
        /// Its rows.
        rows: &'static [Instruction],
    },
}

impl core::fmt::Display for ChipError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Meant { chip } => write!(f, "the chip is called `{chip}` here"),
            Self::NoChip { nearest: Some(nearest) } => {
                write!(
                    f,
                    "there are no rows for this chip; its nearest relative with rows is {nearest}"
                )
            }
            Self::NoChip { nearest: None } => {
                f.write_str("there are no rows for this chip; there are rows for ")?;
                listed(f, CHIPS.iter().map(Chip::name))
            }
            Self::NoInstruction { chip, rows } => {
                if rows.is_empty() {
                    return write!(f, "{chip} has no rows");
                }
                write!(f, "{chip} has no such row; it has ")?;
                listed(f, rows.iter().map(Instruction::name))
            }
        }
    }
}

impl core::error::Error for ChipError {}

fn listed<'a>(
    f: &mut core::fmt::Formatter<'_>,
    names: impl Iterator<Item = &'a str>,
) -> core::fmt::Result {
    for (i, name) in names.enumerate() {
        f.write_str(if i == 0 { "" } else { ", " })?;
        f.write_str(name)?;
    }
    Ok(())
}

/// The sources of rows; one line each, so that a report stays short. Literals, because
/// documentation is not made of constants.
macro_rules! source {
    (SHARK_942) => {
        "nod-ai/amd-shark-ai, empirical-lds/cdna3info.md"
    };
    (SHARK_950) => {
        "nod-ai/amd-shark-ai, empirical-lds/cdna4info.md"
    };
    (SHARK_11) => {
        "nod-ai/amd-shark-ai, empirical-lds/rdna3info.md"
    };
    (SHARK_12) => {
        "nod-ai/amd-shark-ai, empirical-lds/rdna4info.md"
    };
    (CK) => {
        "CK Tile documentation, lds_bank_conflicts.rst"
    };
    (HIPKITTENS) => {
        "HazyResearch/HipKittens, paper_experiments/phases"
    };
    (TRITON_12) => {
        "triton-lang/triton pull request 11365, of b96 and b128 on GFX12"
    };
    (OMNIPERF) => {
        "rocprof-compute documentation, ldsconflictrate.svg"
    };
    (LOOM) => {
        "ROCm/hrx-system, Loom, lds_bank_service.py"
    };
    (ROCKE) => {
        "ROCm/rocm-libraries, rocKE, analysis/lds/profiles"
    };
    (WHITE_PAPER) => {
        "each half as a wave of 32, by AMD's RDNA white paper"
    };
    (TENSILE) => {
        "ROCm/rocm-libraries, TensileLite, LdsPadding.py"
    };
    (HIPKITTENS_TR) => {
        "HazyResearch/HipKittens, v_stage_st of an attention kernel"
    };
}

/// What a row says, for its documentation; the tests below hold it against the row.
///
/// | rule | is |
/// |---|---|
/// | without a name | the sentence: row, chip, banks, phases, evidence, source, and the rival's if it is disputed |
/// | `@order` | the phases in words |
/// | `@rival` | what the other source says |
/// | `@banks` | the row's own banks, or the chip's |
/// | `@evidence` | the word for the method of `Instruction` (`source`) or for the variant of `Evidence` |
macro_rules! words {
    ($name:ident of $chip:literal: $banks:expr, $order:expr, $evidence:ident, $source:expr $(, $rival:expr)?) => {
        concat!(
            "`", stringify!($name), "` of ", $chip, ": ", $banks, " banks, ", $order, "; ",
            words!(@evidence $evidence), ": ", $source, "." $(, $rival)?
        )
    };
    // The phases.
    (@order lanes($lanes:literal)) => { concat!("a phase is ", $lanes, " consecutive lanes") };
    (@order CROSSED) => { "a phase is lanes 0-3 20-23, 4-7 16-19, 8-11 28-31 or 12-15 24-27 of 32" };
    (@order WIDE) => { "a phase is lanes 0-3 12-15 20-27 or 4-11 16-19 28-31 of 32" };
    // The other source.
    (@rival $banks:literal, $order:expr, $evidence:ident, $source:expr) => {
        concat!(" Disputed: ", $banks, " banks, ", $order, "; ", words!(@evidence $evidence), ": ", $source, ".")
    };
    // The chip's banks, or the row's own.
    (@banks $chip:literal) => { $chip };
    (@banks $chip:literal $own:literal) => { $own };
    // How sure it is.
    (@evidence source) => { "documented" };
    (@evidence Documented) => { "documented" };
    (@evidence Measured) => { "measured" };
    (@evidence Inferred) => { "inferred" };
    (@evidence $evidence:ident) => { stringify!($evidence) };
}

/// A chip's rows: what they share, then the eight services, the forms that follow from these, and the chip.
///
/// | argument | holds |
/// |---|---|
/// | `$chip`, `$wave`, `$memory`, `$banks` | its name, lanes, KiB and banks |
/// | `$more` | rows that its file declares itself |
/// | `$twin by $twin_source` | the narrow forms that this source measured themselves, so that they are not inferred |
/// | `$name: $phases($lanes)` | a service and its phases: `lanes(32)`, `CROSSED`, `WIDE` |
/// | `$own` | its banks, where they are not the chip's |
/// | `$evidence($source)` | the method of `Instruction` that says how sure it is: `measured`, `source`, `inferred` |
/// | `disputed(..)` | what another source says: banks, phases, evidence, source |
///
/// | rule | writes |
/// |---|---|
/// | `@words` | the documentation of a row |
/// | `@service` | the instruction of a service, with its bytes |
/// | `@forms`, `@form` | instructions that are served as another is; what they do |
/// | `@renamed` | the names of RDNA3 and later |
macro_rules! ds {
    (
        $chip:literal: wave $wave:literal, $memory:literal KiB, $banks:literal banks
            $(, and [$($more:ident)+])? $(, measured [$($twin:ident)+] by $twin_source:expr)?;
        $($name:ident: $phases:ident $(($lanes:literal))? $(, $own:literal banks)?, $evidence:ident($source:expr)
            $(, disputed($other_banks:literal banks, $other:ident($other_lanes:literal), $other_evidence:ident,
                $other_source:expr))?;)*
    ) => {
        $(
            #[doc = concat!(ds!(@words $chip $banks; $name: $phases $(($lanes))? $(, $own banks)?, $evidence($source)
                $(, disputed($other_banks, $other($other_lanes), $other_evidence, $other_source))?))]
            pub const $name: Instruction = ds!(@service $name)
                .on($chip, $memory * 1024)
                .banks($banks)
                $(.banks($own))?
                .phases($phases $(($lanes))?.of_wave($wave))
                .$evidence($source)
                $(.disputed(
                    $other_banks,
                    $other($other_lanes).of_wave($wave),
                    crate::chip::Evidence::$other_evidence,
                    $other_source,
                ))?;
        )*
        /// The rows with their documentation.
        #[cfg(test)]
        pub(in crate::chip) const WORDS: &[(Instruction, &str)] = &[$((
            $name,
            ds!(@words $chip $banks; $name: $phases $(($lanes))? $(, $own banks)?, $evidence($source)
                $(, disputed($other_banks, $other($other_lanes), $other_evidence, $other_source))?),
        )),*];
        /// The forms that a source measured themselves.
        pub(in crate::chip) const TWINS: &[&str] = &[$($(stringify!($twin)),+)?];
        /// That source.
        const OF_TWINS: &str = concat!($($twin_source)?);
        ds! { @forms
            ds_read_u8 = ds_read_b32.of_bytes(1);
            ds_read_i8 = ds_read_b32.of_bytes(1);
            ds_read_u16 = ds_read_b32.of_bytes(2);
            ds_read_i16 = ds_read_b32.of_bytes(2);
            ds_write_b8 = ds_write_b32.of_bytes(1);
            ds_write_b16 = ds_write_b32.of_bytes(2);
            ds_read_u8_d16 = ds_read_b32.of_bytes(1);
            ds_read_u8_d16_hi = ds_read_b32.of_bytes(1);
            ds_read_i8_d16 = ds_read_b32.of_bytes(1);
            ds_read_i8_d16_hi = ds_read_b32.of_bytes(1);
            ds_read_u16_d16 = ds_read_b32.of_bytes(2);
            ds_read_u16_d16_hi = ds_read_b32.of_bytes(2);
            ds_write_b8_d16_hi = ds_write_b32.of_bytes(1);
            ds_write_b16_d16_hi = ds_write_b32.of_bytes(2);
            ds_read2_b32 = ds_read_b32.paired(4);
            ds_read2_b64 = ds_read_b64.paired(8);
            ds_read2st64_b32 = ds_read_b32.paired(256);
            ds_read2st64_b64 = ds_read_b64.paired(512);
            ds_write2_b32 = ds_write_b32.paired(4);
            ds_write2_b64 = ds_write_b64.paired(8);
            ds_write2st64_b32 = ds_write_b32.paired(256);
            ds_write2st64_b64 = ds_write_b64.paired(512);
        }
        ds! { @renamed
            ds_load_u8 = ds_read_u8;
            ds_load_i8 = ds_read_i8;
            ds_load_u16 = ds_read_u16;
            ds_load_i16 = ds_read_i16;
            ds_load_b32 = ds_read_b32;
            ds_load_b64 = ds_read_b64;
            ds_load_b96 = ds_read_b96;
            ds_load_b128 = ds_read_b128;
            ds_store_b8 = ds_write_b8;
            ds_store_b16 = ds_write_b16;
            ds_load_u8_d16 = ds_read_u8_d16;
            ds_load_u8_d16_hi = ds_read_u8_d16_hi;
            ds_load_i8_d16 = ds_read_i8_d16;
            ds_load_i8_d16_hi = ds_read_i8_d16_hi;
            ds_load_u16_d16 = ds_read_u16_d16;
            ds_load_u16_d16_hi = ds_read_u16_d16_hi;
            ds_store_b8_d16_hi = ds_write_b8_d16_hi;
            ds_store_b16_d16_hi = ds_write_b16_d16_hi;
            ds_store_b32 = ds_write_b32;
            ds_store_b64 = ds_write_b64;
            ds_store_b96 = ds_write_b96;
            ds_store_b128 = ds_write_b128;
            ds_load_2addr_b32 = ds_read2_b32;
            ds_load_2addr_b64 = ds_read2_b64;
            ds_load_2addr_stride64_b32 = ds_read2st64_b32;
            ds_load_2addr_stride64_b64 = ds_read2st64_b64;
            ds_store_2addr_b32 = ds_write2_b32;
            ds_store_2addr_b64 = ds_write2_b64;
            ds_store_2addr_stride64_b32 = ds_write2st64_b32;
            ds_store_2addr_stride64_b64 = ds_write2st64_b64;
        }
        /// Bytes of LDS, without the rows of the chip.
        pub(in crate::chip) const LDS: u32 = $memory * 1024;
        /// The chip.
        pub(in crate::chip) const CHIP: $crate::chip::Chip = $crate::chip::Chip {
            name: $chip,
            wave: $wave,
            lds: LDS,
            banks: $banks,
            rows: ROWS,
            renamed: RENAMED,
        };
        const ROWS: &[Instruction] = &[
            $($name,)*
            ds_read_u8, ds_read_i8, ds_read_u16, ds_read_i16, ds_write_b8, ds_write_b16,
            ds_read_u8_d16, ds_read_u8_d16_hi, ds_read_i8_d16, ds_read_i8_d16_hi,
            ds_read_u16_d16, ds_read_u16_d16_hi, ds_write_b8_d16_hi, ds_write_b16_d16_hi,
            ds_read2_b32, ds_read2_b64, ds_read2st64_b32, ds_read2st64_b64,
            ds_write2_b32, ds_write2_b64, ds_write2st64_b32, ds_write2st64_b64,
            $($($more,)+)?
        ];
    };
    // The documentation of a row.
    (@words $chip:literal $banks:literal; $name:ident: $phases:ident $(($lanes:literal))? $(, $own:literal banks)?,
        $evidence:ident($source:expr)
        $(, disputed($other_banks:literal, $other:ident($other_lanes:literal), $other_evidence:ident,
            $other_source:expr))?
    ) => {
        words!(
            $name of $chip: words!(@banks $banks $($own)?), words!(@order $phases $(($lanes))?), $evidence, $source
            $(, words!(@rival $other_banks, words!(@order $other($other_lanes)), $other_evidence, $other_source))?
        )
    };
    // The eight services.
    (@service ds_read_b32) => { Instruction::read("ds_read_b32", 4) };
    (@service ds_read_b64) => { Instruction::read("ds_read_b64", 8) };
    (@service ds_read_b96) => { Instruction::read("ds_read_b96", 12) };
    (@service ds_read_b128) => { Instruction::read("ds_read_b128", 16) };
    (@service ds_write_b32) => { Instruction::write("ds_write_b32", 4) };
    (@service ds_write_b64) => { Instruction::write("ds_write_b64", 8) };
    (@service ds_write_b96) => { Instruction::write("ds_write_b96", 12) };
    (@service ds_write_b128) => { Instruction::write("ds_write_b128", 16) };
    // Narrower ones and those of two addresses.
    (@forms $($name:ident = $of:ident.$form:ident($bytes:literal);)*) => {$(
        #[doc = concat!(ds!(@form $form $bytes), " Served as [`", stringify!($of),
            "`]; inferred from it, unless [`service`](Instruction::service) names a source.")]
        pub const $name: Instruction = $of
            .$form(stringify!($name), $bytes)
            .follows(
                concat!("as ", stringify!($of)),
                concat!("as ", stringify!($of), ", of which another source speaks"),
            )
            .measured_if(TWINS, OF_TWINS);
    )*};
    // What a form does.
    (@form of_bytes $bytes:literal) => { concat!("Bytes a lane: ", $bytes, ".") };
    (@form paired $unit:literal) => {
        concat!("Two addresses a lane, by offsets in units of ", $unit, " bytes, one after the other.")
    };
    // Other names.
    (@renamed $($new:ident = $old:ident;)*) => {
        $(
            #[doc = concat!("[`", stringify!($old), "`], as RDNA3 and later name it.")]
            pub const $new: Instruction = $old.named(stringify!($new));
        )*
        const RENAMED: &[Instruction] = &[$($new),*];
    };
}

/// A chip of RDNA in waves of 64: its module, and the chip. The rows are those of [`ds!`].
macro_rules! wave64 {
    ($chip:literal $of:literal: $($rows:tt)+) => {
        #[doc = concat!("The rows of ", $of, " in waves of 64 lanes: `", $chip, "::ds_read_b128`.")]
        ///
        /// A wave of 64 takes an instruction as two waves of 32 would, the lower half and the upper half one after the
        /// other: AMD, "RDNA Architecture", 2019, on wave64. A half whose lanes are all inactive counts its phases as any
        /// phase without lanes does.
        pub mod wave64 {
            #[allow(unused_imports, reason = "not every chip has crossed phases")]
            use crate::chip::{CROSSED, Instruction, lanes};

            ds! { $chip: wave 64, $($rows)+ }
        }

        #[doc = concat!("The chip ", $of, " in waves of 64; its rows are in the [module](mod@wave64).")]
        ///
        /// ```
        #[doc = concat!("use tiledesc::chip::", $of, ";")]
        ///
        #[doc = concat!("assert_eq!((", $chip, ".name(), ", $chip, ".wave()), (\"", $chip, "\", 64));")]
        /// // The phases of a wave of 32, and as many again.
        #[doc = concat!("let phases = ", $chip, "::ds_read_b64.service().phases;")]
        #[doc = concat!("assert_eq!(phases.of_wave(32), ", $of, "::ds_read_b64.service().phases);")]
        /// assert_eq!((phases.of(3), phases.of(32 + 3)), (Some(0), Some(2)));
        /// ```
        pub const wave64: $crate::chip::Chip = wave64::CHIP;
    };
}

#[allow(non_upper_case_globals)]
pub mod gfx906;

#[allow(non_upper_case_globals)]
pub mod gfx908;

#[allow(non_upper_case_globals)]
pub mod gfx90a;

#[allow(non_upper_case_globals)]
pub mod gfx942;

#[allow(non_upper_case_globals)]
pub mod gfx950;

#[allow(non_upper_case_globals)]
pub mod gfx1030;

#[allow(non_upper_case_globals)]
pub mod gfx1100;

#[allow(non_upper_case_globals)]
pub mod gfx1101;

#[allow(non_upper_case_globals)]
pub mod gfx1151;

#[allow(non_upper_case_globals)]
pub mod gfx1200;

#[allow(non_upper_case_globals)]
pub mod gfx1201;

#[allow(non_upper_case_globals)]
pub mod gfx1250;

mod nvidia;

pub use nvidia::{sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_100, sm_103, sm_120, sm_121};

/// The phases of `ds_read_b128` on gfx9 before gfx950, and on gfx11 in a wave of 32.
const CROSSED: Phases = Phases::halves(&[
    &[0, 1, 2, 3, 20, 21, 22, 23],
    &[4, 5, 6, 7, 16, 17, 18, 19],
    &[8, 9, 10, 11, 28, 29, 30, 31],
    &[12, 13, 14, 15, 24, 25, 26, 27],
]);

/// Phases of this many consecutive lanes.
const fn lanes(lanes: usize) -> Phases {
    Phases::contiguous(lanes)
}

/// A transposed read: all lanes must be active. It is served as the plain read of its width, which is inferred unless
/// a source says so.
const fn transposed(plain: Instruction, name: &'static str, fragments: Fragments) -> Instruction {
    plain.named(name).inferred("as the plain read of its width").whole_wave().handing(fragments)
}

/// The chips: a constant for each, with the name of its module. Lanes and banks are for the example of its page,
/// which asserts them. What is after `|` are chips in waves of another size, whose constants are in their chips' modules.
macro_rules! chips {
    ($($name:ident: $wave:literal lanes, $banks:literal banks $(| $mode:ident)?;)+) => {
        /// Every chip; one whose waves have 32 or 64 lanes is there once for each size.
        ///
        /// ```
        /// use tiledesc::chip::CHIPS;
        ///
        /// assert_eq!((CHIPS.len(), CHIPS[3].name()), (29, "gfx942"));
        /// assert_eq!(CHIPS.iter().filter(|chip| chip.name().ends_with("::wave64")).count(), 6);
        /// ```
        pub const CHIPS: &[Chip] = &[$($name::CHIP, $($name::$mode::CHIP,)?)+];

        /// The LDS of each by its name. A list of its own: with `CHIPS` a constant would evaluate all rows of all
        /// chips, which takes the compiler 0.9 s (see DESIGN, "What the compiler pays for").
        const MEMORIES: &[(&str, u32)] = &[$(
            (stringify!($name), $name::LDS),
            $((concat!(stringify!($name), "::", stringify!($mode)), $name::$mode::LDS),)?
        )+];

        /// The rows of the chip of a name; of none that no chip has. The others are not evaluated, as with `CHIPS` they
        /// would be.
        pub(crate) const fn rows_of(name: &str) -> &'static [Instruction] {
            $(
                chips! { @rows name, stringify!($name), $name }
                $(chips! { @rows name, concat!(stringify!($name), "::", stringify!($mode)), $name::$mode })?
            )+
            &[]
        }

        $(
            #[doc = concat!("The chip ", stringify!($name), "; its rows are in the [module](mod@", stringify!($name), ").")]
            ///
            /// ```
            #[doc = concat!("use tiledesc::chip::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!((", stringify!($name), ".wave(), ", stringify!($name), ".banks()), (", $wave, ", ", $banks, "));")]
            /// ```
            #[allow(non_upper_case_globals)]
            pub const $name: Chip = $name::CHIP;
        )+
    };
    // The rows of a module, if it is the chip of this name.
    (@rows $name:ident, $chip:expr, $($module:ident)::+) => {{
        const fn rows() -> &'static [Instruction] {
            $($module)::+::CHIP.rows()
        }
        if tiledesc_transforms::number::is_same($chip, $name) {
            return rows();
        }
    }};
}

chips! {
    gfx906: 64 lanes, 32 banks;
    gfx908: 64 lanes, 32 banks;
    gfx90a: 64 lanes, 32 banks;
    gfx942: 64 lanes, 32 banks;
    gfx950: 64 lanes, 64 banks;
    gfx1030: 32 lanes, 32 banks | wave64;
    gfx1100: 32 lanes, 32 banks | wave64;
    gfx1101: 32 lanes, 32 banks | wave64;
    gfx1151: 32 lanes, 32 banks | wave64;
    gfx1200: 32 lanes, 32 banks | wave64;
    gfx1201: 32 lanes, 32 banks | wave64;
    gfx1250: 32 lanes, 64 banks;
    sm_70: 32 lanes, 32 banks;
    sm_75: 32 lanes, 32 banks;
    sm_80: 32 lanes, 32 banks;
    sm_86: 32 lanes, 32 banks;
    sm_87: 32 lanes, 32 banks;
    sm_89: 32 lanes, 32 banks;
    sm_90: 32 lanes, 32 banks;
    sm_100: 32 lanes, 32 banks;
    sm_103: 32 lanes, 32 banks;
    sm_120: 32 lanes, 32 banks;
    sm_121: 32 lanes, 32 banks;
}

/// Bytes of LDS or shared memory that a block can have on the chip of a name; `None` of a name that no chip has.
pub(crate) const fn lds_of(name: &str) -> Option<u32> {
    let mut i = 0;
    while i < MEMORIES.len() {
        if tiledesc_transforms::number::is_same(MEMORIES[i].0, name) {
            return Some(MEMORIES[i].1);
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::{Instruction, Phases, Service};
    use std::format;
    use std::string::String;
    use std::vec::Vec;

    /// `0-3 20-23`.
    fn ranges(lanes: &[u8]) -> String {
        let runs = lanes.chunk_by(|a, b| a + 1 == *b);
        let run = |run: &[u8]| format!("{}-{}", run[0], run[run.len() - 1]);
        runs.map(run).collect::<Vec<_>>().join(" ")
    }

    fn order(phases: &Phases) -> String {
        let together = phases.lanes(0).len();
        let follows = |phase: usize| usize::from(phases.lanes(phase)[0]) == phase * together;
        if (0..phases.count()).all(follows)
            && phases.lanes(0)[together - 1] as usize == together - 1
        {
            return format!("a phase is {together} consecutive lanes");
        }
        let half: Vec<String> =
            (0..32 / together).map(|phase| ranges(phases.lanes(phase))).collect();
        let (last, others) = half.split_last().unwrap();
        format!("a phase is lanes {} or {last} of 32", others.join(", "))
    }

    fn says(row: &Instruction, service: &Service) -> String {
        let Service { banks, evidence, source, phases, .. } = service;
        let pairs = row.merged().map(|merged| {
            assert_eq!((merged.evidence, merged.source), (*evidence, *source));
            format!(", {} if lanes agree in pairs", merged.phases.lanes(0).len())
        });
        let (order, pairs) = (order(phases), pairs.unwrap_or_default());
        format!("{banks} banks, {order}{pairs}; {}: {source}.", evidence.name())
    }

    /// The documentation of a row is made from its tokens; here it is made from the row.
    #[test]
    fn documentation_says_what_the_row_is() {
        let amd: [&[(Instruction, &str)]; 18] = [
            super::gfx906::WORDS,
            super::gfx908::WORDS,
            super::gfx90a::WORDS,
            super::gfx942::WORDS,
            super::gfx950::WORDS,
            super::gfx1030::WORDS,
            super::gfx1030::wave64::WORDS,
            super::gfx1100::WORDS,
            super::gfx1100::wave64::WORDS,
            super::gfx1101::WORDS,
            super::gfx1101::wave64::WORDS,
            super::gfx1151::WORDS,
            super::gfx1151::wave64::WORDS,
            super::gfx1200::WORDS,
            super::gfx1200::wave64::WORDS,
            super::gfx1201::WORDS,
            super::gfx1201::wave64::WORDS,
            super::gfx1250::WORDS,
        ];
        for (row, words) in amd.into_iter().flatten() {
            let rival = row.rival().map(|rival| format!(" Disputed: {}", says(row, rival)));
            let row_says =
                format!("`{}` of {}: {}", row.name(), row.chip(), says(row, row.service()));
            assert_eq!(*words, row_says + &rival.unwrap_or_default());
        }
        assert_eq!(amd.into_iter().flatten().count(), 8 * 18);

        let nvidia: [&[(Instruction, &str)]; 11] = [
            super::sm_70::WORDS,
            super::sm_75::WORDS,
            super::sm_80::WORDS,
            super::sm_86::WORDS,
            super::sm_87::WORDS,
            super::sm_89::WORDS,
            super::sm_90::WORDS,
            super::sm_100::WORDS,
            super::sm_103::WORDS,
            super::sm_120::WORDS,
            super::sm_121::WORDS,
        ];
        for (row, words) in nvidia.into_iter().flatten() {
            assert_eq!(*words, format!("`{}`: {}", row.name(), says(row, row.service())));
        }
        let rows = super::CHIPS[18..].iter().map(|chip| chip.rows().len()).sum::<usize>();
        assert_eq!(nvidia.into_iter().flatten().count(), rows);
    }
}
