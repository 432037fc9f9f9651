//! The accesses of a lane: its elements, grouped as one instruction moves them.
//!
//! The elements of an access are contiguous along a dimension. They are of its *tail*,
//! its fastest factors, as many as the thread owns one after another:
//!
//! ```text
//!   k [deep 2, quad 4, pair 2], thread (deep, pair)    tail pair: 2 elements at a time
//!   m [wave 4, row 8, again 4], thread (again, ..)     tail again: 1, 2 or 4
//!   k [part 8, b 3, c 4], thread (b, c)                tail b, c, which are one factor of 12: also 6
//! ```

use super::crossing::Crossing;
use super::encoding::{Encoding, Factor};
use super::fault::Owner;
use super::walk::{Counter, Digit, Reach, Walk};
use tiledesc_transforms::{List, down, range};

impl Encoding {
    /// The number of elements of a lane that are contiguous along a dimension.
    pub(crate) const fn tail(&self, dimension: usize) -> u32 {
        let mut tail = 1u32;
        down!(at, self.begin(dimension + 1)..self.begin(dimension + 2), {
            if self.factors[at].length > 1 {
                if self.factors[at].owner != Owner::Thread as u32 {
                    break;
                }
                tail = tail.saturating_mul(self.factors[at].length);
            }
        });
        tail
    }

    /// Returns whether a lane's elements are accesses of `pack` of them along a dimension, each of the tile as a
    /// whole or beyond it as a whole.
    pub(crate) const fn has_packs(&self, dimension: usize, pack: u32) -> bool {
        self.tail(dimension).is_multiple_of(pack)
            && !self.cuts(dimension, pack)
            && (self.fits(dimension, pack) || self.neighbours_joined().fits(dimension, pack))
    }

    /// The factors that packs along a dimension fit: neighbours of one owner as one, if packs do not end
    /// where these do.
    pub(crate) const fn in_packs(&self, dimension: usize, pack: u32) -> Self {
        if self.fits(dimension, pack) { *self } else { self.neighbours_joined() }
    }

    /// Returns whether packs along a dimension end where its factors end, or within one that they divide.
    const fn fits(&self, dimension: usize, pack: u32) -> bool {
        range!(at, self.begin(dimension + 1)..self.begin(dimension + 2), {
            let Factor { length, stride, .. } = self.factors[at];
            let within = pack.div_ceil(stride);
            if stride < pack
                && !(pack.is_multiple_of(stride)
                    && (within.is_multiple_of(length) || length.is_multiple_of(within)))
            {
                return false;
            }
        });
        true
    }

    /// Returns whether the tile ends within a pack along a dimension.
    pub(crate) const fn cuts(&self, dimension: usize, pack: u32) -> bool {
        !self.cover.lengths[dimension].is_multiple_of(pack)
    }

    /// Returns whether lanes hold packs along a dimension, with the elements of each in consecutive registers.
    pub(crate) const fn has_vectors(&self, dimension: usize, pack: u32) -> bool {
        self.has_packs(dimension, pack) && self.apart(dimension, pack) == 1
    }

    /// The distance of neighbours of a pack in registers, where that is not 1.
    pub(crate) const fn apart(&self, dimension: usize, pack: u32) -> u32 {
        // The fastest first: the others are then further apart, never nearer.
        down!(at, self.begin(dimension + 1)..self.begin(dimension + 2), {
            let Factor { length, stride, below, .. } = self.factors[at];
            if length > 1 && stride < pack && below != stride {
                return below / stride;
            }
        });
        1
    }

    /// The first element of an access of `pack` elements along a dimension, in row-major order of
    /// the thread's factors.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     type Fetch: m [again 4, wave 4, row 8], k [chunk 8, half 8];
    ///         wave (wave), lane (row, chunk), thread (again, half);
    /// }
    /// // Four accesses of eight elements each.
    /// let held = Fetch::ENCODING?;
    /// assert_eq!([0, 1, 2, 3].map(|access| held.first_of_access(access, 1, 8)), [0, 8, 16, 24]);
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    #[must_use]
    pub const fn first_of_access(&self, access: u32, dimension: usize, pack: u32) -> u32 {
        self.in_packs(dimension, pack).first_of(access, dimension, pack, false)
    }

    /// [`first_of_access`](Self::first_of_access) where packs [end](Self::in_packs) where factors do; along CK Tile's snake each
    /// row is walked back after one that was walked forth.
    pub(crate) const fn first_of(
        &self,
        access: u32,
        dimension: usize,
        pack: u32,
        snake: bool,
    ) -> u32 {
        let (mut rest, mut element) = (access, 0);
        down!(place, 0..self.listed_by(Owner::Thread), {
            let factor = &self.factors[self.listed(Owner::Thread, place)];
            let within = factor.within(dimension, pack);
            let length = factor.length / within;
            let place = rest % length;
            rest /= length;
            let place = if snake && rest % 2 == 1 { length - 1 - place } else { place };
            element += place * within * factor.below;
        });
        element
    }

    /// Returns whether it is of a tile and of as many lanes.
    pub(crate) const fn is_over(&self, reach: &Reach) -> bool {
        self.is_of(&reach.tile) && self.lanes() == reach.lanes
    }

    /// Returns whether it is of a tile.
    pub(crate) const fn is_of(&self, tile: &List) -> bool {
        self.lengths().is_same(tile)
    }

    /// The accesses of `pack` elements along a dimension, of all waves, one after another.
    pub(crate) const fn walk(&self, along: usize, pack: u32) -> Walk {
        self.in_packs(along, pack).walk_of(along, pack)
    }

    const fn walk_of(&self, along: usize, pack: u32) -> Walk {
        let (accesses, waves) = (self.elements() / pack, self.waves());
        let instructions = waves as u64 * accesses as u64;
        let is_whole = self.cover.is_whole();
        let mut walk = Walk::new(self.rank, self.lanes()).with_instructions(instructions, is_whole);
        walk.waves = waves;
        walk.cover = if is_whole { None } else { Some(self.cover) };
        range!(at, self.begin(1)..self.count, {
            let Factor { length, stride, group, owner, below, .. } = self.factors[at];
            if owner == Owner::Lane as u32 {
                walk.digit(Counter::Lane, [below, length], group as usize - 1, stride);
            } else if owner == Owner::Wave as u32
                // No instruction has a number beyond 32 bits.
                && let Some(below) = below.checked_mul(accesses)
            {
                walk.digit(Counter::Step, [below, length], group as usize - 1, stride);
            }
        });
        let mut below = 1;
        down!(place, 0..self.listed_by(Owner::Thread), {
            let factor = &self.factors[self.listed(Owner::Thread, place)];
            let (dimension, within) = (factor.group as usize - 1, factor.within(along, pack));
            let length = factor.length / within;
            walk.digit(Counter::Step, [below, length], dimension, factor.stride * within);
            below *= length;
        });
        walk
    }

    /// The accesses of `parts * pack` elements along a dimension, each by as many instructions of `pack`; in the i-th of
    /// them lane l moves part i ^ l / `lane` % `parts`, or part i if `lane` is 0. `None` where lanes do not hold such
    /// accesses. `parts` is a power of two.
    pub(crate) const fn walk_in_parts(
        &self,
        along: usize,
        pack: u32,
        [parts, lane]: [u32; 2],
    ) -> Option<Walk> {
        if along >= self.rank || !self.has_packs(along, pack * parts) {
            return None;
        }
        if lane == 0 {
            return Some(self.walk(along, pack));
        }
        let mut walk = self.neighbours_joined().walk(along, pack);
        range!(i, 0..walk.count, {
            let Digit { of, below, length, dimension, stride } = walk.digits[i];
            if matches!(of, Counter::Step) && dimension as usize == along && stride == pack {
                if !length.is_multiple_of(parts) || walk.count == Self::MOST_FACTORS {
                    return None;
                }
                walk.digits[i].length = parts;
                walk.digit(of, [below * parts, length / parts], along, stride * parts);
                let dimension = along;
                walk.crossing = Some(Crossing { below, parts, dimension, stride, lane });
                return Some(walk);
            }
        });
        None
    }
}

impl Factor {
    /// The part of it that is within a pack along a dimension.
    const fn within(&self, dimension: usize, pack: u32) -> u32 {
        if self.group as usize != dimension + 1 || self.stride >= pack {
            return 1;
        }
        let within = pack / self.stride;
        if within < self.length { within } else { self.length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In every order of a lane's factors, vectors are where elements that follow each other along a dimension follow each other
    /// in the registers.
    #[test]
    fn vectors_are_consecutive() {
        let (m, k) =
            ([("a", 2), ("row", 4), ("b", 4)], [("c", 4), ("column", 16), ("d", 2), ("e", 4)]);
        let mut held = 0;
        for order in 0..3125usize {
            let listed: [_; 5] = core::array::from_fn(|i| {
                ["a", "b", "c", "d", "e"][order / 5usize.pow(i as u32) % 5]
            });
            let Ok(encoding) =
                Encoding::named(&[], &[("m", &m), ("k", &k)], &[], &["row", "column"], &listed)
            else {
                continue;
            };
            for (along, pack) in
                [0, 1].into_iter().flat_map(|d| [1, 2, 4, 8, 16].map(|pack| (d, pack)))
            {
                let coordinate = |element| encoding.at([0, 9, element]);
                let follows = |first: u32, i: u32| {
                    let (from, to) = (coordinate(first), coordinate(first + i));
                    to.at(along) == from.at(along) + i && to.at(1 - along) == from.at(1 - along)
                };
                let firsts = (0..encoding.elements()).step_by(pack as usize);
                let vectors = firsts.clone().all(|first| (1..pack).all(|i| follows(first, i)));
                assert_eq!(encoding.has_vectors(along, pack), vectors, "{listed:?} {along} {pack}");
                held += u32::from(vectors);
                if vectors {
                    let mut found = (0..encoding.elements() / pack)
                        .map(|access| encoding.first_of_access(access, along, pack));
                    assert!(firsts.clone().all(|first| found.next() == Some(first)));
                }
            }
        }
        assert_eq!(held, 342);
    }

    /// Counted digit by digit, lanes are at their coordinates, and idle where they have none: beyond the end of a row, beyond the
    /// last row, and where the count goes on in the next row.
    #[test]
    fn idle_lanes_as_their_coordinates() {
        let (mut compared, mut idle, mut left) = (0, 0, 0);
        let mut compare = |encoding: Encoding, pack: u32| {
            let walk = encoding.walk(1, pack);
            for step in 0..walk.instructions() as u32 {
                let Some(([rows, columns], active)) = walk.lane_pairs(step) else {
                    left += 1;
                    continue;
                };
                for lane in 0..64 {
                    let found = [rows[lane], columns[lane]];
                    let wanted = walk.coordinate(step, lane as u32);
                    assert_eq!(
                        active >> lane & 1 == 1,
                        wanted.is_some(),
                        "{encoding:?} {step} {lane}"
                    );
                    if let Some(wanted) = wanted {
                        assert_eq!(wanted.as_slice(), found, "{encoding:?} {step} {lane}");
                        compared += 1;
                    } else {
                        idle += 1;
                    }
                }
            }
        };
        for (again, pack, rows, packs) in [
            (4, 4, 22, 10),
            (4, 1, 31, 7),
            (9, 1, 34, 16),
            (2, 2, 13, 5),
            (3, 8, 12, 11),
            (5, 4, 20, 15),
        ] {
            let n = [("again", again), ("lane", 64), ("part", pack)];
            let numbers = Encoding::named(&[], &[("n", &n)], &[], &["lane"], &["again", "part"]);
            compare(numbers.unwrap().covering(&[&[rows, packs * pack]]).unwrap(), pack);
            let (m, k) = ([("again", again), ("row", 8)], [("j", 8), ("part", pack)]);
            let dimensions = [("m", &m[..]), ("k", &k[..])];
            let lists = Encoding::named(&[], &dimensions, &[], &["row", "j"], &["again", "part"]);
            let covered = [8 * again - rows % 7 - 1, 8 * pack - pack * (packs % 3)];
            compare(lists.unwrap().covering(&[&covered[..1], &covered[1..]]).unwrap(), pack);
        }
        assert!(
            compared > 2_000 && idle > 200 && left < 4,
            "{compared} compared, {idle} idle, {left} left"
        );
    }
}
