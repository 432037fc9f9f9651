//! Maps from coordinates to offsets, however they were written: values with a plan.
//!
//! A type, a [`Plan`] of the run time, CuTe's text, Triton's bases and the atom of a matrix instruction all map a coordinate to
//! an offset. Every question about such a map (a verdict, addresses, code of another language) takes any of them:
//!
//! ```text
//!   GemmXor<F16, ..>   Plan   "Sw<3,3,3> o 0 o (128,64):(64,1)"   [[0, 1], [0, 2], ..]
//!          \             \              |                          /
//!                           Mapping::to_plan
//!          /             /              |
//!      verdict        remedies      emit(HIP)
//! ```

use super::{Layout, Recipe};
use crate::element::Element;
use tiledesc_transforms::{Error, Plan};

/// A map from a coordinate to an offset, in elements, that has a [`Plan`].
///
/// ```
/// use tiledesc_host::exchange::cute;
/// use tiledesc::prelude::*;
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
///
/// fn lies(tile: &impl Mapping) -> u32 {
///     tile.to_plan().unwrap().offset(&[3, 17]).unwrap()
/// }
/// let text = cute::parse("Sw<3,3,3> o 0 o (128,64):(64,1)").unwrap();
/// assert_eq!([lies(&Tile::default()), lies(&Tile::PLAN), lies(&text)], [201; 3]);
/// ```
pub trait Mapping {
    /// Returns the map as plain data.
    ///
    /// # Errors
    ///
    /// An invalid layout, or one that takes more than a plan holds.
    fn to_plan(&self) -> Result<Plan, Error>;

    /// Bits of an element, if the map knows them.
    fn element_bits(&self) -> Option<u32> {
        None
    }

    /// The name that figures give the map: `"GemmXor"` of that recipe.
    fn name(&self) -> &str {
        "layout"
    }
}

impl Mapping for Plan {
    fn to_plan(&self) -> Result<Plan, Error> {
        Ok(*self)
    }
}

impl<E: Element, R: Recipe<E>> Mapping for Layout<E, R> {
    fn to_plan(&self) -> Result<Plan, Error> {
        Self::checked()
    }

    fn element_bits(&self) -> Option<u32> {
        Some(E::BITS)
    }

    fn name(&self) -> &str {
        R::NAME
    }
}
