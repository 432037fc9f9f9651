//! How a transform is written: its parameters, and its index rule once.
//!
//! [`transform!`] makes the struct, its plain twin's conversion, and four functions
//! of one rule: generic over the index for kernels, `const` over words and over bits for
//! the compiler, and generic over the index of plain data, for what prints a plan. The helpers below say what each kind of parameter (`Length`,
//! `Lengths`, `Check`) is in each of the two worlds.

/// The shared shape of the transforms: a struct of lengths, its plain twin, and
/// the index rule, pasted into a typed and into a const function.
///
/// Legend: `Name::constructor { field: Param is Length }` for one length, `is
/// Lengths` for a sequence, `is Check` for a flag; then the rule, which sees each
/// length as an [`Extent`] and each sequence as a slice of them; then the
/// questions to which the answer is always yes.
macro_rules! transform {
    (
        $(#[$doc:meta])*
        $Name:ident::$new:ident $parameters:tt
        rule |$up:ident, $low:ident| $rule:block
        $(always $($always:ident),*)?
    ) => {
        $crate::transform::transform! {
            @make [$(#[$doc])*] $Name::$new $parameters |$up, $low| $rule
        }
        $($($crate::transform::always!($always $parameters);)*)?
    };
    (
        @make [$(#[$doc:meta])*]
        $Name:ident::$new:ident { $($field:ident: $P:ident is $Kind:ident),* $(,)? }
        |$up:ident, $low:ident| $rule:block
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

            fn op(&self) -> Result<$crate::transform::Op, $crate::number::Fault> {
                $(let $field = $crate::transform::value!($Kind $P, self.$field)?;)*
                Ok($crate::transform::Op::$Name { $($field),* })
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn lower<I: $crate::index::Index>(
                &self,
                $up: &(impl core::ops::Index<usize, Output = I> + ?Sized),
                $low: &mut (impl core::ops::IndexMut<usize, Output = I> + ?Sized),
            ) {
                $(let $field = $crate::transform::typed!($Kind self.$field);
                let $field = $crate::transform::view!($Kind $field);)*
                $rule
            }

            #[inline(always)]
            fn valid(
                &self,
                up: &(impl core::ops::Index<usize, Output = u32> + ?Sized),
            ) -> bool {
                ALWAYS_VALID
                    || valid($($crate::transform::number!($Kind $P, self.$field),)* &[up[0]])
            }
        }

        $crate::transform::const_rule! {
            lower over index::Word, $({ $field is $Kind })* |$up, $low| $rule
        }
        $crate::transform::const_rule! {
            lower_bits over index::Bits, $({ $field is $Kind })* |$up, $low| $rule
        }

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
macro_rules! typed {
    (Check $field:expr) => {
        ()
    };
    (Length $field:expr) => {
        $crate::number::Length::extent(&$field)
    };
    (Lengths $field:expr) => {
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
macro_rules! number {
    (Check $P:ident, $field:expr) => {
        <$P as $crate::transform::Check>::SKIP
    };
    (Length $P:ident, $field:expr) => {
        $crate::number::Length::extent(&$field).value()
    };
    // Only pads have invalid indices, and they have no sequences.
    (Lengths $P:ident, $field:expr) => {
        $crate::number::list::List::EMPTY
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
        ()
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
pub(crate) use {const_view, constant, known, number, plain, typed, value, view};
