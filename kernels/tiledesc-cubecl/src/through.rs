//! `cubecl_std`'s layout over ours: `View`s and `ViewMut`s that go through a tile.

use crate::tiled::{Tiled, refuse_vectors};
use core::marker::PhantomData;
use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coords1d, Layout, LayoutExpand};

/// The layout `L` as CubeCL's `Layout` of two dimensions: coordinates in elements, positions in
/// vectors of what the storage holds.
///
/// ```
/// use cubecl::prelude::*;
/// use cubecl::std::tensor::{AsView, AsViewExpand};
/// use tiledesc::prelude::*;
/// use tiledesc_cubecl::{Through, Tiled};
///
/// #[cube]
/// fn element<F: Float, A: Tiled<(u32, u32)>>(lds: &Shared<[F]>, m: u32, k: u32) -> F {
///     let view = lds.view(Through::<A>::new(1usize));
///     view.read((m, k))
/// }
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// fn main() {
///     assert_eq!(<ABlock as Tiled<(u32, u32)>>::BITS, 16);
/// }
/// ```
#[derive(CubeType, Clone, Copy, Debug)]
#[expand(derive(Clone, Copy))]
pub struct Through<L: Tiled<(u32, u32)>> {
    #[cube(comptime)]
    vector: usize,
    #[cube(comptime)]
    layout: PhantomData<L>,
}

#[cube]
impl<L: Tiled<(u32, u32)>> Through<L> {
    /// Over a storage of vectors of the given length: refused where the kernel is expanded if the
    /// layout does not keep them together.
    #[must_use]
    pub fn new(#[comptime] vector: usize) -> Self {
        comptime!(refuse_vectors(&L::PLAN, vector));
        Through::<L> { vector, layout: comptime!(PhantomData) }
    }
}

#[cube]
impl<L: Tiled<(u32, u32)>> Layout for Through<L> {
    type Coordinates = (u32, u32);
    type SourceCoordinates = Coords1d;

    fn to_source_pos(&self, pos: (u32, u32)) -> usize {
        L::element_at(pos) as usize / self.vector
    }

    fn to_source_pos_checked(&self, pos: (u32, u32)) -> (usize, bool) {
        let (element, valid) = L::masked_at(pos);
        (element as usize / self.vector, valid)
    }

    fn shape(&self) -> (u32, u32) {
        let lengths = comptime!(L::PLAN.lengths());
        (comptime!(lengths.at(0)).runtime(), comptime!(lengths.at(1)).runtime())
    }

    fn is_in_bounds(&self, pos: (u32, u32)) -> bool {
        let (_element, valid) = L::masked_at(pos);
        valid
    }
}
