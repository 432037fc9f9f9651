//! Linear maps over bits: a layout whose offset is an xor of columns.
//!
//! A 128x64 tile has 8192 offsets. If its map is linear, 13 columns determine them all,
//! and every question about the layout is a question about those 13 numbers:
//!
//! ```text
//!   bit of the coordinate (k last)   1  2  4  8  16  32   64  128  256  512  1024  2048  4096
//!   128x64, packs of 8, xor: flips   1  2  4  8  16  32   72  144  288  512  1024  2048  4096
//!
//!   offset(3, 17) = 1 ^ 16 ^ 72 ^ 144 = 201
//! ```
//!
//! | question | answer |
//! |---|---|
//! | do two coordinates share an offset? | exactly if the columns depend on each other: rank < 13 |
//! | which ones? | 0 and any vector of the kernel |
//! | which coordinate has offset 201? | the inverse map, again 13 columns |
//! | are two layouts the same? | exactly if their columns are |
//! | one layout after another? | the columns of the first, mapped by the second |
//!
//! A constant may be flipped on top (an *affine* map): the base of a sub-tile. Whether a
//! map is linear is decided by its structure, never by trying ([`Plan::linear`]).

mod carry;
pub(crate) mod digits;
mod numbered;
pub(crate) mod terms;
mod turned;

pub use digits::Digits;
pub use numbered::Numbered;
pub use turned::Turned;

use crate::error::Error;
use crate::number::list::head;
use crate::plan::Plan;

/// An affine map over bits: `apply(x) = constant ^ xor of columns[b] over the bits b of x`.
///
/// For a layout, x is the number of a coordinate with the last dimension fastest, as in [`Plan::nth`], and the result is the
/// offset in elements.
///
/// ```
/// use tiledesc_transforms::{Linear, Plan};
///
/// const ROWS: Linear = match Plan::naive(&[8, 8], &[16, 1]) {
///     Ok(plan) => match plan.linear() { Ok(linear) => linear, Err(_) => panic!() },
///     Err(_) => panic!(),
/// };
/// assert_eq!(ROWS.columns(), [1, 2, 4, 16, 32, 64]);
/// assert_eq!(ROWS.apply(3 * 8 + 5), 3 * 16 + 5);
/// assert_eq!(ROWS.rank(), 6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Linear {
    columns: [u32; Self::BITS],
    inputs: usize,
    constant: u32,
}

/// Vectors that span what they are asked for, none of them needless.
///
/// ```
/// use tiledesc_transforms::Linear;
///
/// let doubled = Linear::new(&[1, 2, 3], 0).unwrap();
/// assert_eq!(doubled.image().vectors(), [1, 2]);
/// assert_eq!(doubled.kernel().vectors(), [0b111]);
/// // No two inputs share an image.
/// assert!(Linear::new(&[1, 2, 7], 0).unwrap().kernel().is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Basis {
    vectors: [u32; Linear::BITS],
    len: usize,
}

impl Basis {
    const EMPTY: Self = Self { vectors: [0; Linear::BITS], len: 0 };

    const fn push(&mut self, vector: u32) {
        self.vectors[self.len] = vector;
        self.len += 1;
    }

    /// Returns whether it spans nothing but 0.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Vector `i`; 0 after the last.
    pub(crate) const fn get(&self, i: usize) -> u32 {
        if i < self.len { self.vectors[i] } else { 0 }
    }

    /// The vectors.
    #[must_use]
    pub const fn vectors(&self) -> &[u32] {
        head(&self.vectors, self.len)
    }
}

impl core::fmt::Debug for Basis {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.vectors().fmt(f)
    }
}

impl core::fmt::Debug for Linear {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let columns = self.columns();
        f.debug_struct("Linear")
            .field("columns", &columns)
            .field("constant", &self.constant)
            .finish()
    }
}

impl Plan {
    /// The linear map of this descriptor.
    ///
    /// ```
    /// use tiledesc_transforms::{Error, Plan};
    ///
    /// assert!(Plan::packed(&[128, 64]).unwrap().linear().is_ok());
    /// // From 8 on: bit 3 carries into bit 4, and no other bit does.
    /// let based = Plan::naive_with_offset(&[16], &[1], 8).unwrap().linear().unwrap();
    /// assert_eq!((based.columns(), based.constant()), (&[1, 2, 4, 24][..], 8));
    /// assert_eq!(
    ///     Plan::naive(&[128, 64], &[72, 1]).unwrap().linear().unwrap_err().to_string(),
    ///     "the map is not linear over bits: it adds with a carry, pads or looks up",
    /// );
    /// assert_eq!(
    ///     Plan::packed(&[96, 64]).unwrap().linear().unwrap_err().to_string(),
    ///     "length 96 of dimension 0 is not a power of two (nearest: 64 and 128)",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotLinear`]: a length that is not a power of two, or what bits cannot describe.
    pub const fn linear(&self) -> Result<Linear, Error> {
        let lengths = self.lengths();
        range!(i, 0..lengths.len(), {
            if !lengths.at(i).is_power_of_two() {
                return Err(Error::NotLinear { length: Some((i as u32, lengths.at(i))) });
            }
        });
        let Some(digits) = self.digits() else {
            return Err(Error::NotLinear { length: None });
        };
        match digits.joint() {
            Some(map) => Ok(map),
            None => Err(Error::NotLinear { length: None }),
        }
    }
}

impl Linear {
    /// The most bits of a map.
    pub const BITS: usize = 32;

    /// The map with these columns: bit `b` of the input flips `columns[b]`.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyBits`] with more than 32.
    pub const fn new(columns: &[u32], constant: u32) -> Result<Self, Error> {
        if columns.len() > Self::BITS {
            return Err(Error::TooManyBits { columns: columns.len() as u32 });
        }
        let mut map = Self { columns: [0; Self::BITS], inputs: columns.len(), constant };
        range!(b, 0..columns.len(), {
            map.columns[b] = columns[b];
        });
        Ok(map)
    }

    /// The output bits that each bit of the input flips.
    #[must_use]
    pub const fn columns(&self) -> &[u32] {
        head(&self.columns, self.inputs)
    }

    /// The number of input bits.
    #[must_use]
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// The image of 0.
    #[must_use]
    pub const fn constant(&self) -> u32 {
        self.constant
    }

    /// The image of `x`; bits of `x` above the inputs are not looked at.
    #[must_use]
    pub const fn apply(&self, x: u32) -> u32 {
        let mut image = self.constant;
        range!(b, 0..self.inputs, {
            if x >> b & 1 == 1 {
                image ^= self.columns[b];
            }
        });
        image
    }

    /// `self` after `first`: what `first` makes of x goes through `self`.
    ///
    /// ```
    /// use tiledesc_transforms::Linear;
    ///
    /// let swap = Linear::new(&[2, 1], 0).unwrap();
    /// let double = Linear::new(&[2, 4, 8], 0).unwrap();
    /// assert_eq!(double.after(&swap).columns(), [4, 2]);
    /// ```
    #[must_use]
    pub const fn after(&self, first: &Self) -> Self {
        let mut map = *first;
        map.constant = self.apply(first.constant);
        range!(b, 0..first.inputs, {
            map.columns[b] = self.apply(first.columns[b]) ^ self.constant;
        });
        map
    }

    /// Returns whether both are the same map; `==` for constants.
    ///
    /// ```
    /// use tiledesc_transforms::Linear;
    ///
    /// let swap = Linear::new(&[2, 1], 0).unwrap();
    /// assert!(swap.after(&swap).is(&Linear::new(&[1, 2], 0).unwrap()));
    /// ```
    #[must_use]
    pub const fn is(&self, other: &Self) -> bool {
        self.inputs == other.inputs
            && self.constant == other.constant
            && all!(b, 0..self.inputs, self.columns[b] == other.columns[b])
    }

    /// The dimension of the image: bits of the input by which results differ.
    #[must_use]
    pub const fn rank(&self) -> u32 {
        Reduced::new(self).rank as u32
    }

    /// Vectors that span the results, without the constant; each has a highest bit of
    /// its own.
    #[must_use]
    pub const fn image(&self) -> Basis {
        let (reduced, mut basis) = (Reduced::new(self), Basis::EMPTY);
        range!(bit, 0..Self::BITS, {
            if reduced.from[bit] != 0 {
                basis.push(reduced.rows[bit]);
            }
        });
        basis
    }

    /// Vectors that span the inputs that change nothing: 0 and each of them have the same
    /// image.
    #[must_use]
    pub const fn kernel(&self) -> Basis {
        Reduced::new(self).kernel
    }

    /// The map back: `inverse.apply(map.apply(x)) == x`. It is defined for all 32 bits; its values at numbers that are not images
    /// mean nothing, so apply the map again to see.
    ///
    /// ```
    /// use tiledesc_transforms::Linear;
    ///
    /// let map = Linear::new(&[0b011, 0b010, 0b100], 0b1000).unwrap();
    /// let back = map.inverse().unwrap();
    /// assert!((0..8).all(|x| back.apply(map.apply(x)) == x));
    /// assert_eq!(Linear::new(&[1, 1], 0).unwrap().inverse(), None);
    /// ```
    ///
    /// `None` if two inputs share an image; the [`kernel`](Self::kernel) has them.
    #[must_use]
    pub const fn inverse(&self) -> Option<Self> {
        let reduced = Reduced::new(self).back_substituted();
        if reduced.rank < self.inputs {
            return None;
        }
        let mut map = Self { columns: reduced.from, inputs: Self::BITS, constant: 0 };
        map.constant = map.apply(self.constant);
        Some(map)
    }

    /// The map of a part of the inputs: bit `i` of the new input is bit `kept[i]` of the
    /// old one, and all others are as in `at`.
    ///
    /// ```
    /// use tiledesc_transforms::{Error, Linear};
    ///
    /// // 8 rows of 64, packs of 8, xor. Of column 8 the rows: bits 6, 7 and 8.
    /// let tile = Linear::new(&[1, 2, 4, 8, 16, 32, 72, 144, 288], 0)?;
    /// let column = tile.restricted(&[6, 7, 8], 8)?;
    /// assert_eq!((column.columns(), column.constant()), (&[72, 144, 288][..], 8));
    /// // Row 3 of it: the chunk after 3 xor 1.
    /// assert_eq!(column.apply(3), 3 * 64 + (3 ^ 1) * 8);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::TooManyBits`] with more than 32, [`Error::NoSuchBit`].
    pub const fn restricted(&self, kept: &[usize], at: u32) -> Result<Self, Error> {
        let mut map = attempt!(Self::new(&[], 0));
        let (mut rest, mut i) = (at, 0);
        if kept.len() > Self::BITS {
            return Err(Error::TooManyBits { columns: kept.len() as u32 });
        }
        while i < kept.len() {
            if kept[i] >= self.inputs {
                return Err(Error::NoSuchBit { bit: kept[i] as u32, bits: self.inputs as u32 });
            }
            map.columns[i] = self.columns[kept[i]];
            rest &= !(1 << kept[i]);
            i += 1;
        }
        map.inputs = kept.len();
        map.constant = self.apply(rest);
        Ok(map)
    }
}

/// Columns in echelon form, and which inputs make them.
struct Reduced {
    /// The vector with highest bit `b`, if there is one.
    rows: [u32; Linear::BITS],
    /// The input that makes it; 0 if there is none.
    from: [u32; Linear::BITS],
    rank: usize,
    kernel: Basis,
}

impl Reduced {
    const fn new(map: &Linear) -> Self {
        let none = [0; Linear::BITS];
        let mut reduced = Self { rows: none, from: none, rank: 0, kernel: Basis::EMPTY };
        range!(b, 0..map.inputs, {
            reduced.insert(map.columns[b], 1 << b);
        });
        reduced
    }

    const fn insert(&mut self, mut row: u32, mut from: u32) {
        while row != 0 {
            let bit = row.ilog2() as usize;
            if self.from[bit] == 0 {
                self.rows[bit] = row;
                self.from[bit] = from;
                self.rank += 1;
                return;
            }
            row ^= self.rows[bit];
            from ^= self.from[bit];
        }
        self.kernel.push(from);
    }

    /// Every highest bit in its own row only: then `from[b]` is the part of an input that follows from bit `b` of its image.
    const fn back_substituted(mut self) -> Self {
        range!(bit, 0..Linear::BITS, {
            let mut other = bit + 1;
            while self.from[bit] != 0 && other < Linear::BITS {
                if self.rows[other] >> bit & 1 == 1 {
                    self.rows[other] ^= self.rows[bit];
                    self.from[other] ^= self.from[bit];
                }
                other += 1;
            }
        });
        self
    }
}
