//! A layout: a descriptor with an element type, and the front door.
//!
//! ```text
//!   const OFF: u32 = Tile::offset([3, 17]);   elements, computed by the compiler, checked
//!   Tile::byte_at([m, k])                     bytes, at run time: 5 x86-64 instructions and ret
//!   Tile::offset([3, 17, 1])                  does not compile: wrong number of indices
//!   Tile::offset([3, 64])                     does not compile: out of range
//! ```
//!
//! | file | concept |
//! |---|---|
//! | [`Tile`], [`Layout`] | a layout is any type with an element and a descriptor |
//! | `question` | what one asks of a layout, once for every [`Tile`]: the functions below; [`Layout`] and the recipes have them as methods |
//! | [`Mapping`] | what says where each element lies, however it was written |
//! | `named` | [`layout!`](crate::layout!) names one and checks it where it is declared |

mod mapping;
mod named;
mod question;

pub use mapping::Mapping;
#[cfg(feature = "emit")]
pub(crate) use question::bytes_of;
pub use question::{
    at, bit_offset, byte_at, byte_offset, check, check_bijective, check_injective, check_size,
    checked, coordinate, coordinate_of, offset, plan, vector,
};
pub(crate) use question::{bytes, known, refused, sized};

use crate::element::Element;
use core::fmt::Debug;
use core::marker::PhantomData;
use tiledesc_transforms::{__adaptor, Adaptor, Descriptor, NumberError, Rank, Ranked};

/// A layout in code that is generic over it: [`Layout`], or a recipe.
///
/// It says what elements lie at the offsets of which descriptor; the questions are the
/// functions of the module [`layout`](self). A kernel for tiles of two dimensions asks for
/// a [`RankedTile<2>`](RankedTile).
///
/// ```
/// use tiledesc::layout::{self, Tile};
/// use tiledesc::prelude::*;
///
/// /// Bytes of a layout, whichever it is.
/// fn bytes<T: Tile>() -> u64 {
///     layout::plan::<T>().element_space() * u64::from(T::Element::BITS) / 8
/// }
/// assert_eq!(bytes::<recipe::GemmXor<F16, U128, U64, U8>>(), 16_384);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layout",
    label = "a layout has an element type and a descriptor",
    note = "write `Layout<F16, {Self}>`, or take a recipe such as `recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>`"
)]
pub trait Tile: Copy {
    /// What lies at the offsets.
    type Element: Element;
    /// Where: from a coordinate to an offset, in elements.
    type Descriptor: Descriptor;
    /// A parameter that stands where another belongs.
    #[doc(hidden)]
    const FAULT: Option<NumberError> = None;
}

/// A [`Tile`] of `N` dimensions whose lengths are all numbers: the bound of a kernel.
///
/// ```
/// use tiledesc::layout::{self, RankedTile};
/// use tiledesc::prelude::*;
///
/// fn address<T: RankedTile<2>>(m: u32, k: u32) -> u32 {
///     layout::byte_at::<T, u32, 2>([m, k])
/// }
/// assert_eq!(address::<recipe::RowMajor<F16, U128, U64>>(3, 17), 418);
/// ```
pub trait RankedTile<const N: usize>: Tile<Descriptor: Ranked<N> + Default> {}

impl<const N: usize, T: Tile<Descriptor: Ranked<N> + Default>> RankedTile<N> for T {}

/// The [`Layout`] that a tile stands for, with its methods: for code that is generic over
/// the layout.
///
/// ```
/// use tiledesc::layout::{LayoutOf, Tile};
/// use tiledesc::{chip::gfx942::ds_read_b128, prelude::*};
///
/// fn free<T: Tile>() -> bool {
///     LayoutOf::<T>::degree::<MfmaRows<16>>(&ds_read_b128) == 1
/// }
/// assert!(free::<recipe::GemmXor<F16, U128, U64, U8>>());
/// assert!(!free::<recipe::RowMajor<F16, U128, U64>>());
/// ```
pub type LayoutOf<T> = Layout<<T as Tile>::Element, <T as Tile>::Descriptor>;

/// The rank of a tile, in error texts.
pub(crate) type Dimensions<T> = <<<T as Tile>::Descriptor as Adaptor>::Rank as Rank>::Dimensions;

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
///     /// 128 rows of 64 halves, 8 more after each row.
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

impl<E: Element, D: Descriptor> Tile for Layout<E, D> {
    type Element = E;
    type Descriptor = D;
}

// A layout is the descriptor it holds.
__adaptor!([E: Element, D: Descriptor + Default] Layout<E, D>, D, refused::<Self>());
