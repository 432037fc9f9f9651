//! What one asks of a layout, once for every [`Tile`]: the bodies of the methods of
//! [`Layout`](super::Layout) and of the recipes, and for code that is generic over the
//! layout, where there are no such methods.
//!
//! ```
//! use tiledesc::layout::{self, RankedTile};
//! use tiledesc::prelude::*;
//!
//! fn stage<T: RankedTile<2>>(lds: &mut [u16], m: u32, k: u32, v: u16) {
//!     const { layout::check::<T>("stage") };
//!     lds[layout::at::<T, u32, 2>([m, k]) as usize] = v;
//! }
//! layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
//! let mut lds = [0; 8192];
//! stage::<Tile>(&mut lds, 3, 17, 7);
//! assert_eq!(lds[201], 7);
//! ```

use super::{Dimensions, Tile};
use crate::element::Element;
use tiledesc_transforms::{
    Adaptor, Coordinate, Descriptor, Error, Extent, Index, OfRank, Plan, Text, Vector, say,
};

/// What the plan answers; an error is refused on the line of the function's caller.
macro_rules! answer {
    ($name:expr, |$plan:ident| $question:expr) => {{
        let answer = match known::<T>() {
            Ok($plan) => $question,
            Err(error) => Err(error),
        };
        match answer {
            Ok(answer) => answer,
            Err(error) => error.refuse($name),
        }
    }};
}

// The functions do not mention a constant of the type: a constant that fails points
// here, a function that panics at the user's line.

/// The layout as plain data, if it can be and its bytes fit 32 bits.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(layout::checked::<ABlock>()?.offset(&[3, 17]), Ok(201));
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
///
/// A parameter that stands where another belongs; what is wrong with its composition; an
/// element without bits; bytes beyond 32 bits.
pub const fn checked<T: Tile>() -> Result<Plan, Error> {
    match known::<T>() {
        Ok(plan) => Ok(*plan),
        Err(error) => Err(error),
    }
}

/// The same without a copy.
pub(crate) const fn known<T: Tile>() -> Result<&'static Plan, Error> {
    if let Some(error) = refused::<T>() {
        return Err(error);
    }
    match <T::Descriptor as Adaptor>::PLANNED {
        Ok(plan) => Ok(plan),
        Err(error) => Err(*error),
    }
}

/// What is wrong with a layout whose descriptor can be.
pub(crate) const fn refused<T: Tile>() -> Option<Error> {
    if let Some(fault) = T::FAULT {
        return Some(Error::Number(fault));
    }
    match <T::Descriptor as Adaptor>::PLANNED {
        Ok(plan) => too_large(plan, T::Element::BITS),
        Err(_) => None,
    }
}

/// The plan of a layout whose byte (or, for odd widths, bit) offsets fit 32 bits.
pub(crate) const fn sized(plan: Result<Plan, Error>, bits: u32) -> Result<Plan, Error> {
    match &plan {
        Ok(known) => match too_large(known, bits) {
            None => plan,
            Some(error) => Err(error),
        },
        Err(_) => plan,
    }
}

const fn too_large(plan: &Plan, bits: u32) -> Option<Error> {
    if bits == 0 {
        return Some(Error::NoBits);
    }
    let unit = if bits.is_multiple_of(8) { bits as u64 / 8 } else { bits as u64 };
    let elements = plan.element_space() + plan.origin() as u64;
    if elements * unit > 1 << 32 { Some(Error::BytesTooLarge { elements, bits }) } else { None }
}

/// Refuses a layout that cannot be or overlaps itself, on the caller's line, under
/// `name`: what [`layout!`](crate::layout!) does. One of which neither structure nor trying
/// decides whether it overlaps is refused too; `#[may_overlap]` in `layout!`, and
/// [`check_size`] here, let it pass.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// const _: () = layout::check::<ABlock>("ABlock");
/// ```
///
/// # Panics
///
/// With the sentence of the [`Error`]: of an overlap, two coordinates that share an
/// offset.
#[track_caller]
pub const fn check<T: Tile>(name: &str) {
    answer!(name, |plan| match plan.prove_injective() {
        Err(undecided @ Error::Undecided { .. }) => refuse_undecided(undecided, name),
        decided => decided,
    });
}

/// Says how to let a layout pass of which nothing is decided.
#[track_caller]
const fn refuse_undecided(undecided: Error, name: &str) -> ! {
    let text = if name.is_empty() { Text::new() } else { say!(Text::new(): str(name), ": ") };
    let text = undecided.explain(text);
    say!(text: ", and allow it by #[may_overlap] in layout! or by check_size").refuse()
}

/// Refuses a layout that cannot be, on the caller's line, under `name`. One that
/// overlaps itself, as a sliding window does, passes.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// const _: () = layout::check_size::<ABlock>("ABlock");
/// ```
///
/// # Panics
///
/// With the sentence of the [`Error`].
#[track_caller]
pub const fn check_size<T: Tile>(name: &str) {
    answer!(name, |_plan| Ok(()));
}

/// Refuses a layout of which two coordinates share an offset.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// const _: () = layout::check_injective::<ABlock>("ABlock");
/// ```
///
/// # Panics
///
/// With two coordinates that collide, or with what structure cannot decide.
#[track_caller]
pub const fn check_injective<T: Tile>(name: &str) {
    answer!(name, |plan| plan.prove_injective());
}

/// Refuses a layout that is no bijection onto its element space.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// const _: () = layout::check_bijective::<ABlock>("ABlock");
/// ```
///
/// # Panics
///
/// With two coordinates that collide, or the number of holes.
#[track_caller]
pub const fn check_bijective<T: Tile>(name: &str) {
    answer!(name, |plan| plan.prove_bijective());
}

/// The plan of a layout.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(layout::plan::<ABlock>().offset(&[3, 17]), Ok(201));
/// ```
///
/// # Panics
///
/// With the sentence of the [`Error`].
#[must_use]
#[track_caller]
pub const fn plan<T: Tile>() -> Plan {
    answer!("", |plan| Ok(*plan))
}

/// The size of the element space, in whole bytes.
pub(crate) const fn bytes<T: Tile>(space: u64) -> u64 {
    (space * T::Element::BITS as u64).div_ceil(8)
}

/// The offset of a coordinate, in elements, checked.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// const HERE: u32 = layout::offset::<ABlock, 2>([3, 17]);
/// assert_eq!(HERE, 201);
/// ```
///
/// # Panics
///
/// With an index out of range or a coordinate in padding.
#[must_use]
#[track_caller]
pub const fn offset<T: Tile, const R: usize>(index: [u32; R]) -> u32
where
    [u32; R]: OfRank<Dimensions<T>>,
{
    answer!("", |plan| plan.offset(&index))
}

/// The offset of a coordinate, in bits, checked.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(layout::bit_offset::<ABlock, 2>([3, 17]), 201 * 16);
/// ```
///
/// # Panics
///
/// As [`offset()`].
#[must_use]
#[track_caller]
pub const fn bit_offset<T: Tile, const R: usize>(index: [u32; R]) -> u64
where
    [u32; R]: OfRank<Dimensions<T>>,
{
    offset::<T, R>(index) as u64 * T::Element::BITS as u64
}

/// The offset of the byte in which a coordinate's element begins, checked.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(layout::byte_offset::<ABlock, 2>([3, 17]), 402);
/// ```
///
/// # Panics
///
/// As [`offset()`].
#[must_use]
#[track_caller]
pub const fn byte_offset<T: Tile, const R: usize>(index: [u32; R]) -> u32
where
    [u32; R]: OfRank<Dimensions<T>>,
{
    (bit_offset::<T, R>(index) / 8) as u32
}

/// The offset of a coordinate, in elements, for kernels; a release build checks nothing.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(layout::at::<ABlock, _, 2>([3u32, 17]), 201);
/// ```
///
/// # Panics
///
/// In a build with debug assertions, of an index of integers that is out of range or in
/// padding.
#[inline(always)]
#[track_caller]
#[must_use]
pub fn at<T, I: Index, const R: usize>(index: [I; R]) -> I
where
    T: Tile<Descriptor: Default>,
    [I; R]: OfRank<Dimensions<T>>,
{
    const { check_size::<T>("") };
    T::Descriptor::at_of_type(index, 1)
}

/// The offset of the byte in which a coordinate's element begins, for kernels; a release
/// build checks nothing.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(layout::byte_at::<ABlock, _, 2>([3u32, 17]), 402);
/// ```
///
/// # Panics
///
/// As [`at`].
#[inline(always)]
#[track_caller]
#[must_use]
pub fn byte_at<T, I: Index, const R: usize>(index: [I; R]) -> I
where
    T: Tile<Descriptor: Default>,
    [I; R]: OfRank<Dimensions<T>>,
{
    const { check_size::<T>("") };
    if T::Element::BITS % 8 == 0 {
        T::Descriptor::at_of_type(index, T::Element::BITS / 8)
    } else {
        bytes_of(&at::<T, I, R>(index), T::Element::BITS)
    }
}

/// The byte in which the element at an offset begins, of elements of `bits` bits.
#[inline(always)]
pub(crate) fn bytes_of<I: Index>(offset: &I, bits: u32) -> I {
    if bits.is_multiple_of(8) {
        offset.mul(Extent::constant(bits / 8))
    } else {
        offset.mul(Extent::constant(bits)).div(Extent::constant(8))
    }
}

/// A coordinate that can move by steps.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(layout::coordinate::<ABlock, 2>([3, 17]).offset(), 201);
/// ```
#[inline(always)]
#[must_use]
pub fn coordinate<T, const R: usize>(index: [u32; R]) -> Coordinate<T::Descriptor, R>
where
    T: Tile<Descriptor: Default>,
    [u32; R]: OfRank<Dimensions<T>>,
{
    const { check_size::<T>("") };
    T::Descriptor::default().coordinate(index)
}

/// The coordinate at an offset, in elements: the inverse of [`offset()`].
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(layout::coordinate_of::<ABlock, 2>(201), [3, 17]);
/// ```
///
/// # Panics
///
/// With an offset that no coordinate has.
#[must_use]
#[track_caller]
pub const fn coordinate_of<T: Tile, const R: usize>(offset: u32) -> [u32; R]
where
    [u32; R]: OfRank<Dimensions<T>>,
{
    let found = answer!("", |plan| plan.coordinate_of(offset));
    let mut index = [0; R];
    let mut i = 0;
    while i < R {
        index[i] = found.at(i);
        i += 1;
    }
    index
}

/// How many neighbours along a dimension one instruction may move.
///
/// ```
/// use tiledesc::{layout, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// // Along k, 8 elements stay together.
/// assert_eq!(layout::vector::<ABlock>(1).length, 8);
/// ```
///
/// # Panics
///
/// With a dimension that does not exist.
#[must_use]
#[track_caller]
pub const fn vector<T: Tile>(dimension: usize) -> Vector {
    answer!("", |plan| plan.vector(dimension))
}
