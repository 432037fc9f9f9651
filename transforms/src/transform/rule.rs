//! The notation of a transform: its parameters, and its index rule once.
//!
//! [`transform!`] makes two structs of one list of parameters: the public one of lengths, and `Plain`, its twin of numbers
//! (`plain.rs`), whose `const` methods answer for [`Op`](super::Op). The form of a parameter in each of the two is in `kind.rs`.
//!
//! The index rule is pasted five times: generic over the index for kernels, `const` over
//! words, over bits and over the lanes of a wave for the compiler, and generic over the index of plain
//! data, for what prints a plan.

/// The shared shape of the transforms: a struct of lengths, its twin of numbers, and
/// the rules, each pasted into a method of both.
///
/// | part | is |
/// |---|---|
/// | `Name::constructor { field: Param is Length }` | its parameters: `is Length` for one length, `is Lengths` for a sequence, `is Check` for a flag |
/// | `upper [a + b]`, `upper each lengths`, `upper product lengths` | the lengths of the upper dimensions: of numbers as `u64`, or those of a sequence, or their product |
/// | <code>rule &#124;up, low&#124; {..}</code> | the index rule, which sees each length as an [`Extent`] and each sequence as a slice of them |
/// | <code>valid interval unless flag &#124;up&#124; ..</code> | which upper indices have a place below; `prefix` if 0 always has |
/// | `always valid, injective` | the questions to which the answer is always yes |
/// | `nonzero [a, b]`, `nonzero each lengths` | the parameters that must not be 0, if `check` asks nothing else |
///
/// `@make` writes the two structs. It holds what stands after `upper` as `$upper` and the parts of `valid` as
/// `$valid`, `[shape flag up {..}]` or `[]`. In a rule each field is a local of its name, made of the parameter by the
/// macros of `kind.rs`.
macro_rules! transform {
    // The parts as they are written: the structs, then the questions with one answer.
    (
        $(#[$doc:meta])*
        $Name:ident::$new:ident $parameters:tt
        upper $([$($length:expr),*])? $(each $each:ident)? $(product $product:ident)?
        rule |$up:ident, $low:ident| $rule:block
        $(valid $shape:ident unless $skip:ident |$of:ident| $valid:block)?
        $(always $($always:ident),*)?
        $(nonzero $([$($nonzero:ident),*])? $(each $nonzeros:ident)?)?
    ) => {
        $crate::transform::transform! {
            @make [$(#[$doc])*] $Name::$new $parameters [$([$($length),*])? $(each $each)? $(product $product)?]
            [$($shape $skip $of $valid)?] |$up, $low| $rule
        }
        $($($crate::transform::answers!(always $always);)*)?
        $($crate::transform::answers!(nonzero $([$($nonzero),*])? $(each $nonzeros)?);)?
    };
    // The typed struct with its trait, and its plain twin.
    (
        @make [$(#[$doc:meta])*]
        $Name:ident::$new:ident { $($field:ident: $P:ident is $Kind:ident),* $(,)? }
        $upper:tt $valid:tt |$up:ident, $low:ident| $rule:block
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $Name<$($P),*> {
            $($field: $P),*
        }

        impl<$($P: $crate::transform::bounds::$Kind),*> $Name<$($P),*> {
            /// The transform of these parameters, in CK Tile's order.
            #[inline]
            #[must_use]
            pub const fn $new($($field: $P),*) -> Self {
                Self { $($field),* }
            }
        }

        impl<$($P: $crate::transform::bounds::$Kind),*> $crate::transform::Transform
            for $Name<$($P),*>
        {
            const SEAL: $crate::seal::Seal = $crate::seal::Seal;
            const OP: Result<$crate::transform::Op, $crate::number::NumberError> = 'made: {
                $(let $field = match $crate::transform::kind!(known $Kind $P) {
                    Ok(value) => value,
                    Err(fault) => break 'made Err(fault),
                };)*
                Ok($crate::transform::Op::$Name { $($field),* })
            };
            const FORM: $crate::transform::OpForm = $crate::transform::OpForm {
                op: $crate::transform::Op::$Name {
                    $($field: $crate::transform::kind!(blank $Kind $P)),*
                },
                fields: &[$($crate::transform::kind!(form $Kind $P)),*],
            };
            const AFFINE: bool = Plain::AFFINE;
            const CHECKS: $crate::transform::Checks = {
                $(let $field = $crate::transform::kind!(flag $Kind $P);)*
                $crate::transform::transform!(@checks $valid $($field)*)
            };

            fn op(&self) -> Result<$crate::transform::Op, $crate::number::NumberError> {
                $(let $field = $crate::transform::kind!(value $Kind $P, self.$field)?;)*
                Ok($crate::transform::Op::$Name { $($field),* })
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn lengths(&self, mut set: impl FnMut(usize, u32)) {
                $(let $field = $crate::transform::kind!(typed $Kind $P, self.$field);
                let $field = $crate::transform::kind!(wide $Kind $field);)*
                $crate::transform::transform!(@upper set, $upper);
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn lower<I: $crate::index::Index>(
                &self,
                $up: &(impl core::ops::Index<usize, Output = I> + ?Sized),
                $low: &mut (impl core::ops::IndexMut<usize, Output = I> + ?Sized),
            ) {
                $(let $field = $crate::transform::kind!(typed $Kind $P, self.$field);
                let $field = $crate::transform::kind!(rule_view $Kind $field);)*
                $rule
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn valid<I: $crate::index::Index>(
                &self,
                up: &(impl core::ops::Index<usize, Output = I> + ?Sized),
            ) -> Option<I::Mask> {
                $(let $field = $crate::transform::kind!(typed $Kind $P, self.$field);)*
                $crate::transform::transform!(@valid up, $valid)
            }
        }

        $crate::transform::twin! {
            { $($field is $Kind),* } upper $upper valid $valid rule |$up, $low| $rule
        }
    };
    // The part of the checks that is known from the type alone: that there are none, or of what shape, unless the flag skips them.
    // `$field` are the locals of the flag's kind, all but the flag unused.
    (@checks [] $($field:ident)*) => {{
        $(let _ = $field;)*
        $crate::transform::Checks::none(Plain::AFFINE)
    }};
    (@checks [$shape:ident $skip:ident $of:ident $valid:block] $($field:ident)*) => {{
        $(let _ = $field;)*
        $crate::transform::Checks::$shape(!$skip)
    }};
    // The upper lengths of a typed transform, one by one, given to `$set`: expressions of numbers, the product of a sequence, or each
    // of its lengths.
    (@upper $set:ident, [[$($length:expr),*]]) => {
        let lengths: &[u64] = &[$($length),*];
        for (dimension, length) in lengths.iter().enumerate() {
            $set(dimension, *length as u32);
        }
    };
    (@upper $set:ident, [product $lengths:ident]) => {
        let product = $lengths.iter().map(|n| u64::from(n.value())).fold(1, u64::saturating_mul);
        $set(0, product as u32);
    };
    (@upper $set:ident, [each $each:ident]) => {
        for (dimension, length) in $each.iter().enumerate() {
            $set(dimension, length.value());
        }
    };
    // Whether upper indices have a place below, typed: `None` where none is refused, else the mask of `$valid`, which sees them by
    // the name `$of`.
    (@valid $up:ident, []) => {
        None
    };
    (@valid $up:ident, [$shape:ident $skip:ident $of:ident $valid:block]) => {{
        let $of = $up;
        if $skip { None } else { Some($valid) }
    }};
}
pub(crate) use transform;

/// The constructors of a pad: `with_check` is what `transform!` makes. The example is of a dimension
/// of 6 and the pads that are given, which make it `$padded`.
macro_rules! constructors {
    ($Name:ident { $($field:ident: $P:ident),* }, like $like:literal to $padded:literal) => {
        impl<$($P: $crate::number::Length),*> $Name<$($P,)* $crate::transform::Checked> {
            /// Padding of these lengths; indices in it are invalid.
            ///
            /// ```
            /// use tiledesc_transforms::*;
            ///
            #[doc = concat!("let pad = ", stringify!($Name), "::new(", $like, ");")]
            /// let row = Packed::new([Dyn(6)])?.transform((pad,), lower![[0]], upper![[0]])?;
            /// let every = 0..row.lengths()[0];
            /// let valid = every.filter(|i| row.coordinate([*i]).is_valid());
            /// assert_eq!(valid.count(), 6);
            /// # Ok::<(), Error>(())
            /// ```
            #[inline]
            #[must_use]
            pub const fn new($($field: $P),*) -> Self {
                Self::with_check($($field,)* $crate::transform::Checked)
            }

            /// Padding of these lengths, with indices in it reported as valid: for memory that goes on there, or a caller that
            /// asks by other means. Their offsets may leave the element space.
            ///
            /// ```
            /// use tiledesc_transforms::*;
            ///
            #[doc = concat!("let pad = ", stringify!($Name), "::new(", $like, ").skip_check();")]
            /// let row = Packed::new([Dyn(6)])?.transform((pad,), lower![[0]], upper![[0]])?;
            /// let every = 0..row.lengths()[0];
            /// let valid = every.filter(|i| row.coordinate([*i]).is_valid());
            #[doc = concat!("assert_eq!(valid.count(), ", $padded, ");")]
            /// # Ok::<(), Error>(())
            /// ```
            #[inline]
            #[must_use]
            pub const fn skip_check(self) -> $Name<$($P,)* $crate::transform::Unchecked> {
                $Name::with_check($(self.$field,)* $crate::transform::Unchecked)
            }
        }
    };
}
