//! Chips, and their memory instructions: one module each, one constant a row.
//!
//! Phases and banks depend on both the chip and the instruction. Each row has their evidence (measured, documented or inferred),
//! and its source or the reason.
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
//! The eight services of an AMD chip (reads and writes of up to 4, of 8, 12 and 16 bytes) are written out; narrower and paired
//! forms are inferred from them, and so are those that fill one half of a register (`_d16`, `_d16_hi`), unless a source measured
//! them. An RDNA chip in waves of 64 is a chip of its own, [`mod@gfx1100::wave64`], `on gfx1100::wave64` in a statement; gfx1250
//! has waves of 32. Atomics (`ds_add_u32`) have no rows: a separate counter counts lanes of one address, and no source states
//! what they cost.
//!
//! Beside the rows of its instructions a chip has what its memory moves in a cycle ([`Chip::ports`]), and the lines by which
//! it fetches global memory ([`Chip::lines`]). Loads and stores there have no rows: [`global_bytes`] knows their widths by name.
//!
//! A row that no source states is [`Evidence::Inferred`]; if sources disagree, see
//! [`Instruction::rival`].
//!
//! A chip of your own is a module of such constants in your crate;
//! [`assert_conflict_free!`](crate::assert_conflict_free!) takes its name.

#[macro_use]
mod rows;
#[macro_use]
mod table;

pub(crate) mod cosets;
pub(crate) mod evidence;
pub(crate) mod fragments;
mod global;
mod handed;
pub(crate) mod immediate;
pub(crate) mod instruction;
mod lines;
mod lookup;
#[doc(hidden)]
pub mod names;
pub(crate) mod phases;
mod ports;
mod tally;
mod target;
pub(crate) mod transfer;
#[cfg(test)]
mod words;

pub use evidence::Evidence;
use fragments::Fragments;
pub use global::global_bytes;
pub use immediate::Immediate;
pub use instruction::{Access, Instruction, Service};
pub use lines::{Lines, Touched};
pub use lookup::{ChipError, find};
pub use phases::Phases;
pub use ports::Ports;
pub use tally::Tally;
pub use target::*;
pub use transfer::Transfer;

/// A chip: what all its rows share, and the rows.
///
/// The module of the same name holds each row as a constant; `use tiledesc::chip::gfx942`
/// brings both. [`warp_gemm::instructions`](crate::warp_gemm::instructions) are what the rows feed.
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

    /// Returns the same chip in waves of the given number of lanes; `None` if it has no rows for that size.
    ///
    /// RDNA chips run waves of 32 or of 64, as a kernel requests. Both are chips here, and the second is named after its module:
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

    /// The rows under other names: of another generation, `ds_load_b128` on gfx9; of vectors, `ld.shared.v4.b32`.
    #[must_use]
    pub const fn renamed(&self) -> &'static [Instruction] {
        self.renamed
    }

    /// The number of its [rows](Self::rows) by evidence.
    ///
    /// ```
    /// use tiledesc::chip::gfx950;
    ///
    /// let tally = gfx950.tally();
    /// assert_eq!((tally.rows(), tally.measured, tally.disputed), (34, 7, 20));
    /// ```
    #[must_use]
    pub const fn tally(&self) -> Tally {
        Tally::new(self.rows)
    }
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

pub use nvidia::*;

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

/// Returns a transposed read: all lanes must be active. It is served as the plain read of its width, which is inferred unless a
/// source states it.
const fn transposed(plain: Instruction, name: &'static str, fragments: Fragments) -> Instruction {
    plain.named(name).inferred("as the plain read of its width").whole_wave().handing(fragments)
}

/// A constant for each chip, with the name of its module. Lanes and banks are for the example of its page, which asserts
/// them. Chips in waves of 64 have theirs in their chips' modules.
macro_rules! chips {
    ($(
        $Name:ident = $name:ident: $wave:literal lanes, $banks:literal banks, $vendor:ident $rows:tt
            $(, $mode:ident as $Wide:ident)?;
            $(near [$($near:ident)*])? meant [$($meant:ident)*];
    )+) => {
        /// Every chip; one whose waves have 32 or 64 lanes is there once for each size.
        ///
        /// ```
        /// use tiledesc::chip::CHIPS;
        ///
        /// let names: Vec<_> = CHIPS.iter().map(|chip| chip.name()).collect();
        /// assert!(["gfx942", "gfx1100", "gfx1100::wave64", "sm_90"].iter().all(|name| names.contains(name)));
        /// ```
        pub const CHIPS: &[Chip] = &[$($name::CHIP, $($name::$mode::CHIP,)?)+];

        /// The rows of each chip that are written out, with their documentation.
        #[cfg(test)]
        const WORDS: &[&[(Instruction, &str)]] = &[$($name::WORDS, $($name::$mode::WORDS,)?)+];

        /// The LDS of each by its name. A list of its own: with `CHIPS` a constant would evaluate all rows of all
        /// chips, which takes the compiler 0.9 s (see DESIGN, "What the compiler pays for").
        const MEMORIES: &[(&str, u32)] = &[$(
            (stringify!($name), $name::LDS),
            $((concat!(stringify!($name), "::", stringify!($mode)), $name::$mode::LDS),)?
        )+];

        /// Lanes of a wave of each by its name, for the same reason.
        const WAVES: &[(&str, u32)] = &[$(
            (stringify!($name), $wave),
            $((concat!(stringify!($name), "::", stringify!($mode)), 64),)?
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

every_chip! { chips }

/// Lanes of a wave of the chip of a name; `None` of a name that no chip has.
pub(crate) const fn wave_of(name: &str) -> Option<u32> {
    find_in(WAVES, name)
}

/// Bytes of LDS or shared memory that a block can have on the chip of a name; `None` of a name that no chip has.
pub(crate) const fn lds_of(name: &str) -> Option<u32> {
    find_in(MEMORIES, name)
}

const fn find_in(facts: &[(&str, u32)], name: &str) -> Option<u32> {
    let mut i = 0;
    while i < facts.len() {
        if tiledesc_transforms::number::is_same(facts[i].0, name) {
            return Some(facts[i].1);
        }
        i += 1;
    }
    None
}
