//! The plain twin of a transform: a struct of its numbers, with what [`transform!`] makes of the rules and with the rules that
//! most transforms have in common.

/// The plain twin of a transform: its numbers, and what follows from the rules. `$upper` and `$valid` are as
/// `transform!` holds them; each rule below reads them once more.
macro_rules! twin {
    (
        { $($field:ident is $Kind:ident),* }
        upper $upper:tt valid $valid:tt rule |$up:ident, $low:ident| $rule:block
    ) => {
        /// The numbers of the transform.
        #[derive(Clone, Copy)]
        pub(crate) struct Plain {
            $(pub(crate) $field: $crate::transform::kind!(plain $Kind)),*
        }

        #[allow(unused_variables)]
        impl Plain {
            $crate::transform::twin! {
                @rule [const fn lower] $crate::transform::Each<$crate::index::Word>,
                [$($field is $Kind),*] |$up, $low| $rule
            }
            $crate::transform::twin! {
                @rule [const fn lower_bits] $crate::transform::Each<$crate::index::Bits>,
                [$($field is $Kind),*] |$up, $low| $rule
            }
            $crate::transform::twin! {
                @rule [const fn lower_many] $crate::transform::Each<$crate::index::Many>,
                [$($field is $Kind),*] |$up, $low| $rule
            }
            $crate::transform::twin! {
                @rule [fn lower_any<I: $crate::index::Index>] [I], [$($field is $Kind),*] |$up, $low| $rule
            }
            $crate::transform::twin! { @upper $upper $($field is $Kind),* }
            $crate::transform::twin! { @valid $valid $($field is $Kind),* }
        }
    };
    // The rule: over words, which are numbers, over bits, which stand for any number, over the indices of many lanes, or over any
    // index. `$signature` is the function up to its arguments, `$Indices` what these are.
    (
        @rule [$($signature:tt)*] $Indices:ty,
        [$($field:ident is $Kind:ident),*] |$up:ident, $low:ident| $rule:block
    ) => {
        pub(crate) $($signature)*(self, $up: &$Indices, $low: &mut $Indices) {
            $(let $field = $crate::transform::kind!(constant $Kind self.$field);)*
            $rule
        }
    };
    // The upper lengths: expressions of numbers, the product of a sequence, or its lengths.
    (@upper [[$($length:expr),*]] $($field:ident is $Kind:ident),*) => {
        pub(crate) const fn upper_lengths(
            self,
        ) -> Result<$crate::number::list::List, $crate::number::NumberError> {
            $(let $field = $crate::transform::kind!(const_wide $Kind self.$field);)*
            $crate::transform::twin!(@narrowed $($length),*)
        }
    };
    (@upper [product $lengths:ident] $($rest:tt)*) => {
        pub(crate) const fn upper_lengths(
            self,
        ) -> Result<$crate::number::list::List, $crate::number::NumberError> {
            $crate::transform::twin!(@narrowed self.$lengths.elements())
        }
    };
    (@upper [each $each:ident] $($rest:tt)*) => {
        pub(crate) const fn upper_lengths(
            self,
        ) -> Result<$crate::number::list::List, $crate::number::NumberError> {
            Ok(self.$each)
        }
    };
    // Upper lengths that fit 32 bits: none, one, or two.
    (@narrowed) => {
        Ok($crate::number::list::List::EMPTY)
    };
    (@narrowed $one:expr) => {
        $crate::transform::narrow_one($one)
    };
    (@narrowed $one:expr, $other:expr) => {
        $crate::transform::narrow_pair($one, $other)
    };
    // Whether upper indices have a place below. A transform of one upper index checks it.
    (@valid [] $($rest:tt)*) => {};
    (@valid [$shape:ident $skip:ident $of:ident $valid:block] $($field:ident is $Kind:ident),*) => {
        pub(crate) const fn valid(self, up: &[u32]) -> bool {
            $(let $field = $crate::transform::kind!(constant $Kind self.$field);)*
            let $of = [$crate::index::Word::new(up[0])];
            $skip || $valid
        }
    };
}
pub(crate) use twin;

/// The answers that transforms have in common.
///
/// | rule | answers |
/// |---|---|
/// | `always valid`, `always injective` | yes: every index is valid, and the rule is injective |
/// | `nonzero [a, b]`, `nonzero each lengths` | that parameters must not be 0: none, one, two, or those of a sequence |
/// | `by as_pad: demands, run` | what the transform does whose special case it is; `$other` is the method that makes it |
///
/// `@check` writes the check for a list; `@by` calls the other.
macro_rules! answers {
    (always valid) => {
        impl Plain {
            pub(crate) const fn valid(self, _: &[u32]) -> bool {
                true
            }
        }
    };
    (always injective) => {
        impl Plain {
            pub(crate) const fn injective(self) -> bool {
                true
            }
        }
    };
    (nonzero []) => {
        $crate::transform::answers!(@check self => &$crate::number::list::List::EMPTY);
    };
    (nonzero [$field:ident]) => {
        $crate::transform::answers!(@check self => &$crate::number::list::List::one(self.$field));
    };
    (nonzero [$one:ident, $other:ident]) => {
        $crate::transform::answers!(
            @check self => &$crate::number::list::List::pair(self.$one, self.$other)
        );
    };
    (nonzero each $each:ident) => {
        $crate::transform::answers!(@check self => &self.$each);
    };
    (@check $self:ident => $lengths:expr) => {
        impl Plain {
            pub(crate) const fn check($self, _: &$crate::number::list::List) -> Result<(), $crate::error::Error> {
                $crate::transform::no_zero(Self::NAME, $lengths)
            }
        }
    };
    (by $other:ident: $($question:ident),*) => {
        impl Plain {
            $($crate::transform::answers!(@by $question $other);)*
        }
    };
    (@by demands $other:ident) => {
        pub(crate) const fn demands(self) -> $crate::transform::Demands {
            self.$other().demands()
        }
    };
    (@by check $other:ident) => {
        pub(crate) const fn check(
            self,
            names: &$crate::number::list::List,
        ) -> Result<(), $crate::error::Error> {
            self.$other().check(names)
        }
    };
    (@by raise $other:ident) => {
        pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
            self.$other().raise(low, up)
        }
    };
    (@by injective $other:ident) => {
        pub(crate) const fn injective(self) -> bool {
            self.$other().injective()
        }
    };
    (@by run $other:ident) => {
        pub(crate) const fn run(
            self,
            low: &[$crate::transform::Run],
            up: &mut [$crate::transform::Run],
        ) {
            self.$other().run(low, up);
        }
    };
}
pub(crate) use answers;
