//! Lanes that follow each other at equal distances: a wave as a few runs.
//!
//! Where a pattern's lanes are digits and a layout is one of strides, a lane's address is a sum of digit times
//! distance. Lanes that differ in the fastest digit alone are a run, of which the first and the distance say
//! everything:
//!
//! ```text
//!   64 lanes write rows of 96 halves, 16 bytes each, rows 208 bytes apart
//!
//!   lanes    0 to 11   12 to 23   24 to 35   36 to 47   48 to 59   60 to 63
//!   bytes    0         208        416        624        832        1040        and 16 from lane to lane
//! ```
//!
//! Asked before any lane is: whether every address is aligned and within the tile, and whether no two lanes of an
//! instruction have a byte in common. Where that is not known, there are no runs, and lanes are asked one by one.

use super::placed::Placed;
use crate::distribution::{Counter, Digit};
use tiledesc_transforms::{List, range};

/// The lanes of all instructions of a pattern on a layout of strides, all active, aligned, within the tile and disjoint.
#[derive(Clone, Copy)]
pub(crate) struct Runs {
    /// What lane 0 of instruction 0 has, in bytes.
    origin: u64,
    /// The digits of a lane's number, the fastest first: each begins where the one before it ends.
    lanes: [Distance; Self::MOST],
    count: usize,
    /// By how many lanes an instruction is further on; 0 where each begins with lane 0.
    further: u64,
    /// The digits of an instruction's number.
    steps: [Distance; Self::MOST],
    step_count: usize,
}

/// A digit of a number, and what it adds to an address.
#[derive(Clone, Copy)]
struct Distance {
    below: u64,
    /// The end of a digit that has none: beyond every number.
    length: u64,
    bytes: u64,
}

impl Distance {
    const NONE: Self = Self { below: 1, length: Self::ENDLESS, bytes: 0 };
    const ENDLESS: u64 = 1 << 32;
}

impl Runs {
    /// Digits of a number.
    const MOST: usize = 8;

    /// Bytes from lane to lane of a run.
    pub(crate) const fn distance(&self) -> u64 {
        self.lanes[0].bytes
    }

    /// The length of a run in lanes, if every next run begins equally far away.
    pub(crate) const fn of_one_jump(&self) -> Option<u64> {
        if self.count <= 2 { Some(self.lanes[0].length) } else { None }
    }

    /// What lane 0 has because of the instruction's own digits, and how many lanes were before.
    pub(crate) const fn begin(&self, step: u64) -> [u64; 2] {
        let mut bytes = self.origin;
        range!(i, 0..self.step_count, {
            let Distance { below, length, bytes: each } = self.steps[i];
            bytes += step / below % length * each;
        });
        [bytes, step * self.further]
    }

    /// The address of the lane of this number, counted as [`begin`](Self::begin) says, beside what the instruction adds;
    /// and how many lanes, itself among them, are of its run.
    pub(crate) const fn at(&self, number: u64) -> [u64; 2] {
        let Distance { length, bytes, .. } = self.lanes[0];
        let first = number % length;
        let (mut address, mut rest, mut i) = (first * bytes, number / length, 1);
        while rest > 0 && i < self.count {
            let Distance { length, bytes, .. } = self.lanes[i];
            address += rest % length * bytes;
            rest /= length;
            i += 1;
        }
        [address, length - first]
    }

    /// Adds a digit of the instruction's number; false if there are too many.
    const fn push_step(&mut self, digit: Distance) -> bool {
        if self.step_count == Self::MOST {
            return false;
        }
        self.steps[self.step_count] = digit;
        self.step_count += 1;
        true
    }

    /// Adds the digit that begins where the last one ends; one that only goes on as that did makes it longer. False
    /// if there are too many.
    const fn push_lane(&mut self, digit: Distance) -> bool {
        if self.count > 0 {
            let last = &mut self.lanes[self.count - 1];
            if digit.bytes == last.length * last.bytes {
                last.length = if digit.length == Distance::ENDLESS {
                    Distance::ENDLESS
                } else {
                    last.length * digit.length
                };
                return true;
            }
        }
        if self.count == Self::MOST {
            return false;
        }
        self.lanes[self.count] = digit;
        self.count += 1;
        true
    }
}

impl Placed<'_, '_> {
    /// The lanes as runs, on a layout of these strides: of lanes that are all active, aligned and within the tile, no
    /// two of which have a byte in common. `None` where any of that is not known beforehand.
    pub(crate) const fn runs(&self, strides: &List) -> Option<Runs> {
        let Some(digits) = &self.digits else { return None };
        let is_known = self.table.is_empty() && self.whole && self.walk.is_within();
        if !is_known || self.instruction.parts() > 1 || self.limit < self.space {
            return None;
        }
        let origin = digits.origin() as u64;
        if !is_once(strides, &self.reach.tile, origin) {
            return None;
        }
        let mut runs = Runs {
            origin: 0,
            lanes: [Distance::NONE; Runs::MOST],
            count: 0,
            further: 0,
            steps: [Distance::NONE; Runs::MOST],
            step_count: 0,
        };
        if !self.add_lanes(strides, &mut runs) {
            return None;
        }
        let alignment = self.instruction.alignment() as u64;
        // Lanes side by side in a dword begin with its first byte.
        let of = if runs.distance() < 4 { 4 } else { alignment };
        match self.whole_bytes(origin, of) {
            Some(first) if self.add_steps(strides, of, &mut runs) => {
                runs.origin = first;
                Some(runs)
            }
            _ => None,
        }
    }

    /// Elements in bytes, if that is a multiple of what the alignment asks.
    const fn whole_bytes(&self, elements: u64, of: u64) -> Option<u64> {
        let bits = elements * self.bits as u64;
        if bits.is_multiple_of(8 * of) { Some(bits / 8) } else { None }
    }

    /// What a digit adds to an address, if that keeps the alignment.
    const fn distance(&self, digit: &Digit, strides: &List, of: u64) -> Option<Distance> {
        let Digit { below, length, dimension, stride, .. } = *digit;
        let elements = stride as u64 * strides.at(dimension as usize) as u64;
        let Some(bytes) = self.whole_bytes(elements, of) else { return None };
        let length = if length == 0 { Distance::ENDLESS } else { length as u64 };
        Some(Distance { below: below as u64, length, bytes })
    }

    /// The digits of the instruction's number; false where one does not keep the alignment.
    const fn add_steps(&self, strides: &List, alignment: u64, runs: &mut Runs) -> bool {
        range!(i, 0..self.walk.count(), {
            let digit = self.walk.digit_at(i);
            if let Counter::Step = digit.of {
                match self.distance(&digit, strides, alignment) {
                    Some(distance) if runs.push_step(distance) => {}
                    _ => return false,
                }
            }
        });
        true
    }

    /// The digits of the lanes, or of lanes counted over all instructions; false where two begin alike, one begins
    /// where none ends, or they end before the lanes do, so that two lanes may touch the same; and where one does not
    /// add whole units of what the banks serve.
    const fn add_lanes(&self, strides: &List, runs: &mut Runs) -> bool {
        let (bytes, alignment) =
            (self.instruction.bytes() as u64, self.instruction.alignment() as u64);
        // A lane that is aligned to less than a dword moves no more than that, within one dword.
        let unit = if alignment > 4 { alignment } else { 4 };
        let (count, mut left) = (self.walk.count(), 0);
        range!(i, 0..count, {
            match self.walk.digit_at(i).of {
                Counter::Step => {}
                Counter::Lane if runs.further == 0 => left += 1,
                Counter::Counted if left == 0 || runs.further > 0 => {
                    runs.further = self.walk.counted_apart();
                    left += 1;
                }
                _ => return false,
            }
        });
        // Counted lanes further apart than one, or all at one place.
        if self.walk.is_counted() && runs.further != self.reach.lanes as u64 {
            return false;
        }
        let (mut place, mut i) = (1, 0);
        while i < count && left > 0 {
            let digit = self.walk.digit_at(i);
            i += 1;
            if matches!(digit.of, Counter::Step) || digit.below as u64 != place {
                continue;
            }
            // Lanes side by side in a dword, up to the end of one.
            let of = if place == 1 && bytes < 4 { alignment } else { unit };
            let Some(distance) = self.distance(&digit, strides, of) else { return false };
            let is_beside = distance.bytes == bytes && (distance.length * bytes).is_multiple_of(4);
            if !distance.bytes.is_multiple_of(4) && !is_beside {
                return false;
            }
            if place == Distance::ENDLESS || !runs.push_lane(distance) {
                return false;
            }
            place = if distance.length == Distance::ENDLESS {
                Distance::ENDLESS
            } else {
                place * distance.length
            };
            (left, i) = (left - 1, 0);
        }
        let end = if runs.further > 0 {
            self.walk.instructions() * runs.further
        } else {
            self.reach.lanes as u64
        };
        left == 0 && place >= end && runs.count > 0
    }
}

/// Whether each coordinate of a tile has an offset of its own, all of 32 bits: each stride is beyond all that the smaller
/// ones reach.
const fn is_once(strides: &List, tile: &List, origin: u64) -> bool {
    let mut end = origin;
    range!(d, 0..tile.len(), {
        end += strides.at(d) as u64 * (tile.at(d) as u64 - 1);
    });
    end <= u32::MAX as u64 && counts_once(strides, tile)
}

/// Whether no two coordinates of a tile have the same number: each stride is beyond all that the smaller ones reach.
const fn counts_once(strides: &List, tile: &List) -> bool {
    range!(d, 0..strides.len(), {
        let (stride, mut reach) = (strides.at(d) as u64, 0);
        range!(other, 0..strides.len(), {
            let next = strides.at(other) as u64;
            if other != d
                && (next < stride || next == stride && tile.at(other) > 1 && tile.at(d) > 1)
            {
                reach += next * (tile.at(other) as u64 - 1);
            }
        });
        if reach >= stride && tile.at(d) > 1 {
            return false;
        }
    });
    true
}
