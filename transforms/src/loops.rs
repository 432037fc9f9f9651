//! Loops that a `const fn` and a kernel have in place of iterators.
//!
//! | macro | instead of |
//! |---|---|
//! | `range!(i, 0..n, { .. })` | `for i in 0..n { .. }`, with `continue`, `break` and `return` |
//! | `down!(i, 0..n, { .. })` | `for i in (0..n).rev() { .. }` |
//! | `all!(i, 0..n, condition)` | `(0..n).all(\|i\| condition)` |
//! | `any!(i, 0..n, condition)` | `(0..n).any(\|i\| condition)` |
//! | `ones!(bit, word, { .. })` | a loop over the bits of a word that are 1, from the lowest |
//! | `unrolled!(i, 32, N, { .. })` | `for i in 0..N { .. }` over constants, at most 32 |
//!
//! Stable Rust has no iterator in a `const fn`. All arguments are expressions, so that rustfmt formats them. Nothing
//! is called: a call for each element is what costs the compiler most.

/// `for $i in $range $body`, in a `const fn`.
#[doc(hidden)]
#[macro_export]
macro_rules! range {
    ($i:ident, $range:expr, $body:block) => {{
        let ::core::ops::Range { start: mut next, end } = $range;
        while next < end {
            let $i = next;
            next += 1;
            $body
        }
    }};
}

/// `for $i in $range.rev() $body`, in a `const fn`.
#[doc(hidden)]
#[macro_export]
macro_rules! down {
    ($i:ident, $range:expr, $body:block) => {{
        let ::core::ops::Range { start, end: mut next } = $range;
        while next > start {
            next -= 1;
            let $i = next;
            $body
        }
    }};
}

/// Whether a condition holds for all of a range.
#[doc(hidden)]
#[macro_export]
macro_rules! all {
    ($i:ident, $range:expr, $condition:expr) => {{
        let ::core::ops::Range { start: mut $i, end } = $range;
        while $i < end && $condition {
            $i += 1;
        }
        $i >= end
    }};
}

/// Whether a condition holds for one of a range.
#[doc(hidden)]
#[macro_export]
macro_rules! any {
    ($i:ident, $range:expr, $condition:expr) => {
        !$crate::all!($i, $range, !$condition)
    };
}

/// `$body` for the place of each bit of a word that is 1, from the lowest.
#[doc(hidden)]
#[macro_export]
macro_rules! ones {
    ($bit:ident, $word:expr, $body:block) => {{
        let mut rest = $word;
        while rest != 0 {
            let $bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            $body
        }
    }};
}

/// `$body` for each of the numbers below a constant `$end`, of at most 12, 16, 32 or 64, with `$i` as a constant: in kernels,
/// where nothing may be left at run time but what differs.
///
/// A debug build makes a loop of it, in which `$i` is a variable: there each copy would be compiled as it is written, and the
/// constants of all copies evaluated, whatever their number. For facts of `$i` see [`known!`].
#[cfg(not(debug_assertions))]
#[doc(hidden)]
#[macro_export]
macro_rules! unrolled {
    ($i:ident, 12, $end:expr, $body:block) => {
        $crate::unrolled!(@ $i $end, $body 0 1 2 3 4 5 6 7 8 9 10 11)
    };
    ($i:ident, 16, $end:expr, $body:block) => {
        $crate::unrolled!(@ $i $end, $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($i:ident, 32, $end:expr, $body:block) => {
        $crate::unrolled!(@ $i $end, $body
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($i:ident, 64, $end:expr, $body:block) => {
        $crate::unrolled!(@ $i $end, $body
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
            32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63)
    };
    (@ $i:ident $end:expr, $body:block $($literal:literal)*) => {$(
        if const { $literal < $end } {
            #[allow(non_upper_case_globals)]
            const $i: usize = $literal;
            $body
        }
    )*};
}

/// A loop, as debug builds have it.
#[cfg(debug_assertions)]
#[doc(hidden)]
#[macro_export]
macro_rules! unrolled {
    ($i:ident, $most:literal, $end:expr, $body:block) => {{
        let (mut next, end) = (0, const { $end });
        while next < end {
            let $i: usize = next;
            next += 1;
            $body
        }
    }};
}

/// A constant in the body of [`unrolled!`]; in debug builds a value of its loop.
#[cfg(not(debug_assertions))]
#[doc(hidden)]
#[macro_export]
macro_rules! known {
    ($value:expr) => {
        const { $value }
    };
}

/// A value of a loop, as debug builds have it.
#[cfg(debug_assertions)]
#[doc(hidden)]
#[macro_export]
macro_rules! known {
    ($value:expr) => {
        $value
    };
}
