//! A layout: a descriptor with an element type, and the front door.
//!
//! ```text
//!   const OFF: u32 = Tile::offset([3, 17]);   elements, computed by the compiler, checked
//!   Tile::byte_at([m, k])                     bytes, at run time: 5 x86-64 instructions and ret
//!   Tile::offset([3, 17, 1])                  does not compile: wrong number of indices
//!   Tile::offset([3, 64])                     does not compile: out of range
//! ```
//!
//! [`layout!`](crate::layout!) names one and checks it where it is declared, so
//! that `cargo check` and editors see the mistake on the user's line.

mod mapping;

pub use mapping::Mapping;

use crate::element::Element;
use core::fmt::Debug;
use core::marker::PhantomData;
use tiledesc_transforms::{
    Adaptor, Checks, Coordinate, Descriptor, Digits, Error, Extent, Index, List, MultiIndex,
    OfRank, Plan, Rank, Vector,
};

/// Elements of type `E` at the offsets of the descriptor `D`, whose lengths are
/// all numbers.
///
/// It has no value: everything is asked of the type. A layout is itself a
/// [`Descriptor`], so laws and transforms take it too.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! {
///     /// 128 rows of 64 halves, 8 more behind each row.
///     type Padded = Layout<F16, Naive<seq![128, 64], seq![72, 1]>>;
/// }
/// const OFF: u32 = Padded::offset([3, 17]);
/// assert_eq!(OFF, 233);
/// assert_eq!(Padded::byte_at([3u32, 17]), 466);
/// assert_eq!(Padded::BYTES, 18416);
/// ```
pub struct Layout<E, D>(PhantomData<(E, D)>);

impl<E, D> Clone for Layout<E, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, D> Copy for Layout<E, D> {}
impl<E, D> Default for Layout<E, D> {
    fn default() -> Self {
        Self(PhantomData)
    }
}
impl<E, D> Debug for Layout<E, D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Layout")
    }
}

impl<E: Element, D: Descriptor> Layout<E, D> {
    /// The layout as plain data; using it refuses a layout that cannot be.
    pub const PLAN: Plan = match Self::checked() {
        Ok(plan) => plan,
        Err(error) => error.refuse(""),
    };
    /// The lengths of the dimensions, in elements.
    pub const LENGTHS: List = Self::PLAN.lengths();
    /// The number of coordinates.
    pub const ELEMENTS: u64 = Self::PLAN.elements();
    /// The size of the element space, in elements: what memory must hold from
    /// the layout's first element to its last.
    pub const SPACE: u64 = Self::PLAN.element_space();
    /// The size of the element space, in whole bytes.
    pub const BYTES: u64 = (Self::SPACE * E::BITS as u64).div_ceil(8);
}

/// The byte in which the element at an offset begins.
#[inline(always)]
fn in_bytes<E: Element, I: Index>(offset: &I) -> I {
    bytes_of(offset, E::BITS)
}

/// The same of elements of `bits` bits.
#[inline(always)]
pub(crate) fn bytes_of<I: Index>(offset: &I, bits: u32) -> I {
    if bits.is_multiple_of(8) {
        offset.mul(Extent::constant(bits / 8))
    } else {
        offset.mul(Extent::constant(bits)).div(Extent::constant(8))
    }
}

/// The plan of a layout whose byte (or, for odd widths, bit) offsets fit 32 bits.
pub(crate) const fn sized(plan: Result<Plan, Error>, bits: u32) -> Result<Plan, Error> {
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return Err(error),
    };
    if bits == 0 {
        return Err(Error::NoBits);
    }
    let unit = if bits.is_multiple_of(8) { bits as u64 / 8 } else { bits as u64 };
    let elements = plan.element_space() + plan.origin() as u64;
    if elements * unit > 1 << 32 {
        return Err(Error::BytesTooLarge { elements, bits });
    }
    Ok(plan)
}

/// What the plan answers; an error is refused on the line of the function's caller.
macro_rules! answer {
    ($name:expr, |$plan:ident| $question:expr) => {{
        let answer = match Self::checked() {
            Ok($plan) => $question,
            Err(error) => Err(error),
        };
        match answer {
            Ok(answer) => answer,
            Err(error) => error.refuse($name),
        }
    }};
}

// The bounds stand on the functions, not on the `impl`: then a missing one is
// "`K` is not a number" and not "the method exists, but its bounds were not
// satisfied", with the whole type. And the functions do not mention `PLAN`: a
// constant that fails points here, a function that panics at the user's line.
impl<E, D> Layout<E, D> {
    pub(crate) const fn checked() -> Result<Plan, Error>
    where
        E: Element,
        D: Descriptor,
    {
        sized(D::PLAN, E::BITS)
    }

    /// Refuses a layout that cannot be or overlaps itself, on the caller's line, under
    /// `name`: what [`layout!`](crate::layout!) does. What structure cannot decide passes;
    /// [`assert_injective!`](crate::assert_injective!) is strict.
    ///
    /// # Panics
    ///
    /// With the sentence of the [`Error`]: of an overlap, two coordinates that share an
    /// offset.
    #[track_caller]
    pub const fn check(name: &str)
    where
        E: Element,
        D: Descriptor,
    {
        answer!(name, |plan| match plan.prove_injective() {
            Err(Error::Undecided { .. }) => Ok(()),
            proven => proven,
        });
    }

    /// Refuses a layout that cannot be, on the caller's line, under `name`. One that
    /// overlaps itself, as a sliding window does, passes.
    ///
    /// # Panics
    ///
    /// With the sentence of the [`Error`].
    #[track_caller]
    pub const fn check_size(name: &str)
    where
        E: Element,
        D: Descriptor,
    {
        answer!(name, |_plan| Ok(()));
    }

    /// Refuses a layout of which two coordinates share an offset.
    ///
    /// # Panics
    ///
    /// With two coordinates that collide, or with what structure cannot decide.
    #[track_caller]
    pub const fn check_injective(name: &str)
    where
        E: Element,
        D: Descriptor,
    {
        answer!(name, |plan| plan.prove_injective());
    }

    /// Refuses a layout that is no bijection onto its element space.
    ///
    /// # Panics
    ///
    /// With two coordinates that collide, or the number of holes.
    #[track_caller]
    pub const fn check_bijective(name: &str)
    where
        E: Element,
        D: Descriptor,
    {
        answer!(name, |plan| plan.prove_bijective());
    }

    /// The offset of a coordinate, in elements, for constants.
    ///
    /// In a constant, a wrong coordinate does not compile. At run time use
    /// [`at`](Self::at), which is the fast one.
    ///
    /// # Panics
    ///
    /// With an index out of range or a coordinate in padding.
    #[must_use]
    #[track_caller]
    pub const fn offset<const R: usize>(index: [u32; R]) -> u32
    where
        E: Element,
        D: Descriptor,
        [u32; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    {
        answer!("", |plan| plan.offset(&index))
    }

    /// The offset of a coordinate, in bits, for constants.
    ///
    /// # Panics
    ///
    /// As [`offset`](Self::offset).
    #[must_use]
    #[track_caller]
    pub const fn bit_offset<const R: usize>(index: [u32; R]) -> u64
    where
        E: Element,
        D: Descriptor,
        [u32; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    {
        Self::offset(index) as u64 * E::BITS as u64
    }

    /// The offset of the byte in which a coordinate's element begins, for
    /// constants.
    ///
    /// # Panics
    ///
    /// As [`offset`](Self::offset).
    #[must_use]
    #[track_caller]
    pub const fn byte_offset<const R: usize>(index: [u32; R]) -> u32
    where
        E: Element,
        D: Descriptor,
        [u32; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    {
        (Self::bit_offset(index) / 8) as u32
    }

    /// The offset of a coordinate, in elements, at run time.
    ///
    /// `u32`, `u64`, `u128`, `usize`, or any [`Index`] of your own. The caller knows the
    /// index to be in range; nothing is checked and nothing panics.
    #[inline(always)]
    #[must_use]
    pub fn at<I: Index, const R: usize>(index: [I; R]) -> I
    where
        E: Element,
        D: Descriptor + Default,
        [I; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    {
        const { Self::check_size("") };
        D::at_of_type(index, 1)
    }

    /// The offset of the byte in which a coordinate's element begins, at run
    /// time.
    #[inline(always)]
    #[must_use]
    pub fn byte_at<I: Index, const R: usize>(index: [I; R]) -> I
    where
        E: Element,
        D: Descriptor + Default,
        [I; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    {
        const { Self::check_size("") };
        if E::BITS % 8 == 0 {
            D::at_of_type(index, E::BITS / 8)
        } else {
            in_bytes::<E, I>(&Self::at(index))
        }
    }

    /// A coordinate that can move by steps.
    #[inline(always)]
    #[must_use]
    pub fn coordinate<const R: usize>(index: [u32; R]) -> Coordinate<D, R>
    where
        E: Element,
        D: Descriptor + Default,
        [u32; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    {
        const { Self::check_size("") };
        D::default().coordinate(index)
    }

    /// The coordinate at an offset, in elements: the inverse of
    /// [`offset`](Self::offset), for constants and tables.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// const BACK: [u32; 2] = Tile::coordinate_of(Tile::offset([3, 17]));
    /// assert_eq!(BACK, [3, 17]);
    /// ```
    ///
    /// # Panics
    ///
    /// With an offset that no coordinate has. [`Plan::coordinate_of`] returns
    /// the error instead.
    #[must_use]
    #[track_caller]
    pub const fn coordinate_of<const R: usize>(offset: u32) -> [u32; R]
    where
        E: Element,
        D: Descriptor,
        [u32; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    {
        let found = answer!("", |plan| plan.coordinate_of(offset));
        let mut index = [0; R];
        let mut i = 0;
        while i < R {
            index[i] = found.as_slice()[i];
            i += 1;
        }
        index
    }

    /// How many neighbours along a dimension one instruction may move; see
    /// [`Vector`].
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// assert_eq!(Tile::vector(1).length, 8);
    /// ```
    ///
    /// # Panics
    ///
    /// With a dimension that does not exist.
    #[must_use]
    #[track_caller]
    pub const fn vector(dimension: usize) -> Vector
    where
        E: Element,
        D: Descriptor,
    {
        answer!("", |plan| plan.vector(dimension))
    }
}

/// A layout is the descriptor it holds.
impl<E: Element, D: Descriptor + Default> Adaptor for Layout<E, D> {
    type Rank = D::Rank;
    type BottomRank = D::BottomRank;
    type Moving = D::Moving;

    const PLAN: Result<Plan, Error> = Self::checked();
    const DIGITS: Option<Digits> = D::DIGITS;

    fn plan(&self) -> Result<Plan, Error> {
        Self::checked()
    }

    #[inline(always)]
    fn lengths(&self) -> MultiIndex<D::Rank> {
        D::default().lengths()
    }

    #[inline(always)]
    fn lower<I: Index>(&self, top: &[I]) -> [I; 1] {
        D::default().lower(top)
    }

    #[inline(always)]
    fn start(&self, top: &[u32]) -> D::Moving {
        D::default().start(top)
    }

    #[inline(always)]
    fn advance(&self, moving: &mut D::Moving, top: &[u32], diff: &[u32]) {
        D::default().advance(moving, top, diff);
    }

    #[inline(always)]
    fn bottom_of(moving: &D::Moving) -> u32 {
        D::bottom_of(moving)
    }

    #[inline(always)]
    fn accepts(&self, moving: &D::Moving, top: &[u32]) -> Option<bool> {
        D::default().accepts(moving, top)
    }

    const CHECKS: Checks = D::CHECKS;

    #[inline(always)]
    fn accepts_top<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
        D::default().accepts_top(top)
    }

    #[inline(always)]
    fn in_range<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
        D::default().in_range(top)
    }
}

/// Names layouts and checks each where it stands.
///
/// What is wrong with a layout is an error on this line, with the layout's name
/// and the numbers; a bare type alias would be checked only where it is used.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! {
///     /// A operand: 128 rows of M, 64 of K, fp16, packs of eight.
///     pub type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
/// }
/// assert_eq!(ABlock::BYTES, 16384);
/// ```
///
/// A block may hold several; more than about six in one reach the compiler's
/// recursion limit, so give them blocks of their own.
///
/// An integer in a list of two or more arguments means that [`Lit`](crate::Lit):
/// `Swapped<64, 128, 8, 1>`. A single one stays what it is: `M<128>`. `M`, `N` and
/// `K` are the recipe parameters, without a `use`.
#[macro_export]
macro_rules! layout {
    ($($(#[$meta:meta])* $vis:vis type $Name:ident = $first:tt $($rest:tt)*)?) => {
        $($crate::layout! { @type [$(#[$meta])* $vis type $Name =] $Name [$first] $($rest)* })?
    };
    // The one-letter parameters are found without a `use`.
    (@type $head:tt $Name:ident [$($done:tt)*] :: $name:ident $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* :: $name] $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*] M < $n:tt > $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* $crate::parameter::M < $n] > $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*] N < $n:tt > $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* $crate::parameter::N < $n] > $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*] K < $n:tt > $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* $crate::parameter::K < $n] > $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*] M < $n:tt >> $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* $crate::parameter::M < $n] >> $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*] N < $n:tt >> $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* $crate::parameter::N < $n] >> $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*] K < $n:tt >> $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* $crate::parameter::K < $n] >> $($rest)* }
    };
    // Literals in lists become numbers.
    (@type $head:tt $Name:ident [$($done:tt)*] < $n:literal , $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* < $crate::Lit<$n>] , $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*] , $n:literal , $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* , $crate::Lit<$n>] , $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*] , $n:literal > $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* , $crate::Lit<$n>] > $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*] , $n:literal >> $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* , $crate::Lit<$n>] >> $($rest)* }
    };
    (@type [$($head:tt)*] $Name:ident [$($done:tt)*] ; $($rest:tt)*) => {
        $($head)* $($done)*;
        const _: () = <$Name>::check(stringify!($Name));
        $crate::layout! { $($rest)* }
    };
    (@type $head:tt $Name:ident [$($done:tt)*]) => {
        compile_error!(concat!("layout!: a `;` is missing behind `", stringify!($Name), "`"));
    };
    (@type $head:tt $Name:ident [$($done:tt)*] $next:tt $($rest:tt)*) => {
        $crate::layout! { @type $head $Name [$($done)* $next] $($rest)* }
    };
}

/// Refuses, at compile time, layouts that are no bijection onto their element
/// space; the error names two coordinates that collide, or counts the holes.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_bijective! { Tile }
/// ```
#[macro_export]
macro_rules! assert_bijective {
    ($($Layout:ty),+ $(,)?) => {
        $(const _: () = <$Layout>::check_bijective(stringify!($Layout));)+
    };
}

/// Refuses, at compile time, layouts of which two coordinates share an offset;
/// gaps between elements are allowed.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
/// assert_injective! { Padded }
/// ```
#[macro_export]
macro_rules! assert_injective {
    ($($Layout:ty),+ $(,)?) => {
        $(const _: () = <$Layout>::check_injective(stringify!($Layout));)+
    };
}
