//! `pattern!` declares a pattern by a formula, and makes its table: a coordinate for each lane of each instruction.
//!
//! ```text
//!   Half(lane) => [lane, 0] if lane < 32;
//!   lane 0 -> (0, 0)   lane 1 -> (1, 0)   ..   lane 31 -> (31, 0)   lanes 32 to 63 are inactive
//! ```

/// Patterns of your own, by a formula. A table of the run time is [`Lanes::table`](crate::pattern::Lanes::table).
///
/// The coordinate may use the lane, the number of the instruction, and any
/// constant or `const fn`; a lane for which the condition does not hold is inactive. A pattern
/// may have const parameters, or numbers (`K: Number`); the number of instructions may be a
/// constant, though not one that depends on them.
///
/// ```
/// use tiledesc::{pattern, prelude::*, chip::gfx942};
///
/// const ORDER: [u32; 4] = [0, 2, 1, 3];
///
/// pattern! {
///     /// Every other row.
///     EveryOther(lane) => [2 * lane, 0];
///     /// Half a wave.
///     Half(lane) => [lane, 0] if lane < 32;
///     /// Four instructions, in an order of their own.
///     Steps(lane, step in 4) => [lane, 8 * ORDER[step as usize]];
///     /// Packs along dimension 0.
///     Down(lane) => [8 * (lane % 16), lane / 16], along 0;
///     /// Every S-th row.
///     Every<const S: u32>(lane) => [S * (lane % 16), 8 * (lane / 16)];
///     /// Rows of K elements, pack by pack.
///     Rows<K: Number>(lane) => [lane / (K::N / 8), lane % (K::N / 8) * 8];
/// }
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(Tile::degree::<EveryOther>(&gfx942::ds_read_b128), 2);
/// assert_eq!(Tile::degree::<Every<8>>(&gfx942::ds_read_b128), 4);
/// assert_eq!(Tile::degree::<Half>(&gfx942::ds_read_b128), 1);
/// assert_eq!(Tile::verdict::<Steps>(&gfx942::ds_read_b128).unwrap().instructions(), 4);
/// ```
#[macro_export]
macro_rules! pattern {
    // `__pattern!` has the legend of what is handed on.
    // No further pattern.
    () => {};
    // A condition of one declaration, which would be one of half of what it becomes.
    ($(#[doc = $doc:expr])* #[cfg $condition:tt] $($rest:tt)*) => {
        $crate::__cfg_inside! { "pattern" }
    };
    // With constants as parameters, or none.
    (
        $(#[$doc:meta])*
        $vis:vis $Name:ident $(<$(const $C:ident: $T:ident),+ $(,)?>)?
        ($lane:ident $(, $step:ident in $steps:expr)?) => [$($index:expr),+ $(,)?]
        $(if $active:expr)? $(, along $along:expr)?;
        $($rest:tt)*
    ) => {
        $crate::__pattern! {
            [$(#[$doc])*] [$vis] $Name [$($(const $C: $T),+)?] [$($($C),+)?] [;]
            [$lane $($step, $steps)?] [$($index),+] [$($active)?] [$($along)?]
        }
        $crate::pattern! { $($rest)* }
    };
    // With numbers as parameters, which the type must hold.
    (
        $(#[$doc:meta])*
        $vis:vis $Name:ident <$($N:ident: Number),+ $(,)?>
        ($lane:ident $(, $step:ident in $steps:expr)?) => [$($index:expr),+ $(,)?]
        $(if $active:expr)? $(, along $along:expr)?;
        $($rest:tt)*
    ) => {
        $crate::__pattern! {
            [$(#[$doc])*] [$vis] $Name [$($N: $crate::Number),+] [$($N),+]
            [(::core::marker::PhantomData<($($N,)+)>);]
            [$lane $($step, $steps)?] [$($index),+] [$($active)?] [$($along)?]
        }
        $crate::pattern! { $($rest)* }
    };
    // Not of the form.
    ($Name:ident $($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "pattern `", ::core::stringify!($Name), "`: write `Name(lane) => [index, index];`, with `, step in 4` ",
            "behind the lane, `if condition` or `, along 0` behind the coordinate"
        ));
    };
}

/// One pattern: its table, made by the compiler.
///
/// | argument | holds |
/// |---|---|
/// | 1, 2 | attributes; visibility |
/// | `$parameters`, `$arguments` | the parameters as declared, and their names |
/// | `$body` | what follows the struct's head: `;`, or a `PhantomData` of the parameters |
/// | `$lane $step, $steps` | the names of the indices, and how many instructions there are, if it says so |
/// | `$index` | the coordinate, an expression a dimension |
/// | `$active`, `$along` | the condition of an active lane, and the dimension of the pack; or `[]` |
#[doc(hidden)]
#[macro_export]
macro_rules! __pattern {
    (
        [$(#[$doc:meta])*] [$vis:vis] $Name:ident [$($parameters:tt)*] [$($arguments:tt)*]
        [$($body:tt)*] [$lane:ident $($step:ident, $steps:expr)?] [$($index:expr),+]
        [$($active:expr)?] [$($along:expr)?]
    ) => {
        $crate::__declared! { {$Name}
            $(#[$doc])*
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            $vis struct $Name<$($parameters)*> $($body)*
        }

        impl<$($parameters)*> $Name<$($arguments)*> {
            /// The coordinate of each lane, instruction by instruction.
            const TABLE: [$crate::pattern::Row; $crate::__or!([$($steps)?] 1)] = {
                let mut table = [
                    [::core::option::Option::None; $crate::distribution::MOST_LANES];
                    $crate::__or!([$($steps)?] 1)
                ];
                let mut row = 0;
                while row < $crate::__or!([$($steps)?] 1) {
                    let mut at = 0;
                    while at < $crate::distribution::MOST_LANES {
                        let $lane = at as u32;
                        $(let $step = row as u32;)?
                        if $crate::__or!([$($active)?] true) {
                            table[row][at] = ::core::option::Option::Some(
                                $crate::__coordinate!($($index),+),
                            );
                        }
                        at += 1;
                    }
                    row += 1;
                }
                table
            };
            /// The number of indices.
            const RANK: usize = [$(::core::stringify!($index)),+].len();
        }

        impl<$($parameters)*> $crate::pattern::Pattern for $Name<$($arguments)*> {
            const LANES: $crate::pattern::Lanes<'static> = $crate::pattern::Lanes::table(
                &Self::TABLE,
                $crate::__or!([$($along)?] Self::RANK - 1),
            );
        }
    };
}

/// A coordinate of these indices: of two, as most are, by the function of the fewest steps.
#[doc(hidden)]
#[macro_export]
macro_rules! __coordinate {
    ($row:expr, $column:expr) => {
        $crate::List::pair($row, $column)
    };
    ($($index:expr),+) => {
        $crate::List::new(&[$($index),+])
    };
}

/// `$given`, or `$else` where the brackets are empty.
#[doc(hidden)]
#[macro_export]
macro_rules! __or {
    ([$given:expr] $else:expr) => {
        $given
    };
    ([] $else:expr) => {
        $else
    };
}
