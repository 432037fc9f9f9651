//! Loops that a `const fn` and a kernel have in place of iterators.
//!
//! | macro | instead of |
//! |---|---|
//! | `range!(i, 0..n, { .. })` | `for i in 0..n { .. }`, with `continue`, `break` and `return` |
//! | `down!(i, 0..n, { .. })` | `for i in (0..n).rev() { .. }` |
//! | `all!(i, 0..n, condition)` | `(0..n).all(\|i\| condition)` |
//! | `any!(i, 0..n, condition)` | `(0..n).any(\|i\| condition)` |
//! | `ones!(bit, word, { .. })` | a loop over the bits of a word that are 1, from the lowest |
//! | `unrolled!(i, 32, N, { .. })` | `for i in 0..N.min(32) { .. }` over constants |
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

/// `$body` for each of the numbers below a constant `$end`, of at most so many, with `$i` as a constant: in kernels, where
/// nothing may be left at run time but what differs.
///
/// A debug build makes a loop of it, in which `$i` is a variable: there each copy would be compiled as it is written, and the
/// constants of all copies evaluated, whatever their number. For facts of `$i` see [`known!`].
#[doc(hidden)]
#[macro_export]
macro_rules! unrolled {
    // In rows of 16, so that rustc evaluates 32 conditions where few hold; `$i` is a value in release builds, too.
    ($i:ident, 256, $end:expr, $body:block) => {{
        #[cfg(not(debug_assertions))]
        {
            $crate::unrolled!(ROW, 16, $end.div_ceil(16), {
                $crate::unrolled!(COLUMN, 16, 16, {
                    if const { 16 * ROW + COLUMN < $end } {
                        let $i: usize = 16 * ROW + COLUMN;
                        $body
                    }
                });
            });
        }
        #[cfg(debug_assertions)]
        {
            $crate::unrolled!(@loop $i, 256, $end, $body);
        }
    }};
    (@loop $i:ident, $most:literal, $end:expr, $body:block) => {
        let (mut next, end) = (0, const { $end });
        while next < end && next < $most {
            let $i: usize = next;
            next += 1;
            $body
        }
    };
    ($i:ident, $most:literal, $end:expr, $body:block) => {{
        #[cfg(not(debug_assertions))]
        #[allow(unused_braces, reason = "a body of one expression")]
        {
            $crate::__each! { 0..$most:
                if const { # < $end } {
                    #[allow(non_upper_case_globals)]
                    const $i: usize = #;
                    $body
                }
            }
        }
        #[cfg(debug_assertions)]
        {
            $crate::unrolled!(@loop $i, $most, $end, $body);
        }
    }};
}

/// A constant in the body of [`unrolled!`]; in debug builds a value of its loop.
#[doc(hidden)]
#[macro_export]
macro_rules! known {
    ($value:expr) => {{
        #[cfg(not(debug_assertions))]
        {
            const { $value }
        }
        #[cfg(debug_assertions)]
        {
            $value
        }
    }};
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;
    use tiledesc_macros::each;

    trait Named {
        const NAME: &'static str;
    }
    each! { u8, core::num::Wrapping<u16>:
        #[allow(dead_code, reason = "an attribute stays one")]
        impl Named for # {
            const NAME: &'static str = stringify!(#);
        }
    }

    each! { 0..=2, 5:
        #[doc = concat!("The numbers below ", #, ".")]
        fn #below_() -> [usize; #] {
            [#(#),*]
        }
    }

    #[test]
    fn copies_of_words_and_numbers() {
        assert_eq!(<u8 as Named>::NAME, "u8");
        assert_eq!(
            <core::num::Wrapping<u16> as Named>::NAME.replace(' ', ""),
            "core::num::Wrapping<u16>"
        );
        assert_eq!((below_0(), below_1(), below_2()), ([], [0], [0, 1]));
        assert_eq!(below_5(), [0, 1, 2, 3, 4]);
        // What stands between, with names of their own, within a copy.
        each! { 3: let (#(#number,)*) = (#(10_u32.pow(#),)*); }
        assert_eq!([number0, number1, number2], [1, 10, 100]);
        each! { 3: let sum = #(#number)+*; }
        assert_eq!(sum, 111);
    }

    /// Up to the end, and up to the most, in either build.
    #[test]
    fn loops_of_constants() {
        fn up_to<const END: usize>() -> [Vec<usize>; 2] {
            let (mut few, mut many) = (Vec::new(), Vec::new());
            unrolled!(i, 12, END, { few.push(known!(i * 2)) });
            unrolled!(i, 256, END, { many.push(i) });
            [few, many]
        }
        fn counted<const END: usize>() {
            let [few, many] = up_to::<END>();
            assert!(few.iter().copied().eq((0..END.min(12)).map(|i| 2 * i)), "{END}: {few:?}");
            assert!(many.iter().copied().eq(0..END.min(256)), "{END}: {many:?}");
        }
        each! { 0, 1, 11, 12, 13, 16, 17, 255, 256, 257: counted::<#>(); }
    }
}
