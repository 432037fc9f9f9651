//! Space-filling curves: in which order a lane makes its accesses.
//!
//! A lane that holds 8x6 elements and moves 2x3 at a time makes 8 accesses. CK Tile orders them
//! along a curve; where it turns back at the end of a row, each step is one access further:
//!
//! ```text
//!   8x6 in 2x3, dimension 1 slowest, snake      Morton, 4x4 in 1x1
//!
//!   (0,0) (2,0) (4,0) (6,0)                      0  1  4  5
//!                       |                        2  3  6  7
//!   (0,3) (2,3) (4,3) (6,3)                      8  9 12 13
//!                                               10 11 14 15
//! ```
//!
//! The steps are constants of the compiler, so that an address moves by a known distance.
//!
//! Sources: CK Tile, `space_filling_curve.hpp`, and its tables `sfc_*`; Morton order as on CK
//! Tile's page on swizzling (table `morton_8x8_t4`).

use crate::error::Error;
use crate::number::NumberError;
use crate::number::list::{Fold, List};

/// The accesses of a box of elements, in order.
///
/// ```
/// use tiledesc_transforms::Curve;
///
/// const CURVE: Curve = match Curve::new(&[8, 6], &[1, 0], &[2, 3]) {
///     Ok(curve) => curve.snake(),
///     Err(_) => panic!(),
/// };
/// assert_eq!(CURVE.accesses(), 8);
/// assert_eq!(CURVE.index(4).unwrap(), [6, 3]);
/// const STEP: [i32; 2] = match CURVE.step(4) { Ok(step) => step, Err(_) => panic!() };
/// assert_eq!(STEP, [-2, 0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve {
    /// Accesses along each dimension, in the order of `order`.
    lengths: List,
    /// The dimension at each position, the slowest first.
    order: List,
    /// Elements of an access along each dimension.
    scalars: List,
    course: Course,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    Straight,
    Snake,
    Morton,
}

impl Curve {
    /// A box of these lengths, in accesses of `scalars` elements along each dimension, the
    /// dimension `order[0]` slowest. Each row begins at 0.
    ///
    /// # Errors
    ///
    /// Lists of different sizes, a length that is not a multiple of its scalars,
    /// [`NumberError::NotAPermutation`], more accesses than 32 bits count.
    pub const fn new(lengths: &[u32], order: &[u32], scalars: &[u32]) -> Result<Self, Error> {
        let wanted = lengths.len() as u32;
        if order.len() as u32 != wanted {
            return Err(Error::Rank { wanted, given: order.len() as u32 });
        }
        if scalars.len() as u32 != wanted {
            return Err(Error::Rank { wanted, given: scalars.len() as u32 });
        }
        let mut accesses = attempt!(List::from_slice(lengths) => Error::Number);
        let scalars = attempt!(List::from_slice(scalars) => Error::Number);
        let order = attempt!(List::from_slice(order) => Error::Number);
        range!(d, 0..accesses.len(), {
            let (length, each) = (accesses.at(d), scalars.at(d));
            if length == 0 {
                let declared = List::new(lengths);
                return Err(Error::ZeroLength { transform: "curve", declared });
            }
            if each == 0 {
                return Err(Error::Number(NumberError::DivideByZero));
            }
            if !length.is_multiple_of(each) {
                let (dividend, divisor) = ((length, "length"), (each, "scalars"));
                return Err(Error::Number(NumberError::NotDivisible { dividend, divisor }));
            }
            accesses = accesses.with(d, length / each);
        });
        let lengths = attempt!(accesses.reorder_new_to_old(&order) => Error::Number);
        attempt!(lengths.exact(Fold::Product) => Error::Number);
        Ok(Self { lengths, order, scalars, course: Course::Straight })
    }

    /// Returns the curve that turns back at the end of each row instead of jumping to the beginning of the next: CK Tile's
    /// `snake_curved`.
    #[must_use]
    pub const fn snake(self) -> Self {
        Self { course: Course::Snake, ..self }
    }

    /// Returns the curve in Morton order: the bits of an access's number go to the dimensions in turn, the lowest to the fastest.
    /// A dimension that has had all its bits is left out.
    ///
    /// ```
    /// use tiledesc_transforms::Curve;
    ///
    /// let curve = Curve::new(&[4, 4], &[0, 1], &[1, 1]).unwrap().morton().unwrap();
    /// assert_eq!(curve.index(0b0110).unwrap(), [0b01, 0b10]);
    /// assert!(Curve::new(&[3, 4], &[0, 1], &[1, 1]).unwrap().morton().is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotLinear`]: a number of accesses along a dimension that is not a power of two.
    pub const fn morton(self) -> Result<Self, Error> {
        range!(position, 0..self.lengths.len(), {
            let length = self.lengths.at(position);
            if !length.is_power_of_two() {
                let dimension = self.order.at(position);
                return Err(Error::NotLinear { length: Some((dimension, length)) });
            }
        });
        Ok(Self { course: Course::Morton, ..self })
    }

    /// The number of accesses.
    #[must_use]
    pub const fn accesses(&self) -> u32 {
        self.lengths.elements() as u32
    }

    /// The number of dimensions.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.lengths.len()
    }

    /// The first element of an access.
    ///
    /// # Errors
    ///
    /// [`NumberError::NoSuchPosition`].
    pub const fn index(&self, access: u32) -> Result<List, Error> {
        let length = self.accesses();
        if access >= length {
            return Err(Error::Number(NumberError::NoSuchPosition { position: access, length }));
        }
        let places = match self.course {
            Course::Morton => self.interleaved(access),
            _ => self.lengths.nth(access as u64),
        };
        // Whether the number of the positions before this one, row by row, is odd.
        let (mut index, mut before) = (self.lengths, 0u32);
        range!(position, 0..places.len(), {
            let (mut place, length) = (places.at(position), self.lengths.at(position));
            let turned = matches!(self.course, Course::Snake) && before % 2 == 1;
            before = before * length + place;
            if turned {
                place = length - 1 - place;
            }
            let dimension = self.order.at(position) as usize;
            index = index.with(dimension, place * self.scalars.at(dimension));
        });
        Ok(index)
    }

    /// The bits of a number, dealt to the positions from the last one on.
    const fn interleaved(&self, access: u32) -> List {
        let (mut rest, mut bit) = (access, 0);
        let mut places = List::of_first([0; List::CAPACITY], self.lengths.len());
        while rest != 0 {
            let mut position = places.len();
            while position > 0 {
                position -= 1;
                if self.lengths.at(position) >> bit > 1 {
                    places = places.with(position, places.at(position) | (rest & 1) << bit);
                    rest >>= 1;
                }
            }
            bit += 1;
        }
        places
    }

    /// Returns the difference along each dimension from an access to the next, as [`Coordinate::step`](crate::Coordinate::step)
    /// takes it.
    ///
    /// # Errors
    ///
    /// [`Error::Rank`] of another number of dimensions; [`NumberError::NoSuchPosition`] where
    /// there is no next one.
    pub const fn step<const RANK: usize>(&self, access: u32) -> Result<[i32; RANK], Error> {
        if self.rank() != RANK {
            return Err(Error::Rank { wanted: self.rank() as u32, given: RANK as u32 });
        }
        let here = attempt!(self.index(access));
        let next = attempt!(self.index(access.saturating_add(1)));
        let mut step = [0; RANK];
        range!(d, 0..RANK, {
            step[d] = next.at(d).wrapping_sub(here.at(d)).cast_signed();
        });
        Ok(step)
    }
}
