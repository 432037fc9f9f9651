//! Distributions in kernels: which coordinate an element of a lane has.
//!
//! What is written is a division, a remainder and a product for each digit of the wave's and the
//! lane's number, powers of two as shifts and masks. An element's own part is a constant, since its
//! number is.

use crate::index::Traced;
use crate::rank::Coordinate;
use cubecl::ir::Scope;
use cubecl::prelude::*;
use cubecl::unexpanded;
use tiledesc::distribution::{Distribution, Encoding};
use tiledesc::transforms::say;

/// A distribution that a `#[cube]` function asks for coordinates: every
/// [`tiledesc::distribution!`] of as many dimensions as `C` has indices.
///
/// ```
/// use cubecl::prelude::*;
/// use tiledesc::prelude::*;
/// use tiledesc_cubecl::{Spread, Tiled};
///
/// /// Stores what a unit holds, vector by vector.
/// #[cube]
/// fn store<F: Float, N: Size, T: Spread<(u32, u32)>, A: Tiled<(u32, u32)>>(
///     lds: &mut Shared<[Vector<F, N>]>, held: &Array<Vector<F, N>>,
/// ) {
///     let n = N::value();
///     #[unroll]
///     for i in 0..comptime!(T::ELEMENTS / n) {
///         let at = T::coordinate_of(UNIT_POS / 64, UNIT_POS % 64, comptime!(i * n));
///         lds[A::vector_at::<N>(at) as usize] = held[i];
///     }
/// }
///
/// distribution! { type Rows: m [row 64], k [half 8]; lane (row), thread (half); }
/// fn main() {
///     assert_eq!(Rows::ELEMENTS, 8);
/// }
/// ```
///
/// One of three dimensions, in a kernel whose coordinates have two:
///
/// ```compile_fail,E0080
/// use cubecl::{ir::Scope, prelude::*};
/// use tiledesc::prelude::*;
/// use tiledesc_cubecl::Spread;
///
/// distribution! { type Batches: b [wave 4], m [row 64], k [half 8]; wave (wave), lane (row), thread (half); }
/// #[cube]
/// fn row(wave: u32, lane: u32) -> u32 {
///     // error: the distribution has 3 dimensions, the coordinate 2
///     let (m, _) = <Batches as Spread<(u32, u32)>>::coordinate_of(wave, lane, 0usize);
///     m
/// }
/// type Expand = fn(&Scope, NativeExpand<u32>, NativeExpand<u32>) -> NativeExpand<u32>;
/// fn main() {
///     let _: Expand = row::expand;
/// }
/// ```
pub trait Spread<C: CubeType>: Distribution + 'static + Send + Sync {
    /// The coordinate of an element of a lane. A distribution of which some lanes hold nothing is refused:
    /// [`masked_of`](Self::masked_of) says which.
    #[must_use]
    fn coordinate_of(_wave: u32, _lane: u32, _element: usize) -> C {
        unexpanded!()
    }
    /// The same of any distribution, with whether the lane holds the element at all: where its factors do
    /// not divide the tile some lanes hold nothing. What they do not hold must not be loaded or stored.
    #[must_use]
    fn masked_of(_wave: u32, _lane: u32, _element: usize) -> (C, bool) {
        unexpanded!()
    }
    /// What [`coordinate_of`](Self::coordinate_of) expands to.
    fn __expand_coordinate_of(
        scope: &Scope,
        wave: NativeExpand<u32>,
        lane: NativeExpand<u32>,
        element: usize,
    ) -> C::ExpandType;
    /// What [`masked_of`](Self::masked_of) expands to.
    fn __expand_masked_of(
        scope: &Scope,
        wave: NativeExpand<u32>,
        lane: NativeExpand<u32>,
        element: usize,
    ) -> (C::ExpandType, NativeExpand<bool>);
}

macro_rules! of_rank {
    ($($rank:literal $C:ty;)*) => {$(
        impl<T: Distribution + 'static + Send + Sync> Spread<$C> for T {
            fn __expand_coordinate_of(
                scope: &Scope,
                wave: NativeExpand<u32>,
                lane: NativeExpand<u32>,
                element: usize,
            ) -> <$C as CubeType>::ExpandType {
                // Refused here, so that the compiler's note names the kernel.
                let encoding = const { &all_hold::<T>($rank) };
                let numbers = numbers::<T>(scope, wave, lane, element);
                let index = encoding.index_of(&numbers);
                <$C as Coordinate<$rank>>::of_indices(core::array::from_fn(|i| index[i].value()))
            }

            fn __expand_masked_of(
                scope: &Scope,
                wave: NativeExpand<u32>,
                lane: NativeExpand<u32>,
                element: usize,
            ) -> (<$C as CubeType>::ExpandType, NativeExpand<bool>) {
                let encoding = const { &of_rank::<T>($rank) };
                let numbers = numbers::<T>(scope, wave, lane, element);
                let index = encoding.index_of(&numbers);
                let held = encoding.mask_of(&numbers);
                (
                    <$C as Coordinate<$rank>>::of_indices(core::array::from_fn(|i| index[i].value())),
                    held.map_or_else(|| true.into(), |held| held.value()),
                )
            }
        }
    )*};
}

of_rank! {
    1 u32;
    2 (u32, u32);
    3 (u32, u32, u32);
    4 (u32, u32, u32, u32);
}

/// What is asked of an encoding.
fn numbers<T: Distribution>(
    scope: &Scope,
    wave: NativeExpand<u32>,
    lane: NativeExpand<u32>,
    element: usize,
) -> [Traced<'_>; 3] {
    assert!(element < T::ELEMENTS, "element {element} of a lane that holds {}", T::ELEMENTS);
    [wave, lane, (element as u32).into()].map(|number| Traced::new(scope, number))
}

/// The same of lanes that hold all their elements.
#[track_caller]
const fn all_hold<T: Distribution>(rank: usize) -> Encoding {
    let encoding = of_rank::<T>(rank);
    if encoding.has_idle_lanes() {
        let text = say!(Text::new(): "some lanes hold nothing of the tile: `masked_of` says which");
        text.refuse()
    }
    encoding
}

/// The encoding of as many dimensions as a coordinate has; another is refused.
#[track_caller]
const fn of_rank<T: Distribution>(rank: usize) -> Encoding {
    let refused = match T::ENCODING {
        Ok(encoding) if encoding.rank() == rank => return encoding,
        Ok(encoding) => say!(Text::new():
            "the distribution has ", encoding.rank(), " dimensions, the coordinate ", rank
        ),
        Err(fault) => fault.text(),
    };
    refused.refuse()
}

/// Refuses vectors that lanes do not hold whole: neighbours along the last dimension, in
/// consecutive elements, of which the first is at a multiple of their number.
///
/// # Panics
///
/// With the elements, or with the dimension.
pub(crate) fn refuse_scattered<T: Distribution>(element: usize, vector: usize) {
    let encoding = T::ENCODING.unwrap_or_else(|fault| panic!("{fault}"));
    let last = encoding.rank() - 1;
    let end = element + vector;
    let at = |wave, lane, element: usize| encoding.index_of(&[wave, lane, element as u32]);
    let first = at(0, 0, element);
    let are_neighbours = end <= T::ELEMENTS
        && (0..vector).all(|i| {
            let mut next = first;
            next[last] += i as u32;
            at(0, 0, element + i) == next
        });
    assert!(
        are_neighbours,
        "vectors of {vector}: elements {element}..{end} of a lane are not neighbours along dimension {last}",
    );
    let is_whole = |index: u32| (index as usize).is_multiple_of(vector);
    let mut lanes = (0..T::WAVES).flat_map(|w| (0..T::LANES_PER_WAVE).map(move |l| (w, l)));
    assert!(
        is_whole(first[last]) && lanes.all(|(wave, lane)| is_whole(at(wave, lane, 0)[last])),
        "vectors of {vector} along dimension {last}: not all lanes begin at a multiple of {vector}",
    );
    // A tile that the factors do not divide may end within a vector.
    let columns = encoding.lengths().at(last) as usize;
    assert!(
        !encoding.has_idle_lanes() || columns.is_multiple_of(vector),
        "rows of {columns} elements are not a multiple of vectors of {vector}",
    );
}
