//! A tile as numbers: its rows and columns, and the bits of an element.
//!
//! ```text
//!   Shape { rows: 128, columns: 64, bits: 16 }   in two lines a row   transposed   rows that fill 64 banks
//!                                                256x32               64x128       2
//! ```
//!
//! Later rooms ask a tile for more:
//!
//! | answers | by | file |
//! |---|---|---|
//! | may layouts be searched for these uses? | `Shape::check` | `src/search/question.rs` |
//! | the layout of the fewest cycles that the compiler finds | `Shape::synthesize` | `src/search/synthesis.rs` |
//! | the same within a bound, and a pad that is free | `Shape::propose` | `src/search/synthesis.rs` |
//! | what a refused statement suggests | `Shape::explain` | `src/statement/instead.rs` |

use tiledesc_transforms::{Error, Plan};

/// A two-dimensional tile of elements of a width in bits.
///
/// ```
/// use tiledesc::{Plan, recipe::Shape};
///
/// let padded = Plan::naive(&[128, 64], &[72, 1])?;
/// assert_eq!(Shape::from_plan(&padded, 16), Some(Shape { rows: 128, columns: 64, bits: 16 }));
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// M, in elements.
    pub rows: u32,
    /// K, in elements.
    pub columns: u32,
    /// Bits of an element.
    pub bits: u32,
}

impl Shape {
    /// The tile of a plan; `None` unless it has two dimensions.
    #[must_use]
    pub const fn from_plan(plan: &Plan, bits: u32) -> Option<Self> {
        let lengths = plan.lengths();
        match lengths.as_slice() {
            [rows, columns] => Some(Self { rows: *rows, columns: *columns, bits }),
            _ => None,
        }
    }

    /// Returns the tile with its two dimensions exchanged: what recipes are of where columns are contiguous.
    ///
    /// ```
    /// use tiledesc::recipe::Shape;
    ///
    /// let tile = Shape { rows: 64, columns: 128, bits: 16 };
    /// assert_eq!(tile.transposed(), Shape { rows: 128, columns: 64, bits: 16 });
    /// ```
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows, ..self }
    }

    /// The narrower tile in which `lines` rows make up one row of this one.
    pub(crate) const fn in_lines(self, lines: u32) -> Self {
        let columns = match self.columns.checked_div(lines) {
            Some(columns) => columns,
            None => self.columns,
        };
        Self { rows: self.rows.saturating_mul(lines), columns, ..self }
    }

    /// The rows that fill this many banks, as [`mlds_layer`](crate::recipe::mlds_layer) computes them, whose
    /// formula is expensive in a constant: see DESIGN, "What the compiler pays for".
    pub(crate) const fn layers_on(self, banks: u32) -> u32 {
        match (banks as u64 * 32).checked_div(self.columns as u64 * self.bits as u64) {
            Some(layers) if layers > 1 => layers as u32,
            _ => 1,
        }
    }

    /// The name of the ready-made element of as many bits; `E`, an element of the user's, where none has.
    ///
    /// ```
    /// use tiledesc::recipe::Shape;
    ///
    /// assert_eq!([16, 24].map(|bits| Shape { rows: 8, columns: 8, bits }.element()), ["F16", "E"]);
    /// ```
    #[must_use]
    pub const fn element(self) -> &'static str {
        match self.bits {
            4 => "F4",
            6 => "F6",
            8 => "F8",
            16 => "F16",
            32 => "F32",
            64 => "F64",
            _ => "E",
        }
    }

    /// Row by row.
    pub(crate) const fn rows_in_order(self) -> Result<Plan, Error> {
        Plan::naive(&[self.rows, self.columns], &[self.columns, 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::mlds_layer;

    #[test]
    fn layers_are_those_of_the_recipe() {
        for (columns, bits) in (0..300).flat_map(|columns| [4, 8, 16, 32].map(|b| (columns, b))) {
            let tile = Shape { rows: 1, columns, bits };
            for banks in [16, 32, 64] {
                let wanted = mlds_layer(columns, bits, banks);
                assert_eq!(tile.layers_on(banks), wanted, "{tile:?}, {banks} banks");
            }
        }
    }
}
