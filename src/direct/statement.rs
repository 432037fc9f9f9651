//! The plan as a statement: a layout that cannot be loaded so does not compile.
//!
//! ```text
//! error: Padded: global_load_lds_b128 on gfx950 by 4 waves: the chunk at byte 0: lane 8 would write
//!        bytes 128 to 143, which are padding (pad behind multiples of 1024 bytes, or allow idle lanes)
//! ```

use super::plan::DirectLoad;
use super::refusal::DirectError;
use super::request::{Order, Request};
use super::source::Source;
use crate::chip::transfer::{self, Transfer};
use crate::layout::{LayoutOf, Tile};
use tiledesc_transforms::{Text, attempt, say};

/// A stated load, before it is known whether there is such a transfer.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    chip: &'static str,
    name: &'static str,
    request: Result<Request<'a>, DirectError>,
}

impl<'a> Statement<'a> {
    /// `Layout on chip: name .. from source`
    #[doc(hidden)]
    #[must_use]
    pub const fn new<T: Tile>(chip: &'static str, name: &'static str, source: Source<'a>) -> Self {
        let request = match row(chip, name) {
            Ok(transfer) => Ok(LayoutOf::<T>::direct(source, transfer)),
            Err(error) => Err(error),
        };
        Self { chip, name, request }
    }

    /// `by 4 waves`, `interleaved`, `with idle lanes`
    #[doc(hidden)]
    #[must_use]
    pub const fn by(mut self, waves: u32, order: Order, may_idle: bool) -> Self {
        if let Ok(request) = self.request {
            let request = request.waves(waves).order(order);
            self.request = Ok(if may_idle { request.idle_lanes() } else { request });
        }
        self
    }

    /// The plan, or the sentence.
    ///
    /// # Errors
    ///
    /// [`DirectError`].
    #[doc(hidden)]
    pub const fn plan(&self) -> Result<DirectLoad<'a>, DirectError> {
        attempt!(self.request).plan()
    }

    /// The plan, or the sentence on the caller's line.
    ///
    /// # Panics
    ///
    /// If there is no plan.
    #[track_caller]
    #[must_use]
    pub const fn or_refuse(&self, layout: &str) -> DirectLoad<'a> {
        match self.plan() {
            Ok(plan) => plan,
            Err(error) => {
                let text = say!(Text::new(): str(layout), ": ");
                let text = match &self.request {
                    Ok(request) => head(text, self.name, self.chip, request.waves),
                    Err(_) => text,
                };
                error.explain(text).refuse()
            }
        }
    }
}

/// Appends "global_load_lds_b128 on gfx950 by 4 waves: ".
pub(crate) const fn head(text: Text, name: &str, chip: &str, waves: u32) -> Text {
    let unit = if waves == 1 { " wave: " } else { " waves: " };
    say!(text: str(name), " on ", str(chip), " by ", waves, str(unit))
}

/// The row of a chip by their names. The constant of a chip would bring all its instructions: see DESIGN,
/// "What the compiler pays for".
pub(crate) const fn row(
    chip: &'static str,
    name: &'static str,
) -> Result<&'static Transfer, DirectError> {
    match transfer::of_chip(chip, name) {
        Some(row) => Ok(row),
        None => match transfer::data_of(name) {
            Some(data) => match transfer::of_size(chip, data) {
                Some(row) => Err(DirectError::Named { name, chip, instead: row.name() }),
                None => Err(DirectError::no_transfer(data, chip)),
            },
            None => Err(DirectError::Unknown { name, chip }),
        },
    }
}

/// Refuses, at compile time, a tile that cannot be loaded straight to LDS.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! {
///     type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
///     type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
/// }
/// assert_direct_load! {
///     ABlock on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192;
///     // The pitch is known at run time only; chunks are dealt to the waves in turn.
///     ABlock on gfx942: global_load_lds_b32 by 4 waves interleaved, from rows of multiples of 8;
///     Padded on gfx950: global_load_lds_b128 by 1 wave, from rows of 64, with idle lanes;
///     Padded on sm_90: cp_async_b128 by 4 waves, from rows of 64
/// }
/// ```
///
/// Pitches are in elements. The error is on the user's line, with the numbers:
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
/// assert_direct_load! { Padded on gfx950: global_load_lds_b128 by 4 waves, from rows of 64 }
/// // Padded: global_load_lds_b128 on gfx950 by 4 waves: the chunk at byte 0: lane 8 would write
/// // bytes 128 to 143, which are padding (pad behind multiples of 1024 bytes, or allow idle lanes)
/// ```
///
/// For a source of any other kind, ask for a plan in a constant of your own: [`Request::plan`](crate::direct::Request::plan).
#[macro_export]
macro_rules! assert_direct_load {
    ($($statements:tt)+) => { $crate::__direct_assertions! { {$crate} $($statements)+ } };
}

/// Names a direct load, checks it as [`assert_direct_load!`](crate::assert_direct_load!) does, and
/// gives its addresses to a kernel: a [`DirectLoads`](crate::direct::DirectLoads).
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// direct_load! {
///     /// A, by four waves.
///     type LoadA = ABlock on gfx950: global_load_lds_b128 by 4 waves, from rows of multiples of 8;
/// }
/// // In the kernel: one coordinate a lane; each load a constant number of rows further.
/// let [m, k] = LoadA::first(1, 9);
/// let mut loads = Vec::new();
/// LoadA::each_step(1, 9, |lds, [rows, columns], _| loads.push((lds, rows, columns)));
/// assert_eq!((m, k), (33, 0));
/// assert_eq!(loads, [(4096, 0, 0), (5120, 8, 0), (6144, 16, 0), (7168, 24, 0)]);
/// ```
///
/// With parameters, each with its bound, it is checked where a kernel takes its addresses. The chip may be one of them:
///
/// ```
/// use tiledesc::chip::{Gfx942, Gfx950, Target};
/// use tiledesc::prelude::*;
///
/// direct_load! {
///     /// A, four bytes a lane.
///     pub type LoadA<C: Target, M: Number> = recipe::GemmXor<F16, M, U64, U8> on C:
///         global_load_lds_b32 by 4 waves, from rows of multiples of 8;
/// }
/// fn load<C: Target>(wave: u32, lane: u32) -> Vec<u32> {
///     let mut bases = Vec::new();
///     LoadA::<C, U128>::each(wave, lane, |base, [_, _], _| bases.push(base));
///     bases
/// }
/// assert_eq!(load::<Gfx942>(1, 9)[..3], [4096, 4352, 4608]);
/// assert_eq!(LoadA::<Gfx950, U64>::LOADS, 8);
/// ```
#[macro_export]
macro_rules! direct_load {
    ($($loads:tt)*) => { $crate::__direct_loads! { {$crate} $($loads)* } };
}

/// [`assert_direct_load!`](crate::assert_direct_load!) inside a function that is generic over the tile or the chip: checked
/// for each that it is called with, by `cargo build`.
///
/// ```
/// use tiledesc::chip::{Gfx942, Gfx950, Target};
/// use tiledesc::prelude::*;
///
/// fn load<C: Target, M: Number>(m: u32, k: u32) -> u32 {
///     check_direct_load! {
///         recipe::GemmXor<F16, M, U64, U8> on C: global_load_lds_b32 by 4 waves, from rows of multiples of 8
///     }
///     recipe::GemmXor::<F16, M, U64, U8>::at([m, k])
/// }
/// assert_eq!((load::<Gfx942, U128>(3, 17), load::<Gfx950, U64>(3, 17)), (201, 201));
/// ```
///
/// ```compile_fail,E0080
/// use tiledesc::chip::{Gfx942, Target};
/// use tiledesc::prelude::*;
///
/// fn load<C: Target>() {
///     check_direct_load! {
///         recipe::RowMajor<F16, U64, U64> on C: global_load_lds_b128 by 4 waves, from rows of 64
///     }
/// }
/// load::<Gfx942>();
/// // recipe::RowMajor<F16, U64, U64>: no transfer of 16 bytes on gfx942 (there is one on gfx950)
/// ```
///
/// `load_to_lds_b128` and its like are what each chip calls so, as `load_b128` is among the accesses:
///
/// ```
/// use tiledesc::chip::{Gfx950, Sm90, Target};
/// use tiledesc::prelude::*;
///
/// direct_load! {
///     type LoadA<C: Target> = recipe::GemmXor<F16, U128, U64, U8> on C:
///         load_to_lds_b128 by 4 waves, from rows of multiples of 8;
/// }
/// // A wave of 64 lanes moves 1024 bytes at once, one of 32 half of it.
/// assert_eq!((LoadA::<Gfx950>::LOADS, LoadA::<Sm90>::LOADS), (4, 8));
/// ```
#[macro_export]
macro_rules! check_direct_load {
    ($($statements:tt)+) => { $crate::__direct_checks! { {$crate} $($statements)+ } };
}
