//! Which dimension of a tile is contiguous in the layouts that are searched.
//!
//! A lane that moves 8 halves of a column at once needs columns that are contiguous, and every recipe has
//! contiguous rows. Such a layout is a recipe of the tile with its dimensions exchanged; the accesses stay what
//! they are:
//! ```text
//!   tile 128x64, packs of 8       recipe's tile    layout
//!   along rows                    128x64           GemmXor<F16, M<128>, K<64>, KPack<8>>
//!   along columns                 64x128           Transposed<GemmXor<F16, M<64>, K<128>, KPack<8>>>
//! ```

use super::shape::Shape;
use super::spec::Spec;
use tiledesc_transforms::List;

/// A tile, and which of its dimensions is contiguous in the recipes that are searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    pub(crate) tile: Shape,
    /// The tile that a recipe is of, whose rows are contiguous.
    pub(crate) recipe_tile: Shape,
    is_transposed: bool,
}

impl Base {
    /// Rows are contiguous.
    pub(crate) const fn rows(tile: Shape) -> Self {
        Self { tile, recipe_tile: tile, is_transposed: false }
    }

    /// Columns are.
    pub(crate) const fn columns(tile: Shape) -> Self {
        Self { tile, recipe_tile: tile.transposed(), is_transposed: true }
    }

    pub(super) const fn is_transposed(&self) -> bool {
        self.is_transposed
    }

    /// The dimension that is contiguous.
    pub(super) const fn along(&self) -> usize {
        if self.is_transposed { 0 } else { 1 }
    }

    /// A layout of the recipe's tile as one of the tile that is asked for.
    pub(crate) const fn layout(&self, recipe: Spec) -> Spec {
        if self.is_transposed { recipe.transposed() } else { recipe }
    }

    /// The elements at which an access of some alignment can begin in a unit of it, at least a dword.
    pub(super) const fn places_of_unit(&self, alignment: u32) -> u64 {
        let (unit, bits) = (if alignment < 4 { 4 } else { alignment } * 8, self.tile.bits);
        if bits == 0 || bits > unit { 1 } else { (unit / bits) as u64 }
    }

    /// The row and the column of an element in the recipe's tile.
    pub(super) const fn row_and_column(&self, at: &List) -> (u32, u32) {
        if self.is_transposed { (at.at(1), at.at(0)) } else { (at.at(0), at.at(1)) }
    }

    /// What each index of a coordinate adds to the number of its element.
    pub(super) const fn strides(&self) -> List {
        let width = self.recipe_tile.columns;
        if self.is_transposed { List::pair(1, width) } else { List::pair(width, 1) }
    }

    /// The number of an element, counted along what is contiguous.
    pub(crate) const fn number(&self, at: &List) -> u64 {
        let (row, column) = self.row_and_column(at);
        row as u64 * self.recipe_tile.columns as u64 + column as u64
    }
}
