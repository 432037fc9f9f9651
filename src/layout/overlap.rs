//! Layouts that overlap on purpose: a sliding window, an operand that is broadcast.

use super::{Layout, Outline, Recipe, Tile};
use core::marker::PhantomData;
use tiledesc_transforms::NumberError;

/// The recipe `R`, in which two coordinates may share an offset: what `#[may_overlap]` in [`layout!`](crate::layout!) makes of a
/// layout.
///
/// The addresses of any other layout, [`Layout::at`] and its like, are refused if it overlaps.
///
/// ```
/// use tiledesc::MayOverlap;
/// use tiledesc::prelude::*;
///
/// layout! {
///     /// Three taps at each of `N` places of a row.
///     #[may_overlap]
///     type Window<N> = Layout<F16, Naive<seq![N, 3], seq![1, 1]>>;
/// }
/// fn tap<N: Number>(place: u32, tap: u32) -> u32 {
///     Window::<N>::at([place, tap])
/// }
/// assert_eq!(tap::<Lit<14>>(4, 2), tap::<Lit<14>>(5, 1));
///
/// // The same without the macro.
/// type Plain = Layout<F16, MayOverlap<Naive<seq![14, 3], seq![1, 1]>>>;
/// assert_eq!(Plain::at([4u32, 2]), tap::<Lit<14>>(4, 2));
/// ```
#[derive(Debug)]
pub struct MayOverlap<R>(PhantomData<R>);

impl<E, R: Recipe<E>> Recipe<E> for MayOverlap<R> {
    type Rank = R::Rank;
    type Descriptor = R::Descriptor;
    const NAME: &'static str = R::NAME;
    const DIMENSIONS: [&'static str; 2] = R::DIMENSIONS;
    const FAULT: Option<NumberError> = R::FAULT;
    const PLACES: &'static [(u32, &'static str)] = R::PLACES;
    const MAY_OVERLAP: bool = true;
    const OUTLINE: &'static Option<Outline> = R::OUTLINE;
}

/// The layout `T` with [`MayOverlap`] around its recipe.
pub type MayOverlapOf<T> = Layout<<T as Tile>::Element, MayOverlap<<T as Tile>::Recipe>>;
