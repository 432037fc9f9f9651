//! Triton's linear layouts: bases of the offset's bits, in and out.
//!
//! Triton's `LinearLayout` of a shared-memory tile maps each bit of the *offset* to its coordinate: bit 0 of the 128x64
//! xor tile is column 1, bit 6 is row 1 and column 8. That is the inverse of our map, which goes from the coordinate to
//! the offset:
//!
//! ```text
//!   ours      bit of m * 64 + k  ->  offset       1 2 4 8 16 32 72 144 288 512 ..
//!   Triton    bit of the offset  ->  (m, k)       (0,1) (0,2) .. (0,32) (1,8) (2,16) (4,32) (8,0) ..
//! ```
//!
//! | | Triton | here |
//! |---|---|---|
//! | direction | offset to coordinate | coordinate to offset |
//! | a bit's image | a coordinate, `[row, column]` | a number, the last dimension lowest |
//! | counts | elements | elements |
//! | a base address | not part of it | the constant |
//!
//! A *register layout* does so for registers, lanes and warps: that is a [distribution](mod@tiledesc::distribution),
//! and [`Registers`] translates; [`distributed`] reads any that the IR or Gluon prints. A layout with pads is a [`Padded`].
//!
//! A layout with swizzled rows is a [`Swizzled`], one that TMA fills an [`Nvmma`]; [`shared`] reads any layout that the IR or
//! Gluon prints of a tile.
//!
//! Sources: triton-lang/triton `LinearLayout.h`; `tests/golden/triton` has bases that
//! Triton computed.

mod aliases;
mod distributed;
mod fields;
mod nvmma;
mod padded;
mod partitioned;
mod registers;
mod shared;
mod swizzled;
mod text;
mod turns;
mod wmma;
mod written;

pub use distributed::distributed;
pub use nvmma::Nvmma;
pub use padded::Padded;
pub use registers::Registers;
pub use shared::{element_bits, is_gluon, shared};
pub use swizzled::Swizzled;
pub use written::{attribute, bases_or_padded, gluon};

use super::linear;
use tiledesc::Mapping;
use tiledesc::{Error, Linear, List, Plan};

/// The coordinate that each bit of the offset brings, bit 0 first.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::exchange::triton::Bases;
///
/// layout! { type Tile = recipe::GemmXor<F16, M<4>, K<32>, KPack<8>>; }
/// let bases = Bases::from_plan(&Tile::PLAN).unwrap();
/// assert_eq!(
///     bases.to_string(),
///     "[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8]]",
/// );
/// assert_eq!(bases.images()[6], [2, 8]);
/// // And back: the same map.
/// assert_eq!(bases.linear().unwrap(), Tile::PLAN.linear().unwrap());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bases {
    lengths: List,
    images: Vec<List>,
}

impl Bases {
    /// Bases as Triton has them, over a tile of these lengths.
    ///
    /// # Errors
    ///
    /// A length that is not a power of two, an image of another rank or outside the tile,
    /// more than 32 bits.
    pub fn new(lengths: List, images: &[List]) -> Result<Self, Error> {
        linear::odd_length(lengths.as_slice())?;
        if images.len() > Linear::BITS {
            return Err(Error::TooManyBits { columns: images.len() as u32 });
        }
        images.iter().try_for_each(|image| inside(&lengths, image))?;
        Ok(Self { lengths, images: images.to_vec() })
    }

    /// The bases of a layout.
    ///
    /// # Errors
    ///
    /// A layout that is not linear, no bijection, or has a base other than 0: Triton
    /// has no words for those.
    pub fn from_plan(plan: &Plan) -> Result<Self, Error> {
        let map = match (plan.prove_bijective(), plan.linear()) {
            (Ok(()), Ok(map)) if map.constant() == 0 => map,
            (Err(error), _) | (_, Err(error)) => return Err(error),
            _ => return Err(Error::NotLinear { length: None }),
        };
        let back = map.inverse().ok_or(Error::NotLinear { length: None })?;
        let images = (0..map.inputs()).map(|b| plan.nth(back.apply(1 << b).into()));
        Ok(Self { lengths: plan.lengths(), images: images.collect() })
    }

    /// The images, bit 0 of the offset first.
    #[must_use]
    pub fn images(&self) -> &[List] {
        &self.images
    }

    /// The map from the coordinate, the last dimension lowest, to the offset; the bases
    /// must bring every coordinate once.
    ///
    /// # Errors
    ///
    /// [`Error::Holes`] if they do not.
    pub fn linear(&self) -> Result<Linear, Error> {
        let (bits, space) = (self.images.len(), self.lengths.elements());
        if space != 1 << bits {
            return Err(Error::Holes { space: 1 << bits, elements: space });
        }
        let number = |image: &List| linear::number(&self.lengths, image);
        let columns: Vec<_> = self.images.iter().map(number).collect();
        let forth = Linear::new(&columns, 0)?;
        let back = forth.inverse().ok_or(Error::Holes { space, elements: 1 << forth.rank() })?;
        Linear::new(&back.columns()[..bits], 0)
    }

    /// The layout as a plan.
    ///
    /// ```
    /// use tiledesc::List;
    /// use tiledesc_host::exchange::triton::Bases;
    ///
    /// let image = |row, column| List::pair(row, column);
    /// let bases = [image(0, 1), image(0, 2), image(1, 1), image(2, 2)];
    /// let plan = Bases::new(List::pair(4, 4), &bases).unwrap().plan().unwrap();
    /// assert_eq!(plan.offset(&[3, 0]), Ok(0b1111));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`linear`](Self::linear) and [`plan`](super::linear::plan()).
    pub fn plan(&self) -> Result<Plan, Error> {
        linear::plan(&self.linear()?, self.lengths.as_slice())
    }
}

impl Mapping for Bases {
    fn to_plan(&self) -> Result<Plan, Error> {
        self.plan()
    }
}

/// Refuses an image that is not a coordinate of a tile.
fn inside(lengths: &List, image: &List) -> Result<(), Error> {
    let rank = lengths.len() as u32;
    if image.len() as u32 != rank {
        return Err(Error::Rank { wanted: rank, given: image.len() as u32 });
    }
    let mut each = image.as_slice().iter().zip(lengths.as_slice()).enumerate();
    match each.find(|(_, (index, length))| index >= length) {
        Some((i, (&index, &length))) => {
            Err(Error::OutOfRange { dimension: i as u32, index, length })
        }
        None => Ok(()),
    }
}

impl core::fmt::Display for Bases {
    /// Prints the images as Triton's attributes print them: `[[0, 1], [0, 2], [1, 0]]`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.images()).finish()
    }
}
