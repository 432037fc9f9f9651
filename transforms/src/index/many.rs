//! An index that is not one number but 64: the lanes of a wave.
//!
//! Over [`Many`] a transform's index rule computes 64 coordinates at once. A constant pays for each function that it calls; here
//! that is one for each step of a rule, whatever the number of lanes:
//!
//! ```text
//!   64 lanes of a 192x96 tile whose rows are rotated, instructions of the compiler
//!     lane by lane   200 million
//!     at once          2 million
//! ```

use crate::number::extent::Extent;

/// Indices of all lanes of a wave, with the methods of [`Index`](crate::Index) as `const fn`s.
#[derive(Clone, Copy)]
pub(crate) struct Many(pub(crate) [u32; Self::COUNT]);

/// Each of the indices by an expression of its place.
macro_rules! by_place {
    ($i:ident => $value:expr) => {{
        let mut all = [0; Many::COUNT];
        range!($i, 0..Many::COUNT, { all[$i] = $value });
        Many(all)
    }};
}

impl Many {
    pub(crate) const COUNT: usize = 64;
    pub(crate) const ZERO: Self = Self([0; Self::COUNT]);

    pub(crate) const fn clone(&self) -> Self {
        *self
    }
    pub(crate) const fn add(&self, other: &Self) -> Self {
        by_place!(i => self.0[i].wrapping_add(other.0[i]))
    }
    pub(crate) const fn sub(&self, other: &Self) -> Self {
        by_place!(i => self.0[i].wrapping_sub(other.0[i]))
    }
    pub(crate) const fn xor(&self, other: &Self) -> Self {
        by_place!(i => self.0[i] ^ other.0[i])
    }
    pub(crate) const fn mul(&self, by: Extent) -> Self {
        match by.value() {
            1 => *self,
            by => by_place!(i => self.0[i].wrapping_mul(by)),
        }
    }
    pub(crate) const fn div(&self, by: Extent) -> Self {
        match by.value() {
            1 => *self,
            by => by_place!(i => self.0[i] / by),
        }
    }
    pub(crate) const fn rem(&self, by: Extent) -> Self {
        let by = by.value();
        by_place!(i => self.0[i] % by)
    }
    pub(crate) const fn constant(&self, value: Extent) -> Self {
        Self([value.value(); Self::COUNT])
    }
    pub(crate) const fn lookup(&self, table: &'static [u32]) -> Self {
        match table.len() {
            0 => Self::ZERO,
            len => by_place!(i => {
                let at = self.0[i] as usize;
                table[if at < len { at } else { len - 1 }]
            }),
        }
    }
    pub(crate) const fn low_bits(&self, length: Extent) -> Self {
        let mask = length.value().wrapping_sub(1);
        by_place!(i => self.0[i] & mask)
    }
}
