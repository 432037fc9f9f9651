//! How a transform is written: its parameters, and its index rule once.
//!
//! [`transform!`] makes the struct, its plain twin's conversion, and four functions
//! of one rule: generic over the index for kernels, `const` over words and over bits for
//! the compiler, and generic over the index of plain data, for what prints a plan. The
//! helpers below say what each kind of parameter (`Length`,
//! `Lengths`, `Check`) is in each of the two worlds.

/// The shared shape of the transforms: a struct of lengths, its plain twin, and
/// the rules, each pasted into a typed and into a const function.
///
/// | part | is |
/// |---|---|
/// | `Name::constructor { field: Param is Length }` | its parameters: `is Length` for one length, `is Lengths` for a sequence, `is Check` for a flag |
/// | `upper [a + b]`, `upper each lengths` | the lengths of the upper dimensions: of numbers as `u64`, or those of a sequence |
/// | <code>rule &#124;up, low&#124; {..}</code> | the index rule, which sees each length as an [`Extent`] and each sequence as a slice of them |
/// | <code>valid interval unless flag &#124;up&#124; ..</code> | which upper indices have a place below; `prefix` if 0 always has |
/// | `always valid, injective` | the questions to which the answer is always yes |
macro_rules! transform {
    (
        $(#[$doc:meta])*
        $Name:ident::$new:ident $parameters:tt
        upper $([$($length:expr),*])? $(each $each:ident)?
        rule |$up:ident, $low:ident| $rule:block
        $(valid $shape:ident unless $skip:ident |$of:ident| $valid:block)?
        $(always $($always:ident),*)?
    ) => {
        $crate::transform::transform! {
            @make [$(#[$doc])*] $Name::$new $parameters [$([$($length),*])? $(each $each)?]
            [$($shape $skip $of $valid)?] |$up, $low| $rule
        }
        $($($crate::transform::always!($always $parameters);)*)?
    };
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
            const OP: Result<$crate::transform::Op, $crate::number::Fault> = 'made: {
                $(let $field = match $crate::transform::known!($Kind $P) {
                    Ok(value) => value,
                    Err(fault) => break 'made Err(fault),
                };)*
                Ok($crate::transform::Op::$Name { $($field),* })
            };
            const AFFINE: bool = AFFINE;
            const CHECKS: $crate::transform::Checks = {
                $(let $field = $crate::transform::flag!($Kind $P);)*
                $crate::transform::checks!($valid $($field)*)
            };

            fn op(&self) -> Result<$crate::transform::Op, $crate::number::Fault> {
                $(let $field = $crate::transform::value!($Kind $P, self.$field)?;)*
                Ok($crate::transform::Op::$Name { $($field),* })
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn lengths(&self, mut set: impl FnMut(usize, u32)) {
                $(let $field = $crate::transform::typed!($Kind $P, self.$field);
                let $field = $crate::transform::wide!($Kind $field);)*
                $crate::transform::each_upper!(set, $upper);
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn lower<I: $crate::index::Index>(
                &self,
                $up: &(impl core::ops::Index<usize, Output = I> + ?Sized),
                $low: &mut (impl core::ops::IndexMut<usize, Output = I> + ?Sized),
            ) {
                $(let $field = $crate::transform::typed!($Kind $P, self.$field);
                let $field = $crate::transform::view!($Kind $field);)*
                $rule
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn valid<I: $crate::index::Index>(
                &self,
                up: &(impl core::ops::Index<usize, Output = I> + ?Sized),
            ) -> Option<I::Mask> {
                $(let $field = $crate::transform::typed!($Kind $P, self.$field);)*
                $crate::transform::typed_valid!(up, $valid)
            }
        }

        $crate::transform::const_rule! {
            lower over index::Word, $({ $field is $Kind })* |$up, $low| $rule
        }
        $crate::transform::const_rule! {
            lower_bits over index::Bits, $({ $field is $Kind })* |$up, $low| $rule
        }
        $crate::transform::const_upper! { $upper $({ $field is $Kind })* }
        $crate::transform::const_valid! { $valid $({ $field is $Kind })* }

        #[allow(unused_variables)]
        pub(crate) fn lower_any<I: $crate::index::Index>(
            $($field: $crate::transform::plain!($Kind),)*
            $up: &[I],
            $low: &mut [I],
        ) {
            $(let $field = $crate::transform::constant!($Kind $field);
            let $field = $crate::transform::const_view!($Kind $field);)*
            $rule
        }
    };
}
pub(crate) use transform;

/// What the type alone tells of a transform's checks.
macro_rules! checks {
    ([] $($field:ident)*) => {{
        $(let _ = $field;)*
        $crate::transform::Checks::none(AFFINE)
    }};
    ([$shape:ident $skip:ident $of:ident $valid:block] $($field:ident)*) => {{
        $(let _ = $field;)*
        $crate::transform::Checks::$shape(!$skip)
    }};
}
pub(crate) use checks;

/// The upper lengths of a typed transform, one by one.
macro_rules! each_upper {
    ($set:ident, [[$($length:expr),*]]) => {
        let lengths: &[u64] = &[$($length),*];
        for (dimension, length) in lengths.iter().enumerate() {
            $set(dimension, *length as u32);
        }
    };
    ($set:ident, [each $each:ident]) => {
        for (dimension, length) in $each.iter().enumerate() {
            $set(dimension, length.value());
        }
    };
}
pub(crate) use each_upper;

/// The upper lengths of a plain transform.
macro_rules! const_upper {
    ([[$($length:expr),*]] $({ $field:ident is $Kind:ident })*) => {
        #[allow(unused_variables)]
        pub(crate) const fn upper_lengths(
            $($field: $crate::transform::plain!($Kind)),*
        ) -> Result<$crate::number::list::List, $crate::number::Fault> {
            $(let $field = $crate::transform::constant!($Kind $field);
            let $field = $crate::transform::const_wide!($Kind $field);)*
            $crate::transform::narrowed(&[$($length),*])
        }
    };
    ([each $each:ident] $({ $field:ident is $Kind:ident })*) => {
        #[allow(unused_variables)]
        pub(crate) const fn upper_lengths(
            $($field: $crate::transform::plain!($Kind)),*
        ) -> Result<$crate::number::list::List, $crate::number::Fault> {
            Ok($each)
        }
    };
}
pub(crate) use const_upper;

/// Whether upper indices have a place below, typed.
macro_rules! typed_valid {
    ($up:ident, []) => {
        None
    };
    ($up:ident, [$shape:ident $skip:ident $of:ident $valid:block]) => {{
        let $of = $up;
        if $skip { None } else { Some($valid) }
    }};
}
pub(crate) use typed_valid;

/// The same, plain. A transform of one upper index checks it.
macro_rules! const_valid {
    ([] $($rest:tt)*) => {};
    ([$shape:ident $skip:ident $of:ident $valid:block] $({ $field:ident is $Kind:ident })*) => {
        pub(crate) const ALWAYS_VALID: bool = false;

        #[allow(unused_variables)]
        pub(crate) const fn valid(
            $($field: $crate::transform::plain!($Kind),)*
            up: &[u32],
        ) -> bool {
            $(let $field = $crate::transform::constant!($Kind $field);)*
            let $of = [$crate::index::Word::of(up[0])];
            $skip || $valid
        }
    };
}
pub(crate) use const_valid;

/// The rule as a const function: over words, which are numbers, or over bits, which
/// stand for any number.
macro_rules! const_rule {
    ($name:ident over $module:ident::$Index:ident, $({ $field:ident is $Kind:ident })* |$up:ident, $low:ident| $rule:block) => {
        #[allow(unused_variables)]
        pub(crate) const fn $name(
            $($field: $crate::transform::plain!($Kind),)*
            $up: &[$crate::$module::$Index],
            $low: &mut [$crate::$module::$Index],
        ) {
            $(let $field = $crate::transform::constant!($Kind $field);
            let $field = $crate::transform::const_view!($Kind $field);)*
            $rule
        }
    };
}
pub(crate) use const_rule;

/// What most transforms say: every index is valid, and the rule is injective.
macro_rules! always {
    (valid { $($field:ident: $P:ident is $Kind:ident),* }) => {
        pub(crate) const ALWAYS_VALID: bool = true;

        pub(crate) const fn valid(
            $(_: $crate::transform::plain!($Kind),)*
            _: &[u32],
        ) -> bool {
            true
        }
    };
    (injective { $($field:ident: $P:ident is $Kind:ident),* }) => {
        pub(crate) const fn injective(
            $(_: $crate::transform::plain!($Kind)),*
        ) -> $crate::transform::Injective {
            $crate::transform::Injective::Yes
        }
    };
}
pub(crate) use always;

/// The traits that a parameter's kind stands for.
pub(crate) mod bounds {
    pub(crate) use crate::number::Length;
    pub(crate) use crate::number::sequence::Lengths;
    pub(crate) use crate::transform::Check;
}

macro_rules! known {
    (Check $P:ident) => {
        Ok::<bool, $crate::number::Fault>(<$P as $crate::transform::Check>::SKIP)
    };
    ($Kind:ident $P:ident) => {
        <$P as $crate::transform::bounds::$Kind>::KNOWN
    };
}
macro_rules! value {
    (Check $P:ident, $field:expr) => {
        Ok::<bool, $crate::number::Fault>(<$P as $crate::transform::Check>::SKIP)
    };
    (Length $P:ident, $field:expr) => {
        $crate::transform::length_value(&$field)
    };
    (Lengths $P:ident, $field:expr) => {
        $crate::transform::lengths_value(&$field)
    };
}
macro_rules! flag {
    (Check $P:ident) => {
        <$P as $crate::transform::Check>::SKIP
    };
    ($Kind:ident $P:ident) => {
        ()
    };
}
macro_rules! typed {
    (Check $P:ident, $field:expr) => {
        <$P as $crate::transform::Check>::SKIP
    };
    (Length $P:ident, $field:expr) => {
        $crate::number::Length::extent(&$field)
    };
    (Lengths $P:ident, $field:expr) => {
        $crate::number::sequence::Lengths::extents(&$field)
    };
}
macro_rules! view {
    (Lengths $field:ident) => {
        $field.as_ref()
    };
    ($Kind:ident $field:ident) => {
        $field
    };
}
macro_rules! wide {
    (Length $field:ident) => {
        u64::from($field.value())
    };
    ($Kind:ident $field:ident) => {
        $crate::transform::view!($Kind $field)
    };
}
macro_rules! const_wide {
    (Length $field:ident) => {
        $field.value() as u64
    };
    ($Kind:ident $field:ident) => {
        $crate::transform::const_view!($Kind $field)
    };
}
macro_rules! plain {
    (Check) => {
        bool
    };
    (Length) => {
        u32
    };
    (Lengths) => {
        $crate::number::list::List
    };
}
macro_rules! constant {
    (Check $field:ident) => {
        $field
    };
    (Length $field:ident) => {
        $crate::number::extent::Extent::constant($field)
    };
    (Lengths $field:ident) => {
        $crate::number::sequence::ConstExtents::new(&$field)
    };
}
macro_rules! const_view {
    (Lengths $field:ident) => {
        $field.as_slice()
    };
    ($Kind:ident $field:ident) => {
        $field
    };
}
pub(crate) use {const_view, const_wide, constant, flag, known, plain, typed, value, view, wide};
