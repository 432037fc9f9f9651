//! The chips by the names that statements give them: what a statement imports, and what it refuses.
//!
//! ```text
//!   Tile on gfx942: ..    our chip, or a module of the user's    its rows
//!   Tile on gfx941: ..    a chip without rows                    its nearest relative
//!   Tile on gfx943: ..    nothing; a slip                        the chip that is meant
//!   Tile on mi300x: ..    what a chip is sold as                 the chip that is meant
//! ```

/// The modules of the chips and nothing else: a statement imports all that is here, and a type of the user's may be
/// called `Chip` or `Access`.
#[doc(hidden)]
pub mod modules {
    pub use super::super::{
        gfx90a, gfx908, gfx942, gfx950, gfx1030, gfx1100, gfx1101, gfx1151, gfx1200, gfx1201,
        gfx1250, sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_100, sm_103, sm_120, sm_121,
    };
}

/// Code that names a chip, `$chip [code]`; in place of it, what is wrong with the name. A module of the user's with
/// one of these names is named by its path.
#[doc(hidden)]
#[macro_export]
macro_rules! __chip {
    // Chips without rows, each with its nearest relative that has some.
    (gfx900 $code:tt) => { $crate::__no_chip! { gfx900 has no rows: gfx90a } };
    (gfx906 $code:tt) => { $crate::__no_chip! { gfx906 has no rows: gfx908 } };
    (gfx940 $code:tt) => { $crate::__no_chip! { gfx940 has no rows: gfx942 } };
    (gfx941 $code:tt) => { $crate::__no_chip! { gfx941 has no rows: gfx942 } };
    (gfx1031 $code:tt) => { $crate::__no_chip! { gfx1031 has no rows: gfx1030 } };
    (gfx1032 $code:tt) => { $crate::__no_chip! { gfx1032 has no rows: gfx1030 } };
    (gfx1102 $code:tt) => { $crate::__no_chip! { gfx1102 has no rows: gfx1101 } };
    (gfx1103 $code:tt) => { $crate::__no_chip! { gfx1103 has no rows: gfx1101 } };
    (gfx1150 $code:tt) => { $crate::__no_chip! { gfx1150 has no rows: gfx1151 } };
    (gfx1152 $code:tt) => { $crate::__no_chip! { gfx1152 has no rows: gfx1151 } };
    (sm_72 $code:tt) => { $crate::__no_chip! { sm_72 has no rows: sm_70 } };
    (sm_101 $code:tt) => { $crate::__no_chip! { sm_101 has no rows: sm_100 } };
    (sm_110 $code:tt) => { $crate::__no_chip! { sm_110 has no rows: sm_100 } };
    // What is no chip's name: slips, and what a chip is sold as. Each with the name that is meant.
    (gfx943 $code:tt) => { $crate::__no_chip! { gfx943 is no chip: gfx942 } };
    (sm70 $code:tt) => { $crate::__no_chip! { sm70 is no chip: sm_70 } };
    (sm75 $code:tt) => { $crate::__no_chip! { sm75 is no chip: sm_75 } };
    (sm80 $code:tt) => { $crate::__no_chip! { sm80 is no chip: sm_80 } };
    (sm86 $code:tt) => { $crate::__no_chip! { sm86 is no chip: sm_86 } };
    (sm87 $code:tt) => { $crate::__no_chip! { sm87 is no chip: sm_87 } };
    (sm89 $code:tt) => { $crate::__no_chip! { sm89 is no chip: sm_89 } };
    (sm90 $code:tt) => { $crate::__no_chip! { sm90 is no chip: sm_90 } };
    (sm100 $code:tt) => { $crate::__no_chip! { sm100 is no chip: sm_100 } };
    (sm103 $code:tt) => { $crate::__no_chip! { sm103 is no chip: sm_103 } };
    (sm120 $code:tt) => { $crate::__no_chip! { sm120 is no chip: sm_120 } };
    (sm121 $code:tt) => { $crate::__no_chip! { sm121 is no chip: sm_121 } };
    (sm_8x $code:tt) => { $crate::__no_chip! { sm_8x is no chip: sm_80 } };
    (sm_9x $code:tt) => { $crate::__no_chip! { sm_9x is no chip: sm_90 } };
    (sm_10x $code:tt) => { $crate::__no_chip! { sm_10x is no chip: sm_100 } };
    (sm_12x $code:tt) => { $crate::__no_chip! { sm_12x is no chip: sm_120 } };
    (sm_90a $code:tt) => { $crate::__no_chip! { sm_90a is no chip: sm_90 } };
    (sm90a $code:tt) => { $crate::__no_chip! { sm90a is no chip: sm_90 } };
    (sm_100a $code:tt) => { $crate::__no_chip! { sm_100a is no chip: sm_100 } };
    (sm100a $code:tt) => { $crate::__no_chip! { sm100a is no chip: sm_100 } };
    (sm_103a $code:tt) => { $crate::__no_chip! { sm_103a is no chip: sm_103 } };
    (sm103a $code:tt) => { $crate::__no_chip! { sm103a is no chip: sm_103 } };
    (sm_120a $code:tt) => { $crate::__no_chip! { sm_120a is no chip: sm_120 } };
    (sm120a $code:tt) => { $crate::__no_chip! { sm120a is no chip: sm_120 } };
    (sm_121a $code:tt) => { $crate::__no_chip! { sm_121a is no chip: sm_121 } };
    (sm121a $code:tt) => { $crate::__no_chip! { sm121a is no chip: sm_121 } };
    (mi100 $code:tt) => { $crate::__no_chip! { mi100 is no chip: gfx908 } };
    (MI100 $code:tt) => { $crate::__no_chip! { MI100 is no chip: gfx908 } };
    (mi210 $code:tt) => { $crate::__no_chip! { mi210 is no chip: gfx90a } };
    (MI210 $code:tt) => { $crate::__no_chip! { MI210 is no chip: gfx90a } };
    (mi250 $code:tt) => { $crate::__no_chip! { mi250 is no chip: gfx90a } };
    (MI250 $code:tt) => { $crate::__no_chip! { MI250 is no chip: gfx90a } };
    (mi250x $code:tt) => { $crate::__no_chip! { mi250x is no chip: gfx90a } };
    (MI250X $code:tt) => { $crate::__no_chip! { MI250X is no chip: gfx90a } };
    (mi300 $code:tt) => { $crate::__no_chip! { mi300 is no chip: gfx942 } };
    (MI300 $code:tt) => { $crate::__no_chip! { MI300 is no chip: gfx942 } };
    (mi300a $code:tt) => { $crate::__no_chip! { mi300a is no chip: gfx942 } };
    (MI300A $code:tt) => { $crate::__no_chip! { MI300A is no chip: gfx942 } };
    (mi300x $code:tt) => { $crate::__no_chip! { mi300x is no chip: gfx942 } };
    (MI300X $code:tt) => { $crate::__no_chip! { MI300X is no chip: gfx942 } };
    (mi325x $code:tt) => { $crate::__no_chip! { mi325x is no chip: gfx942 } };
    (MI325X $code:tt) => { $crate::__no_chip! { MI325X is no chip: gfx942 } };
    (mi350 $code:tt) => { $crate::__no_chip! { mi350 is no chip: gfx950 } };
    (MI350 $code:tt) => { $crate::__no_chip! { MI350 is no chip: gfx950 } };
    (mi350x $code:tt) => { $crate::__no_chip! { mi350x is no chip: gfx950 } };
    (MI350X $code:tt) => { $crate::__no_chip! { MI350X is no chip: gfx950 } };
    (mi355x $code:tt) => { $crate::__no_chip! { mi355x is no chip: gfx950 } };
    (MI355X $code:tt) => { $crate::__no_chip! { MI355X is no chip: gfx950 } };
    (v100 $code:tt) => { $crate::__no_chip! { v100 is no chip: sm_70 } };
    (V100 $code:tt) => { $crate::__no_chip! { V100 is no chip: sm_70 } };
    (t4 $code:tt) => { $crate::__no_chip! { t4 is no chip: sm_75 } };
    (T4 $code:tt) => { $crate::__no_chip! { T4 is no chip: sm_75 } };
    (a100 $code:tt) => { $crate::__no_chip! { a100 is no chip: sm_80 } };
    (A100 $code:tt) => { $crate::__no_chip! { A100 is no chip: sm_80 } };
    (l40s $code:tt) => { $crate::__no_chip! { l40s is no chip: sm_89 } };
    (L40S $code:tt) => { $crate::__no_chip! { L40S is no chip: sm_89 } };
    (h100 $code:tt) => { $crate::__no_chip! { h100 is no chip: sm_90 } };
    (H100 $code:tt) => { $crate::__no_chip! { H100 is no chip: sm_90 } };
    (h200 $code:tt) => { $crate::__no_chip! { h200 is no chip: sm_90 } };
    (H200 $code:tt) => { $crate::__no_chip! { H200 is no chip: sm_90 } };
    (b200 $code:tt) => { $crate::__no_chip! { b200 is no chip: sm_100 } };
    (B200 $code:tt) => { $crate::__no_chip! { B200 is no chip: sm_100 } };
    (b300 $code:tt) => { $crate::__no_chip! { b300 is no chip: sm_103 } };
    (B300 $code:tt) => { $crate::__no_chip! { B300 is no chip: sm_103 } };
    // A chip that has rows, or a module of the user's.
    ($chip:ident [$($code:tt)*]) => { $($code)* };
}

/// A chip without rows, or a name that no chip has.
#[doc(hidden)]
#[macro_export]
macro_rules! __no_chip {
    ($chip:ident has no rows: $nearest:ident) => {
        ::core::compile_error! {::core::concat!(
            "there are no rows of ",
            ::core::stringify!($chip),
            "; its nearest relative with rows is ",
            ::core::stringify!($nearest),
            ". Rows of your own: a module, named by its path, `crate::",
            ::core::stringify!($chip),
            "`"
        )}
    };
    ($name:ident is no chip: $meant:ident) => {
        ::core::compile_error! {::core::concat!(
            "`",
            ::core::stringify!($name),
            "` is no chip here: write `",
            ::core::stringify!($meant),
            "`. Rows of your own: a module, named by its path, `crate::",
            ::core::stringify!($name),
            "`"
        )}
    };
}
