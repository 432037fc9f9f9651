//! Windows in kernels: the part of a tensor in global memory that a block moves at once.
//!
//! What a window looks at is any of CubeCL's layouts from (row, column) to a position:
//! [`Rows`](crate::Rows) of a size that the run time knows, [`Known`](crate::Known) of a `tiledesc` descriptor with its
//! lengths (any: padded, embedded, of an image), or one of `cubecl_std`'s. What a lane holds of it
//! a [`Spread`] says.

use crate::spread::{Spread, refuse_scattered};
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
    /// A window whose first element is that of the view's row and column. It may begin before them:
    /// `column - 4` of column 0 is past the end of every row, and the elements from column 0 on are
    /// inside again.
    pub fn new(view: V, row: u32, column: u32) -> Self {
        Window::<V> { view, row, column }
    }

    /// Where the vector of `N` lies that begins at an element of a lane, in vectors, and whether
    /// the lane holds it and its first element is in the view. A distribution whose lanes do not hold whole vectors along
    /// the rows is refused where the kernel is expanded.
    ///
    /// That the view ends where a vector ends is for the host to see to, with
    /// [`Rows::whole_vectors`](crate::Rows::whole_vectors), or
    /// [`whole_vectors`](crate::whole_vectors) of a plan; that the window's column is a multiple of
    /// `N`, for the kernel.
    pub fn vector<T: Spread<(u32, u32)>, N: Size>(
        &self,
        wave: u32,
        lane: u32,
        #[comptime] element: usize,
    ) -> (usize, bool) {
        let n = N::value();
        comptime!(refuse_scattered::<T>(element, n));
        let ((row, column), held) = T::masked_of(wave, lane, element);
        let at = (self.row + row, self.column + column);
        let (position, valid) = self.view.to_source_pos_checked(at);
        (position / n, held && valid)
    }
}
