//! The tile that the factors of a distribution cover, and need not divide.
//!
//! A halo of 22 rows of 40 halves is 220 vectors of 4, and a block has 256 threads; 31 rows are no multiple of 8. The factors
//! then count further than the tile goes, and no lane holds what is beyond it:
//!
//! ```text
//!   m [again 4, row 8] of 31                      row 31 is beyond: the lanes of row 7 are idle in again 3
//!   (m, k) [wave 4, lane 64, part 4] of (22, 40)  one number over the tile, row by row: 880 of 1024
//!
//!   wave 3, lane 27   ->   number 3 * 256 + 27 * 4 = 876   ->   m = 876 / 40 = 21,  k = 36
//!   wave 3, lane 28   ->   number 880                      ->   beyond the tile: idle
//! ```
//!
//! A larger digit of a wave, a lane or an element never leads to a smaller index. So a lane that holds nothing at its first
//! access holds nothing at all, and the first element of lane 0 of wave 0 is always held.

use tiledesc_transforms::{Extent, Index, List, down, range};

/// The lengths of a tile, and which of its dimensions are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cover {
    pub(super) lengths: [u32; List::CAPACITY],
    /// Bit d: the number that the factors of dimension d count goes on in dimension d - 1.
    pub(super) carries: u32,
    /// Bit d: the factors of dimension d count further than the tile goes.
    pub(super) beyond: u32,
}

impl Cover {
    pub(crate) const NONE: Self = Self { lengths: [1; List::CAPACITY], carries: 0, beyond: 0 };

    /// Returns whether all lanes hold elements of the tile, and each dimension is the product of its factors.
    pub(crate) const fn is_whole(&self) -> bool {
        self.carries | self.beyond == 0
    }

    /// Returns whether some lanes hold nothing at some element.
    pub(crate) const fn has_idle(&self) -> bool {
        self.beyond != 0
    }

    /// Returns whether the number of a dimension goes on in the one before.
    pub(crate) const fn carries(&self, dimension: usize) -> bool {
        self.carries >> dimension & 1 == 1
    }

    /// The bound of the number of a dimension, where its factors count further; else 0.
    pub(super) const fn bound(&self, dimension: usize) -> u32 {
        if self.beyond >> dimension & 1 == 0 { 0 } else { self.elements(dimension) }
    }

    /// The elements that the number of a dimension counts: with those of the dimensions in which it goes on.
    pub(super) const fn elements(&self, dimension: usize) -> u32 {
        let (mut elements, mut d) = (self.lengths[dimension], dimension);
        while self.carries(d) {
            d -= 1;
            elements *= self.lengths[d];
        }
        elements
    }

    /// The coordinate of the numbers that the factors count; `None` beyond the tile.
    pub(super) const fn coordinate(
        &self,
        numbers: [u32; List::CAPACITY],
        rank: usize,
    ) -> Option<List> {
        if self.is_whole() {
            return Some(List::of_first(numbers, rank));
        }
        let mut index = numbers;
        down!(d, 0..rank, {
            if self.carries(d) {
                index[d - 1] = index[d] / self.lengths[d];
                index[d] %= self.lengths[d];
            }
            if index[d] >= self.lengths[d] {
                return None;
            }
        });
        Some(List::of_first(index, rank))
    }

    /// The numbers that the factors would count at a coordinate of the tile.
    pub(super) const fn numbers(&self, index: &[u32]) -> [u32; List::CAPACITY] {
        let mut numbers = [0; List::CAPACITY];
        range!(d, 0..index.len(), {
            numbers[d] = index[d];
            if self.carries(d) {
                numbers[d] += numbers[d - 1] * self.lengths[d];
            }
        });
        numbers
    }

    /// The coordinate of such numbers over any index; beyond the tile a meaningless one.
    pub(super) fn coordinate_of<I: Index>(&self, numbers: &mut [I]) {
        for d in (1..numbers.len()).rev().filter(|d| self.carries(*d)) {
            let length = Extent::constant(self.lengths[d]);
            numbers[d - 1] = numbers[d].div(length);
            numbers[d] = numbers[d].rem(length);
        }
    }

    /// Returns whether such numbers are of the tile; `None` if all are.
    pub(super) fn mask_of<I: Index>(&self, numbers: &[I]) -> Option<I::Mask> {
        let bounds = numbers.iter().enumerate().map(|(d, number)| (number, self.bound(d)));
        let masks = bounds.filter(|(_, bound)| *bound > 0);
        let masks = masks.map(|(number, bound)| number.below(Extent::constant(bound)));
        masks.reduce(|one, other| I::both(&one, &other))
    }
}
