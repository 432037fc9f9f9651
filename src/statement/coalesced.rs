//! `assert_coalesced!` and `check_coalesced!`: how many lines of global memory a wave may touch at once.
//!
//! ```text
//! error: Fetch: global_load_dwordx4 on gfx942: access 0 of wave 0 touches 15 lines of 128 bytes with rows of 1032, a multiple of 8;
//!        8 would hold its bytes, and the statement says `at most 8 lines`
//! ```

// The sentence of an error is a value of the compiler, which no kernel moves.
#![allow(clippy::result_large_err)]

use crate::access::coalesced::{Coalescing, Moved, Pitch, worst_of};
use crate::chip::{Lines, global_bytes, wave_of};
use crate::distribution::Distribution;
use crate::element::Element;
use tiledesc_transforms::{Text, say};

/// What a statement allows.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum AtMost {
    /// As many lines, or sectors, as hold the bytes.
    Least,
    /// This many lines.
    Lines(u32),
    /// This many sectors.
    Sectors(u32),
}

/// Refuses a distribution whose accesses touch more lines of global memory than a statement allows, on some chip.
///
/// # Panics
///
/// With the access, its lines, and how many would do.
#[doc(hidden)]
#[track_caller]
pub const fn refuse<T: Distribution, E: Element>(
    name: &str,
    chips: &[&str],
    instruction: &str,
    rows: Pitch,
    most: AtMost,
) {
    let mut i = 0;
    while i < chips.len() {
        let text =
            say!(Text::new(): str(name), ": ", str(instruction), " on ", str(chips[i]), ": ");
        if let Err(text) = judged::<T>(text, chips[i], instruction, (rows, E::BITS), most) {
            text.refuse()
        }
        i += 1;
    }
}

/// Judges all accesses on one chip.
const fn judged<T: Distribution>(
    text: Text,
    chip: &str,
    instruction: &str,
    (rows, bits): (Pitch, u32),
    most: AtMost,
) -> Result<(), Text> {
    let encoding = match &T::ENCODING {
        Ok(encoding) => encoding,
        Err(fault) => return Err(fault.explain(text)),
    };
    let Some(bytes) = global_bytes(instruction) else {
        return Err(text.str(
            "not a load from global memory, nor a store to it: write `global_load_dwordx4`, `ld_global_v4_f32` or, on any \
             chip, `load_b128`",
        ));
    };
    let Some(lines) = Lines::of_chip(chip) else {
        return Err(text.str("no source states the cache lines of this chip"));
    };
    if let Some(wave) = wave_of(chip)
        && wave != encoding.lanes()
    {
        return Err(say!(text:
            "the distribution has ", encoding.lanes(), " lanes, but the wave of ", str(chip), " has ", wave
        ));
    }
    let by_sectors = !matches!(most, AtMost::Lines(_));
    match worst_of(encoding, Moved { bytes, bits }, rows, &lines, by_sectors) {
        Ok(worst) if is_allowed(&worst, most) => Ok(()),
        Ok(worst) => Err(said(text, &worst, &lines, rows, most)),
        Err(reason) => Err(text.str(reason.as_str())),
    }
}

const fn is_allowed(worst: &Coalescing, most: AtMost) -> bool {
    match most {
        AtMost::Least => worst.touched().sectors <= worst.least().sectors,
        AtMost::Lines(most) => worst.touched().lines <= most,
        AtMost::Sectors(most) => worst.touched().sectors <= most,
    }
}

/// "access 0 of wave 0 touches 15 lines of 128 bytes with rows of 1032, a multiple of 8; 8 would hold its bytes, .."
const fn said(text: Text, worst: &Coalescing, lines: &Lines, rows: Pitch, most: AtMost) -> Text {
    let is_of_lines = match most {
        AtMost::Lines(_) => true,
        AtMost::Sectors(_) => false,
        AtMost::Least => lines.bytes() == lines.sector(),
    };
    let ([wave, access], touched, least) =
        (worst.wave_and_access(), worst.touched(), worst.least());
    let (unit, bytes, touched, least) = match is_of_lines {
        true => ("lines", lines.bytes(), touched.lines, least.lines),
        false => ("sectors", lines.sector(), touched.sectors, least.sectors),
    };
    let text = say!(text:
        "access ", access, " of wave ", wave, " touches ", touched, " ", str(unit), " of ", bytes,
        " bytes with rows of ", worst.pitch()
    );
    let text = match rows.is_multiple() {
        true => say!(text: ", a multiple of ", rows.elements()),
        false => text,
    };
    let text = say!(text: "; ", least, " would hold its bytes, and the statement says ");
    match most {
        AtMost::Least => {
            say!(text: "no more: to take it, end with `at most ", touched, " ", str(unit), "`")
        }
        AtMost::Lines(most) | AtMost::Sectors(most) => {
            say!(text: "`at most ", most, " ", str(unit), "`")
        }
    }
}

/// Refuses, at compile time, a distribution whose loads from global memory, or stores to it, touch more cache lines than they
/// need, or than the statement allows.
///
/// ```
/// use tiledesc::distribution::BlockRaked;
/// use tiledesc::prelude::*;
///
/// type Fetch = BlockRaked<U128, U64, U8, U4>;
/// assert_coalesced! {
///     // 64 lanes of 16 bytes fill 8 lines of 128: the fewest that hold them.
///     Fetch on gfx942, gfx950: global_load_dwordx4 of F16, from rows of 8192;
///     // A pitch of the run time: a row that begins within a line ends in the next one.
///     Fetch on gfx942: global_load_dwordx4 of F16, from rows of multiples of 8, at most 16 lines
/// }
/// ```
///
/// All accesses of all waves are counted, of a tile at any multiple of its own lengths; the tensor begins at a line, as the
/// allocators of HIP (256 bytes) and CUDA do. Pitches are in elements. A count is of what is touched, never of time: hits in a
/// cache are not in it. Sectors, 32 bytes each, are what NVIDIA fetches of a line.
///
/// ```compile_fail,E0080
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// Lane l has row l.
///     type Column: m [row 64], k [again 8, half 8]; lane (row), thread (again, half);
/// }
/// assert_coalesced! { Column on gfx942: global_load_dwordx4 of F16, from rows of 8192, at most 16 lines }
/// // Column: global_load_dwordx4 on gfx942: access 0 of wave 0 touches 64 lines of 128 bytes with rows of 8192; 8 would hold its
/// // bytes, and the statement says `at most 16 lines`
/// ```
///
/// What a [`Window`](crate::access::Window) touches of a tensor whose lengths the run time knows is
/// [`Window::coalescing`](crate::access::Window::coalescing).
#[doc(alias = "coalescing")]
#[macro_export]
macro_rules! assert_coalesced {
    ($($statements:tt)+) => { $crate::__coalesced_assertions! { {$crate} $($statements)+ } };
}

/// [`assert_coalesced!`](crate::assert_coalesced!) inside a function that is generic over the tile or the chip: checked for each
/// that it is called with, by `cargo build`.
///
/// ```
/// use tiledesc::chip::{Gfx942, Target};
/// use tiledesc::distribution::BlockRaked;
/// use tiledesc::prelude::*;
///
/// fn load<C: Target, M: Number>() {
///     check_coalesced! { BlockRaked<M, U64, U8, U4> on C: load_b128 of F16, from rows of multiples of 64 }
/// }
/// load::<Gfx942, U128>();
/// ```
#[macro_export]
macro_rules! check_coalesced {
    ($($statements:tt)+) => { $crate::__coalesced_checks! { {$crate} $($statements)+ } };
}
