//! Chips, and their memory instructions: one module each, one constant a row.
//!
//! Phases and banks belong to the pair of chip and instruction; each row says
//! where they are from and how sure that is.
//!
//! | chip | wave | memory of a block | banks | rows |
//! |---|---|---|---|---|
//! | [`gfx908`] (MI100), [`gfx90a`] (MI200), [`gfx942`] (MI300) | 64 | 64 KiB | 32 | `ds_read_*`, `ds_write_*` |
//! | [`gfx950`] (MI350) | 64 | 160 KiB | 64 for `ds_read_b64` and `_b128`, else 32 | the same, and `ds_read_*_tr_*` |
//! | [`gfx1030`] (RDNA2) | 32 | 64 KiB | 32 | `ds_read_*`, `ds_write_*` |
//! | [`gfx1100`] (RDNA3), [`gfx1201`] (RDNA4) | 32 | 64 KiB | 32 | the same, also by their newer names `ds_load_*`, `ds_store_*` |
//! | [`gfx1250`] | 32 | 320 KiB | 64 | the same |
//! | [`sm_70`] to [`sm_120`] (NVIDIA) | 32 | 64 to 227 KiB | 32 | `ld_shared_*`, `st_shared_*`, `ldmatrix_*`, `stmatrix_*` |
//!
//! The eight services of an AMD chip (reads and writes of up to 4, of 8, 12 and
//! 16 bytes) are written out; narrower and paired forms follow from them, as inferred. On the
//! RDNA chips and gfx1250 the rows are those of a wave of 32; of waves of 64
//! nothing is known.
//!
//! What is not known and is marked as inferred: [`Evidence::Inferred`]. What
//! sources disagree on: [`Instruction::rival`].
//!
//! A chip of your own is a module with such constants in your crate;
//! [`assert_conflict_free!`](crate::assert_conflict_free!) takes its name.

pub(crate) mod instruction;
pub(crate) mod phases;

pub use instruction::{Access, Evidence, Instruction, Service};
pub use phases::Phases;

/// A chip's rows: the eight services, a line each with banks, phases and source; what
/// follows from them; and the list of all.
macro_rules! ds {
    (
        $chip:literal, $memory:literal KiB $(, and [$($more:ident)+])?;
        $($name:ident: $banks:literal banks, $phases:expr, $evidence:ident($source:expr)
            $(, disputed($other_banks:literal banks, $other:expr, $other_source:expr))?;)*
    ) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of ", $chip, ".")]
            pub const $name: Instruction = ds!(@service $name)
                .on($chip, $memory * 1024)
                .banks($banks)
                .phases($phases)
                .$evidence($source)
                $(.disputed($other_banks, $other, $other_source))?;
        )*
        ds! { @forms
            ds_read_u8 = ds_read_b32.of_bytes(1);
            ds_read_i8 = ds_read_b32.of_bytes(1);
            ds_read_u16 = ds_read_b32.of_bytes(2);
            ds_read_i16 = ds_read_b32.of_bytes(2);
            ds_write_b8 = ds_write_b32.of_bytes(1);
            ds_write_b16 = ds_write_b32.of_bytes(2);
            ds_read2_b32 = ds_read_b32.paired(4);
            ds_read2_b64 = ds_read_b64.paired(8);
            ds_read2st64_b32 = ds_read_b32.paired(256);
            ds_read2st64_b64 = ds_read_b64.paired(512);
            ds_write2_b32 = ds_write_b32.paired(4);
            ds_write2_b64 = ds_write_b64.paired(8);
            ds_write2st64_b32 = ds_write_b32.paired(256);
            ds_write2st64_b64 = ds_write_b64.paired(512);
        }
        /// All rows of the chip.
        pub const ROWS: &[Instruction] = &[
            $($name,)*
            ds_read_u8, ds_read_i8, ds_read_u16, ds_read_i16, ds_write_b8, ds_write_b16,
            ds_read2_b32, ds_read2_b64, ds_read2st64_b32, ds_read2st64_b64,
            ds_write2_b32, ds_write2_b64, ds_write2st64_b32, ds_write2st64_b64,
            $($($more,)+)?
        ];
    };
    (@service ds_read_b32) => { Instruction::read("ds_read_b32", 4) };
    (@service ds_read_b64) => { Instruction::read("ds_read_b64", 8) };
    (@service ds_read_b96) => { Instruction::read("ds_read_b96", 12) };
    (@service ds_read_b128) => { Instruction::read("ds_read_b128", 16) };
    (@service ds_write_b32) => { Instruction::write("ds_write_b32", 4) };
    (@service ds_write_b64) => { Instruction::write("ds_write_b64", 8) };
    (@service ds_write_b96) => { Instruction::write("ds_write_b96", 12) };
    (@service ds_write_b128) => { Instruction::write("ds_write_b128", 16) };
    (@forms $($name:ident = $of:ident.$form:ident($bytes:literal);)*) => {$(
        #[doc = concat!("Served as [`", stringify!($of), "`].")]
        pub const $name: Instruction = $of
            .$form(stringify!($name), $bytes)
            .inferred(concat!("as ", stringify!($of)));
    )*};
}

/// The names that RDNA3 and later give to the same instructions.
macro_rules! ds_renamed {
    () => {
        ds_renamed! {
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
    };
    ($($new:ident = $old:ident;)+) => {
        $(
            #[doc = concat!("The newer name of [`", stringify!($old), "`].")]
            pub const $new: Instruction = $old.named(stringify!($new));
        )+
        /// The rows by their newer names.
        pub const RENAMED: &[Instruction] = &[$($new),+];
    };
}

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
pub mod gfx1201;

#[allow(non_upper_case_globals)]
pub mod gfx1250;

mod nvidia;

pub use nvidia::{sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120};

/// The lanes of `ds_read_b128` on gfx9 before gfx950.
const CROSSED_64: Phases = Phases::halves(&[
    &[0, 1, 2, 3, 20, 21, 22, 23],
    &[4, 5, 6, 7, 16, 17, 18, 19],
    &[8, 9, 10, 11, 28, 29, 30, 31],
    &[12, 13, 14, 15, 24, 25, 26, 27],
]);
/// The same on gfx11, in a wave of 32.
const CROSSED_32: Phases = CROSSED_64.of_wave(32);

/// `lanes` consecutive lanes a phase, in a wave of 64.
const fn wave64(lanes: usize) -> Phases {
    Phases::contiguous(lanes)
}

/// The same in a wave of 32.
const fn wave32(lanes: usize) -> Phases {
    Phases::contiguous(lanes).of_wave(32)
}

/// Where rows are from; one line each, so that a report stays short.
mod source {
    pub(super) const SHARK_942: &str = "nod-ai/amd-shark-ai, empirical-lds/cdna3info.md";
    pub(super) const SHARK_950: &str = "nod-ai/amd-shark-ai, empirical-lds/cdna4info.md";
    pub(super) const SHARK_11: &str = "nod-ai/amd-shark-ai, empirical-lds/rdna3info.md";
    pub(super) const SHARK_12: &str = "nod-ai/amd-shark-ai, empirical-lds/rdna4info.md";
    pub(super) const CK: &str = "CK Tile documentation, lds_bank_conflicts.rst";
    pub(super) const DH_COMMS: &str = "AMDResearch/dh_comms, memory analysis";
    pub(super) const HIPKITTENS: &str = "HazyResearch/HipKittens, paper_experiments/phases";
    pub(super) const ROCROLLER: &str = "ROCm/rocm-libraries, rocroller LDSBankModel.cpp";
    pub(super) const OMNIPERF: &str = "rocprof-compute documentation, ldsconflictrate.svg";
}

/// Every chip with its rows; a chip that has two names for them twice.
pub const CHIPS: &[(&str, &[Instruction])] = &[
    ("gfx908", gfx908::ROWS),
    ("gfx90a", gfx90a::ROWS),
    ("gfx942", gfx942::ROWS),
    ("gfx950", gfx950::ROWS),
    ("gfx1030", gfx1030::ROWS),
    ("gfx1100", gfx1100::ROWS),
    ("gfx1100", gfx1100::RENAMED),
    ("gfx1201", gfx1201::ROWS),
    ("gfx1201", gfx1201::RENAMED),
    ("gfx1250", gfx1250::ROWS),
    ("gfx1250", gfx1250::RENAMED),
    ("sm_70", sm_70::ROWS),
    ("sm_75", sm_75::ROWS),
    ("sm_80", sm_80::ROWS),
    ("sm_86", sm_86::ROWS),
    ("sm_89", sm_89::ROWS),
    ("sm_90", sm_90::ROWS),
    ("sm_100", sm_100::ROWS),
    ("sm_120", sm_120::ROWS),
];

/// The row of an instruction, by the names of chip and mnemonic (`ld.shared.b32` or as
/// in code, `ld_shared_b32`); for tools that read them from a file.
///
/// ```
/// use tiledesc::{Evidence, chip};
///
/// let row = chip::find("gfx942", "ds_read_b128").unwrap();
/// assert_eq!(row.service().evidence, Evidence::Measured);
/// assert!(chip::find("gfx1201", "ds_load_b128").is_some());
/// assert_eq!(chip::find("gfx942", "ds_read_b256"), None);
/// ```
#[must_use]
pub fn find(chip: &str, name: &str) -> Option<&'static Instruction> {
    let rows = CHIPS.iter().filter(|(known, _)| *known == chip).flat_map(|(_, rows)| *rows);
    let same = |row: &&Instruction| row.name().chars().map(in_code).eq(name.chars().map(in_code));
    rows.into_iter().find(same)
}

/// Mnemonics have dots, constants cannot.
fn in_code(c: char) -> char {
    if c == '.' { '_' } else { c }
}
