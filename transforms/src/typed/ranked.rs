//! A rank as a bound that one can type.

use crate::typed::adaptor::Adaptor;
use crate::typed::rank::{Dimensions, Rank};

/// An adaptor or descriptor of `N` top dimensions: the bound of code that is generic over a
/// descriptor and writes coordinates.
///
/// ```
/// use tiledesc_transforms::{Descriptor, Packed, Ranked, seq};
///
/// fn third_row<D: Descriptor + Ranked<2>>(tile: D, k: u32) -> u32 {
///     tile.at([3, k])
/// }
/// assert_eq!(third_row(Packed::<seq![128, 64]>::default(), 17), 209);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not have {N} dimensions",
    label = "wrong number of dimensions"
)]
pub trait Ranked<const N: usize>: Adaptor<Rank: Rank<Dimensions = Dimensions<N>>> {}

impl<const N: usize, A: Adaptor<Rank: Rank<Dimensions = Dimensions<N>>>> Ranked<N> for A {}
