//! Classes of instructions: those that do the same to the banks, where not all do.
//!
//! A swizzle of the dense offset takes the number of an element in the tile apart, and `96 * m` carries into
//! the bits that it flips. So the instructions of a whole tile are not all [alike](super::alike). But the
//! number is a sum, of what the lane adds and of what the instruction adds, and from some bit of it on
//! nothing is flipped: two instructions that differ by whole [periods](crate::Numbered::period)
//! do the same.
//!
//! ```text
//!   128x96 halves, Sw<3,3,3>: period 512     24 reads by 16 rows, 3 along a row
//!   instruction adds   0  32  64   1536  1568  1600   3072 ..
//!   modulo 512         0  32  64      0    32    64      0 ..      3 classes
//! ```

use crate::chip::phases::Phases;
use crate::distribution::{StepDigit, Stepping};

/// The number of each lane in one instruction, and whether all lanes touch different packs, whose numbers differ.
pub(super) struct NumberedLanes {
    pub(super) lanes: [u32; Phases::LANES],
    pub(super) are_apart: bool,
}

/// Instructions, one for each class.
#[derive(Clone, Copy)]
pub(crate) struct NumberClasses {
    /// The number of each lane in instruction 0.
    lanes: [u32; Phases::LANES],
    /// Of each class what its first instruction adds to that, which instruction it is, and how many there are.
    adds: [u32; Self::MOST],
    first: [u32; Self::MOST],
    times: [u32; Self::MOST],
    count: usize,
    /// Whether all lanes are known to touch different packs in each instruction.
    are_apart: bool,
}

impl NumberClasses {
    /// As many as packs of 16 bytes that four bits of the number of a line of 128 bytes count.
    const MOST: usize = 128;

    /// None yet.
    pub(crate) const NONE: Self = Self {
        lanes: [0; Phases::LANES],
        adds: [0; Self::MOST],
        first: [0; Self::MOST],
        times: [0; Self::MOST],
        count: 0,
        are_apart: false,
    };

    /// How many there are.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// The first instruction of a class, and how many are of it.
    pub(crate) const fn at(&self, class: usize) -> (u64, u64) {
        (self.first[class] as u64, self.times[class] as u64)
    }

    /// The number of each lane in instruction 0, and what the first instruction of a class adds to it.
    pub(crate) const fn lanes(&self) -> &[u32; Phases::LANES] {
        &self.lanes
    }

    /// The second of these.
    pub(crate) const fn adds(&self, class: usize) -> u32 {
        self.adds[class]
    }

    /// Whether all lanes are known to touch different packs, whose numbers differ, in each instruction.
    pub(crate) const fn are_apart(&self) -> bool {
        self.are_apart
    }
}

/// Classes as they are gathered: two instructions are of one class if what they add leaves the same remainder by the
/// period. Of up to 128 classes each is found at its first slot mostly.
pub(super) struct Gathered {
    classes: NumberClasses,
    period: u64,
    remainders: [u32; NumberClasses::MOST],
    /// Of each slot the number of a class, counted from 1; 0 where it is empty.
    slots: [u8; Self::SLOTS],
}

impl Gathered {
    /// Twice as many as classes, so that half of them stay empty.
    const SLOTS: usize = 2 * NumberClasses::MOST;

    /// None yet, of lanes with these numbers in instruction 0.
    pub(super) const fn none(numbered: &NumberedLanes, period: u64) -> Self {
        let NumberedLanes { lanes, are_apart } = *numbered;
        Self {
            classes: NumberClasses { lanes, are_apart, ..NumberClasses::NONE },
            period,
            remainders: [0; NumberClasses::MOST],
            slots: [0; Self::SLOTS],
        }
    }

    /// What was gathered.
    pub(super) const fn classes(self) -> NumberClasses {
        self.classes
    }

    /// Adds `times` instructions, the first of which adds `adds` to the numbers; false if there are too many classes.
    pub(super) const fn add(&mut self, adds: u32, first: u32, times: u32) -> bool {
        let remainder = (adds as u64 % self.period) as u32;
        // The high bits of a product with an odd number tell multiples of a pack apart.
        let mut slot =
            (remainder.wrapping_mul(0x9E37_79B1) >> (u32::BITS - Self::SLOTS.ilog2())) as usize;
        while self.slots[slot] > 0 && self.remainders[self.slots[slot] as usize - 1] != remainder {
            slot = (slot + 1) % Self::SLOTS;
        }
        let count = self.classes.count;
        if self.slots[slot] == 0 {
            if count == NumberClasses::MOST {
                return false;
            }
            self.slots[slot] = count as u8 + 1;
            self.remainders[count] = remainder;
            (self.classes.adds[count], self.classes.first[count]) = (adds, first);
            self.classes.count += 1;
        }
        self.classes.times[self.slots[slot] as usize - 1] += times;
        true
    }

    /// Adds this many instructions digit by digit: a digit that adds whole periods makes each class as often as it
    /// turns, and no further one. False if there are too many classes. Instructions within the tile are whole turns of
    /// each digit.
    pub(super) const fn by_digits(&mut self, stepping: &Stepping, instructions: u64) -> bool {
        self.add(0, 0, 1);
        let mut digit = 0;
        while digit < stepping.count() {
            let StepDigit { place, end, adds } = stepping.at(digit);
            if place as u64 >= instructions {
                break;
            }
            let end = if end == 0 || end as u64 > instructions { instructions } else { end as u64 };
            let turns = (end / place as u64) as u32;
            if (adds as u64).is_multiple_of(self.period) {
                let mut class = 0;
                while class < self.classes.count {
                    self.classes.times[class] *= turns;
                    class += 1;
                }
            } else if !self.turn([place, turns], adds) {
                return false;
            }
            digit += 1;
        }
        true
    }

    /// The same for the turns of one digit after the first.
    const fn turn(&mut self, [place, turns]: [u32; 2], adds: u32) -> bool {
        let (below, before, mut turn) = (self.classes.times, self.classes.count, 1);
        while turn < turns {
            let mut class = 0;
            while class < before {
                let first = self.classes.first[class] + turn * place;
                let here = self.classes.adds[class].wrapping_add(adds.wrapping_mul(turn));
                if !self.add(here, first, below[class]) {
                    return false;
                }
                class += 1;
            }
            turn += 1;
        }
        true
    }
}
