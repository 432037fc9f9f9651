//! Windows in kernels: the part of a tensor in global memory that a block moves at once.
//!
//! What a window looks at is any of CubeCL's layouts from (row, column) to a position:
//! [`Rows`] of a size that the run time knows, [`Known`] of a `tiledesc` descriptor with its
//! lengths (any: padded, embedded, of an image), or one of `cubecl_std`'s. What a lane holds of it
//! a [`Spread`] says.

use crate::index::Traced;
use crate::spread::Spread;
use crate::tiled::masked;
use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coords1d, Layout, LayoutExpand};
use cubecl::intrinsic;
use tiledesc::{Descriptor, Ranked};

/// Rows of a matrix whose size is an argument of the kernel.
#[derive(CubeType, CubeLaunch, Clone, Copy)]
#[expand(derive(Clone, Copy))]
pub struct Rows {
    /// How many rows.
    pub rows: u32,
    /// Elements of a row.
    pub columns: u32,
    /// Elements from one row to the next.
    pub pitch: u32,
}

#[cube]
impl Layout for Rows {
    type Coordinates = (u32, u32);
    type SourceCoordinates = Coords1d;

    fn to_source_pos(&self, pos: (u32, u32)) -> usize {
        (pos.0 * self.pitch + pos.1) as usize
    }

    fn to_source_pos_checked(&self, pos: (u32, u32)) -> (usize, bool) {
        (self.to_source_pos(pos), self.is_in_bounds(pos))
    }

    fn shape(&self) -> (u32, u32) {
        (self.rows, self.columns)
    }

    fn is_in_bounds(&self, pos: (u32, u32)) -> bool {
        pos.0 < self.rows && pos.1 < self.columns
    }
}

/// A `tiledesc` descriptor of two dimensions whose lengths are constants of the kernel, of the type
/// or of the value: padded, embedded, of an image.
#[derive(CubeType, Clone, Copy)]
#[expand(derive(Clone, Copy))]
pub struct Known<D: Descriptor + Ranked<2> + 'static> {
    #[cube(comptime)]
    descriptor: D,
}

#[cube]
impl<D: Descriptor + Ranked<2> + 'static> Known<D> {
    /// The view that a descriptor is.
    pub fn new(#[comptime] descriptor: D) -> Self {
        Known::<D> { descriptor }
    }
}

#[cube]
impl<D: Descriptor + Ranked<2> + 'static> Layout for Known<D> {
    type Coordinates = (u32, u32);
    type SourceCoordinates = Coords1d;

    fn to_source_pos(&self, pos: (u32, u32)) -> usize {
        let (offset, _valid) = masked_of::<D>(pos, self.descriptor);
        offset as usize
    }

    fn to_source_pos_checked(&self, pos: (u32, u32)) -> (usize, bool) {
        let (offset, valid) = masked_of::<D>(pos, self.descriptor);
        (offset as usize, valid)
    }

    fn shape(&self) -> (u32, u32) {
        let lengths = comptime!(self.descriptor.lengths());
        (comptime!(lengths[0]).runtime(), comptime!(lengths[1]).runtime())
    }

    fn is_in_bounds(&self, pos: (u32, u32)) -> bool {
        let (_offset, valid) = masked_of::<D>(pos, self.descriptor);
        valid
    }
}

/// The offset of a coordinate, and whether it is in range and outside of padding.
#[cube]
#[allow(unused_variables)]
fn masked_of<D: Descriptor + Ranked<2> + 'static>(pos: (u32, u32), #[comptime] descriptor: D) -> (u32, bool) {
    intrinsic!(|scope| {
        let (row, column) = pos;
        masked(descriptor, [row, column].map(|index| Traced::new(scope, index)))
    })
}

/// A window over the view `V`, laid at a coordinate.
#[derive(CubeType)]
pub struct Window<V: Layout<Coordinates = (u32, u32), SourceCoordinates = Coords1d>> {
    view: V,
    row: u32,
    column: u32,
}

#[cube]
impl<V: Layout<Coordinates = (u32, u32), SourceCoordinates = Coords1d>> Window<V> {
    /// A window whose first element is that of the view's row and column.
    pub fn new(view: V, row: u32, column: u32) -> Self {
        Window::<V> { view, row, column }
    }

    /// Where the vector of `N` lies that begins at an element of a lane, in vectors, and whether
    /// it is in the view: as a whole, for the host has asked ([`whole_window`](crate::whole_window)).
    pub fn vector<T: Spread<(u32, u32)>, N: Size>(
        &self,
        wave: u32,
        lane: u32,
        #[comptime] element: usize,
    ) -> (usize, bool) {
        let (row, column) = T::coordinate_of(wave, lane, element);
        let at = (self.row + row, self.column + column);
        let (position, valid) = self.view.to_source_pos_checked(at);
        (position / N::value(), valid)
    }
}
