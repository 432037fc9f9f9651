//! The questions that a layout answers: its offsets, for constants and for kernels, and the way back.
//!
//! Inherent functions, because those of a trait cannot be constants, and a constant offset is half of what layouts are for. Their
//! bounds are on the functions and not on the `impl`: then what is missing is "`K` is not a number", and not "the method exists,
//! but ..".

use super::check::{answer, check, check_bijective, check_injective, check_size, known};
use super::{Dimensions, Layout, Recipe};
use crate::element::Element;
use tiledesc_transforms::{
    Coordinate, Descriptor, Error, Extent, Index, List, OfRank, Plan, Rank, Vector,
};

impl<E, R> Layout<E, R> {
    /// Refuses a layout that is invalid or overlaps itself, on the caller's line, under `name`, and one for which that cannot be
    /// decided ([`check_size`](Self::check_size) lets both pass). For constants: `const { Tile::<BM, BK>::check("Tile") }` at the
    /// top of a generic kernel.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// const _: () = Tile::check("Tile");
    /// ```
    ///
    /// # Panics
    ///
    /// With the sentence of the [`Error`]: of an overlap, two
    /// coordinates that share an offset.
    #[track_caller]
    pub const fn check(name: &str)
    where
        E: Element,
        R: Recipe<E>,
    {
        check::<Self>(name);
    }

    /// Refuses an invalid layout, on the caller's line, under `name`. One
    /// that overlaps itself, as a sliding window does, passes.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// const _: () = Tile::check_size("Tile");
    /// ```
    ///
    /// # Panics
    ///
    /// With the sentence of the [`Error`].
    #[track_caller]
    pub const fn check_size(name: &str)
    where
        E: Element,
        R: Recipe<E>,
    {
        check_size::<Self>(name);
    }

    /// Refuses a layout in which two coordinates share an offset.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// const _: () = Tile::check_injective("Tile");
    /// ```
    ///
    /// # Panics
    ///
    /// With two coordinates that collide, or with what structure cannot decide.
    #[track_caller]
    pub const fn check_injective(name: &str)
    where
        E: Element,
        R: Recipe<E>,
    {
        check_injective::<Self>(name);
    }

    /// Refuses a layout that is not a bijection onto its element space.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// const _: () = Tile::check_bijective("Tile");
    /// ```
    ///
    /// # Panics
    ///
    /// With two coordinates that collide, or the number of holes.
    #[track_caller]
    pub const fn check_bijective(name: &str)
    where
        E: Element,
        R: Recipe<E>,
    {
        check_bijective::<Self>(name);
    }

    /// The offset of a coordinate, in elements, for constants: a wrong coordinate
    /// does not compile. In kernels use [`at`](Self::at), which is the fast one.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// const HERE: u32 = Tile::offset([3, 17]);
    /// assert_eq!(HERE, 201);
    /// ```
    ///
    /// # Panics
    ///
    /// With an index out of range or a coordinate in padding.
    #[must_use]
    #[track_caller]
    pub const fn offset<const N: usize>(index: [u32; N]) -> u32
    where
        E: Element,
        R: Recipe<E>,
        [u32; N]: OfRank<Dimensions<Self>>,
    {
        answer!(Self, "", |plan| plan.offset(&index))
    }

    /// The offset of a coordinate, in bits, for constants.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// assert_eq!(Tile::bit_offset([3, 17]), 201 * 16);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`offset`](Self::offset).
    #[must_use]
    #[track_caller]
    pub const fn bit_offset<const N: usize>(index: [u32; N]) -> u64
    where
        E: Element,
        R: Recipe<E>,
        [u32; N]: OfRank<Dimensions<Self>>,
    {
        Self::offset(index) as u64 * E::BITS as u64
    }

    /// The offset of the byte in which a coordinate's element begins, for
    /// constants.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// assert_eq!(Tile::byte_offset([3, 17]), 402);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`offset`](Self::offset).
    #[must_use]
    #[track_caller]
    pub const fn byte_offset<const N: usize>(index: [u32; N]) -> u32
    where
        E: Element,
        R: Recipe<E>,
        [u32; N]: OfRank<Dimensions<Self>>,
    {
        (Self::bit_offset(index) / 8) as u32
    }

    /// The offset of a coordinate, in elements and not in bytes, for kernels: the index of an array, whose address is
    /// [`byte_at`](Self::byte_at). Of elements of 16 bits the one is half of the other, and a number does not say which it is.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// assert_eq!((Tile::at([3u32, 17]), Tile::byte_at([3u32, 17])), (201, 402));
    /// ```
    ///
    /// `u32`, `u64`, `u128`, `usize`, or any [`Index`] of your own.
    /// The caller knows the index to be in range and outside of padding: a release
    /// build checks nothing.
    ///
    /// An invalid layout, one that overlaps itself without [`MayOverlap`](super::MayOverlap), or for which that is not decided,
    /// is an error of `cargo build`; of a layout with parameters `cargo check` does not see it.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of integers elsewhere.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// fn store(lds: &mut [u16], m: u32, k: u32, value: u16) {
    ///     lds[Tile::at([m, k]) as usize] = value;
    /// }
    /// let mut lds = [0; Tile::SPACE as usize];
    /// store(&mut lds, 3, 17, 7);
    /// assert_eq!(lds[201], 7);
    /// ```
    #[doc(alias = "element_at")]
    #[inline(always)]
    #[must_use]
    #[track_caller]
    pub fn at<I: Index, const N: usize>(index: [I; N]) -> I
    where
        E: Element,
        R: Recipe<E, Descriptor: Default>,
        [I; N]: OfRank<Dimensions<Self>>,
    {
        const { check::<Self>("") };
        <Self as Descriptor>::at_of_type(index, 1)
    }

    /// The offset of the byte in which a coordinate's element begins, for kernels. Errors are seen by `cargo build` only, as
    /// those of [`at`](Self::at).
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// assert_eq!(Tile::byte_at([3u32, 17]), 402);
    /// ```
    #[inline(always)]
    #[must_use]
    #[track_caller]
    pub fn byte_at<I: Index, const N: usize>(index: [I; N]) -> I
    where
        E: Element,
        R: Recipe<E, Descriptor: Default>,
        [I; N]: OfRank<Dimensions<Self>>,
    {
        const { check::<Self>("") };
        byte_of_type::<Self, I, N>(index, E::BITS)
    }

    /// A coordinate that can move by steps; its offset is in elements. Errors are seen by `cargo build` only, as those of
    /// [`at`](Self::at).
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let mut at = Tile::coordinate([3, 16]);
    /// at.step([0, 1]);
    /// assert_eq!((at.index(), at.offset()), ([3, 17], 201));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn coordinate<const N: usize>(index: [u32; N]) -> Coordinate<R::Descriptor, N>
    where
        E: Element,
        R: Recipe<E, Descriptor: Default>,
        [u32; N]: OfRank<Dimensions<Self>>,
    {
        const { check::<Self>("") };
        R::Descriptor::coordinate_of_type(index)
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
    /// With an offset that no coordinate has;
    /// [`Plan::coordinate_of`](crate::Plan::coordinate_of) returns the error
    /// instead.
    #[must_use]
    #[track_caller]
    pub const fn coordinate_of<const N: usize>(offset: u32) -> [u32; N]
    where
        E: Element,
        R: Recipe<E>,
        [u32; N]: OfRank<Dimensions<Self>>,
    {
        let found = answer!(Self, "", |plan| plan.coordinate_of(offset));
        let mut index = [0; N];
        let mut i = 0;
        while i < N {
            index[i] = found.at(i);
            i += 1;
        }
        index
    }

    /// Returns the number of neighbours along a dimension that one instruction may move; see [`Vector`].
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
        R: Recipe<E>,
    {
        answer!(Self, "", |plan| plan.vector(dimension))
    }

    /// The layout as plain data, if it is valid and its bytes fit 32 bits. [`PLAN`](Self::PLAN) is the same
    /// where what is wrong must not compile.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// assert_eq!(Tile::checked()?.offset(&[3, 17]), Ok(201));
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A parameter in the place of another; what is wrong with its composition; an element without bits; bytes beyond 32 bits.
    pub const fn checked() -> Result<Plan, Error>
    where
        E: Element,
        R: Recipe<E>,
    {
        match known::<Self>() {
            Ok(plan) => Ok(*plan),
            Err(error) => Err(error),
        }
    }
}

impl<E: Element, R: Recipe<E>> Layout<E, R> {
    /// The layout as plain data; using it refuses an invalid layout.
    pub const PLAN: Plan = answer!(Self, "", |plan| Ok(*plan));
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

/// The byte in which the element of a coordinate begins; who calls it has checked the layout.
#[inline(always)]
#[track_caller]
pub(crate) fn byte_of_type<D: Descriptor + Default, I: Index, const N: usize>(
    index: [I; N],
    bits: u32,
) -> I
where
    [I; N]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    if bits.is_multiple_of(8) {
        D::at_of_type(index, bits / 8)
    } else {
        bytes_of(&D::at_of_type(index, 1), bits)
    }
}

/// The byte in which the element at an offset begins, of elements of `bits` bits.
#[inline(always)]
#[doc(hidden)]
pub fn bytes_of<I: Index>(offset: &I, bits: u32) -> I {
    if bits.is_multiple_of(8) {
        offset.mul(Extent::constant(bits / 8))
    } else {
        offset.mul(Extent::constant(bits)).div(Extent::constant(8))
    }
}
