//! One step of a coordinate's journey: from *upper* indices (towards the user)
//! to *lower* indices (towards memory).
//!
//! ```text
//!   user      m          k            top
//!             |        /   \          unmerge: 1 lower <- 2 upper, and so on
//!             m       k0    k1
//!              \     /      |
//!                xor        |
//!   memory        offset              bottom
//! ```
//!
//! Every transform of CK Tile has a file here that holds all there is to know
//! about it:
//!
//! | in the file | what it is |
//! |---|---|
//! | `lower` | the **index rule**, upper to lower; written once, compiled for kernels and for the compiler |
//! | `upper_lengths` | the lengths of the upper dimensions |
//! | `demand` | the lengths it needs below it |
//! | `check` | what its own parameters must satisfy |
//! | `valid` | whether an upper index has a place in memory (only pads say no) |
//! | `raise` | the inverse of the rule, lower to upper |
//! | `injective` | whether two upper coordinates can meet below |
//! | `run` | its effect on vector guarantees |
//! | `AFFINE` | whether a move needs only the difference (see [`Op::shift`]) |
//!
//! The same transform comes in two forms: a type ([`Xor<L0, L1>`](Xor)), which
//! kernels run and which occupies no memory when its lengths are numbers; and
//! plain data ([`Op::Xor`]), which [`Plan`](crate::Plan)s hold.

use crate::error::Error;
use crate::index::{Index, Word};
use crate::number::Fault;
use crate::sequence::List;
use core::ops;

/// A coordinate transform as a type.
///
/// Implemented by the transforms of this crate; the index rule is generic over
/// the [`Index`], so that the same type computes with `u32`, prints an
/// expression or builds a graph.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a coordinate transform",
    note = "transforms are `PassThrough`, `Merge`, `Unmerge`, `Xor`, `Embed`, ... of lengths"
)]
pub trait Transform: Copy {
    /// The transform as plain data, if the compiler knows its numbers.
    const OP: Result<Op, Fault>;
    /// Whether a move needs only the difference; see [`Op::is_affine`].
    const AFFINE: bool;
    /// The transform as plain data, with run-time lengths.
    ///
    /// # Errors
    ///
    /// A number with a fault.
    fn op(&self) -> Result<Op, Fault>;
    /// The index rule: from the upper indices to the lower ones. `low` comes
    /// filled with some index, so that constants have a context.
    fn lower<I: Index>(
        &self,
        up: &(impl ops::Index<usize, Output = I> + ?Sized),
        low: &mut (impl ops::IndexMut<usize, Output = I> + ?Sized),
    );
    /// Whether the upper indices have a place below. Only pads say no.
    fn valid(&self, up: &(impl ops::Index<usize, Output = u32> + ?Sized)) -> bool;
}

/// A parameter that is no length: whether a pad checks validity.
pub trait Check: Copy + Default + 'static {
    /// Whether indices in the padding are reported as valid (CK `skip_check`).
    const SKIP: bool;
}

/// Indices in the padding are invalid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked;
impl Check for Checked {
    const SKIP: bool = false;
}

/// Indices in the padding are reported as valid (CK `skip_is_valid_check`): the
/// caller knows that memory is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unchecked;
impl Check for Unchecked {
    const SKIP: bool = true;
}

/// What a transform needs of a dimension below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Exactly this length.
    Exactly(u64),
    /// This length or more.
    AtLeast(u64),
}

/// The demands of a transform on its lower dimensions, in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demands {
    pub(crate) items: [Demand; List::CAPACITY],
    pub(crate) len: usize,
}

impl Demands {
    pub(crate) const NONE: Self = Self { items: [Demand::AtLeast(0); List::CAPACITY], len: 0 };

    pub(crate) const fn one(demand: Demand) -> Self {
        let mut demands = Self::NONE;
        demands.items[0] = demand;
        demands.len = 1;
        demands
    }

    /// Exactly the lengths of a list.
    pub(crate) const fn exactly(lengths: &[u32]) -> Self {
        let mut demands = Self::NONE;
        while demands.len < lengths.len() {
            demands.items[demands.len] = Demand::Exactly(lengths[demands.len] as u64);
            demands.len += 1;
        }
        demands
    }
}

/// Whether different upper coordinates have different lower coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Injective {
    /// They do.
    Yes,
    /// These two upper coordinates of the transform meet.
    No(List, List),
    /// Structure does not tell.
    Unknown,
}

/// How the offset changes while one dimension is walked and all others stay.
///
/// Every step adds `stride`, except at some multiples of `period` (and nowhere
/// when `period` is 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) period: u64,
    pub(crate) stride: i64,
}

impl Run {
    /// Nothing is known: any step may break.
    pub(crate) const BROKEN: Self = Self { period: 1, stride: 0 };
    /// Walking changes nothing.
    pub(crate) const STILL: Self = Self { period: 0, stride: 0 };

    /// The same, with further breaks at multiples of `position` (none for 0).
    pub(crate) const fn broken_at(self, position: u64) -> Self {
        Self { period: gcd(self.period, position), stride: self.stride }
    }
}

/// The greatest common divisor; `gcd(0, n) = n`.
pub(crate) const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

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

        #[allow(unused_variables)]
        pub(crate) const fn lower(
            $($field: $crate::transform::plain!($Kind),)*
            $up: &[$crate::index::Word],
            $low: &mut [$crate::index::Word],
        ) {
            $(let $field = $crate::transform::constant!($Kind $field);
            let $field = $crate::transform::const_view!($Kind $field);)*
            $rule
        }
    };
}
pub(crate) use transform;

/// What most transforms say: every index is valid, and the rule is injective.
macro_rules! always {
    (valid { $($field:ident: $P:ident is $Kind:ident),* }) => {
        const ALWAYS_VALID: bool = true;

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
    pub(crate) use super::Check;
    pub(crate) use crate::number::Length;
    pub(crate) use crate::sequence::Lengths;
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
        $crate::sequence::Lengths::extents(&$field)
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
        $crate::sequence::List::EMPTY
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
        $crate::sequence::List
    };
}
macro_rules! constant {
    (Check $field:ident) => {
        ()
    };
    (Length $field:ident) => {
        $crate::magic::Extent::constant($field)
    };
    (Lengths $field:ident) => {
        $crate::sequence::ConstExtents::new(&$field)
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

/// The run-time value of a length, or the fault of its number.
pub(crate) fn length_value<L: crate::number::Length>(length: &L) -> Result<u32, Fault> {
    match L::KNOWN {
        Err(Fault::NotKnown) | Ok(_) => Ok(length.extent().value()),
        Err(fault) => Err(fault),
    }
}

/// The run-time values of lengths, or the fault of one of them.
pub(crate) fn lengths_value<L: crate::sequence::Lengths>(lengths: &L) -> Result<List, Fault> {
    if let Err(fault) = L::KNOWN
        && fault != Fault::NotKnown
    {
        return Err(fault);
    }
    lengths.extents().as_ref().iter().try_fold(List::EMPTY, |list, e| list.push_back(e.value()))
}

/// The numbers of a transform for an error text.
macro_rules! parameters {
    ($field:ident: List $(, $other:ident: List)*) => {{
        $(let _ = $other;)*
        $field
    }};
    ($field:ident: Table) => {
        List::new(&[$field.len() as u32])
    };
    // A flag counts as 0 or 1.
    ($($field:ident: $type:ident),+) => {
        List::new(&[$($field as u32),+])
    };
}

/// The table of all transforms: variant, module, fields.
macro_rules! ops {
    ($($(#[$doc:meta])* $Name:ident = $module:ident {
        $($(#[$fdoc:meta])* $field:ident: $type:ident),*
    })*) => {
        $(mod $module;
        pub use $module::$Name;)*

        /// A coordinate transform as plain data.
        ///
        /// What [`Transform`] types are to kernels, `Op`s are to proofs, files
        /// and search: values with `const fn`s. Lengths are in elements.
        ///
        /// ```
        /// use tiledesc_transforms::{List, Op};
        ///
        /// let op = Op::Merge { lengths: List::new(&[8, 16]) };
        /// assert_eq!(op.name(), "merge");
        /// assert_eq!(op.upper_lengths().unwrap().as_slice(), [128]);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Op {
            $($(#[$doc])* $Name { $($(#[$fdoc])* $field: $type),* },)*
        }

        impl Op {
            /// CK Tile's name of the transform.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$Name { .. } => $module::NAME,)*
                }
            }

            /// Whether the rule is linear up to a constant, so that a move
            /// needs only the difference.
            #[must_use]
            pub const fn is_affine(&self) -> bool {
                match self {
                    $(Self::$Name { .. } => $module::AFFINE,)*
                }
            }

            /// The transform's own numbers, in its order; of several sequences
            /// the first.
            pub(crate) const fn parameters(&self) -> List {
                match *self {
                    $(Self::$Name { $($field),* } => parameters!($($field: $type),*),)*
                }
            }

            /// The index rule over plain words.
            pub(crate) const fn lower(&self, up: &[Word], low: &mut [Word]) {
                match *self {
                    $(Self::$Name { $($field),* } => $module::lower($($field,)* up, low),)*
                }
            }

            /// The lengths of the upper dimensions.
            ///
            /// # Errors
            ///
            /// A product beyond 32 bits, more than 12 dimensions.
            pub const fn upper_lengths(&self) -> Result<List, Fault> {
                match *self {
                    $(Self::$Name { $($field),* } => $module::upper_lengths($($field),*),)*
                }
            }

            pub(crate) const fn demands(&self) -> Demands {
                match *self {
                    $(Self::$Name { $($field),* } => $module::demands($($field),*),)*
                }
            }

            pub(crate) const fn check(&self, lower: &[u8]) -> Result<(), Error> {
                match *self {
                    $(Self::$Name { $($field),* } => $module::check($($field,)* lower),)*
                }
            }

            pub(crate) const fn valid(&self, up: &[u32]) -> bool {
                match *self {
                    $(Self::$Name { $($field),* } => $module::valid($($field,)* up),)*
                }
            }

            /// The upper coordinate that the rule maps to `low`, if the rule
            /// has an inverse there. The caller checks by mapping it again.
            pub(crate) const fn raise(&self, low: &[u32], up: &mut [u32]) -> bool {
                match *self {
                    $(Self::$Name { $($field),* } => $module::raise($($field,)* low, up),)*
                }
            }

            pub(crate) const fn injective(&self) -> Injective {
                match *self {
                    $(Self::$Name { $($field),* } => $module::injective($($field),*),)*
                }
            }

            pub(crate) const fn run(&self, low: &[Run], up: &mut [Run]) {
                match *self {
                    $(Self::$Name { $($field),* } => $module::run($($field,)* low, up),)*
                }
            }
        }
    };
}

ops! {
    /// The index as it is.
    PassThrough = pass_through {
        /// Length of the dimension.
        length: u32
    }
    /// Padding on both sides.
    Pad = pad {
        /// Length below.
        low_length: u32,
        /// Padding in front.
        left: u32,
        /// Padding behind.
        right: u32,
        /// Report padding as valid.
        skip_check: bool
    }
    /// Padding in front.
    LeftPad = left_pad {
        /// Length below.
        low_length: u32,
        /// Padding in front.
        left: u32,
        /// Report padding as valid.
        skip_check: bool
    }
    /// Padding behind.
    RightPad = right_pad {
        /// Length below.
        low_length: u32,
        /// Padding behind.
        right: u32,
        /// Report padding as valid.
        skip_check: bool
    }
    /// Several dimensions with strides, laid over one.
    Embed = embed {
        /// Lengths of the upper dimensions.
        lengths: List,
        /// Distance in the lower dimension of a step in each.
        strides: List
    }
    /// Several lower dimensions seen as one.
    Merge = merge {
        /// Lengths of the lower dimensions, slowest first.
        lengths: List
    }
    /// One lower dimension seen as several.
    Unmerge = unmerge {
        /// Lengths of the upper dimensions, slowest first.
        lengths: List
    }
    /// A lower dimension held at one index.
    Freeze = freeze {
        /// The index.
        index: u32
    }
    /// An upper dimension that changes nothing.
    Insert = insert {
        /// Its length.
        length: u32
    }
    /// Upper dimensions that change nothing.
    Replicate = replicate {
        /// Their lengths.
        lengths: List
    }
    /// A part of a dimension.
    Slice = slice {
        /// Length below.
        low_length: u32,
        /// First index taken.
        begin: u32,
        /// First index behind the part.
        end: u32
    }
    /// A dimension that starts over.
    Modulo = modulo {
        /// Indices before it starts over.
        modulus: u32,
        /// Length above.
        length: u32
    }
    /// One index xor-ed with another: the swizzle.
    Xor = xor {
        /// Length of the dimension that stays, and is the key.
        length0: u32,
        /// Length of the dimension that is permuted; a power of two.
        length1: u32
    }
    /// A dimension that starts later.
    Offset = offset {
        /// Length above.
        length: u32,
        /// Added to the index.
        offset: u32
    }
    /// An index looked up once and kept.
    Indexing = indexing {
        /// Length above.
        length: u32,
        /// The lower index.
        cached: u32
    }
    /// One index rotated by another.
    CyclicShift = cyclic_shift {
        /// Length of the dimension that stays, and is the shift.
        length0: u32,
        /// Length of the dimension that is rotated.
        length1: u32
    }
    /// One index rotated back by another.
    InverseCyclicShift = inverse_cyclic_shift {
        /// Length of the dimension that stays, and is the shift.
        length0: u32,
        /// Length of the dimension that is rotated.
        length1: u32
    }
    /// A function of the user's.
    Functor = functor {
        /// Its values at 0, 1, ...
        table: Table
    }
}

/// The values of a function at 0, 1, ...
pub type Table = &'static [u32];

pub use functor::Function;

impl Op {
    /// How many lower and upper dimensions the transform takes.
    ///
    /// # Errors
    ///
    /// As [`upper_lengths`](Self::upper_lengths).
    pub const fn arity(&self) -> Result<(usize, usize), Fault> {
        match self.upper_lengths() {
            Ok(upper) => Ok((self.demands().len, upper.len())),
            Err(fault) => Err(fault),
        }
    }

    /// What a move of the upper indices by `diff` adds to the lower indices.
    ///
    /// For an affine rule this is `rule(diff) - rule(0)`, whatever the indices
    /// are; so the update of a move needs no rule of its own.
    #[must_use]
    pub const fn shift(&self, diff: &[u32]) -> Option<[u32; List::CAPACITY]> {
        if !self.is_affine() {
            return None;
        }
        let (at_diff, at_zero) = (self.apply(diff), self.apply(&[0; List::CAPACITY]));
        let mut shift = [0; List::CAPACITY];
        let mut i = 0;
        while i < shift.len() {
            shift[i] = at_diff[i].wrapping_sub(at_zero[i]);
            i += 1;
        }
        Some(shift)
    }

    /// The lower indices of some upper indices.
    pub(crate) const fn apply(&self, up: &[u32]) -> [u32; List::CAPACITY] {
        let mut words = [Word(0); List::CAPACITY];
        let mut i = 0;
        while i < up.len() {
            words[i] = Word(up[i]);
            i += 1;
        }
        let mut low = [Word(0); List::CAPACITY];
        self.lower(&words, &mut low);
        let mut result = [0; List::CAPACITY];
        let mut i = 0;
        while i < result.len() {
            result[i] = low[i].0;
            i += 1;
        }
        result
    }
}

/// The upper lengths of a transform; a constant where the compiler knows them,
/// empty for a fault, which was refused when the transform was composed.
#[inline(always)]
pub(crate) fn upper_lengths_of<T: Transform>(transform: &T) -> List {
    let known = const {
        match T::OP {
            Ok(op) => match op.upper_lengths() {
                Ok(lengths) => Some(lengths),
                Err(_) => None,
            },
            Err(_) => None,
        }
    };
    match known {
        Some(lengths) => lengths,
        None => transform.op().and_then(|op| op.upper_lengths()).unwrap_or(List::EMPTY),
    }
}

/// The product of lengths as one length.
pub(crate) const fn product(lengths: &List) -> Result<u32, Fault> {
    let mut result = 1u64;
    let mut i = 0;
    while i < lengths.len() {
        result *= lengths.as_slice()[i] as u64;
        if result > u32::MAX as u64 {
            return Err(Fault::TooLarge { value: result });
        }
        i += 1;
    }
    Ok(result as u32)
}

/// Refuses lengths of 0.
pub(crate) const fn no_zero(transform: &'static str, lengths: &[u32]) -> Result<(), Error> {
    let mut i = 0;
    while i < lengths.len() {
        if lengths[i] == 0 {
            let declared = match List::from_slice(lengths) {
                Ok(declared) => declared,
                Err(fault) => return Err(Error::Number(fault)),
            };
            return Err(Error::ZeroLength { transform, declared });
        }
        i += 1;
    }
    Ok(())
}
