//! The chips by the names that statements give them: what a statement imports, and what it refuses.
//!
//! ```text
//!   Tile on gfx942: ..    our chip, or a module of the user's    its rows
//!   Tile on Gfx942: ..    its type                               the same rows
//!   Tile on gfx941: ..    a chip without rows                    its nearest relative
//!   Tile on gfx943: ..    nothing; a slip                        the chip that is meant
//!   Tile on mi300x: ..    what a chip is sold as                 the chip that is meant
//! ```

/// Makes one table of names, for statements and for [`find`](super::find): the modules, `__chip!` and two constants.
macro_rules! chip_names {
    (
        $d:tt
        $(
            $Name:ident = $chip:ident: $wave:literal lanes, $banks:literal banks, $vendor:ident $rows:tt
                $(, $mode:ident as $Wide:ident)?;
                $(near [$($near:ident)*])? meant [$($meant:ident)*];
        )+
    ) => {
        /// Only the modules and the types of the chips: a statement imports everything here, and a user's type may be called
        /// `Chip` or `Access`.
        #[doc(hidden)]
        pub mod modules {
            pub use super::super::{$($chip, $Name $(, $Wide)?),+};
            // The constants of a type are the trait's.
            pub use super::super::Target as _;
        }

        /// Chips with rows, each with its relatives that have none.
        pub(super) const WITHOUT_ROWS: &[(&str, &[&str])] =
            &[$((stringify!($chip), &[$($(stringify!($near)),*)?])),+];

        /// Chips, each with what else it is called.
        pub(super) const MEANT: &[(&str, &[&str])] =
            &[$((stringify!($chip), &[$(stringify!($meant)),*])),+];

        /// What a statement writes for the name of a chip. A module of the user's with one of these names is named by its path.
        ///
        /// | `__chip!(..)` | is |
        /// |---|---|
        /// | `gfx942 [code]` | the code, or what is wrong with the name |
        /// | `@name gfx942` | the name as text: of one of ours, or of a type that is a [`Target`](super::Target), as a parameter of a kernel is |
        /// | `@type gfx942` | its type, or that type as it is; of a wrong name the one that is meant, for a name is refused once |
        /// | `@no_rows`, `@meant` | the refusals |
        #[doc(hidden)]
        #[macro_export]
        macro_rules! __chip {
            $(
                $($(($near $d code:tt) => { $crate::__chip! { @no_rows $near $chip } };)*)?
                $(($meant $d code:tt) => { $crate::__chip! { @meant $meant $chip } };)*
                (@name $chip) => {{
                    #[allow(unused_imports)]
                    use $crate::chip::$chip;
                    ::core::stringify!($chip)
                }};
                (@name $Name) => { <$crate::chip::$Name as $crate::chip::Target>::NAME };
                (@type $chip) => { $crate::chip::$Name };
                (@type $Name) => { $crate::chip::$Name };
                $($((@type $near) => { $crate::chip::$Name };)*)?
                $((@type $meant) => { $crate::chip::$Name };)*
            )+
            (@name $d named:ident) => { <$d named as $crate::chip::Target>::NAME };
            (@type $d named:ident) => { $d named };
            (@no_rows $d named:ident $d nearest:ident) => {
                ::core::compile_error! {::core::concat!(
                    "there are no rows of ",
                    ::core::stringify!($d named),
                    "; its nearest relative with rows is ",
                    ::core::stringify!($d nearest),
                    ". For rows of your own, write the path of their module, `crate::",
                    ::core::stringify!($d named),
                    "`"
                )}
            };
            (@meant $d named:ident $d meant:ident) => {
                ::core::compile_error! {::core::concat!(
                    "there is no chip `",
                    ::core::stringify!($d named),
                    "`: write `",
                    ::core::stringify!($d meant),
                    "`. For rows of your own, write the path of their module, `crate::",
                    ::core::stringify!($d named),
                    "`"
                )}
            };
            // A chip that has rows, or a module of the user's.
            ($d named:ident [$d($d code:tt)*]) => { $d($d code)* };
        }
    };
}

every_chip! { chip_names $ }

/// Returns whether two names differ in case, spaces, `_`, `-` and `:` at most: `MI300X` is `mi300x`, `gfx1100 wave64` is
/// `gfx1100::wave64`.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    letters(one).eq(letters(other))
}

fn letters(name: &str) -> impl Iterator<Item = u8> {
    let all = name.bytes().filter(|letter| !matches!(letter, b' ' | b'_' | b'-' | b':'));
    all.map(|letter| letter.to_ascii_lowercase())
}
