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
//! | [`Layout`], [`Recipe`] | elements of a type at the offsets of a recipe |
//! | [`Tile`], [`RankedTile`] | any layout, in code that is generic over it |
//! | `check` | what a layout must be |
//! | `faults` | what is wrong with it, whatever its plan |
//! | `outline` | what is known of it before it has a plan |
//! | `question` | the questions it answers |
//! | `sampled` | what tells it from another one of the same size |
//! | [`Mapping`] | what says where each element lies, however it was written |
//! | [`MayOverlap`] | two coordinates share an offset on purpose |
//! | `named` | [`layout!`](crate::layout!) names one and checks it where it is declared |
//!
//! # The path of a layout
//!
//! `layout! { type ABlock = recipe::RowMajor<F16, M<64>, K<64>>; }`, and then `ABlock::at([m, k])`:
//!
//! | step | by | file |
//! |---|---|---|
//! | the macro hands its tokens on | `layout!` | `src/layout/named.rs` |
//! | they become the type, and a constant that checks it | `layouts!` | `macros/src/lib.rs` |
//! | an outline, if the recipe has one, leaves nothing to prove | `check` | `src/layout/check.rs` |
//! | its digits and size, from the numbers of the recipe | `outline` | `src/layout/outline.rs` |
//! | otherwise its plan is composed and proven | `check_by_plan` | `src/layout/check.rs` |
//! | an address is proven by its outline or the same constant | `Layout::at` | `src/layout/question.rs` |
//! | the digits are the outline's or the plan's, as the last line of `src/layout.rs` says | `digits` | `src/layout/outline.rs` |
//! | their terms are added up: `transforms/src/typed.rs` has that path | `Descriptor::at_of_type` | `transforms/src/typed/descriptor.rs` |

mod check;
mod faults;
mod mapping;
mod named;
mod outline;
mod overlap;
mod question;
mod sampled;

pub use check::{check, check_bijective, check_injective, check_size, sized};
pub(crate) use check::{known, refused};
pub use mapping::Mapping;
#[doc(hidden)]
pub use outline::Outline;
pub(crate) use outline::{digits, outline};
pub use overlap::{MayOverlap, MayOverlapOf};
pub(crate) use question::byte_of_type;
pub use question::bytes_of;
#[doc(hidden)]
pub use sampled::Sampled;
pub(crate) use sampled::{Apart, place};

use crate::element::Element;
use core::fmt::Debug;
use core::marker::PhantomData;
use tiledesc_transforms::{
    __adaptor, Adaptor, Chained, Descriptor, Naive, NaiveWithOffset, NumberError, Packed,
    PackedWithOffset, Rank, Ranked, Transformed,
};

/// The places of a layout's elements: the second parameter of [`Layout<F16, ..>`](Layout).
///
/// A descriptor is a recipe, for elements of any type. Those of the module
/// [`recipe`](mod@crate::recipe) have the names of CK Tile's layouts, and may depend on the element:
/// a row of halves fills fewer banks than one of floats. One of your own is a [`descriptor!`](crate::descriptor!), which needs
/// no implementation.
///
/// ```
/// use tiledesc::Recipe;
/// use tiledesc::prelude::*;
///
/// /// Bytes of a block of any recipe.
/// fn bytes<E: Element, R: Recipe<E>>() -> u64 {
///     Layout::<E, R>::BYTES
/// }
/// assert_eq!(bytes::<F16, recipe::of::GemmXor<U128, U64, U8>>(), 16_384);
/// assert_eq!(bytes::<F16, Naive<seq![128, 64], seq![72, 1]>>(), 18_416);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a recipe of `{E}`",
    label = "a recipe says where each element lies",
    note = "write a descriptor, as in `Layout<F16, Packed<seq![128, 64]>>`, or take a recipe such as `recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>`"
)]
pub trait Recipe<E> {
    /// The number of dimensions: that of the descriptor, whose transforms the compiler would else go through one by one wherever
    /// an offset is computed.
    #[doc(hidden)]
    type Rank: Rank;
    /// From a coordinate to an offset, in elements.
    type Descriptor: Descriptor<Rank = Self::Rank>;
    /// The name that figures give it.
    #[doc(hidden)]
    const NAME: &'static str = "Layout";
    /// The names of its two dimensions where they are stated, `M<128>, K<64>`; "" of plain numbers, and where a recipe's places
    /// leave no choice, as in a `Transposed`.
    #[doc(hidden)]
    const DIMENSIONS: [&'static str; 2] = ["", ""];
    /// A parameter in the place of another.
    #[doc(hidden)]
    const FAULT: Option<NumberError> = None;
    /// The numbers of its parameters, each with the name of its place: for errors of plain numbers.
    #[doc(hidden)]
    const PLACES: &'static [(u32, &'static str)] = &[];
    /// True if two coordinates may share an offset: [`MayOverlap`].
    #[doc(hidden)]
    const MAY_OVERLAP: bool = false;
    /// The facts known before there is a plan.
    #[doc(hidden)]
    const OUTLINE: &'static Option<Outline> = &None;
}

// One by one, and not `impl<D: Descriptor> Recipe<E> for D`: of two candidates that fail, rustc says
// "`of::GemmXor<..>` is not a recipe"; of the only one, what it lacks: "`K` is not a number".
macro_rules! descriptors_are_recipes {
    ($($Descriptor:ident<$($P:ident),*>)*) => {$(
        impl<E, $($P),*> Recipe<E> for $Descriptor<$($P),*>
        where
            Self: Descriptor,
        {
            type Rank = <Self as Adaptor>::Rank;
            type Descriptor = Self;
        }
    )*};
}
descriptors_are_recipes! {
    Naive<L, S>
    NaiveWithOffset<L, S, O>
    Packed<L>
    PackedWithOffset<L, O>
    Transformed<Below, T, Lo, Up>
    Chained<Below, Above>
}

/// Any [`Layout`], in code that is generic over it: its functions are those of [`LayoutOf<T>`](LayoutOf).
///
/// A kernel for tiles of two dimensions takes a [`RankedTile<2>`](RankedTile).
///
/// ```
/// use tiledesc::Tile;
/// use tiledesc::prelude::*;
///
/// /// Bytes of a layout, whichever it is.
/// fn bytes<T: Tile>() -> u64 {
///     LayoutOf::<T>::BYTES
/// }
/// assert_eq!(bytes::<recipe::GemmXor<F16, U128, U64, U8>>(), 16_384);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layout",
    label = "a layout has an element type and a descriptor",
    note = "write `Layout<F16, {Self}>`, or take a recipe such as `recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>`"
)]
pub trait Tile: Copy {
    /// The type of the elements at the offsets.
    type Element: Element;
    /// The recipe of the offsets.
    type Recipe: Recipe<Self::Element, Rank = Self::Rank, Descriptor = Self::Descriptor>;
    /// The number of dimensions.
    type Rank: Rank;
    /// From a coordinate to an offset, in elements.
    type Descriptor: Descriptor<Rank = Self::Rank>;
}

/// A [`Tile`] of `N` dimensions whose lengths are all numbers: the bound of a kernel.
///
/// ```
/// use tiledesc::prelude::*;
///
/// fn address<T: RankedTile<2>>(m: u32, k: u32) -> u32 {
///     LayoutOf::<T>::byte_at([m, k])
/// }
/// assert_eq!(address::<recipe::RowMajor<F16, U128, U64>>(3, 17), 418);
/// ```
pub trait RankedTile<const N: usize>: Tile<Descriptor: Ranked<N> + Default> {}

impl<const N: usize, T: Tile<Descriptor: Ranked<N> + Default>> RankedTile<N> for T {}

/// The [`Layout`] that a [`Tile`] is, with its methods.
///
/// ```
/// use tiledesc::Tile;
/// use tiledesc::{chip::gfx942::ds_read_b128, prelude::*};
///
/// fn free<T: Tile>() -> bool {
///     LayoutOf::<T>::degree::<MfmaRows<16>>(&ds_read_b128) == 1
/// }
/// assert!(free::<recipe::GemmXor<F16, U128, U64, U8>>());
/// assert!(!free::<recipe::RowMajor<F16, U128, U64>>());
/// ```
pub type LayoutOf<T> = Layout<<T as Tile>::Element, <T as Tile>::Recipe>;

/// The rank of a tile, in error texts.
pub(crate) type Dimensions<T> = <<T as Tile>::Rank as Rank>::Dimensions;

/// Elements of type `E` where the recipe `R` puts them: a descriptor, or a layout of CK Tile's by
/// name. The lengths are all numbers.
///
/// It has no value: all functions are of the type. A layout is itself a [`Descriptor`], so laws and transforms take it too.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! {
///     /// 128 rows of 64 halves, 8 more after each row.
///     type Padded = Layout<F16, Naive<seq![128, 64], seq![72, 1]>>;
///     /// The same by its name: an alias of a `Layout`.
///     type ByName = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
/// }
/// const OFF: u32 = Padded::offset([3, 17]);
/// assert_eq!(OFF, 233);
/// assert_eq!(Padded::byte_at([3u32, 17]), 466);
/// assert_eq!(Padded::BYTES, 18416);
/// assert_eq!(ByName::PLAN, Padded::PLAN);
/// ```
pub struct Layout<E, R>(PhantomData<(E, R)>);

impl<E, R> Clone for Layout<E, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, R> Copy for Layout<E, R> {}
impl<E, R> Default for Layout<E, R> {
    fn default() -> Self {
        Self(PhantomData)
    }
}
impl<E, R: Recipe<E>> Debug for Layout<E, R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(R::NAME)
    }
}

impl<E: Element, R: Recipe<E>> Tile for Layout<E, R> {
    type Element = E;
    type Recipe = R;
    type Rank = R::Rank;
    type Descriptor = R::Descriptor;
}

// A layout is the descriptor of its recipe.
__adaptor!([E: Element, R: Recipe<E, Descriptor: Default>] Layout<E, R>, R::Descriptor, refused::<Self>(), outline::digits::<Self>());
