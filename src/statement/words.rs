//! The words of a statement, read into lines: the grammar that `assert_conflict_free!`, `check_conflict_free!` and
//! `synthesize!` share.
//!
//! A line is one access on one chip, a [`StatedAccess`](super::stated_access::StatedAccess):
//!
//! ```text
//!   assert_conflict_free! { ABlock on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16> }
//!
//!   const _: () = {
//!       match [[StatedAccess::new::<RowMajor>("gfx942", "RowMajor", Access::Write, &gfx942::ds_write_b128),
//!               StatedAccess::new::<MfmaRows<16>>("gfx942", "MfmaRows<16>", Access::Read, &gfx942::ds_read_b128)]] {
//!           accesses => {
//!               <ABlock>::refuse_access("ABlock", &accesses, 0)     an error points at `write`
//!               <ABlock>::refuse_access("ABlock", &accesses, 1)     at `read`
//!           }
//!       }
//!   };
//! ```
//!
//! | macro | reads | writes |
//! |---|---|---|
//! | `__accesses` | a statement, word by word | one constant: the lines chip by chip, then the judgement of each access |
//! | `__judge` | the accesses that are left | a call of `refuse_access` at the access's own word, by the procedural macro `point!` |
//! | `__lines`, `__line` | accesses with offsets, weights and patterns | `StatedAccess::new::<Pattern>(..)` |
//! | `__filled` | `filled by transfer ..` | the fill beside the lines |
//! | `__terms` | words after `as` | how sure a row must be, a `RowDemand` |
//! | `__access`, `__row` | `read`, `write`, an instruction's name | a constant of the chip, by `__chip!` of `chip/names.rs` |

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
            // Our chips by their names; any other name refers to a module of the user's.
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

/// Judges the accesses one by one, so that an error is on the line of the access.
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

/// The lines of a statement on one chip, `[StatedAccess, ..]`, with the fill if there is one; arguments as those of
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

/// One line, a `StatedAccess::new::<Pattern>(..)`. What its statement leaves out adds no call: see DESIGN, "What the
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
        $crate::statement::stated_access::StatedAccess::new::<$Pattern>(
            ::core::stringify!($($chip)::+),
            $name,
            $crate::__access!($access),
            &$crate::__row!([$($chip)::+] $instruction $offsets),
        )$(.times($times))?
    };
    // Words: the row and the line by the constant `__TERMS`.
    (@of [$($chip:ident)::+] $words:tt $access:ident $instruction:ident $offsets:tt [$($times:expr)?] [$name:expr] $Pattern:ty) => {
        $crate::statement::stated_access::StatedAccess::new::<$Pattern>(
            ::core::stringify!($($chip)::+),
            $name,
            $crate::__access!($access),
            &__TERMS.row($crate::__row!([$($chip)::+] $instruction $offsets)),
        ).on(__TERMS)$(.times($times))?
    };
}

/// Expands to the lines of a statement for a tile that a direct load fills, if it states one: `$fill` is `[transfer waves unit]`,
/// or `[]`. `@judge` refuses a layout that the load cannot fill.
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
        $crate::statement::refusal::filled(
            $accesses,
            $crate::__point! { {$transfer} $crate::statement::refusal::fill(
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
            {$transfer} $crate::statement::refusal::refuse_fill::<$Layout, _, _>(
                ::core::stringify!($Layout), &$accesses,
            )
        }
    };
}

/// Expands to the demands of a statement on its rows: the words after `as`, as one `RowDemand`. `@const` names the result.
///
/// `@read [evidence] [source] [words]` holds the word of either kind that it has read, so that a second is refused.
#[doc(hidden)]
#[macro_export]
macro_rules! __terms {
    // Declared once for all lines, and only if the statement has such words.
    (@const []) => {};
    (@const $words:tt) => {
        const __TERMS: $crate::statement::stated_access::RowDemand = $crate::__terms!($words);
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
        $crate::statement::stated_access::RowDemand::ANY
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
/// any. A name that belongs to none of our chips may be refused: see `__chip!`.
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
