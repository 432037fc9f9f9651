//! Lanes that follow each other at equal distances: a wave as a few runs.
//!
//! Where a pattern's lanes are digits and a layout is one of strides, a lane's address is a sum of digit times distance. Lanes
//! that differ in the fastest digit alone are a run, given by the first lane and the distance:
//!
//! ```text
//!   64 lanes write rows of 96 halves, 16 bytes each, rows 208 bytes apart
//!
//!   lanes    0 to 11   12 to 23   24 to 35   36 to 47   48 to 59   60 to 63
//!   bytes    0         208        416        624        832        1040        and 16 from lane to lane
//! ```
//!
//! Two facts are decided before any lane is computed: whether every address is aligned and within the tile, and whether no two
//! lanes of an instruction have a byte in common. Where that is not known, there are no runs, and lanes are computed one by one.
//!
//! Without runs each lane of padded rows is computed, and rows of 96 and 100 are what a user waits for: see DESIGN, "What the
//! compiler pays for".

use crate::access::placed::Placed;
use crate::distribution::{Counter, Digit};
use tiledesc_transforms::{List, all, range};

/// The lanes of all instructions of a pattern on a layout of strides, all active, aligned, within the tile and disjoint.
#[derive(Clone, Copy)]
pub(crate) struct Runs {
    /// The digits of a lane's number, the fastest first: each begins where the one before it ends.
    lanes: [Distance; Self::MOST],
    count: usize,
    /// By how many lanes an instruction is further on; 0 where each begins with lane 0.
    further: u64,
}

/// A digit of a number, and what it adds to an address.
#[derive(Clone, Copy)]
struct Distance {
    /// The end of a digit that has none: beyond every number.
    length: u64,
    bytes: u64,
}

impl Distance {
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

    /// The address of the lane of this number, beside what its instruction adds; and how many lanes, itself among them,
    /// are of its run.
    pub(crate) const fn at(&self, number: u64) -> [u64; 2] {
        let Distance { length, bytes } = self.lanes[0];
        let first = number % length;
        let (mut address, mut rest, mut i) = (first * bytes, number / length, 1);
        while rest > 0 && i < self.count {
            let Distance { length, bytes } = self.lanes[i];
            address += rest % length * bytes;
            rest /= length;
            i += 1;
        }
        [address, length - first]
    }

    /// Adds the digit that begins where the last one ends; one that only goes on as that did makes it longer. False
    /// if there are too many.
    const fn push(&mut self, digit: Distance) -> bool {
        if self.count > 0 {
            let last = &mut self.lanes[self.count - 1];
            if digit.bytes == last.length * last.bytes {
                last.length *= digit.length;
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
    /// The lanes as runs, on a layout of these strides: of lanes that are all active, aligned and within the tile, no two of
    /// which have a byte in common. `None` where one of these facts is not known beforehand.
    pub(crate) const fn runs(&self, strides: &List) -> Option<Runs> {
        let Some(digits) = &self.digits else { return None };
        let is_known = self.table.is_empty() && self.has_whole_packs && self.walk.is_within();
        if !is_known || self.instruction.parts() > 1 || self.limit < self.space {
            return None;
        }
        let origin = digits.origin() as u64;
        if !is_once(strides, &self.reach.tile, origin) {
            return None;
        }
        let Some(runs) = self.runs_of_lanes(strides) else { return None };
        // Lanes side by side in a dword begin with its first byte.
        let of = if runs.distance() < 4 { 4 } else { self.instruction.alignment() as u64 };
        let is_aligned = self.whole_bytes(origin, of).is_some()
            && all!(i, 0..self.walk.count(), {
                let digit = self.walk.digit_at(i);
                !matches!(digit.of, Counter::Step) || self.distance(&digit, strides, of).is_some()
            });
        if is_aligned { Some(runs) } else { None }
    }

    /// The number of bytes that an instruction adds to the addresses of all lanes, and the number of lanes before its first.
    pub(crate) const fn begin_of_runs(&self, runs: &Runs, strides: &List, step: u64) -> [u64; 2] {
        let Some(digits) = &self.digits else { return [0; 2] };
        let first = self.walk.first_number(strides, digits.origin(), step as u32);
        [first as u64 * self.bits as u64 / 8, step * runs.further]
    }

    /// Elements in bytes, if that is a multiple of what the alignment requires.
    const fn whole_bytes(&self, elements: u64, of: u64) -> Option<u64> {
        let bits = elements * self.bits as u64;
        if bits.is_multiple_of(8 * of) { Some(bits / 8) } else { None }
    }

    /// The number of bytes that a digit adds to an address, if that keeps the alignment.
    const fn distance(&self, digit: &Digit, strides: &List, of: u64) -> Option<Distance> {
        let elements = digit.stride as u64 * strides.at(digit.dimension as usize) as u64;
        let Some(bytes) = self.whole_bytes(elements, of) else { return None };
        let length = if digit.length == 0 { Distance::ENDLESS } else { digit.length as u64 };
        Some(Distance { length, bytes })
    }

    /// The digits of the lanes, or of lanes counted over all instructions; `None` where two begin alike, one begins
    /// where none ends, or they end before the lanes do, so that two lanes may touch the same; and where one does not
    /// add whole units of what the banks serve.
    const fn runs_of_lanes(&self, strides: &List) -> Option<Runs> {
        let (bytes, alignment) =
            (self.instruction.bytes() as u64, self.instruction.alignment() as u64);
        // A lane that is aligned to less than a dword moves no more than that, within one dword.
        let unit = self.instruction.moved_unit() as u64;
        let (walk, lanes) = (&self.walk, self.reach.lanes as u64);
        let (further, end) = match walk.is_counted() {
            true => (walk.counted_apart(), walk.instructions() * lanes),
            false => (0, lanes),
        };
        // Counted lanes further apart than one, or all at one place.
        if walk.is_counted() && further != lanes {
            return None;
        }
        let none = Distance { length: Distance::ENDLESS, bytes: 0 };
        let mut runs = Runs { lanes: [none; Runs::MOST], count: 0, further };
        let mut left = 0;
        range!(i, 0..walk.count(), {
            match walk.digit_at(i).of {
                Counter::Step => {}
                Counter::Lane if further > 0 => return None,
                Counter::Lane | Counter::Counted => left += 1,
            }
        });
        let (mut place, mut i) = (1u64, 0);
        while i < walk.count() && left > 0 {
            let digit = walk.digit_at(i);
            i += 1;
            if matches!(digit.of, Counter::Step) || digit.below as u64 != place {
                continue;
            }
            // Lanes side by side in a dword, up to the end of one.
            let of = if place == 1 && bytes < 4 { alignment } else { unit };
            let Some(distance) = self.distance(&digit, strides, of) else { return None };
            let is_beside = distance.bytes == bytes && (distance.length * bytes).is_multiple_of(4);
            if !distance.bytes.is_multiple_of(4) && !is_beside || !runs.push(distance) {
                return None;
            }
            place *= distance.length;
            (left, i) = (left - 1, 0);
        }
        if left == 0 && place >= end && runs.count > 0 { Some(runs) } else { None }
    }
}

/// Returns whether each coordinate of a tile has an offset of its own, all of 32 bits: each stride is beyond all that the smaller
/// ones reach.
const fn is_once(strides: &List, tile: &List, origin: u64) -> bool {
    let mut end = origin;
    range!(d, 0..tile.len(), {
        end += strides.at(d) as u64 * (tile.at(d) as u64 - 1);
    });
    end <= u32::MAX as u64 && counts_once(strides, tile)
}

/// Returns whether no two coordinates of a tile have the same number: each stride is beyond all that the smaller ones reach.
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
