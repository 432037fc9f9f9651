//! `distribution!` names a distribution, its factors and their owners, and checks it where it is written.

/// A distribution as a type: tile dimensions as products of named factors, slowest first, and
/// who owns which.
///
/// ```
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 256 lanes take 128 rows of 64 halves, 8 each.
///     pub type Fetch:
///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
///         wave (wave), lane (row, chunk), thread (again, half);
///
///     /// For any tile: no bounds but `Number`.
///     pub type Rows<M, K, V, W>:
///         m [again (M * K / V / 64 / W), wave W, row (64 * V / K)],  k [chunk (K / V), element V];
///         wave (wave), lane (row, chunk), thread (again, element);
///
///     /// A gfx11 WMMA: lanes 16 to 31 hold what lanes 0 to 15 do.
///     pub type Wmma:
///         m [row 16], k [pack 16];
///         repeat [copy 2], lane (copy, row), thread (pack);
/// }
/// assert_eq!(Fetch::coordinate(1, 10, 19), [73, 19]);
/// assert_eq!(Rows::<U128, U64, U8, U4>::coordinate(1, 10, 19), [73, 19]);
/// assert_eq!(Wmma::coordinate(0, 19, 5), [3, 5]);
/// ```
///
/// Factors that do not divide the tile cover it: `of` gives the length of a dimension, and several dimensions in parentheses are
/// counted as one number, the last one fastest. No lane holds what is beyond the tile:
/// [`masked`](crate::distribution::Distribution::masked), and whatever hands out addresses, reports the lanes that are idle.
///
/// ```
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 31 rows by 8 lanes.
///     type Rows: m [again 4, row 8] of 31; lane (row), thread (again);
///     /// A halo of 22x40 by 256 threads: 220 vectors of 4.
///     type Halo: (m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part);
/// }
/// assert_eq!(Rows::masked(0, 6, 3), ([30], true));
/// assert_eq!(Halo::masked(1, 0, 1), ([6, 17], true)); // number 257
/// assert!(!Halo::masked::<2>(3, 28, 0).1);
/// ```
///
/// A factor's length is a literal, a parameter, or arithmetic in parentheses. An owner lists factors slowest first, and is
/// written only if it owns something, in this order: `repeat`, `wave`, `lane`, `thread`. The factors of `repeat` belong to no
/// dimension: lanes that differ only there hold the same.
///
/// A distribution without parameters is checked where it is written, the others where they are used. A fault is an error at the
/// name, with the names of its factors:
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// distribution! {
///     type Lost: m [row 32], k [part 2, pack 4]; lane (part, row);
/// }
/// // error: Lost: factor "pack" of k (length 4) has no owner: no lane would hold its other elements
/// ```
#[macro_export]
macro_rules! distribution {
    // Each arm reads one distribution and hands it on as lists in brackets, which `__distribution!` names:
    // attributes, name, parameters, dimensions with their factors, then what each owner owns.
    // No further distribution.
    () => {};
    // A condition of one declaration, which would be one of half of what it becomes.
    ($(#[doc = $doc:expr])* #[cfg $condition:tt] $($rest:tt)*) => {
        $crate::__cfg_inside! { "distribution" }
    };
    // Without parameters: checked where it stands.
    (
        $(#[$meta:meta])* $vis:vis type $Name:ident $(on $of:ident $(($with:ident))?)?:
        $(
            $($dimension:ident)? $(($($part:ident),+ $(,)?))?
            [$($factor:ident $length:tt),* $(,)?] $(of $extent:tt)?
        ),+ $(,)?;
        $(repeat [$($copy:ident $times:tt),* $(,)?] $(,)?)?
        $(wave ($($wave:ident),* $(,)?) $(,)?)?
        $(lane ($($lane:ident),* $(,)?) $(,)?)?
        $(thread ($($thread:ident),* $(,)?) $(,)?)?;
        $($rest:tt)*
    ) => {
        $crate::__distribution! {
            [$(#[$meta])* $vis] [$($of $(($with))?)?] $Name []
            [$([$($dimension)? $($($part)+)?] [$($factor $length)*] [$($extent)?])+]
            [$($($copy $times)*)?] [$($($wave)*)?] [$($($lane)*)?] [$($($thread)*)?]
        }
        $crate::__point! {
            {$Name} const _: () = $crate::distribution::check_factors::<$Name>(::core::stringify!($Name));
        }
        $crate::distribution! { $($rest)* }
    };
    // With parameters: checked where it is used.
    (
        $(#[$meta:meta])* $vis:vis type $Name:ident<$($P:ident),+ $(,)?> $(on $of:ident $(($with:ident))?)?:
        $(
            $($dimension:ident)? $(($($part:ident),+ $(,)?))?
            [$($factor:ident $length:tt),* $(,)?] $(of $extent:tt)?
        ),+ $(,)?;
        $(repeat [$($copy:ident $times:tt),* $(,)?] $(,)?)?
        $(wave ($($wave:ident),* $(,)?) $(,)?)?
        $(lane ($($lane:ident),* $(,)?) $(,)?)?
        $(thread ($($thread:ident),* $(,)?) $(,)?)?;
        $($rest:tt)*
    ) => {
        $crate::__distribution! {
            [$(#[$meta])* $vis] [$($of $(($with))?)?] $Name [$($P)+] [$([$($dimension)? $($($part)+)?] [$($factor $length)*] [$($extent)?])+]
            [$($($copy $times)*)?] [$($($wave)*)?] [$($($lane)*)?] [$($($thread)*)?]
        }
        $crate::distribution! { $($rest)* }
    };
    // Not of the form, after a name or without one.
    ($(#[$meta:meta])* $vis:vis type $Name:ident $($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "distribution!: cannot parse `", ::core::stringify!($Name), "`; expected `type ", ::core::stringify!($Name),
            ": m [wave 4, row 16], k [part 4, half 8]; wave (wave), lane (part, row), thread (half);`, ",
            "owners in the order repeat [copy 2], wave, lane, thread"
        ));
    };
    ($($other:tt)*) => {
        ::core::compile_error!("distribution!: write `type Name: m [row 32], k [part 2, half 4]; lane (part, row), thread (half);`");
    };
}

/// One distribution: a type with its encoding, which is a pattern too.
///
/// | argument | holds |
/// |---|---|
/// | 1 | `[attributes and visibility]` |
/// | `$of` | the constant that says of which matrix instructions it is an operand, or a function of the parameter `$with`, for the rows of [`matrix`](crate::matrix) |
/// | `$Name`, `$P` | the name and its parameters |
/// | `[$dimension ..] [$factor $length ..] [$extent]` | each tile dimension, or several that are counted as one, the factors slowest first, and the lengths where the factors only cover them; a length is what `number!` reads |
/// | `$copy $times` | the factors of `repeat` |
/// | `$wave`, `$lane`, `$thread` | the factors of each owner, slowest first; `[]` of one that owns nothing |
#[doc(hidden)]
#[macro_export]
macro_rules! __distribution {
    (
        [$(#[$meta:meta])* $vis:vis] [$($of:ident $(($with:ident))?)?] $Name:ident [$($P:ident)*]
        [$([$($dimension:ident)+] [$($factor:ident $length:tt)*] [$($extent:tt)?])+]
        [$($copy:ident $times:tt)*] [$($wave:ident)*] [$($lane:ident)*] [$($thread:ident)*]
    ) => {
        $crate::__declared! { {$Name}
            $(#[$meta])*
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::default::Default)]
            $vis struct $Name<$($P),*>(::core::marker::PhantomData<($($P,)*)>);
        }

        impl<$($P: $crate::Number),*> $crate::distribution::Distribution for $Name<$($P),*> {
            const ENCODING: ::core::result::Result<
                $crate::distribution::Encoding,
                $crate::distribution::DistributionError,
            > = $crate::__distribution!(@covering [$([$($dimension)+] [$($extent)?])+] $crate::distribution::Encoding::of_numbers(
                &[$((::core::stringify!($copy), <$crate::number!($times) as $crate::Length>::KNOWN)),*],
                &[$((
                    $crate::__distribution!(@name $($dimension)+),
                    &[$((::core::stringify!($factor), <$crate::number!($length) as $crate::Length>::KNOWN)),*],
                )),+],
                &[$(::core::stringify!($wave)),*],
                &[$(::core::stringify!($lane)),*],
                &[$(::core::stringify!($thread)),*],
            ));
            $(const OPERAND_OF: ::core::option::Option<&'static $crate::distribution::OperandOf> =
                ::core::option::Option::Some(&$of $((<$with as $crate::Number>::N))?);)?
        }

        #[diagnostic::do_not_recommend]
        impl<$($P: $crate::Number),*> $crate::pattern::Pattern for $Name<$($P),*> {
            const LANES: $crate::pattern::Lanes<'static> =
                $crate::pattern::Lanes::of_distribution::<Self>();
        }
    };
    // What the factors count: a dimension, or several as one number.
    (@name $dimension:ident) => { ::core::stringify!($dimension) };
    (@name $($dimension:ident)+) => { ::core::stringify!(($($dimension),+)) };
    // Over the tile that they divide, or over one that they cover.
    (@covering [$([$dimension:ident] [])+] $whole:expr) => { $whole };
    (@covering [$([$($dimension:ident)+] [$($extent:tt)?])+] $whole:expr) => {
        $crate::distribution::Encoding::of_parts(
            $whole,
            <($($crate::__distribution!(@lengths $($extent)?),)+) as $crate::distribution::Sequences>::LISTS,
            &[$(&[$(::core::stringify!($dimension)),+]),+],
        )
    };
    // The lengths of a dimension, or of several.
    (@lengths) => { $crate::seq![] };
    (@lengths ($($length:tt)+)) => { $crate::seq![$($length)+] };
    (@lengths $length:tt) => { $crate::seq![$length] };
}
