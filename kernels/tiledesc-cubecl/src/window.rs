//! Windows in kernels: the part of a tensor in global memory that a block moves at once.
//!
//! What a window looks at is any of CubeCL's layouts from (row, column) to a position:
//! [`Rows`](crate::Rows) of a size that the run time knows, [`Known`](crate::Known) of a `tiledesc` descriptor with its
//! lengths (any: padded, embedded, of an image), or one of `cubecl_std`'s. What a lane holds of it
//! a [`Spread`] says.

use crate::spread::Spread;
use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coords1d, Layout, LayoutExpand};

/// A window over the view `V`, laid at a coordinate.
#[derive(CubeType, Debug)]
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
    /// it is in the view. One test is enough for a vector if the view keeps `N` together, and ends
    /// where one ends: [`whole_vectors`](crate::whole_vectors) of its plan says so on the host.
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
