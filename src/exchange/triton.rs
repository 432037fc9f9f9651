//! Triton's linear layouts: bases of the offset's bits, in and out.
//!
//! Triton's `LinearLayout` of a shared-memory tile says where each bit of the *offset*
//! comes from: bit 0 of the 128x64 xor tile is column 1, bit 6 is row 1 and column 8.
//! That is the inverse of our map, which goes from the coordinate to the offset:
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
//! A *register layout* says the same of registers, lanes and warps: that is a
//! [distribution](mod@crate::distribution), and [`Registers`] translates. A layout with pads is a [`Padded`].
//!
//! A layout with swizzled rows is a [`Swizzled`]; [`shared`] reads whatever the IR or Gluon prints of a tile.
//!
//! Sources: triton-lang/triton `LinearLayout.h`; `tests/golden/triton` has bases that
//! Triton computed.

mod fields;
mod padded;
mod registers;
mod shared;
mod swizzled;
mod text;

pub use padded::Padded;
pub use registers::{Bit, RegisterError, Registers};
pub use shared::shared;
pub use swizzled::{SwizzleError, Swizzled};

use crate::layout::Mapping;
use tiledesc_transforms::{Error, Linear, List, Plan, attempt};

/// The coordinate that each bit of the offset brings, bit 0 first.
///
/// ```
/// use tiledesc::{exchange::triton::Bases, prelude::*};
///
/// layout! { type Tile = recipe::GemmXor<F16, M<4>, K<32>, KPack<8>>; }
/// let bases = Bases::of(&Tile::PLAN).unwrap();
/// assert_eq!(
///     bases.to_string(),
///     "[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8]]",
/// );
/// assert_eq!(bases.images()[6], [2, 8]);
/// // And back: the same map.
/// assert_eq!(bases.linear().unwrap(), Tile::PLAN.linear().unwrap());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bases {
    lengths: List,
    images: [List; Linear::BITS],
    len: usize,
}

impl Bases {
    /// Bases as Triton has them, over a tile of these lengths.
    ///
    /// # Errors
    ///
    /// A length that is not a power of two, an image of another rank or outside the tile,
    /// more than 32 bits.
    pub const fn new(lengths: List, images: &[List]) -> Result<Self, Error> {
        if let Some(error) = odd_length(&lengths) {
            return Err(error);
        }
        if images.len() > Linear::BITS {
            return Err(Error::TooManyBits { columns: images.len() as u32 });
        }
        let mut bases = Self { lengths, images: [List::EMPTY; Linear::BITS], len: 0 };
        while bases.len < images.len() {
            if let Some(error) = outside(&lengths, &images[bases.len]) {
                return Err(error);
            }
            bases.images[bases.len] = images[bases.len];
            bases.len += 1;
        }
        Ok(bases)
    }

    /// The bases of a layout.
    ///
    /// # Errors
    ///
    /// A layout that is not linear, no bijection, or has a base other than 0: Triton
    /// has no words for those.
    pub const fn of(plan: &Plan) -> Result<Self, Error> {
        let map = match (plan.prove_bijective(), plan.linear()) {
            (Ok(()), Ok(map)) if map.constant() == 0 => map,
            (Err(error), _) | (_, Err(error)) => return Err(error),
            _ => return Err(Error::NotLinear { length: None }),
        };
        let Some(back) = map.inverse() else { return Err(Error::NotLinear { length: None }) };
        let lengths = plan.lengths();
        let mut bases = Self { lengths, images: [List::EMPTY; Linear::BITS], len: 0 };
        while bases.len < map.inputs() {
            bases.images[bases.len] = plan.nth(back.apply(1 << bases.len) as u64);
            bases.len += 1;
        }
        Ok(bases)
    }

    /// The images, bit 0 of the offset first.
    #[must_use]
    pub const fn images(&self) -> &[List] {
        self.images.split_at(self.len).0
    }

    /// The map from the coordinate, the last dimension lowest, to the offset; the bases
    /// must bring every coordinate once.
    ///
    /// # Errors
    ///
    /// [`Error::Holes`] if they do not.
    pub const fn linear(&self) -> Result<Linear, Error> {
        let (mut columns, space) = ([0; Linear::BITS], self.elements());
        if space != 1 << self.len {
            return Err(Error::Holes { space, elements: 1 << self.len });
        }
        let mut b = 0;
        while b < self.len {
            columns[b] = number(&self.lengths, &self.images[b]);
            b += 1;
        }
        let forth = attempt!(Linear::new(columns.split_at(self.len).0, 0));
        match forth.inverse() {
            Some(back) => Linear::new(back.columns().split_at(self.len).0, 0),
            None => Err(Error::Holes { space, elements: 1 << forth.rank() }),
        }
    }

    /// The layout as a plan.
    ///
    /// ```
    /// use tiledesc::{List, exchange::triton::Bases};
    ///
    /// let image = |row, column| List::pair(row, column);
    /// let bases = [image(0, 1), image(0, 2), image(1, 1), image(2, 2)];
    /// let plan = Bases::new(List::pair(4, 4), &bases).unwrap().plan().unwrap();
    /// assert_eq!(plan.offset(&[3, 0]), Ok(0b1111));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`linear`](Self::linear) and [`Linear::plan`].
    pub const fn plan(&self) -> Result<Plan, Error> {
        attempt!(self.linear()).plan(self.lengths.as_slice())
    }

    /// The number of coordinates; the largest number there is, where it is larger.
    const fn elements(&self) -> u64 {
        self.lengths.elements()
    }
}

/// The number of a coordinate, the last dimension lowest.
const fn number(lengths: &List, image: &List) -> u32 {
    let (mut number, mut i) = (0u32, 0);
    while i < image.len() {
        number = number.wrapping_mul(lengths.at(i)) + image.at(i);
        i += 1;
    }
    number
}

impl Mapping for Bases {
    fn to_plan(&self) -> Result<Plan, Error> {
        self.plan()
    }
}

/// Why an image is not a coordinate of a tile.
const fn outside(lengths: &List, image: &List) -> Option<Error> {
    let rank = lengths.len() as u32;
    if image.len() as u32 != rank {
        return Some(Error::Rank { wanted: rank, given: image.len() as u32 });
    }
    let mut i = 0;
    while i < image.len() {
        let (index, length) = (image.at(i), lengths.at(i));
        if index >= length {
            return Some(Error::OutOfRange { dimension: i as u32, index, length });
        }
        i += 1;
    }
    None
}

/// The first length that is not a power of two.
const fn odd_length(lengths: &List) -> Option<Error> {
    let mut i = 0;
    while i < lengths.len() {
        if !lengths.at(i).is_power_of_two() {
            return Some(Error::NotLinear { length: Some((i as u32, lengths.at(i))) });
        }
        i += 1;
    }
    None
}

impl core::fmt::Display for Bases {
    /// As Triton's attributes print them: `[[0, 1], [0, 2], [1, 0]]`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.images()).finish()
    }
}
