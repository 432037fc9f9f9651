//! The plain twin of a transform: a struct of its numbers, with what [`transform!`] makes of the rules and with the rules that
//! most transforms have in common.

/// The plain twin of a transform: its numbers, and what follows from the rules. `$upper` and `$valid` are as
/// `transform!` holds them; each macro below reads them once more.
macro_rules! twin {
    (
        { $($field:ident is $Kind:ident),* }
        upper $upper:tt valid $valid:tt rule |$up:ident, $low:ident| $rule:block
    ) => {
        /// The numbers of the transform.
        #[derive(Clone, Copy)]
        pub(crate) struct Plain {
            $(pub(crate) $field: $crate::transform::plain!($Kind)),*
        }

        #[allow(unused_variables)]
        impl Plain {
            $crate::transform::plain_rule! {
                [const fn lower] $crate::transform::Each<$crate::index::Word>,
                [$($field is $Kind),*] |$up, $low| $rule
            }
            $crate::transform::plain_rule! {
                [const fn lower_bits] $crate::transform::Each<$crate::index::Bits>,
                [$($field is $Kind),*] |$up, $low| $rule
            }
            $crate::transform::plain_rule! {
                [const fn lower_many] $crate::transform::Each<$crate::index::Many>,
                [$($field is $Kind),*] |$up, $low| $rule
            }
            $crate::transform::plain_rule! {
                [fn lower_any<I: $crate::index::Index>] [I], [$($field is $Kind),*] |$up, $low| $rule
            }
            $crate::transform::plain_upper! { $upper $($field is $Kind),* }
            $crate::transform::plain_valid! { $valid $($field is $Kind),* }
        }
    };
}
pub(crate) use twin;

/// The upper lengths of a plain transform: expressions of numbers, the product of a sequence, or its lengths.
macro_rules! plain_upper {
    ([[$($length:expr),*]] $($field:ident is $Kind:ident),*) => {
        pub(crate) const fn upper_lengths(
            self,
        ) -> Result<$crate::number::list::List, $crate::number::NumberError> {
            $(let $field = $crate::transform::const_wide!($Kind self.$field);)*
            $crate::transform::narrowed!($($length),*)
        }
    };
    ([product $lengths:ident] $($rest:tt)*) => {
        pub(crate) const fn upper_lengths(
            self,
        ) -> Result<$crate::number::list::List, $crate::number::NumberError> {
            $crate::transform::narrowed!(self.$lengths.elements())
        }
    };
    ([each $each:ident] $($rest:tt)*) => {
        pub(crate) const fn upper_lengths(
            self,
        ) -> Result<$crate::number::list::List, $crate::number::NumberError> {
            Ok(self.$each)
        }
    };
}
pub(crate) use plain_upper;

/// Whether upper indices have a place below. A transform of one upper index checks it.
macro_rules! plain_valid {
    ([] $($rest:tt)*) => {};
    ([$shape:ident $skip:ident $of:ident $valid:block] $($field:ident is $Kind:ident),*) => {
        pub(crate) const fn valid(self, up: &[u32]) -> bool {
            $(let $field = $crate::transform::constant!($Kind self.$field);)*
            let $of = [$crate::index::Word::of(up[0])];
            $skip || $valid
        }
    };
}
pub(crate) use plain_valid;

/// The rule of a plain transform: over words, which are numbers, over bits, which stand
/// for any number, over the indices of many lanes, or over any index. `$signature` is the function up to its arguments, `$Indices` what these are.
macro_rules! plain_rule {
    (
        [$($signature:tt)*] $Indices:ty,
        [$($field:ident is $Kind:ident),*] |$up:ident, $low:ident| $rule:block
    ) => {
        pub(crate) $($signature)*(self, $up: &$Indices, $low: &mut $Indices) {
            $(let $field = $crate::transform::constant!($Kind self.$field);)*
            $rule
        }
    };
}
pub(crate) use plain_rule;

/// The rules of most transforms: every index is valid, and the rule is injective.
macro_rules! always {
    (valid) => {
        impl Plain {
            pub(crate) const fn valid(self, _: &[u32]) -> bool {
                true
            }
        }
    };
    (injective) => {
        impl Plain {
            pub(crate) const fn injective(self) -> bool {
                true
            }
        }
    };
}
pub(crate) use always;

/// The demands of most transforms on their parameters: that none is 0, of no number, of one, of two, or of a sequence. `@check`
/// writes the check for a list.
macro_rules! nonzero {
    ([]) => {
        $crate::transform::nonzero!(@check self => &$crate::number::list::List::EMPTY);
    };
    ([$field:ident]) => {
        $crate::transform::nonzero!(@check self => &$crate::number::list::List::one(self.$field));
    };
    ([$one:ident, $other:ident]) => {
        $crate::transform::nonzero!(
            @check self => &$crate::number::list::List::pair(self.$one, self.$other)
        );
    };
    (each $each:ident) => {
        $crate::transform::nonzero!(@check self => &self.$each);
    };
    (@check $self:ident => $lengths:expr) => {
        impl Plain {
            pub(crate) const fn check($self, _: &$crate::number::list::List) -> Result<(), $crate::error::Error> {
                $crate::transform::no_zero(Self::NAME, $lengths)
            }
        }
    };
}
pub(crate) use nonzero;

/// The rules that a transform leaves to one whose special case it is: `forward! { as_pad: demands, run }`. `$other` is the method
/// that makes the other; each rule `@question` calls it.
macro_rules! forward {
    ($other:ident: $($question:ident),*) => {
        impl Plain {
            $($crate::transform::forward!(@$question $other);)*
        }
    };
    (@demands $other:ident) => {
        pub(crate) const fn demands(self) -> $crate::transform::Demands {
            self.$other().demands()
        }
    };
    (@check $other:ident) => {
        pub(crate) const fn check(
            self,
            names: &$crate::number::list::List,
        ) -> Result<(), $crate::error::Error> {
            self.$other().check(names)
        }
    };
    (@raise $other:ident) => {
        pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
            self.$other().raise(low, up)
        }
    };
    (@injective $other:ident) => {
        pub(crate) const fn injective(self) -> bool {
            self.$other().injective()
        }
    };
    (@run $other:ident) => {
        pub(crate) const fn run(
            self,
            low: &[$crate::transform::Run],
            up: &mut [$crate::transform::Run],
        ) {
            self.$other().run(low, up);
        }
    };
}
pub(crate) use forward;
