//! The rows of an AMD chip, written once: eight services, and the 22 forms and 30 names that follow from them.
//!
//! ```text
//!   ds! { "gfx942": wave 64, 64 KiB, 32 banks;
//!       ds_read_b128: CROSSED, measured(source!(ROCKE));     -> gfx942::ds_read_b128, its documentation, its test
//!       .. }                                                 -> ds_read_u16, ds_read2_b64, ds_load_b128, .. and the chip
//! ```
//!
//! The documentation of a row is made from the same tokens as the row, and `words.rs` makes it again from the row.

/// The sources of rows, and the reasons for inferred ones; one line each, so that a report stays short. Literals, because
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
    (CONSECUTIVE) => {
        "consecutive lanes by width; no source was found"
    };
    (IREE) => {
        "64 banks by IREE, lanes as gfx1201"
    };
    ($like:ident for $chip:literal) => {
        concat!("as ", stringify!($like), "; no source was found for ", $chip)
    };
}

/// The words of a row, for its documentation; the tests below hold them against the row.
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
/// | `wave64` | a module and a chip of RDNA in waves of 64, from such rows |
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
        /// The source of the twins.
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
                concat!("the source that disputes ", stringify!($of)),
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
    // A chip of RDNA in waves of 64: its module, and the chip.
    (wave64 $chip:literal $of:literal: $($rows:tt)+) => {
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
        /// assert_eq!((phases.phase_of(3), phases.phase_of(32 + 3)), (Some(0), Some(2)));
        /// ```
        pub const wave64: $crate::chip::Chip = wave64::CHIP;
    };
}
