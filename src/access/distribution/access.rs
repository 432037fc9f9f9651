//! The accesses of a lane: its elements, so many at a time as one instruction moves.
//!
//! The elements of an access are contiguous along a dimension. They are of its *tail*,
//! its fastest factors, as many as the thread owns one after another:
//!
//! ```text
//!   k [deep 2, quad 4, pair 2], thread (deep, pair)    tail pair: 2 elements at a time
//!   m [wave 4, row 8, again 4], thread (again, ..)     tail again: 1, 2 or 4
//! ```

use super::encoding::{Encoding, Factor};
use super::fault::Owner;

impl Encoding {
    /// How many elements of a lane are contiguous along a dimension.
    pub(crate) const fn tail(&self, dimension: usize) -> u32 {
        let (mut at, mut tail) = (self.begin(dimension + 2), 1u32);
        while at > self.begin(dimension + 1) {
            at -= 1;
            if self.factors[at].length > 1 {
                if self.factors[at].owner != Owner::Thread as u32 {
                    break;
                }
                tail = tail.saturating_mul(self.factors[at].length);
            }
        }
        tail
    }

    /// Whether a lane's elements are accesses of `pack` of them along a dimension.
    pub(crate) const fn has_packs(&self, dimension: usize, pack: u32) -> bool {
        if !self.tail(dimension).is_multiple_of(pack) {
            return false;
        }
        let mut at = self.begin(dimension + 1);
        while at < self.begin(dimension + 2) {
            let Factor { length, stride, .. } = self.factors[at];
            let within = pack.div_ceil(stride);
            // A pack ends where a factor ends, or within one that it divides.
            if stride < pack
                && !(pack.is_multiple_of(stride)
                    && (within.is_multiple_of(length) || length.is_multiple_of(within)))
            {
                return false;
            }
            at += 1;
        }
        true
    }

    /// The first element of an access of `pack` elements along a dimension, in row-major order of
    /// the thread's factors.
    pub(crate) const fn first_of_access(&self, access: u32, dimension: usize, pack: u32) -> u32 {
        let (mut rest, mut element, mut place) = (access, 0, self.listed_by(Owner::Thread));
        while place > 0 {
            place -= 1;
            let Factor { length, stride, group, below, .. } =
                self.factors[self.listed(Owner::Thread, place)];
            let within = if group as usize == dimension + 1 && stride < pack {
                let within = pack / stride;
                if within < length { within } else { length }
            } else {
                1
            };
            element += rest % (length / within) * within * below;
            rest /= length / within;
        }
        element
    }

    /// Whether all lengths are powers of two, so that bits of numbers are bits of coordinates.
    pub(crate) const fn is_linear(&self) -> bool {
        let mut at = 0;
        while at < self.count {
            if !self.factors[at].length.is_power_of_two() {
                return false;
            }
            at += 1;
        }
        true
    }
}
