//! Rows of a matrix in global memory: what most windows look at.
// `CubeLaunch` writes a struct of its own, and no documentation for it.
#![allow(missing_docs)]

use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coords1d, Layout, LayoutExpand};

/// Rows of a matrix whose size is an argument of the kernel.
#[derive(CubeType, CubeLaunch, Clone, Copy, Debug)]
#[expand(derive(Clone, Copy))]
pub struct Rows {
    /// How many rows.
    pub rows: u32,
    /// Elements of a row.
    pub columns: u32,
    /// Elements from one row to the next.
    pub pitch: u32,
}

impl Rows {
    /// The longest vectors that fill every row and lie at multiples of their length: for the host,
    /// which launches the kernel. Of longer ones the last of a row would be partly outside, and a
    /// [`Window`](crate::Window) asks for the first element alone.
    ///
    /// ```
    /// use tiledesc_cubecl::Rows;
    ///
    /// let vectors = |columns, pitch| Rows { rows: 65, columns, pitch }.whole_vectors();
    /// assert_eq!([vectors(64, 64), vectors(66, 66), vectors(67, 67)], [64, 2, 1]);
    /// // The rows would do, but the second begins at 66.
    /// assert_eq!(vectors(64, 66), 2);
    /// ```
    #[must_use]
    pub const fn whole_vectors(&self) -> u32 {
        1 << (self.columns | self.pitch | 1 << 31).trailing_zeros()
    }
}

/// The argument of a launch.
impl From<Rows> for RowsLaunch {
    fn from(Rows { rows, columns, pitch }: Rows) -> Self {
        Self::new(rows, columns, pitch)
    }
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
