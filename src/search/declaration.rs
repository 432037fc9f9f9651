//! `synthesize!` declares a layout by what is done to it.
//!
//! ```text
//! error: ABlock: the best of F16 [128, 32] is recipe::GemmXor<..>: 40 cycles, floor 24: no masks over
//!        packs do better
//!        To take it, end with `at most 40 cycles;`
//! ```

use super::assertion::{Line, MOST_LINES, fault, refuse_fills, uses_of};
use super::places::MOST_COLUMNS;
use super::shape::{Shape, Use};
use super::statement::{Numbers, Statement};
use super::synthesis::{Optimality, Synthesis, SynthesisError};
use crate::access::placed::laid;
use crate::element::Element;
use crate::layout::Tile;
use crate::parameter::{Lines, Padding};
use crate::recipe::of;
use tiledesc_transforms::{Extent, Lengths, List, NumberError, Text, say};

impl Numbers {
    const fn of(found: &Synthesis) -> Self {
        let tile = found.recipe_tile();
        Self {
            form: found.form(),
            rows: tile.rows as usize,
            columns: tile.columns as usize,
            pack: found.layout().pack() as usize,
            layers: found.layers() as usize,
            padding: found.padding(),
            list: packed(found),
        }
    }
}

/// What was found, for the constants of the type that is declared; what is wrong with it,
/// [`confirm`] says.
#[doc(hidden)]
#[must_use]
pub const fn declare<E: Element, const C: usize, const N: usize>(
    tile: [usize; 2],
    lines: &'static [[Line<'static>; N]; C],
) -> Synthesis {
    let (shape, lines) = (shape::<E>(tile), lines.as_flattened());
    let found = match propose(shape, lines) {
        Ok(found) => found,
        Err(_) => Synthesis::unknown(shape),
    };
    let numbers = Numbers::of(&found);
    let statement = Statement { numbers, lines, of_chip: N, ..found.statement };
    found.of_statement(statement)
}

const fn shape<E: Element>([rows, columns]: [usize; 2]) -> Shape {
    Shape { rows: rows as u32, columns: columns as u32, bits: E::BITS }
}

const fn propose(shape: Shape, lines: &[Line<'_>]) -> Result<Synthesis, SynthesisError> {
    let count = if lines.len() < MOST_LINES { lines.len() } else { MOST_LINES };
    shape.propose(uses_of(lines).split_at(count).0)
}

/// What is wrong with the statement itself.
#[track_caller]
const fn check<E: Element>(
    name: &str,
    shape: Shape,
    lines: &[Line<'_>],
    found: &Synthesis,
    limit: Option<u64>,
) {
    if lines.len() > MOST_LINES {
        let text = say!(Text::new(): str(name), ": ", lines.len(), " accesses are more than ");
        say!(text: MOST_LINES).refuse()
    }
    // Of a layout that could not be found the search says why once more.
    if found.cycles() == 0
        && let Err(error) = propose(shape, lines)
    {
        let text = match error.access() {
            Some(access) => lines[access - 1].head(name),
            None => say!(Text::new(): str(name), ": "),
        };
        error.reason(text).refuse()
    }
    let is_enough = match limit {
        Some(limit) => found.cycles() <= limit,
        None => matches!(found.optimality(), Optimality::Floor),
    };
    if !is_enough {
        let text = say!(Text::new(): str(name), ": ");
        beyond::<E>(text, shape, found, limit).refuse()
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

/// Judges the type that was declared: what the search says of it, the analyzer and the plan of its
/// direct load say too.
///
/// # Panics
///
/// If nothing was found, or nothing of so few cycles, without a limit of the floor; with the line
/// that is not as the search found it, or whose row is less sure than the statement asks for.
#[doc(hidden)]
#[track_caller]
pub const fn confirm<T: Tile>(name: &str, tile: [usize; 2], found: &Synthesis, limit: Option<u64>) {
    let Statement { lines, of_chip, laid, .. } = found.statement;
    check::<T::Element>(name, shape::<T::Element>(tile), lines, found, limit);
    refuse_fills::<T>(name, lines, of_chip);
    let is_floor = matches!(found.optimality(), Optimality::Floor);
    let free = if is_floor { laid.free::<T>(lines) } else { 0 };
    let (mut cycles, mut i) = (0, 0);
    while i < lines.len() {
        if free >> i & 1 == 1 {
            i += 1;
            continue;
        }
        let conflicts = if is_floor { None } else { conflicting::<T>(name, &lines[i]) };
        match conflicts {
            Some(more) => cycles += more,
            None => {
                if let Some(text) = fault::<T>(name, lines, i) {
                    text.refuse()
                }
            }
        }
        i += 1;
    }
    if cycles > found.cycles() {
        let text = say!(Text::new(): str(name), ": ", found.cycles(), " cycles by rank, ");
        say!(text: cycles, " by the verdict: this is a fault of tiledesc").refuse()
    }
}

/// The cycles of an access that conflicts.
#[track_caller]
const fn conflicting<T: Tile>(name: &str, line: &Line<'_>) -> Option<u64> {
    let Use { lanes, instruction, times, .. } = line.uses();
    let Ok(placed) = laid::<T>(lanes, instruction) else { return None };
    match placed.verdict() {
        Ok(verdict) if !verdict.is_free() => {
            if line.is_weak(&verdict) {
                line.weak(line.head(name), &verdict).refuse()
            }
            Some(verdict.active_cycles() * times as u64)
        }
        _ => None,
    }
}

/// A list as one number, of items of so many bits each: a declaration has one constant, where a tuple
/// has twelve that cost the compiler 0.3 ms each.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackedList<const WIDTH: u32, const ITEMS: u128>;

/// Masks: twelve of ten bits.
pub type PackedMasks<const MASKS: u128> = PackedList<{ MASK_BITS }, MASKS>;

/// Columns: eleven of as many bits, the last one of which is not 0.
pub type PackedColumns<const COLUMNS: u128> = PackedList<{ MOST_COLUMNS }, COLUMNS>;

const MASK_BITS: u32 = 10;

impl<const WIDTH: u32, const ITEMS: u128> PackedList<WIDTH, ITEMS> {
    const COUNT: usize = (u128::BITS - ITEMS.leading_zeros()).div_ceil(WIDTH) as usize;
    const LIST: List = {
        let (mut items, mut i) = ([0; List::CAPACITY], 0);
        while i < Self::COUNT {
            items[i] = (ITEMS >> (WIDTH * i as u32)) as u32 % (1 << WIDTH);
            i += 1;
        }
        List::of_first(items, Self::COUNT)
    };
}

/// The masks or columns of what was found, as one number.
const fn packed(found: &Synthesis) -> u128 {
    let (items, width) = match found.columns_of_packs() {
        Some(columns) => (columns, MOST_COLUMNS),
        None => (found.masks(), MASK_BITS),
    };
    let (mut packed, mut i) = (0, 0);
    while i < items.len() {
        packed |= (items.at(i) as u128) << (width * i as u32);
        i += 1;
    }
    packed
}

/// The items of a run-time value: constants all the same.
#[derive(Clone, Copy, Debug)]
pub struct ListExtents([Extent; List::CAPACITY], usize);

impl AsRef<[Extent]> for ListExtents {
    #[inline(always)]
    fn as_ref(&self) -> &[Extent] {
        &self.0[..self.1]
    }
}

impl<const WIDTH: u32, const ITEMS: u128> Lengths for PackedList<WIDTH, ITEMS> {
    const COUNT: usize = Self::COUNT;
    const KNOWN: Result<List, NumberError> = Ok(Self::LIST);
    type Extents = ListExtents;

    #[inline(always)]
    fn extents(&self) -> ListExtents {
        const {
            let (mut items, mut i) = ([Extent::constant(1); List::CAPACITY], 0);
            while i < Self::COUNT {
                items[i] = Extent::constant(Self::LIST.at(i));
                i += 1;
            }
            ListExtents(items, Self::COUNT)
        }
    }
}

/// Which form a declared layout has: of five for rows, and the same for columns.
#[derive(Clone, Copy, Debug)]
pub struct FormOf<const NUMBER: usize>;

/// The recipe of a form, with its parameters.
pub trait RecipeOf<M, K, P, L, S, Masks> {
    /// What the layout is made of.
    type Recipe;
}

macro_rules! forms {
    ($($number:literal, $by_columns:literal: $Recipe:ty;)*) => {$(
        impl<M, K, P, L, S, Masks> RecipeOf<M, K, P, L, S, Masks> for FormOf<$number> {
            type Recipe = $Recipe;
        }
        impl<M, K, P, L, S, Masks> RecipeOf<M, K, P, L, S, Masks> for FormOf<$by_columns> {
            type Recipe = of::Transposed<$Recipe>;
        }
    )*};
}
forms! {
    0, 5: of::GemmXorBits<M, K, P, L, Masks>;
    1, 6: of::RowPad<M, K, S>;
    2, 7: of::RowShift<M, K, P>;
}

/// Masks of lines: what is a pad's number elsewhere is how many lines a row has.
type OfLines<M, K, P, L, Masks, const LINES: usize> =
    of::Joined<of::GemmXorBits<M, K, P, L, Masks>, Lines<LINES>>;

impl<M, K, P, L, Masks, const LINES: usize> RecipeOf<M, K, P, L, Padding<LINES>, Masks>
    for FormOf<3>
{
    type Recipe = OfLines<M, K, P, L, Masks, LINES>;
}

impl<M, K, P, L, Masks, const LINES: usize> RecipeOf<M, K, P, L, Padding<LINES>, Masks>
    for FormOf<8>
{
    type Recipe = of::Transposed<OfLines<M, K, P, L, Masks, LINES>>;
}

impl<M, K, P, L, S, const COLUMNS: u128> RecipeOf<M, K, P, L, S, PackedMasks<COLUMNS>>
    for FormOf<4>
{
    type Recipe = of::LinearPacks<M, K, P, PackedColumns<COLUMNS>>;
}

impl<M, K, P, L, S, const COLUMNS: u128> RecipeOf<M, K, P, L, S, PackedMasks<COLUMNS>>
    for FormOf<9>
{
    type Recipe = of::Transposed<of::LinearPacks<M, K, P, PackedColumns<COLUMNS>>>;
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
/// Of a tile that a direct load fills, `filled by global_load_lds_b128 by 4 waves,` comes before
/// the accesses, and only layouts that it can fill are searched.
///
/// In code that is generic over the tile, take a recipe with masks, or
/// [`Shape::synthesize`](crate::synthesis::Shape::synthesize) at run time.
#[doc(alias = "swizzle")]
#[macro_export]
macro_rules! synthesize {
    () => {};
    // Accesses without weights are read at once; what follows a weight, token by token.
    (
        $(#[$meta:meta])* $vis:vis type $Name:ident = $E:ty [ $m:expr, $k:expr $(,)? ]
        on $($($chip:ident)::+),+ $(as $($word:ident)+)? :
        $($access:ident $instruction:ident $(($first:expr, $second:expr))? by $Pattern:ty),+ $(,)?
        $(; $($rest:tt)*)?
    ) => {
        $crate::__synthesize! { @end
            {[$(#[$meta])* $vis] $Name $E, [$m] [$k] [$([$($chip)::+])+] [$($($word)+)?] []}
            [$({$access $instruction [$($first, $second)?] [] $Pattern})+] $($($rest)*)?
        }
    };
    (
        $(#[$meta:meta])* $vis:vis type $Name:ident = $E:ty [ $m:expr, $k:expr $(,)? ]
        on $($($chip:ident)::+),+ $(as $($word:ident)+)? : $($rest:tt)+
    ) => {
        $crate::__synthesize! {
            {[$(#[$meta])* $vis] $Name $E, [$m] [$k] [$([$($chip)::+])+] [$($($word)+)?] []} [] $($rest)+
        }
    };
    ($($other:tt)*) => {
        $crate::__synthesize! { @form }
    };
}

/// The accesses, one by one: a pattern ends at `times`, at a comma before `read` or `write`, or at
/// the end.
#[doc(hidden)]
#[macro_export]
macro_rules! __synthesize {
    ({$head:tt $Name:ident $E:ty, $m:tt $k:tt $chips:tt $words:tt []} []
        filled by $transfer:ident by $waves:tt $unit:ident, $($rest:tt)+
    ) => {
        $crate::__synthesize! {
            {$head $Name $E, $m $k $chips $words [$transfer $waves $unit]} [] $($rest)+
        }
    };
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
        $crate::__synthesize! { $head [$($done)* {$($access)+ [] $($p)+}] read $($rest)+ }
    };
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+], write $($rest:tt)+) => {
        $crate::__synthesize! { $head [$($done)* {$($access)+ [] $($p)+}] write $($rest)+ }
    };
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+] $(,)?; $($rest:tt)*) => {
        $crate::__synthesize! { @end $head [$($done)* {$($access)+ [] $($p)+}] $($rest)* }
    };
    // The last `;` may be left out.
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+] times $times:tt $(,)?) => {
        $crate::__synthesize! { @end $head [$($done)* {$($access)+ [$times] $($p)+}] }
    };
    (@by $head:tt [$($done:tt)*] [$($access:tt)+] [$($p:tt)+] $(,)?) => {
        $crate::__synthesize! { @end $head [$($done)* {$($access)+ [] $($p)+}] }
    };
    (@by $head:tt $done:tt $access:tt [$($p:tt)*] $next:tt $($rest:tt)*) => {
        $crate::__synthesize! { @by $head $done $access [$($p)* $next] $($rest)* }
    };
    // What stands behind: a limit, or the next layout.
    (@end $head:tt $accesses:tt at most $cycles:literal cycles $(; $($rest:tt)*)?) => {
        $crate::__synthesize! { @declare $head $accesses [Some($cycles)] }
        $crate::synthesize! { $($($rest)*)? }
    };
    (@end $head:tt $accesses:tt $($rest:tt)*) => {
        $crate::__synthesize! { @declare $head $accesses [None] }
        $crate::synthesize! { $($rest)* }
    };
    (@declare
        {[$(#[$meta:meta])* $vis:vis] $Name:ident $E:ty, [$m:expr] [$k:expr] [$($chip:tt)+] $words:tt $fill:tt}
        $accesses:tt [$limit:expr]
    ) => {
        #[doc = concat!("What was found for the layout `", stringify!($Name), "`.")]
        #[allow(non_upper_case_globals, long_running_const_eval, dead_code)]
        $vis const $Name: $crate::synthesis::Synthesis = {
            #[allow(unused_imports)]
            use $crate::chip::*;
            $crate::__terms! { @const $words }
            $crate::search::declaration::declare::<$E, _, _>(
                [$m, $k],
                &[$($crate::__lines!($chip $words $fill $accesses)),+],
            )
        };
        $(#[$meta])*
        $vis type $Name = $crate::Layout<$E, <
            $crate::search::declaration::FormOf<{ $Name.statement.numbers.form }> as $crate::search::declaration::RecipeOf<
                $crate::parameter::M<{ $Name.statement.numbers.rows }>,
                $crate::parameter::K<{ $Name.statement.numbers.columns }>,
                $crate::parameter::KPack<{ $Name.statement.numbers.pack }>,
                $crate::parameter::MLdsLayer<{ $Name.statement.numbers.layers }>,
                $crate::parameter::Padding<{ $Name.statement.numbers.padding }>,
                $crate::search::declaration::PackedMasks<{ $Name.statement.numbers.list }>,
            >
        >::Recipe>;
        #[allow(long_running_const_eval)]
        const _: () = $crate::__point! {
            {$Name} $crate::search::declaration::confirm::<$Name>(
                stringify!($Name), [$m, $k], &$Name, $limit,
            )
        };
    };
    // The form, for whatever is none.
    ($($other:tt)*) => {
        compile_error!(
            "synthesize!: write `type Name = F16 [128, 32] on gfx942: write ds_write_b128 by RowMajor, \
             read ds_read_b128 by MfmaRows<16> times 4;`"
        );
    };
}
