//! `synthesize!` declares a layout by what is done to it.
//!
//! ```text
//! error: ABlock: the best of F16 [128, 32] is recipe::GemmXor<..>: 40 cycles, floor 24: no masks over
//!        rows of packs do better
//!        To take it, end with `at most 40 cycles;`
//! ```

use super::assertion::{Line, MOST_LINES, fault, uses_of};
use super::shape::Shape;
use super::synthesis::{Optimality, Synthesis};
use crate::access::placed::laid;
use crate::element::Element;
use crate::layout::Tile;
use tiledesc_transforms::{Text, say};

/// What was found, for the constants of the type that is declared.
///
/// # Panics
///
/// If nothing can be found, or nothing of so few cycles; without a limit, of the floor.
#[track_caller]
#[must_use]
pub const fn declare<E: Element, const C: usize, const N: usize>(
    name: &str,
    [rows, columns]: [usize; 2],
    lines: &[[Line<'_>; N]; C],
    limit: Option<u64>,
) -> Synthesis {
    let lines = lines.as_flattened();
    if lines.len() > MOST_LINES {
        let text = say!(Text::new(): str(name), ": ", lines.len(), " accesses are more than 64");
        text.refuse()
    }
    let tile = Shape { rows: rows as u32, columns: columns as u32, bits: E::BITS };
    let (uses, text) = (uses_of(lines), say!(Text::new(): str(name), ": "));
    match tile.propose(uses.split_at(lines.len()).0) {
        Ok(found) => {
            let is_enough = match limit {
                Some(limit) => found.cycles() <= limit,
                None => matches!(found.optimality(), Optimality::Floor),
            };
            if !is_enough {
                beyond::<E>(text, tile, &found, limit).refuse()
            }
            found
        }
        Err(error) => {
            let text = match error.access() {
                Some(access) => lines[access - 1].head(name),
                None => text,
            };
            error.reason(text).refuse()
        }
    }
}

/// "the best of F16 [128, 32] is ..: 40 cycles, floor 24: .."
const fn beyond<E: Element>(
    text: Text,
    tile: Shape,
    found: &Synthesis,
    limit: Option<u64>,
) -> Text {
    let text = say!(text:
        "the best of ", str(E::TYPE), " [", tile.rows, ", ", tile.columns, "] is "
    );
    let text = found.explain(text, E::TYPE);
    match limit {
        Some(limit) => say!(text: "\nThe statement says `at most ", limit, " cycles`"),
        None => say!(text: "\nTo take it, end with `at most ", found.cycles(), " cycles;`"),
    }
}

/// Judges the type that was declared: what the search says of it, the analyzer says too.
///
/// # Panics
///
/// With the line that is not as the search found it, or whose row is less sure than the statement
/// asks for.
#[track_caller]
pub const fn confirm<T: Tile, const C: usize, const N: usize>(
    name: &str,
    lines: &[[Line<'_>; N]; C],
    found: &Synthesis,
) {
    let lines = lines.as_flattened();
    let is_floor = matches!(found.optimality(), Optimality::Floor);
    let (mut cycles, mut i) = (0, 0);
    while i < lines.len() {
        let line = lines[i].uses();
        let verdict = match laid::<T>(line.lanes, line.instruction) {
            Ok(placed) => placed.verdict(),
            Err(misfit) => Err(misfit),
        };
        let may_conflict = match verdict {
            Ok(verdict) => {
                cycles += verdict.active_cycles() * line.times as u64;
                !is_floor && !verdict.is_free()
            }
            Err(_) => false,
        };
        if !may_conflict && let Some(text) = fault::<T>(name, lines, i) {
            text.refuse()
        }
        i += 1;
    }
    if cycles > found.cycles() {
        let text = say!(Text::new(): str(name), ": ", found.cycles(), " cycles by rank, ");
        say!(text: cycles, " by the verdict: this is a fault of tiledesc").refuse()
    }
}

/// Which of three forms a declared layout has.
#[derive(Clone, Copy, Debug)]
pub struct Form<const NUMBER: usize>;

/// The type of that form, of the three.
pub trait Forms<Bits, Pad, Shift> {
    /// The layout.
    type Tile;
}

impl<Bits, Pad, Shift> Forms<Bits, Pad, Shift> for Form<0> {
    type Tile = Bits;
}
impl<Bits, Pad, Shift> Forms<Bits, Pad, Shift> for Form<1> {
    type Tile = Pad;
}
impl<Bits, Pad, Shift> Forms<Bits, Pad, Shift> for Form<2> {
    type Tile = Shift;
}

/// Names layouts by what a kernel does to them: the compiler finds each, proves it, and checks it.
///
/// ```
/// use tiledesc::prelude::*;
///
/// synthesize! {
///     /// A of a block of 128 x 32 halves: written row by row, read as two kinds of operands.
///     pub type ABlock = F16 [128, 32] on gfx950:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>,
///         read  ds_read_b128  by MfmaRows<32> times 4;
/// }
/// // A type as any other: the one that is printed.
/// assert_eq!(ABlock::offset([4, 0]), 128 + 3 * 8);
/// // And a constant of the same name, with what was found.
/// assert_eq!(
///     ABlock.to_string(),
///     "recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>: \
///      28 cycles, the floor: no layout does better"
/// );
/// ```
///
/// A statement holds any number of accesses on one or more chips, with the words after `as` of
/// [`assert_conflict_free!`](crate::assert_conflict_free!). `times 4` weighs an access, where a
/// layout cannot serve all. A tile for which no layout is free does not compile, unless the
/// statement says how many cycles will do:
///
/// ```
/// use tiledesc::prelude::*;
///
/// // 1024 bytes from lane to lane: two lanes of a phase read the same four banks.
/// synthesize! {
///     type Halves = F16 [64, 96] on gfx942:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>;
///     at most 19 cycles;
/// }
/// assert_eq!((Halves.cycles(), Halves.floor()), (19, 16));
/// ```
///
/// In code that is generic over the tile, take a recipe with masks, or
/// [`Shape::synthesize`](crate::synthesis::Shape::synthesize) at run time.
#[macro_export]
macro_rules! synthesize {
    () => {};
    (
        $(#[$meta:meta])* $vis:vis type $Name:ident = $E:ty [ $m:expr, $k:expr $(,)? ]
        on $($($chip:ident)::+),+ $(as $($word:ident)+)? : $($rest:tt)+
    ) => {
        $crate::__synthesize! {
            {[$(#[$meta])* $vis] $Name $E, [$m] [$k] [$([$($chip)::+])+] [$($($word)+)?]} [] $($rest)+
        }
    };
    ($($other:tt)*) => {
        compile_error!(
            "synthesize!: write `type Name = F16 [128, 32] on gfx942: write ds_write_b128 by RowMajor, \
             read ds_read_b128 by MfmaRows<16> times 4;`"
        );
    };
}

/// The accesses, one by one: a pattern ends at `times`, at a comma before `read` or `write`, or at
/// the end.
#[doc(hidden)]
#[macro_export]
macro_rules! __synthesize {
    ($head:tt $done:tt read $($rest:tt)+) => {
        $crate::__synthesize! { @access $head $done read $($rest)+ }
    };
    ($head:tt $done:tt write $($rest:tt)+) => {
        $crate::__synthesize! { @access $head $done write $($rest)+ }
    };
    (@access $head:tt $done:tt $access:ident $instruction:ident $(($first:expr, $second:expr))? by $($rest:tt)+) => {
        $crate::__synthesize! { @by $head $done [$access $instruction [$($first, $second)?]] [] $($rest)+ }
    };
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+] times $times:tt, read $($rest:tt)+) => {
        $crate::__synthesize! { $head [$($done)* {$($access)+ [$times] $($p)+}] read $($rest)+ }
    };
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+] times $times:tt, write $($rest:tt)+) => {
        $crate::__synthesize! { $head [$($done)* {$($access)+ [$times] $($p)+}] write $($rest)+ }
    };
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+] times $times:tt $(,)?; $($rest:tt)*) => {
        $crate::__synthesize! { @end $head [$($done)* {$($access)+ [$times] $($p)+}] $($rest)* }
    };
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+], read $($rest:tt)+) => {
        $crate::__synthesize! { $head [$($done)* {$($access)+ [1] $($p)+}] read $($rest)+ }
    };
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+], write $($rest:tt)+) => {
        $crate::__synthesize! { $head [$($done)* {$($access)+ [1] $($p)+}] write $($rest)+ }
    };
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+] $(,)?; $($rest:tt)*) => {
        $crate::__synthesize! { @end $head [$($done)* {$($access)+ [1] $($p)+}] $($rest)* }
    };
    (@by $head:tt $done:tt $access:tt [$($p:tt)*] $next:tt $($rest:tt)*) => {
        $crate::__synthesize! { @by $head $done $access [$($p)* $next] $($rest)* }
    };
    // What stands behind: a limit, or the next layout.
    (@end $head:tt $accesses:tt at most $cycles:literal cycles; $($rest:tt)*) => {
        $crate::__synthesize! { @declare $head $accesses [Some($cycles)] }
        $crate::synthesize! { $($rest)* }
    };
    (@end $head:tt $accesses:tt $($rest:tt)*) => {
        $crate::__synthesize! { @declare $head $accesses [None] }
        $crate::synthesize! { $($rest)* }
    };
    (@declare
        {[$(#[$meta:meta])* $vis:vis] $Name:ident $E:ty, [$m:expr] [$k:expr] [$($chip:tt)+] $words:tt}
        $accesses:tt [$limit:expr]
    ) => {
        $crate::__point! { {$Name}
            #[doc = concat!("What was found for the layout `", stringify!($Name), "`.")]
            #[allow(non_upper_case_globals, long_running_const_eval, dead_code)]
            $vis const $Name: $crate::synthesis::Synthesis = {
                #[allow(unused_imports)]
                use $crate::chip::*;
                let terms = $crate::__terms!($words);
                match [$($crate::__lines!($chip terms $accesses)),+] {
                    lines => $crate::search::declaration::declare::<$E, _, _>(
                        stringify!($Name), [$m, $k], &lines, $limit,
                    ),
                }
            };
        }
        $(#[$meta])*
        $vis type $Name = <
            $crate::search::declaration::Form<{ $Name.form() }> as $crate::search::declaration::Forms<
                $crate::recipe::GemmXorBits<
                    $E,
                    $crate::parameter::M<{ $m }>,
                    $crate::parameter::K<{ $k }>,
                    $crate::parameter::KPack<{ $Name.numbers()[0] }>,
                    $crate::parameter::MLdsLayer<{ $Name.numbers()[1] }>,
                    (
                        $crate::Lit<{ $Name.numbers()[3] }>, $crate::Lit<{ $Name.numbers()[4] }>,
                        $crate::Lit<{ $Name.numbers()[5] }>, $crate::Lit<{ $Name.numbers()[6] }>,
                        $crate::Lit<{ $Name.numbers()[7] }>, $crate::Lit<{ $Name.numbers()[8] }>,
                        $crate::Lit<{ $Name.numbers()[9] }>, $crate::Lit<{ $Name.numbers()[10] }>,
                        $crate::Lit<{ $Name.numbers()[11] }>, $crate::Lit<{ $Name.numbers()[12] }>,
                        $crate::Lit<{ $Name.numbers()[13] }>, $crate::Lit<{ $Name.numbers()[14] }>,
                    ),
                >,
                $crate::recipe::RowPad<
                    $E,
                    $crate::parameter::M<{ $m }>,
                    $crate::parameter::K<{ $k }>,
                    $crate::parameter::Padding<{ $Name.numbers()[2] }>,
                >,
                $crate::recipe::RowShift<
                    $E,
                    $crate::parameter::M<{ $m }>,
                    $crate::parameter::K<{ $k }>,
                    $crate::parameter::KPack<{ $Name.numbers()[0] }>,
                >,
            >
        >::Tile;
        $crate::__point! { {$Name}
            #[allow(long_running_const_eval)]
            const _: () = {
                #[allow(unused_imports)]
                use $crate::chip::*;
                let terms = $crate::__terms!($words);
                match [$($crate::__lines!($chip terms $accesses)),+] {
                    lines => $crate::search::declaration::confirm::<$Name, _, _>(
                        stringify!($Name), &lines, &$Name,
                    ),
                }
            };
        }
    };
}
