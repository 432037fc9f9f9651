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
    ($($statements:tt)+) => { $crate::__direct! { [] [] $($statements)+ } };
}

/// Names a direct load, checks it as [`assert_direct_load!`](crate::assert_direct_load!) does, and
/// gives its addresses to a kernel: a [`DirectLoads`](crate::direct::DirectLoads).
///
/// ```
/// use tiledesc::direct::DirectLoads;
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
/// use tiledesc::direct::DirectLoads;
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
    // A condition of one declaration, which would be one of half of what it becomes.
    ($(#[doc = $doc:expr])* #[cfg $condition:tt] $($rest:tt)*) => {
        $crate::__cfg_inside! { "direct_load" }
    };
    ($(#[$meta:meta])* $vis:vis type $Name:ident = $($rest:tt)+) => {
        $crate::__direct! { [[$(#[$meta])*] [$vis] $Name] [] $($rest)+ }
    };
    // With parameters: checked where it is used.
    ($(#[$meta:meta])* $vis:vis type $Name:ident<$($P:ident: $Bound:path),+ $(,)?> = $($rest:tt)+) => {
        $crate::__direct! { [[$(#[$meta])*] [$vis] $Name $([$P $Bound])+] [] $($rest)+ }
    };
    ($(#[$meta:meta])* $vis:vis type $Name:ident<$($rest:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "direct_load!: cannot parse the parameters of `", ::core::stringify!($Name), "`: each has one bound, `type ",
            ::core::stringify!($Name), "<C: Target, M: Number> = ..`"
        ));
    };
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
#[macro_export]
macro_rules! check_direct_load {
    ($($statements:tt)+) => { $crate::__direct! { [const] [] $($statements)+ } };
}

/// Reads a statement: the layout token by token up to `on`.
///
/// | rule | does |
/// |---|---|
/// | without a name | reads the layout, and from `on` to the `;` at once |
/// | `@made` | writes the constant, and the type if there is a name |
/// | `@statement`, `@refuse` | the `Statement`, an expression; its refusal, at the word of the transfer |
/// | `@order`, `@idle` | a word, or none, as a value |
/// | `@rest` | reads the statements behind the `;` |
///
/// | argument | holds |
/// |---|---|
/// | `$head` | `[]` of an assertion, `[const]` of one in a function; `[[attributes] [visibility] Name [P Bound] ..]` of a `direct_load!` |
/// | `$l` | the tokens of the layout so far |
/// | `$source` | the rows of the source, an expression |
/// | `$waves $unit` | how many, and the word `wave` or `waves` |
/// | `$order`, `$idle` | `[interleaved]`, `[idle]`, or `[]` |
#[doc(hidden)]
#[macro_export]
macro_rules! __direct {
    // Nothing is left.
    ([$(const)?] []) => {};
    // From `on` on: a pitch of which only a divisor is known.
    ([$($head:tt)*] [$($l:tt)+] on $chip:ident: $transfer:ident by $waves:tt $unit:ident $($order:ident)?,
        from rows of multiples of $pitch:tt $(, with $idle:ident lanes)? $(; $($rest:tt)*)?
    ) => {
        $crate::__direct! { @made [$($head)*] [$($l)+] $chip $transfer
            [$crate::direct::Source::rows_of_multiple($pitch)] [$waves $unit] [$($order)?] [$($idle)?] }
        $crate::__direct! { @rest [$($head)*] $($($rest)*)? }
    };
    // A pitch that is known.
    ([$($head:tt)*] [$($l:tt)+] on $chip:ident: $transfer:ident by $waves:tt $unit:ident $($order:ident)?,
        from rows of $pitch:tt $(, with $idle:ident lanes)? $(; $($rest:tt)*)?
    ) => {
        $crate::__direct! { @made [$($head)*] [$($l)+] $chip $transfer
            [$crate::direct::Source::rows($pitch)] [$waves $unit] [$($order)?] [$($idle)?] }
        $crate::__direct! { @rest [$($head)*] $($($rest)*)? }
    };
    // Not of the form.
    ($head:tt [$($l:tt)*] on $($rest:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "cannot parse `", ::core::stringify!($($l)* on $($rest)*), "`; expected `Layout on gfx950: ",
            "global_load_lds_b128 by 4 waves, from rows of 8192`; also `4 waves interleaved`, ",
            "`rows of multiples of 8`, `, with idle lanes`"
        ));
    };
    // A further token of the layout.
    ($head:tt [$($l:tt)*] $next:tt $($rest:tt)*) => {
        $crate::__direct! { $head [$($l)* $next] $($rest)* }
    };
    // It ends without `on`.
    ($head:tt [$($l:tt)*]) => {
        ::core::compile_error!(::core::concat!(
            "no chip is named in `", ::core::stringify!($($l)*), "`: write `Layout on gfx950: ..`"
        ));
    };
    // The statements behind.
    (@rest $head:tt) => {};
    (@rest [const] $($rest:tt)+) => { $crate::__direct! { [const] [] $($rest)+ } };
    (@rest $head:tt $($rest:tt)+) => { $crate::__direct! { [] [] $($rest)+ } };
    // An assertion.
    (@made [] $layout:tt $chip:ident $transfer:ident $source:tt $waves:tt $order:tt $idle:tt) => {
        #[allow(long_running_const_eval)]
        const _: () = {
            let stated = $crate::__direct!(@statement $layout $chip $transfer $source $waves $order $idle);
            $crate::__direct! { @refuse stated $layout $transfer }
        };
    };
    // The same in a function.
    (@made [const] $layout:tt $chip:ident $transfer:ident $source:tt $waves:tt $order:tt $idle:tt) => {
        #[allow(long_running_const_eval)]
        const {
            let stated = $crate::__direct!(@statement $layout $chip $transfer $source $waves $order $idle);
            $crate::__direct! { @refuse stated $layout $transfer }
        }
    };
    // A type with its addresses.
    (@made [[$($meta:tt)*] [$vis:vis] $Name:ident]
        $layout:tt $chip:ident $transfer:ident $source:tt $waves:tt $order:tt $idle:tt
    ) => {
        $crate::__declared! { {$Name}
            $($meta)*
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            $vis struct $Name;
        }
        #[allow(long_running_const_eval)]
        const _: () = {
            const STATED: $crate::direct::Statement<'static> =
                $crate::__direct!(@statement $layout $chip $transfer $source $waves $order $idle);
            impl $crate::direct::DirectLoads for $Name {
                const PLAN: ::core::result::Result<
                    $crate::direct::DirectLoad<'static>,
                    $crate::direct::DirectError,
                > = STATED.plan();
            }
            $crate::__direct! { @refuse STATED $layout $transfer }
        };
    };
    // A type with parameters.
    (@made [[$($meta:tt)*] [$vis:vis] $Name:ident $([$P:ident $Bound:path])+]
        $layout:tt $chip:ident $transfer:ident $source:tt $waves:tt $order:tt $idle:tt
    ) => {
        $crate::__declared! { {$Name}
            $($meta)*
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            $vis struct $Name<$($P),+>(::core::marker::PhantomData<($($P,)+)>);
        }
        impl<$($P: $Bound),+> $crate::direct::DirectLoads for $Name<$($P),+> {
            #[allow(long_running_const_eval)]
            const PLAN: ::core::result::Result<
                $crate::direct::DirectLoad<'static>,
                $crate::direct::DirectError,
            > = $crate::__direct!(@statement $layout $chip $transfer $source $waves $order $idle).plan();
        }
    };
    // The statement as data.
    (@statement [$($l:tt)+] $chip:ident $transfer:ident [$source:expr] [$waves:tt $unit:ident]
        $order:tt $idle:tt
    ) => {
        $crate::direct::Statement::new::<$($l)+>(
            $crate::__chip! { $chip [$crate::__chip_name!($chip)] },
            ::core::stringify!($transfer),
            $source,
        )
        .by($waves, $crate::__direct!(@order $order), $crate::__direct!(@idle $idle))
    };
    // Its refusal.
    (@refuse $STATED:ident [$($l:tt)+] $transfer:ident) => {
        $crate::__point! { {$transfer} let _ = $STATED.or_refuse(::core::stringify!($($l)+)); }
    };
    // How chunks are dealt to waves.
    (@order []) => { $crate::direct::Order::Blocked };
    (@order [interleaved]) => { $crate::direct::Order::Interleaved };
    (@order [$other:ident]) => {
        ::core::compile_error!(::core::concat!(
            "cannot parse `", ::core::stringify!($other), "`; chunks are dealt `interleaved`, or slice by slice if nothing is said"
        ))
    };
    // Whether lanes may be idle.
    (@idle []) => { false };
    (@idle [idle]) => { true };
    (@idle [$other:ident]) => {
        ::core::compile_error!(::core::concat!(
            "cannot parse `with ", ::core::stringify!($other), " lanes`; expected `with idle lanes`"
        ))
    };
}
