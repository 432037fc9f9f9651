//! Layouts in kernels: the bound by which a `#[cube]` function is generic over one.

use crate::index::Traced;
use crate::rank::Coordinate;
use cubecl::ir::Scope;
use cubecl::prelude::*;
use cubecl::unexpanded;
use tiledesc::transforms::{OfRank, Rank, say};
use tiledesc::{Descriptor, Element, Extent, Index, Plan};
use tiledesc::{LayoutOf, RankedTile};

/// A layout that a `#[cube]` function asks for offsets: every `tiledesc` layout and recipe of as
/// many dimensions as the coordinate `C` has indices.
///
/// ```
/// use cubecl::prelude::*;
/// use tiledesc::prelude::*;
/// use tiledesc_cubecl::Tiled;
///
/// #[cube]
/// fn store<F: Float, A: Tiled<(u32, u32)>>(lds: &mut Shared<[F]>, m: u32, k: u32, value: F) {
///     lds[A::element_at((m, k)) as usize] = value;
/// }
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// fn main() {
///     assert_eq!(<ABlock as Tiled<(u32, u32)>>::SPACE, 8192);
/// }
/// ```
pub trait Tiled<C: CubeType>: 'static + Send + Sync {
    /// The layout as plain data.
    const PLAN: Plan;
    /// How many bits an element has.
    const BITS: u32;
    /// The elements from the first to the last, padding included: what shared memory must hold.
    const SPACE: usize;

    /// The offset of a coordinate, in elements.
    #[must_use]
    fn element_at(_coordinate: C) -> u32 {
        unexpanded!()
    }
    /// What [`element_at`](Self::element_at) expands to.
    fn __expand_element_at(scope: &Scope, coordinate: C::ExpandType) -> NativeExpand<u32>;

    /// The offset of the vector that begins at a coordinate, in vectors of `N` elements along the
    /// last dimension, at a multiple of `N`: how CubeCL counts in a `Shared<[Vector<F, N>]>`.
    ///
    /// Refused where the kernel is expanded if the layout does not keep `N` neighbours together and
    /// aligned everywhere; by the compiler, with the same sentence,
    /// [`whole_vector_at`](TiledBy::whole_vector_at).
    #[must_use]
    fn vector_at<N: Size>(_coordinate: C) -> u32 {
        unexpanded!()
    }
    /// What [`vector_at`](Self::vector_at) expands to.
    fn __expand_vector_at<N: Size>(scope: &Scope, coordinate: C::ExpandType) -> NativeExpand<u32>;

    /// The offset of a coordinate that may be out of range or in padding, in elements, and whether
    /// it is neither. If it is not, the offset is meaningless.
    #[must_use]
    fn masked_at(_coordinate: C) -> (u32, bool) {
        unexpanded!()
    }
    /// What [`masked_at`](Self::masked_at) expands to.
    fn __expand_masked_at(
        scope: &Scope,
        coordinate: C::ExpandType,
    ) -> (NativeExpand<u32>, NativeExpand<bool>);
}

/// The same of a number of elements that the compiler knows: a wrong one does not compile.
///
/// ```
/// use cubecl::{ir::Scope, prelude::*};
/// use tiledesc::prelude::*;
/// use tiledesc_cubecl::TiledBy;
///
/// layout! { type Even = recipe::RowPad<F16, M<16>, K<16>, Padding<4>>; }
/// #[cube]
/// fn offset(m: u32, k: u32) -> u32 {
///     <Even as TiledBy<(u32, u32), 4>>::whole_vector_at((m, k))
/// }
/// type Expand = fn(&Scope, NativeExpand<u32>, NativeExpand<u32>) -> NativeExpand<u32>;
/// fn main() {
///     let _: Expand = offset::expand;
/// }
/// ```
///
/// The same with a pad of one element:
///
/// ```compile_fail,E0080
/// use cubecl::{ir::Scope, prelude::*};
/// use tiledesc::prelude::*;
/// use tiledesc_cubecl::TiledBy;
///
/// layout! { type Odd = recipe::RowPad<F16, M<16>, K<16>, Padding<1>>; }
/// #[cube]
/// fn offset(m: u32, k: u32) -> u32 {
///     // error: vectors of 4 along dimension 1: the layout keeps 1 together
///     <Odd as TiledBy<(u32, u32), 4>>::whole_vector_at((m, k))
/// }
/// type Expand = fn(&Scope, NativeExpand<u32>, NativeExpand<u32>) -> NativeExpand<u32>;
/// fn main() {
///     let _: Expand = offset::expand;
/// }
/// ```
pub trait TiledBy<C: CubeType, const N: usize>: Tiled<C> {
    /// The offset of the vector that begins at a coordinate, in vectors of `N`.
    #[must_use]
    fn whole_vector_at(_coordinate: C) -> u32 {
        unexpanded!()
    }
    /// What [`whole_vector_at`](Self::whole_vector_at) expands to.
    fn __expand_whole_vector_at(scope: &Scope, coordinate: C::ExpandType) -> NativeExpand<u32>;
}

impl<C: CubeType, const N: usize, L: Tiled<C>> TiledBy<C, N> for L {
    fn __expand_whole_vector_at(scope: &Scope, coordinate: C::ExpandType) -> NativeExpand<u32> {
        const { refuse_vectors(&Self::PLAN, N) };
        in_vectors(scope, Self::__expand_element_at(scope, coordinate), N)
    }
}

/// Elements together and aligned everywhere along the last dimension.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_eq!(tiledesc_cubecl::whole_vectors(&Tile::PLAN), 8);
/// ```
#[must_use]
pub const fn whole_vectors(plan: &Plan) -> u32 {
    let Some(last) = plan.rank().checked_sub(1) else { return 1 };
    match (plan.vector(last), plan.alignment(last)) {
        (Ok(vector), Ok(alignment)) if vector.stride == 1 => {
            1 << (vector.length | alignment).trailing_zeros()
        }
        _ => 1,
    }
}

/// Refuses vectors that the layout does not keep whole.
///
/// # Panics
///
/// With how many it does.
#[track_caller]
pub(crate) const fn refuse_vectors(plan: &Plan, vector: usize) {
    let whole = whole_vectors(plan) as usize;
    if vector == 0 || !whole.is_multiple_of(vector) {
        let last = plan.rank() - 1;
        let text = say!(Text::new():
            "vectors of ", vector, " along dimension ", last, ": the layout keeps ", whole, " together"
        );
        text.refuse()
    }
}

/// The offset and the mask of a descriptor, expanded.
pub(crate) fn masked<'s, D: Descriptor, const R: usize>(
    descriptor: D,
    index: [Traced<'s>; R],
) -> (NativeExpand<u32>, NativeExpand<bool>)
where
    [Traced<'s>; R]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    let (offset, valid) = descriptor.masked(index);
    (offset.value(), valid.value())
}

/// An offset of elements in vectors.
pub(crate) fn in_vectors(
    scope: &Scope,
    element: NativeExpand<u32>,
    vector: usize,
) -> NativeExpand<u32> {
    Traced::new(scope, element).div(Extent::constant(vector as u32)).value()
}

macro_rules! of_rank {
    ($($rank:literal $C:ty;)*) => {$(
        impl<L: RankedTile<$rank> + 'static + Send + Sync> Tiled<$C> for L {
            const PLAN: Plan = LayoutOf::<L>::PLAN;
            const BITS: u32 = <L::Element as Element>::BITS;
            const SPACE: usize = LayoutOf::<L>::PLAN.element_space() as usize;

            fn __expand_element_at(
                scope: &Scope,
                coordinate: <$C as CubeType>::ExpandType,
            ) -> NativeExpand<u32> {
                let index = <$C as Coordinate<$rank>>::indices(coordinate);
                LayoutOf::<L>::at::<Traced<'_>, $rank>(index.map(|i| Traced::new(scope, i))).value()
            }

            fn __expand_vector_at<N: Size>(
                scope: &Scope,
                coordinate: <$C as CubeType>::ExpandType,
            ) -> NativeExpand<u32> {
                let vector = N::__expand_value(scope);
                refuse_vectors(&<Self as Tiled<$C>>::PLAN, vector);
                in_vectors(scope, Self::__expand_element_at(scope, coordinate), vector)
            }

            fn __expand_masked_at(
                scope: &Scope,
                coordinate: <$C as CubeType>::ExpandType,
            ) -> (NativeExpand<u32>, NativeExpand<bool>) {
                let index = <$C as Coordinate<$rank>>::indices(coordinate);
                masked(L::Descriptor::default(), index.map(|i| Traced::new(scope, i)))
            }
        }
    )*};
}

of_rank! {
    1 u32;
    2 (u32, u32);
    3 (u32, u32, u32);
    4 (u32, u32, u32, u32);
    5 (u32, u32, u32, u32, u32);
    6 (u32, u32, u32, u32, u32, u32);
}
