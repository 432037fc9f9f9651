//! The promise as a statement: a layout that conflicts does not compile.
//!
//! One statement holds everything that a kernel does to a tile, because a remedy
//! must serve all of it: a pad that frees the read may break the write.
//!
//! ```text
//! error: Plain: ds_read_b128 on gfx942 by MfmaRows<16>: 4-way in phase 0: lanes 0 and 1,
//!        (0, 0) and (1, 0), bytes 0 and 128, bank 0
//!        Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or recipe::RowPad<..>, ..
//! ```

use super::instead::Copies;
pub use super::stated_access::{RowDemand, StatedAccess};
use crate::access::error::AccessError;
use crate::access::placed::laid;
use crate::access::refusal::AddressError;
use crate::bank::outlined;
use crate::direct::statement::{head, row as transfer};
use crate::element::Element;
use crate::layout::{Layout, Recipe, Tile, known};
use crate::search::fill::Fill;
use crate::search::shape::{Shape, Use};
use tiledesc_transforms::{Text, say};

/// Refuses a layout that conflicts in one access, on any chip, on the caller's line: what
/// [`assert_conflict_free!`](crate::assert_conflict_free!) does for each of its accesses. What
/// would be free is so in all accesses.
///
/// # Panics
///
/// With the degree, the phase, the bank, and two lanes with their coordinates
/// and bytes, of the first chip on which it conflicts; and with what would be free.
#[track_caller]
pub(crate) const fn refuse_access<T: Tile, const C: usize, const N: usize>(
    layout: &str,
    accesses: &[[StatedAccess<'_>; N]; C],
    access: usize,
    copies: Copies,
) {
    let mut chip = 0;
    while chip < C {
        // Mostly the outline tells, and a plan is never made.
        if !is_free::<T>(&accesses[chip][access])
            && let Some(text) =
                fault::<T>(layout, accesses.as_flattened(), chip * N + access, copies)
        {
            text.refuse()
        }
        chip += 1;
    }
}

/// Whether an access is known to be free by the layout's outline, and nothing is wrong with it.
pub(crate) const fn is_free<T: Tile>(stated: &StatedAccess<'_>) -> bool {
    stated.is_plain()
        && matches!(outlined::degree::<T>(&stated.uses.lanes, stated.uses.instruction), Some(1))
}

/// What is wrong with an access.
#[track_caller]
pub(crate) const fn fault<T: Tile>(
    layout: &str,
    accesses: &[StatedAccess<'_>],
    i: usize,
    copies: Copies,
) -> Option<Text> {
    let (stated, instruction) = (&accesses[i], accesses[i].uses.instruction);
    if !instruction.is_absent() && !stated.says.is(instruction.access()) {
        let text = stated.head(layout);
        let text = say!(text:
            "the instruction ", str(instruction.access().verb()), ", the assertion says `",
            str(stated.says.name()), "`"
        );
        return Some(text);
    }
    let verdict = match laid::<T>(stated.uses.lanes, instruction) {
        Ok(placed) => placed.verdict(),
        Err(misfit) => Err(misfit),
    };
    // The words come last: they are as much work as the verdict, and mostly nobody reads them.
    if let Ok(verdict) = &verdict
        && verdict.is_free()
    {
        return if stated.is_weak(verdict) {
            Some(stated.weak(stated.head(layout), verdict))
        } else {
            None
        };
    }
    let text = stated.head(layout);
    match verdict {
        Ok(verdict) if verdict.is_free_but_disputed() => {
            Some(with_remedy::<T>(stated.disputed(text, &verdict), accesses, copies))
        }
        Ok(verdict) if verdict.conflicts().race.is_some() => Some(verdict.finding(text)),
        Ok(verdict) => Some(with_remedy::<T>(verdict.finding(text), accesses, copies)),
        Err(AccessError::Layout(error)) => error.refuse(layout),
        // Another layout may keep the elements together, and begin them where the instruction can.
        Err(
            misfit @ (AccessError::NotContiguous { .. }
            | AccessError::Address(AddressError::Misaligned { .. })),
        ) => Some(with_remedy::<T>(misfit.explain(text), accesses, copies)),
        Err(misfit) => Some(misfit.explain(text)),
    }
}

/// The direct load that a statement names, on the chip of its rows; `says` is what the statement calls it.
///
/// # Panics
///
/// If the chip has no such transfer.
#[doc(hidden)]
#[must_use]
#[track_caller]
pub const fn fill(
    chip: &'static str,
    says: &'static str,
    name: &'static str,
    waves: u32,
) -> Fill<'static> {
    // A row of the user's may be of no chip.
    let chip = if chip.is_empty() { says } else { chip };
    match transfer(chip, name) {
        Ok(transfer) => Fill::by(transfer, waves),
        Err(error) => error.explain(Text::new()).refuse(),
    }
}

/// Lines of a tile that a direct load fills.
#[doc(hidden)]
#[must_use]
pub const fn filled<'a, const N: usize>(
    mut accesses: [StatedAccess<'a>; N],
    fill: Fill<'a>,
) -> [StatedAccess<'a>; N] {
    let mut i = 0;
    while i < N {
        accesses[i].uses = accesses[i].uses.filled_by(fill);
        i += 1;
    }
    accesses
}

/// Refuses a layout that the direct load of its statement cannot fill, on some chip.
///
/// # Panics
///
/// With the byte, the lane and the reason.
#[track_caller]
pub const fn refuse_fill<T: Tile, const C: usize, const N: usize>(
    layout: &str,
    accesses: &[[StatedAccess<'_>; N]; C],
) {
    refuse_fills::<T>(layout, accesses.as_flattened(), N);
}

/// The same of accesses of which so many are of one chip.
#[track_caller]
pub(crate) const fn refuse_fills<T: Tile>(
    layout: &str,
    accesses: &[StatedAccess<'_>],
    of_chip: usize,
) {
    let mut i = 0;
    while i < accesses.len() {
        // Without a fill nobody asks for a plan, which may never be made.
        if let Some(fill) = accesses[i].uses.fill
            && let Ok(plan) = known::<T>()
            && let Err(error) = fill.plan(plan, T::Element::BITS)
        {
            let text = say!(Text::new(): str(layout), ": ");
            let text = head(text, fill.transfer().name(), accesses[i].chip(), fill.waves());
            with_remedy::<T>(error.explain(text), accesses, Copies::ONE).refuse()
        }
        i += of_chip;
    }
}

/// Appends what would be free.
const fn with_remedy<T: Tile>(text: Text, accesses: &[StatedAccess<'_>], copies: Copies) -> Text {
    let Ok(plan) = known::<T>() else { return text };
    let Some(shape) = Shape::of(plan, T::Element::BITS) else { return text };
    // Of an instruction that a chip lacks nothing can be free.
    if accesses.len() > MOST_ACCESSES || has_absent(accesses) {
        return text;
    }
    let uses = uses_of(accesses);
    let (element, space) = (T::Element::TYPE, plan.element_space());
    shape.explain(text, element, space, uses.split_at(accesses.len()).0, copies)
}

const fn has_absent(accesses: &[StatedAccess<'_>]) -> bool {
    let mut i = 0;
    while i < accesses.len() {
        if accesses[i].uses.instruction.is_absent() {
            return true;
        }
        i += 1;
    }
    false
}

/// The uses of some accesses; of more than 64 the first.
pub(crate) const fn uses_of<'a>(accesses: &[StatedAccess<'a>]) -> [Use<'a>; MOST_ACCESSES] {
    let (mut uses, mut i) = ([accesses[0].uses; MOST_ACCESSES], 0);
    while i < accesses.len() && i < MOST_ACCESSES {
        uses[i] = accesses[i].uses;
        i += 1;
    }
    uses
}

/// A statement of more accesses is judged, but no remedy is tried: 64 accesses take a second.
pub(crate) const MOST_ACCESSES: usize = 64;

impl<E, R> Layout<E, R> {
    #[doc(hidden)]
    #[track_caller]
    pub const fn refuse_access<const CHIPS: usize, const ACCESSES: usize>(
        layout: &str,
        accesses: &[[StatedAccess<'_>; ACCESSES]; CHIPS],
        access: usize,
    ) where
        E: Element,
        R: Recipe<E>,
    {
        refuse_access::<Self, CHIPS, ACCESSES>(layout, accesses, access, Copies::ONE);
    }
}

/// Refuses, at compile time, layouts whose wave accesses conflict.
///
/// One statement for a layout, a chip and any number of accesses; the error
/// names the phase, the bank, and two lanes with coordinates and bytes, and a layout
/// of the same tile that was tried and found free in all of them:
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
/// assert_conflict_free! { Plain on gfx942: read ds_read_b128 by MfmaRows<16> }
/// // Plain: ds_read_b128 on gfx942 by MfmaRows<16>: 4-way in phase 0:
/// // lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0
/// // Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or recipe::RowPad<..>, ...
/// ```
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_conflict_free! {
///     ABlock on gfx942:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>,
///         read  ds_read_b128  by MfmaRows<32>,
/// }
///
/// // The two offsets of a `ds_read2`, as the instruction has them: any constants. In the last instructions of the
/// // tile the second address would be outside of it: `first` states one alone.
/// layout! { type Floats = recipe::RowMajor<F32, M<64>, K<64>>; }
/// const ROW: u8 = 64;
/// assert_conflict_free! { Floats on gfx942: read ds_read2_b32(0, ROW) by first RowMajor }
///
/// // Any type, and several chips at once: a remedy must serve all of them.
/// mod tiles {
///     use tiledesc::prelude::*;
///     layout! { pub type A = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// }
/// assert_conflict_free! {
///     tiles::A on gfx942, gfx90a: read ds_read_b128 by MfmaRows<16>;
///     recipe::RowMajor<F32, U64, U32> on gfx942: write ds_write_b32 by RowMajor
/// }
/// ```
///
/// Words after `as` say how sure the rows must be; they hold for every chip and access of the
/// statement. A row that is less sure is refused, though the access is free by it:
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_conflict_free! {
///     Tile on gfx942 as measured: read ds_read_b128 by MfmaRows<16>;
///     Tile on gfx942, gfx950 as documented: read ds_read_b128 by MfmaRows<16>
/// }
/// ```
///
/// | `as` | rows that are accepted |
/// |---|---|
/// | nothing, or `inferred` | all |
/// | `documented` | those that a source states or measured |
/// | `measured` | those that a source measured |
/// | `disputed` | as without it; of two sources that disagree, the row's own counts |
/// | `rival` | as without it; of two sources that disagree, the other counts |
///
/// A statement has one word of the first three at most, and one of the last two.
///
/// Where two sources disagree on a row (gfx950, up to 4 bytes per lane) and only one finds the
/// access free, the statement is refused, with both figures, until it says which one counts:
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type Tile = recipe::RowMajor<F32, M<2>, K<64>>; }
/// pattern! { Halves(lane) => [lane / 32, lane % 32]; }
/// // 32 lanes at a time on 32 banks by rocKE: free; 64 on 64 banks by amd-shark-ai: 2-way.
/// assert_conflict_free! { Tile on gfx950 as disputed: read ds_read_b32 by Halves }
/// ```
///
/// A tile that a direct load fills says so first: then a layout that its waves cannot fill is
/// refused, and what is free instead can be filled too. Without it a row pad may be suggested,
/// which lane 8 of 64 would write:
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type ABlock = recipe::GemmXor64<F16, M<128>, K<64>, KPack<8>>; }
/// assert_conflict_free! {
///     ABlock on gfx950:
///         filled by global_load_lds_b128 by 4 waves,
///         read ds_read_b128 by MfmaRows<16>
/// }
/// ```
///
/// The chip is a module of [`chip`](crate::chip), or one of your own with such
/// constants (by a path, `crate::mine`, if it has the name of one of ours):
///
/// ```
/// use tiledesc::prelude::*;
///
/// #[allow(non_upper_case_globals)]
/// mod vx {
///     use tiledesc::chip::{Instruction, Phases};
///
///     pub const vx_read_b64: Instruction = Instruction::read("vx_read_b64", 8)
///         .banks(64)
///         .phases(Phases::contiguous(32))
///         .on("vx", 64 * 1024)
///         .source("measured here, 2026-11");
/// }
/// layout! { type Tile = recipe::RowPad<F16, M<128>, K<64>, Padding<4>>; }
/// assert_conflict_free! { Tile on vx: read vx_read_b64 by MfmaRows<32> }
/// # fn main() {}
/// ```
#[doc(alias = "bank conflict")]
#[macro_export]
macro_rules! assert_conflict_free {
    ($($statements:tt)+) => {
        $crate::__accesses! { [const _: () =] [;] [] $($statements)+ }
    };
}

/// [`assert_conflict_free!`](crate::assert_conflict_free!) inside a function that is generic over
/// the tile: checked for each tile that it is called with.
///
/// ```
/// use tiledesc::prelude::*;
///
/// fn kernel<M: Number, K: Number>(lds: &mut [u16], m: u32, k: u32, v: u16) {
///     check_conflict_free! {
///         recipe::GemmXor<F16, M, K, U8> on gfx942 as documented:
///             write ds_write_b128 by RowMajor;
///         recipe::GemmXor<F16, M, K, U8> on gfx942, gfx90a:
///             write ds_write_b128 by RowMajor,
///             read  ds_read_b128  by MfmaRows<16>
///     }
///     lds[recipe::GemmXor::<F16, M, K, U8>::at([m, k]) as usize] = v;
/// }
/// let mut lds = [0; 8192];
/// kernel::<U128, U64>(&mut lds, 3, 17, 7);
/// assert_eq!(lds[201], 7);
/// ```
///
/// The error names the function with its parameters, and the tile:
///
/// ```compile_fail,E0080
/// use tiledesc::prelude::*;
///
/// fn kernel<K: Number>(k: u32) -> u32 {
///     check_conflict_free! {
///         recipe::RowMajor<F16, U128, K> on gfx942: read ds_read_b128 by MfmaRows<16>
///     }
///     recipe::RowMajor::<F16, U128, K>::at([0u32, k])
/// }
/// kernel::<U64>(3);
/// ```
///
/// It comes when code is generated (`cargo build`, `cargo test`), for only then is it known
/// with what a generic function is called; `cargo check` does not see it.
#[macro_export]
macro_rules! check_conflict_free {
    ($($statements:tt)+) => {
        $crate::__accesses! { [const] [] [] $($statements)+ }
    };
}

/// Statements: `Layout on chip, ..: access instruction by Pattern, ..;`. A layout ends at `on`, which may not
/// follow a `$Layout:ty`, so its tokens are read up to four at a time.
///
/// | rule | reads |
/// |---|---|
/// | without a name | tokens of the layout, up to `on` |
/// | `@on` | what follows `on`: chips, words, the fill, accesses |
/// | `@chips`, `@each` | chips and words, then the accesses one by one, where one is of its `first` instruction |
/// | `@statement` | nothing more: it writes the constant |
/// | `@rest` | the statements behind the `;` |
///
/// | argument | holds |
/// |---|---|
/// | `$before`, `$behind` | what stands around a statement: `[const _: () =]` and `[;]`, in a function `[const]` and `[]` |
/// | `$head`, `$all`, `$done` | of `@each`: what `@statement` takes before the accesses; all tokens, for the error; the accesses that are read |
/// | `$l` | the tokens of the layout so far |
/// | `$chip` | a chip's path in brackets, `[gfx942]` |
/// | `$words` | the words after `as`, or `[]` |
/// | `$fill` | `[transfer waves unit]` of `filled by`, or `[]` |
/// | `$accesses` | `{access instruction [offsets] [times] Pattern}` for each, `first Pattern` of one instruction |
#[doc(hidden)]
#[macro_export]
macro_rules! __accesses {
    // What follows `on`, where a direct load fills the tile.
    (@on $before:tt $behind:tt [$Layout:ty] $($($chip:ident)::+),+ $(as $($word:ident)+)? :
        filled by $transfer:ident by $waves:tt $unit:ident,
        $($access:ident $instruction:ident $(($first:expr, $second:expr))? by $Pattern:ty),+ $(,)?
        $(; $($rest:tt)*)?
    ) => {
        $crate::__accesses! { @statement $before $behind $Layout, [$([$($chip)::+])+] [$($($word)+)?]
            [$transfer $waves $unit]
            [$({$access $instruction [$($first, $second)?] [] $Pattern})+] }
        $($crate::__accesses! { @rest $before $behind $($rest)* })?
    };
    // The same without a fill.
    (@on $before:tt $behind:tt [$Layout:ty] $($($chip:ident)::+),+ $(as $($word:ident)+)? :
        $($access:ident $instruction:ident $(($first:expr, $second:expr))? by $Pattern:ty),+ $(,)?
        $(; $($rest:tt)*)?
    ) => {
        $crate::__accesses! { @statement $before $behind $Layout, [$([$($chip)::+])+] [$($($word)+)?]
            [] [$({$access $instruction [$($first, $second)?] [] $Pattern})+] }
        $($crate::__accesses! { @rest $before $behind $($rest)* })?
    };
    // With the word `first` before a pattern: chips and words, then access by access.
    (@on $before:tt $behind:tt [$Layout:ty] $($rest:tt)+) => {
        $crate::__accesses! { @chips {$before $behind $Layout} [$Layout on $($rest)+] $($rest)+ }
    };
    (@chips {$before:tt $behind:tt $Layout:ty} $all:tt $($($chip:ident)::+),+ $(as $($word:ident)+)? :
        filled by $transfer:ident by $waves:tt $unit:ident, $($rest:tt)+
    ) => {
        $crate::__accesses! { @each {$before $behind $Layout, [$([$($chip)::+])+] [$($($word)+)?]
            [$transfer $waves $unit]} $all [] $($rest)+ }
    };
    (@chips {$before:tt $behind:tt $Layout:ty} $all:tt $($($chip:ident)::+),+ $(as $($word:ident)+)? : $($rest:tt)+) => {
        $crate::__accesses! { @each {$before $behind $Layout, [$([$($chip)::+])+] [$($($word)+)?] []}
            $all [] $($rest)+ }
    };
    (@chips $head:tt [$($all:tt)*] $($rest:tt)*) => {
        $crate::__accesses! { @unread $($all)* }
    };
    // One that others follow, of its first instruction and of all.
    (@each $head:tt $all:tt [$($done:tt)*] $access:ident $instruction:ident $(($first:expr, $second:expr))? by first $Pattern:ty,
        $($rest:tt)*
    ) => {
        $crate::__accesses! { @each $head $all
            [$($done)* {$access $instruction [$($first, $second)?] [] first $Pattern}] $($rest)* }
    };
    (@each $head:tt $all:tt [$($done:tt)*] $access:ident $instruction:ident $(($first:expr, $second:expr))? by first $Pattern:ty
        $(; $($rest:tt)*)?
    ) => {
        $crate::__accesses! { @each $head $all
            [$($done)* {$access $instruction [$($first, $second)?] [] first $Pattern}] $(; $($rest)*)? }
    };
    (@each $head:tt $all:tt [$($done:tt)*] $access:ident $instruction:ident $(($first:expr, $second:expr))? by $Pattern:ty,
        $($rest:tt)*
    ) => {
        $crate::__accesses! { @each $head $all
            [$($done)* {$access $instruction [$($first, $second)?] [] $Pattern}] $($rest)* }
    };
    (@each $head:tt $all:tt [$($done:tt)*] $access:ident $instruction:ident $(($first:expr, $second:expr))? by $Pattern:ty
        $(; $($rest:tt)*)?
    ) => {
        $crate::__accesses! { @each $head $all
            [$($done)* {$access $instruction [$($first, $second)?] [] $Pattern}] $(; $($rest)*)? }
    };
    // All are read.
    (@each {$before:tt $behind:tt $Layout:ty, $chips:tt $words:tt $fill:tt} $all:tt [$($done:tt)+] $(; $($rest:tt)*)?) => {
        $crate::__accesses! { @statement $before $behind $Layout, $chips $words $fill [$($done)+] }
        $($crate::__accesses! { @rest $before $behind $($rest)* })?
    };
    // Not of the form.
    (@each $head:tt [$($all:tt)*] $($rest:tt)*) => {
        $crate::__accesses! { @unread $($all)* }
    };
    // No further statement.
    (@rest $before:tt $behind:tt) => {};
    // A further statement: its layout begins without tokens.
    (@rest $before:tt $behind:tt $($rest:tt)+) => {
        $crate::__accesses! { $before $behind [] $($rest)+ }
    };
    // The constant: the accesses on each chip, then a check of the fill, then one for each access.
    (@statement [$($before:tt)*] [$($behind:tt)*] $Layout:ty, [$($chip:tt)+] $words:tt $fill:tt $accesses:tt) => {
        // A whole tile of 16 instructions is 1024 coordinates and over the lint's limit.
        #[allow(long_running_const_eval)]
        $($before)* {
            // Ours by their names; a name that is none of ours is the user's.
            #[allow(unused_imports)]
            use $crate::chip::names::modules::*;
            $crate::__terms! { @const $words }
            // A match, after which the rows that the lines refer to live on.
            match [$($crate::__lines!($chip $words $fill $accesses)),+] {
                accesses => {
                    $crate::__filled! { @judge $Layout, accesses $fill }
                    $crate::__judge! { $Layout, accesses [] $accesses }
                }
            }
        } $($behind)*
    };
    // What went wrong after `on`: no layout before it.
    (@on $before:tt $behind:tt [] $($rest:tt)*) => {
        ::core::compile_error!("no layout stands before `on`: write `Layout on gfx942: read ds_read_b128 by RowMajor`");
    };
    // The rest is not of the form.
    (@on $before:tt $behind:tt [$($l:tt)*] $($rest:tt)*) => {
        $crate::__accesses! { @unread $($l)* on $($rest)* }
    };
    (@unread $($statement:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "cannot parse `", ::core::stringify!($($statement)*), "`; expected `Layout on gfx942, gfx950: ",
            "read ds_read_b128 by RowMajor, write ds_write_b128 by RowMajor`; statements end with `;`"
        ));
    };
    // The layout ends here, or after one, two, three or four tokens.
    ($before:tt $behind:tt [$($l:tt)*] on $($rest:tt)*) => {
        $crate::__accesses! { @on $before $behind [$($l)*] $($rest)* }
    };
    ($before:tt $behind:tt [$($l:tt)*] $a:tt on $($rest:tt)*) => {
        $crate::__accesses! { @on $before $behind [$($l)* $a] $($rest)* }
    };
    ($before:tt $behind:tt [$($l:tt)*] $a:tt $b:tt on $($rest:tt)*) => {
        $crate::__accesses! { @on $before $behind [$($l)* $a $b] $($rest)* }
    };
    ($before:tt $behind:tt [$($l:tt)*] $a:tt $b:tt $c:tt on $($rest:tt)*) => {
        $crate::__accesses! { @on $before $behind [$($l)* $a $b $c] $($rest)* }
    };
    ($before:tt $behind:tt [$($l:tt)*] $a:tt $b:tt $c:tt $d:tt on $($rest:tt)*) => {
        $crate::__accesses! { @on $before $behind [$($l)* $a $b $c $d] $($rest)* }
    };
    // It does not end within four tokens: they are part of it.
    ($before:tt $behind:tt [$($l:tt)*] $a:tt $b:tt $c:tt $d:tt $($rest:tt)+) => {
        $crate::__accesses! { $before $behind [$($l)* $a $b $c $d] $($rest)+ }
    };
    // Fewer than five tokens are left, and none is `on`.
    ($before:tt $behind:tt [$($l:tt)*] $($rest:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "no chip is named in `", ::core::stringify!($($l)* $($rest)*),
            "`: write `Layout on gfx942: read ds_read_b128 by RowMajor`"
        ));
    };
}

/// Judges the accesses one by one, so that an error is where the access stands.
///
/// | argument | holds |
/// |---|---|
/// | `$lines` | the name of the statement's lines, chip by chip |
/// | `$judged` | `(),` for each access that was judged: their count is the number of the next |
/// | the last | the accesses that are left, as `__accesses!` holds them |
#[doc(hidden)]
#[macro_export]
macro_rules! __judge {
    // All are judged.
    ($Layout:ty, $accesses:ident $judged:tt []) => {};
    // One is judged, at its own word; then the others.
    ($Layout:ty, $accesses:ident [$($judged:tt)*] [{$access:ident $($rest:tt)*} $($more:tt)*]) => {
        $crate::__point! {
            {$access} <$Layout>::refuse_access(
                ::core::stringify!($Layout),
                &$accesses,
                <[()]>::len(&[$($judged)*]),
            )
        };
        $crate::__judge! { $Layout, $accesses [$($judged)* (),] [$($more)*] }
    };
}

/// The lines of a statement on one chip, `[Line, ..]`, with the fill if there is one; arguments as those of
/// `__accesses!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __lines {
    ($chip:tt $words:tt $fill:tt
        [$({$access:ident $instruction:ident $offsets:tt $times:tt $($pattern:tt)+})+]
    ) => {
        $crate::__filled!($fill $chip [$([$instruction $offsets])+] [$(
            $crate::__line!($chip $words $access $instruction $offsets $times $($pattern)+)
        ),+])
    };
}

/// One line, a `Line::new::<Pattern>(..)`. What its statement does not say adds no call: see DESIGN, "What the
/// compiler pays for". `$offsets` are those of two addresses or `[]`, `$times` the weight of
/// [`synthesize!`](crate::synthesize!) or `[]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __line {
    // The first instruction alone: a pattern of that name.
    ($chip:tt $words:tt $access:ident $instruction:ident $offsets:tt $times:tt first $Pattern:ty) => {
        $crate::__line!(@of $chip $words $access $instruction $offsets $times
            [::core::concat!("first ", ::core::stringify!($Pattern))] $crate::pattern::First<$Pattern>)
    };
    ($chip:tt $words:tt $access:ident $instruction:ident $offsets:tt $times:tt $Pattern:ty) => {
        $crate::__line!(@of $chip $words $access $instruction $offsets $times
            [::core::stringify!($Pattern)] $Pattern)
    };
    // No words after `as`: the row as it is.
    (@of [$($chip:ident)::+] [] $access:ident $instruction:ident $offsets:tt [$($times:expr)?] [$name:expr] $Pattern:ty) => {
        $crate::statement::assertion::StatedAccess::new::<$Pattern>(
            ::core::stringify!($($chip)::+),
            $name,
            $crate::__access!($access),
            &$crate::__row!([$($chip)::+] $instruction $offsets),
        )$(.times($times))?
    };
    // Words: the row and the line by the constant `__TERMS`.
    (@of [$($chip:ident)::+] $words:tt $access:ident $instruction:ident $offsets:tt [$($times:expr)?] [$name:expr] $Pattern:ty) => {
        $crate::statement::assertion::StatedAccess::new::<$Pattern>(
            ::core::stringify!($($chip)::+),
            $name,
            $crate::__access!($access),
            &__TERMS.row($crate::__row!([$($chip)::+] $instruction $offsets)),
        ).on(__TERMS)$(.times($times))?
    };
}

/// The same lines of a tile that a direct load fills, if the statement says so: `$fill` is
/// `[transfer waves unit]`, or `[]`. `@judge` refuses a layout that the load cannot fill.
#[doc(hidden)]
#[macro_export]
macro_rules! __filled {
    // No fill: the lines as they are.
    ([] $chip:tt $rows:tt $accesses:expr) => {
        $accesses
    };
    // The lines, and the transfer, looked up at its own word: on the chip that the first row is of, for the statement may
    // name a parameter of a kernel.
    ([$transfer:ident $waves:tt $unit:ident] $chip:tt [[$instruction:ident $offsets:tt] $($more:tt)*] $accesses:expr) => {
        $crate::statement::assertion::filled(
            $accesses,
            $crate::__point! { {$transfer} $crate::statement::assertion::fill(
                $crate::__row!($chip $instruction $offsets).chip(),
                $crate::__row!(@name $chip), ::core::stringify!($transfer), $waves,
            ) },
        )
    };
    // No fill: nothing to refuse.
    (@judge $Layout:ty, $accesses:ident []) => {};
    // A layout that cannot be filled is refused at the word of the transfer.
    (@judge $Layout:ty, $accesses:ident [$transfer:ident $($by:tt)*]) => {
        $crate::__point! {
            {$transfer} $crate::statement::assertion::refuse_fill::<$Layout, _, _>(
                ::core::stringify!($Layout), &$accesses,
            )
        }
    };
}

/// What a statement demands of its rows: the words after `as`, as one `RowDemand`. `@const` names the result.
///
/// `@read [evidence] [source] [words]` holds the word of either kind that it has read, so that a second is refused.
#[doc(hidden)]
#[macro_export]
macro_rules! __terms {
    // Once for all lines; without words there is none.
    (@const []) => {};
    (@const $words:tt) => {
        const __TERMS: $crate::statement::assertion::RowDemand = $crate::__terms!($words);
    };
    ($words:tt) => {
        $crate::__terms!(@read [] [] $words)
    };
    // How sure rows must be.
    (@read [] $source:tt [measured $($more:tt)*]) => {
        $crate::__terms!(@read [measured Measured] $source [$($more)*])
    };
    (@read [] $source:tt [documented $($more:tt)*]) => {
        $crate::__terms!(@read [documented Documented] $source [$($more)*])
    };
    (@read [] $source:tt [inferred $($more:tt)*]) => {
        $crate::__terms!(@read [inferred Inferred] $source [$($more)*])
    };
    // Which of two sources counts that disagree.
    (@read $evidence:tt [] [disputed $($more:tt)*]) => {
        $crate::__terms!(@read $evidence [disputed] [$($more)*])
    };
    (@read $evidence:tt [] [rival $($more:tt)*]) => {
        $crate::__terms!(@read $evidence [rival] [$($more)*])
    };
    // No further word.
    (@read [$($word:ident $evidence:ident)?] [$($source:ident)?] []) => {
        $crate::statement::assertion::RowDemand::ANY
            $(.at_least($crate::chip::Evidence::$evidence))?
            $(.$source())?
    };
    // A second word of a kind.
    (@read [$word:ident $evidence:ident] $source:tt [measured $($more:tt)*]) => {
        $crate::__terms!(@twice $word measured)
    };
    (@read [$word:ident $evidence:ident] $source:tt [documented $($more:tt)*]) => {
        $crate::__terms!(@twice $word documented)
    };
    (@read [$word:ident $evidence:ident] $source:tt [inferred $($more:tt)*]) => {
        $crate::__terms!(@twice $word inferred)
    };
    (@twice $first:ident $second:ident) => {
        ::core::compile_error!(::core::concat!(
            "`as ", ::core::stringify!($first), "` and `as ", ::core::stringify!($second), "` in one statement: how sure its rows ",
            "must be takes one word: `measured`, `documented` or `inferred`"
        ))
    };
    (@read $evidence:tt [$first:ident] [disputed $($more:tt)*]) => {
        $crate::__terms!(@both $first disputed)
    };
    (@read $evidence:tt [$first:ident] [rival $($more:tt)*]) => {
        $crate::__terms!(@both $first rival)
    };
    (@both $first:ident $second:ident) => {
        ::core::compile_error!(::core::concat!(
            "`as ", ::core::stringify!($first), "` and `as ", ::core::stringify!($second), "` in one statement: where two sources ",
            "disagree, write `disputed` for the row's own or `rival` for the other"
        ))
    };
    // Any other word.
    (@read $evidence:tt $source:tt [$other:tt $($more:tt)*]) => {
        ::core::compile_error!(::core::concat!(
            "cannot parse `as ", ::core::stringify!($other), "`; evidence is `as measured`, `as documented` or ",
            "`as inferred`; where two sources disagree, `as disputed` takes the row's own and `as rival` the other"
        ))
    };
}

/// `read` or `write`.
#[doc(hidden)]
#[macro_export]
macro_rules! __access {
    (read) => {
        $crate::chip::Access::Read
    };
    (write) => {
        $crate::chip::Access::Write
    };
    ($other:ident) => {
        ::core::compile_error!(::core::concat!(
            "`",
            ::core::stringify!($other),
            "` is neither `read` nor `write`"
        ))
    };
}

/// The row of an instruction, with the offsets of its two addresses if there are
/// any. A name that is none of our chips' may be refused: see `__chip!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __row {
    // The chip's name as text.
    (@name [$($chip:ident)::+]) => {
        ::core::stringify!($($chip)::+)
    };
    // A row of a chip, by one name.
    ([$chip:ident] $instruction:ident []) => {
        $crate::__chip!($chip [$chip::$instruction])
    };
    ([$chip:ident] $instruction:ident [$first:expr, $second:expr]) => {
        $crate::__chip!($chip [$chip::$instruction.offsets($first, $second)])
    };
    // A row of a module of the user's, by its path.
    ([$($chip:ident)::+] $instruction:ident []) => {
        $($chip::)+$instruction
    };
    // The same, of two addresses.
    ([$($chip:ident)::+] $instruction:ident [$first:expr, $second:expr]) => {
        $($chip::)+$instruction.offsets($first, $second)
    };
}
