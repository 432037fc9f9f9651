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
//! | `demands` | the lengths it needs below it |
//! | `check` | what its own parameters must satisfy |
//! | `valid` | whether an upper index has a place in memory (only pads say no) |
//! | `raise` | the inverse of the rule, lower to upper |
//! | `injective` | whether it is plain that no two upper coordinates meet below; `meet.rs` decides the rest |
//! | `run` | its effect on vector guarantees |
//! | `AFFINE` | whether a move needs only the difference (see [`Op::shift`]) |
//!
//! A transform comes in two forms: a type ([`Xor<L0, L1>`](Xor)), which kernels run and which occupies no memory when its lengths
//! are numbers; and plain data ([`Op::Xor`]), which [`Plan`](crate::Plan)s hold. A variant's numbers are the struct `Plain` of
//! its file, and the table's answers are `Plain`'s `const` methods.

pub(crate) use crate::error::Demand;
use crate::error::Error;
use crate::index::Bits;
use crate::index::{Index, Many, Word};
use crate::number::NumberError;
use crate::number::formula::Given;
use crate::number::list::List;
use crate::seal::Seal;
use core::ops;

/// A coordinate transform as a type.
///
/// Implemented by the transforms of this crate only; the index rule is generic over
/// the [`Index`], so that the same type computes with `u32`, prints an
/// expression or builds a graph.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a coordinate transform",
    note = "transforms are `PassThrough`, `Merge`, `Unmerge`, `Xor`, `Embed`, ... of lengths"
)]
pub trait Transform: Copy {
    #[doc(hidden)]
    const SEAL: Seal;
    /// The transform as plain data, if the compiler knows its numbers.
    const OP: Result<Op, NumberError>;
    /// The transform of numbers known only at run time.
    #[doc(hidden)]
    const FORM: OpForm;
    /// True if a move needs only the difference; see [`Op::is_affine`].
    const AFFINE: bool;
    /// The transform as plain data, with run-time lengths.
    ///
    /// # Errors
    ///
    /// A number with a fault.
    fn op(&self) -> Result<Op, NumberError>;
    /// The index rule: from the upper indices to the lower ones. `low` comes
    /// filled with some index, so that constants have a context.
    fn lower<I: Index>(
        &self,
        up: &(impl ops::Index<usize, Output = I> + ?Sized),
        low: &mut (impl ops::IndexMut<usize, Output = I> + ?Sized),
    );
    /// The part of the transform's checks that is known from the type alone.
    #[doc(hidden)]
    const CHECKS: Checks;
    /// The lengths of the upper dimensions, in elements: `set` is called with each
    /// dimension and its length.
    fn lengths(&self, set: impl FnMut(usize, u32));
    /// Returns whether the upper indices have a place below, and thereby are in range; `None` if every index in range has. Only
    /// pads check it.
    fn valid<I: Index>(
        &self,
        up: &(impl ops::Index<usize, Output = I> + ?Sized),
    ) -> Option<I::Mask>;
}

/// A parameter that is not a length: whether a pad checks validity.
pub trait Check: Copy + Default + 'static {
    /// True if indices in the padding are reported as valid (CK `skip_check`).
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

/// The demands of a transform on its lower dimensions, in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Demands {
    /// There are no lower dimensions.
    None,
    /// One dimension, with its demand.
    One(Demand),
    /// Exactly the lengths of a list.
    Each(List),
}

impl Demands {
    /// The number of lower dimensions.
    pub(crate) const fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::One(_) => 1,
            Self::Each(lengths) => lengths.len(),
        }
    }

    /// The length that the first lower dimension needs; 0 if there is none.
    pub(crate) const fn first(&self) -> u64 {
        match self {
            Self::None => 0,
            Self::One(Demand::Exactly(length) | Demand::AtLeast(length)) => *length,
            Self::Each(lengths) => lengths.at(0) as u64,
        }
    }
}

/// The run-time value of a length, or the fault of its number.
pub(crate) fn length_value<L: crate::number::Length>(length: &L) -> Result<u32, NumberError> {
    match L::KNOWN {
        Err(NumberError::NotKnown) | Ok(_) => Ok(length.extent().value()),
        Err(fault) => Err(fault),
    }
}

/// The run-time values of lengths, or the fault of one of them.
pub(crate) fn lengths_value<L: crate::sequence::Lengths>(lengths: &L) -> Result<List, NumberError> {
    if let Err(fault) = L::KNOWN
        && fault != NumberError::NotKnown
    {
        return Err(fault);
    }
    lengths.extents().as_ref().iter().try_fold(List::EMPTY, |list, e| list.push_back(e.value()))
}

mod checks;
mod form;
mod meet;
mod run;
mod strided;
pub use checks::Checks;
pub use form::{Field, OpForm};
pub(crate) use meet::{Interval, Meeting};
pub(crate) use run::{Run, gcd};
use tiledesc_macros::transform;

/// The table of all transforms. Each row makes a module, a variant of [`Op`], and an arm of each question, which the
/// `Plain` of the module answers.
///
/// | argument | holds |
/// |---|---|
/// | `$Name` | the variant, and the typed transform |
/// | `$module` | its file |
/// | `$field: $type` | the numbers of both: `u32`, `List`, `bool` or `Table` |
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
        /// // Two dimensions below, one above; a rule that divides is not affine.
        /// assert_eq!((op.arity(), op.is_affine()), (Ok((2, 1)), false));
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
                    $(Self::$Name { .. } => $module::Plain::NAME,)*
                }
            }

            /// Returns whether the rule is linear up to a constant, so that a move needs only the difference.
            #[must_use]
            pub const fn is_affine(&self) -> bool {
                match self {
                    $(Self::$Name { .. } => $module::Plain::AFFINE,)*
                }
            }

            /// The transform's own numbers, in its order; of several sequences
            /// the first.
            pub(crate) const fn parameters(&self) -> List {
                match *self {
                    $(Self::$Name { $($field),* } => ops!(@parameters $($field: $type),*),)*
                }
            }

            /// The index rule over plain words.
            pub(crate) const fn lower(&self, up: &Each<Word>, low: &mut Each<Word>) {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.lower(up, low),)*
                }
            }

            /// The index rule over bits.
            pub(crate) const fn lower_bits(&self, up: &Each<Bits>, low: &mut Each<Bits>) {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.lower_bits(up, low),)*
                }
            }

            /// The index rule over the indices of many lanes.
            pub(crate) const fn lower_many(&self, up: &Each<Many>, low: &mut Each<Many>) {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.lower_many(up, low),)*
                }
            }

            /// The index rule over any index.
            pub(crate) fn lower_any<I: Index>(&self, up: &[I], low: &mut [I]) {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.lower_any(up, low),)*
                }
            }

            /// The transform with other numbers, as its fields make them of the run
            /// time's.
            pub(crate) const fn filled(
                self,
                fields: &[Field],
                given: Given<'_>,
            ) -> Result<Self, NumberError> {
                match self {
                    $(Self::$Name { $($field),* } => {
                        $(let ($field, fields) = ops!(@filled $type $field, fields, given);)*
                        let _ = fields;
                        Ok(Self::$Name { $($field),* })
                    })*
                }
            }

            /// The lengths of the upper dimensions.
            ///
            /// # Errors
            ///
            /// A product beyond 32 bits, more than 12 dimensions.
            pub const fn upper_lengths(&self) -> Result<List, NumberError> {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.upper_lengths(),)*
                }
            }

            pub(crate) const fn demands(&self) -> Demands {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.demands(),)*
                }
            }

            /// Refuses parameters that make no sense; `names` are the lower dimensions.
            pub(crate) const fn check(&self, names: &List) -> Result<(), Error> {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.check(names),)*
                }
            }

            pub(crate) const fn valid(&self, up: &[u32]) -> bool {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.valid(up),)*
                }
            }

            /// The upper coordinate that the rule maps to `low`, if the rule
            /// has an inverse there. The caller checks by mapping it again.
            pub(crate) const fn raise(&self, low: &[u32], up: &mut [u32]) -> bool {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.raise(low, up),)*
                }
            }

            /// Returns whether it is plain to see that no two upper coordinates in range have one lower coordinate, and `raise`
            /// leads back. [`meet`](Self::meet) decides more, and costs more.
            pub(crate) const fn injective(&self) -> bool {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.injective(),)*
                }
            }

            pub(crate) const fn run(&self, low: &[Run], up: &mut [Run]) {
                match *self {
                    $(Self::$Name { $($field),* } => $module::Plain { $($field),* }.run(low, up),)*
                }
            }
        }
    };
    // The numbers of a transform for an error text: of several sequences the first, of a function the first entries, of flags none.
    // `@push` adds one to a list.
    // Sequences: the first.
    (@parameters $field:ident: List $(, $other:ident: List)*) => {{
        $(let _ = $other;)*
        $field
    }};
    // A function: as many entries as a list holds.
    (@parameters $field:ident: Table) => {
        match $field.split_at_checked(List::CAPACITY) {
            Some((first, _)) => List::new(first),
            None => List::new($field),
        }
    };
    // Numbers, with flags and a sequence among them.
    (@parameters $($field:ident: $type:ident),+) => {{
        let list = List::EMPTY;
        $(let list = ops!(@push list $field $type);)+
        list
    }};
    (@push $list:ident $field:ident bool) => {{
        let _ = $field;
        $list
    }};
    (@push $list:ident $field:ident u32) => {
        match $list.push_back($field) {
            Ok(list) => list,
            Err(_) => $list,
        }
    };
    (@push $list:ident $field:ident List) => {{
        let (mut list, mut i) = ($list, 0);
        while i < $field.len() {
            let item = $field.at(i);
            list = ops!(@push list item u32);
            i += 1;
        }
        list
    }};
    // The next parameter, and those after it: by the type of the field, the value that its formula has of the numbers `$given`, or
    // `$old` where it is fixed or there is none.
    (@filled u32 $old:ident, $fields:ident, $given:ident) => {
        match $fields {
            [Field::Length(formula), rest @ ..] => (attempt!(formula.value($given)), rest),
            _ => ($old, $fields),
        }
    };
    (@filled List $old:ident, $fields:ident, $given:ident) => {
        match $fields {
            [Field::Lengths(formulas), rest @ ..] => (attempt!(formulas.values($given)), rest),
            _ => ($old, $fields),
        }
    };
    (@filled $fixed:ident $old:ident, $fields:ident, $given:ident) => {
        match $fields {
            [Field::Fixed, rest @ ..] => ($old, rest),
            _ => ($old, $fields),
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
        /// Padding after the last index.
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
    /// Padding after the last index.
    RightPad = right_pad {
        /// Length below.
        low_length: u32,
        /// Padding after the last index.
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
        /// Length of the dimension.
        length: u32
    }
    /// Upper dimensions that change nothing.
    Replicate = replicate {
        /// Lengths of the dimensions.
        lengths: List
    }
    /// A part of a dimension.
    Slice = slice {
        /// Length below.
        low_length: u32,
        /// First index taken.
        begin: u32,
        /// First index after the part.
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
    /// One index xor-ed with a mask for each bit of another: every linear swizzle.
    XorBits = xor_bits {
        /// Length of the dimension that stays, and whose bits choose masks.
        length0: u32,
        /// Length of the dimension that is permuted; a power of two.
        length1: u32,
        /// The bits that each bit of the first index flips, from bit 0 on.
        masks: List
    }
    /// One index whose bits are placed one by one: every linear permutation.
    LinearBits = linear_bits {
        /// Length of the dimension; a power of two.
        length: u32,
        /// The bits that each bit of the index flips, from bit 0 on; a bit without a column stays.
        columns: List
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
        /// The function's values at 0, 1, ...
        table: Table
    }
}

/// The indices on one side of a transform. Not a slice, whose length the compiler checks at each.
pub(crate) type Each<I> = [I; List::CAPACITY];

/// The values of a function at 0, 1, ...
pub type Table = &'static [u32];

pub use functor::Function;

impl Op {
    /// The numbers of lower and upper dimensions that the transform takes.
    ///
    /// # Errors
    ///
    /// As [`upper_lengths`](Self::upper_lengths).
    pub const fn arity(&self) -> Result<(usize, usize), NumberError> {
        match self.upper_lengths() {
            Ok(upper) => Ok((self.demands().len(), upper.len())),
            Err(fault) => Err(fault),
        }
    }

    /// Returns whether no upper index in range is in padding. Not a constant of each transform, as all would be
    /// evaluated before one is looked at: see DESIGN, "What the compiler pays for".
    pub(crate) const fn is_always_valid(&self) -> bool {
        !matches!(self, Self::Pad { .. } | Self::LeftPad { .. } | Self::RightPad { .. })
    }

    /// The number of upper indices that have nothing below them: the width of a pad.
    pub(crate) const fn padding(&self) -> u64 {
        match *self {
            Self::Pad { left, right, .. } => left as u64 + right as u64,
            Self::LeftPad { left, .. } => left as u64,
            Self::RightPad { right, .. } => right as u64,
            _ => 0,
        }
    }

    /// Returns whether padding is reported as valid, so that indices leave a dimension.
    pub(crate) const fn leaves_dimension(&self) -> bool {
        match *self {
            Self::Pad { skip_check, .. }
            | Self::LeftPad { skip_check, .. }
            | Self::RightPad { skip_check, .. } => skip_check && self.padding() > 0,
            _ => false,
        }
    }

    /// The difference of the lower indices for a move of the upper indices by `diff`.
    ///
    /// For an affine rule this is `rule(diff) - rule(0)`, whatever the indices
    /// are; so the update of a move needs no rule of its own. `None` for any other rule, which is
    /// computed again at the new index.
    ///
    /// ```
    /// use tiledesc_transforms::{List, Op};
    ///
    /// let (lengths, strides) = (List::pair(8, 16), List::pair(20, 1));
    /// let rows = Op::Embed { lengths, strides };
    /// // A row on and two columns back.
    /// let shift = rows.shift(&[1, 2_u32.wrapping_neg()]);
    /// assert_eq!(shift.map(|lower| lower[0]), Some(20 - 2));
    /// assert_eq!(Op::Merge { lengths }.shift(&[1]), None);
    /// ```
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
        while i < up.len() && i < words.len() {
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

/// The upper coordinate of `low` by the index rule of the transform that undoes this one.
pub(crate) const fn raise_by(inverse: Op, low: &[u32], up: &mut [u32]) -> bool {
    let raised = inverse.apply(low);
    let mut i = 0;
    while i < up.len() && i < raised.len() {
        up[i] = raised[i];
        i += 1;
    }
    true
}

pub(crate) const fn narrow_one(length: u64) -> Result<List, NumberError> {
    if length >> 32 == 0 {
        Ok(List::one(length as u32))
    } else {
        Err(NumberError::TooLarge { value: length })
    }
}

pub(crate) const fn narrow_pair(one: u64, other: u64) -> Result<List, NumberError> {
    if (one | other) >> 32 == 0 {
        return Ok(List::pair(one as u32, other as u32));
    }
    Err(NumberError::TooLarge { value: if one >> 32 == 0 { other } else { one } })
}

/// Refuses lengths of 0.
pub(crate) const fn no_zero(transform: &'static str, lengths: &List) -> Result<(), Error> {
    let count = lengths.count as usize;
    let mut i = 0;
    while i < count {
        if lengths.items[i] == 0 {
            return Err(Error::ZeroLength { transform, declared: *lengths });
        }
        i += 1;
    }
    Ok(())
}
