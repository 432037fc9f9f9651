//! The questions of a layout as methods, for [`Layout`](crate::Layout) and every recipe:
//! `ABlock::at([m, k])`.
//!
//! A trait would do it once, but its functions cannot be constants, and a constant offset
//! is half of what layouts are for.

/// An example, on the page of [`Layout`](crate::Layout) only.
macro_rules! example {
    (Layout $example:literal) => {
        $example
    };
    ($Recipe:ident $example:literal) => {
        ""
    };
}
pub(crate) use example;

/// The methods of the tiles in a list.
macro_rules! methods {
    ($($Tile:ident<$($P:ident),*>)*) => {$(
        // The bounds stand on the functions: then a missing one is "`K` is not a number"
        // and not "the method exists, but its bounds were not satisfied".
        impl<$($P),*> $crate::recipe::$Tile<$($P),*> {
            /// Refuses a layout that cannot be or overlaps itself, on the caller's line,
            /// under `name`, and one of which that cannot be decided
            /// ([`check_size`](Self::check_size) lets both pass). For constants:
            /// `const { Tile::<BM, BK>::check("Tile") }` at the top of a generic kernel.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
const _: () = Tile::check(\"Tile\");
```")]
            ///
            /// # Panics
            ///
            /// With the sentence of the [`Error`](crate::Error): of an overlap, two
            /// coordinates that share an offset.
            #[track_caller]
            pub const fn check(name: &str)
            where
                Self: $crate::layout::Tile,
            {
                $crate::layout::check::<Self>(name);
            }

            /// Refuses a layout that cannot be, on the caller's line, under `name`. One
            /// that overlaps itself, as a sliding window does, passes.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
const _: () = Tile::check_size(\"Tile\");
```")]
            ///
            /// # Panics
            ///
            /// With the sentence of the [`Error`](crate::Error).
            #[track_caller]
            pub const fn check_size(name: &str)
            where
                Self: $crate::layout::Tile,
            {
                $crate::layout::check_size::<Self>(name);
            }

            /// Refuses a layout of which two coordinates share an offset.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
const _: () = Tile::check_injective(\"Tile\");
```")]
            ///
            /// # Panics
            ///
            /// With two coordinates that collide, or with what structure cannot decide.
            #[track_caller]
            pub const fn check_injective(name: &str)
            where
                Self: $crate::layout::Tile,
            {
                $crate::layout::check_injective::<Self>(name);
            }

            /// Refuses a layout that is no bijection onto its element space.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
const _: () = Tile::check_bijective(\"Tile\");
```")]
            ///
            /// # Panics
            ///
            /// With two coordinates that collide, or the number of holes.
            #[track_caller]
            pub const fn check_bijective(name: &str)
            where
                Self: $crate::layout::Tile,
            {
                $crate::layout::check_bijective::<Self>(name);
            }

            /// The offset of a coordinate, in elements, for constants: a wrong coordinate
            /// does not compile. In kernels use [`at`](Self::at), which is the fast one.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
const HERE: u32 = Tile::offset([3, 17]);
assert_eq!(HERE, 201);
```")]
            ///
            /// # Panics
            ///
            /// With an index out of range or a coordinate in padding.
            #[must_use]
            #[track_caller]
            pub const fn offset<const R: usize>(index: [u32; R]) -> u32
            where
                Self: $crate::layout::Tile,
                [u32; R]: tiledesc_transforms::OfRank<$crate::layout::Dimensions<Self>>,
            {
                $crate::layout::offset::<Self, R>(index)
            }

            /// The offset of a coordinate, in bits, for constants.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_eq!(Tile::bit_offset([3, 17]), 201 * 16);
```")]
            ///
            /// # Panics
            ///
            /// As [`offset`](Self::offset).
            #[must_use]
            #[track_caller]
            pub const fn bit_offset<const R: usize>(index: [u32; R]) -> u64
            where
                Self: $crate::layout::Tile,
                [u32; R]: tiledesc_transforms::OfRank<$crate::layout::Dimensions<Self>>,
            {
                $crate::layout::bit_offset::<Self, R>(index)
            }

            /// The offset of the byte in which a coordinate's element begins, for
            /// constants.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_eq!(Tile::byte_offset([3, 17]), 402);
```")]
            ///
            /// # Panics
            ///
            /// As [`offset`](Self::offset).
            #[must_use]
            #[track_caller]
            pub const fn byte_offset<const R: usize>(index: [u32; R]) -> u32
            where
                Self: $crate::layout::Tile,
                [u32; R]: tiledesc_transforms::OfRank<$crate::layout::Dimensions<Self>>,
            {
                $crate::layout::byte_offset::<Self, R>(index)
            }

            /// The offset of a coordinate, in elements, for kernels.
            ///
            /// `u32`, `u64`, `u128`, `usize`, or any [`Index`](crate::Index) of your own.
            /// The caller knows the index to be in range and outside of padding: a release
            /// build checks nothing.
            ///
            /// # Panics
            ///
            /// In a build with debug assertions, of integers elsewhere.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
fn store(lds: &mut [u16], m: u32, k: u32, value: u16) {
    lds[Tile::at([m, k]) as usize] = value;
}
let mut lds = [0; Tile::SPACE as usize];
store(&mut lds, 3, 17, 7);
assert_eq!(lds[201], 7);
```")]
            #[inline(always)]
            #[must_use]
            #[track_caller]
            pub fn at<I: tiledesc_transforms::Index, const R: usize>(index: [I; R]) -> I
            where
                Self: $crate::layout::Tile<Descriptor: Default>,
                [I; R]: tiledesc_transforms::OfRank<$crate::layout::Dimensions<Self>>,
            {
                $crate::layout::at::<Self, I, R>(index)
            }

            /// The offset of the byte in which a coordinate's element begins, for
            /// kernels.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_eq!(Tile::byte_at([3u32, 17]), 402);
```")]
            #[inline(always)]
            #[must_use]
            #[track_caller]
            pub fn byte_at<I: tiledesc_transforms::Index, const R: usize>(index: [I; R]) -> I
            where
                Self: $crate::layout::Tile<Descriptor: Default>,
                [I; R]: tiledesc_transforms::OfRank<$crate::layout::Dimensions<Self>>,
            {
                $crate::layout::byte_at::<Self, I, R>(index)
            }

            /// A coordinate that can move by steps; its offset is in elements.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
let mut at = Tile::coordinate([3, 16]);
at.step([0, 1]);
assert_eq!((at.index(), at.offset()), ([3, 17], 201));
```")]
            #[inline(always)]
            #[must_use]
            pub fn coordinate<const R: usize>(
                index: [u32; R],
            ) -> tiledesc_transforms::Coordinate<<Self as $crate::layout::Tile>::Descriptor, R>
            where
                Self: $crate::layout::Tile<Descriptor: Default>,
                [u32; R]: tiledesc_transforms::OfRank<$crate::layout::Dimensions<Self>>,
            {
                $crate::layout::coordinate::<Self, R>(index)
            }

            /// The coordinate at an offset, in elements: the inverse of
            /// [`offset`](Self::offset), for constants and tables.
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
const BACK: [u32; 2] = Tile::coordinate_of(Tile::offset([3, 17]));
assert_eq!(BACK, [3, 17]);
```")]
            ///
            /// # Panics
            ///
            /// With an offset that no coordinate has;
            /// [`Plan::coordinate_of`](crate::Plan::coordinate_of) returns the error
            /// instead.
            #[must_use]
            #[track_caller]
            pub const fn coordinate_of<const R: usize>(offset: u32) -> [u32; R]
            where
                Self: $crate::layout::Tile,
                [u32; R]: tiledesc_transforms::OfRank<$crate::layout::Dimensions<Self>>,
            {
                $crate::layout::coordinate_of::<Self, R>(offset)
            }

            /// How many neighbours along a dimension one instruction may move; see
            /// [`Vector`](crate::Vector).
            ///
            #[doc = $crate::recipe::example!($Tile "```
use tiledesc::prelude::*;

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
assert_eq!(Tile::vector(1).length, 8);
```")]
            ///
            /// # Panics
            ///
            /// With a dimension that does not exist.
            #[must_use]
            #[track_caller]
            pub const fn vector(dimension: usize) -> tiledesc_transforms::Vector
            where
                Self: $crate::layout::Tile,
            {
                $crate::layout::vector::<Self>(dimension)
            }
        }

        impl<$($P),*> $crate::recipe::$Tile<$($P),*>
        where
            Self: $crate::layout::Tile,
        {
            /// The layout as plain data; using it refuses a layout that cannot be.
            pub const PLAN: tiledesc_transforms::Plan = $crate::layout::plan::<Self>();
            /// The lengths of the dimensions, in elements.
            pub const LENGTHS: tiledesc_transforms::List = Self::PLAN.lengths();
            /// The number of coordinates.
            pub const ELEMENTS: u64 = Self::PLAN.elements();
            /// The size of the element space, in elements: what memory must hold from
            /// the layout's first element to its last.
            pub const SPACE: u64 = Self::PLAN.element_space();
            /// The size of the element space, in whole bytes.
            pub const BYTES: u64 = $crate::layout::bytes::<Self>(Self::SPACE);
        }
    )*};
}
pub(crate) use methods;
