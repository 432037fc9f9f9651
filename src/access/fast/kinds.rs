//! Kinds of steps: those that are an earlier one, all lanes moved by the same whole units. A step is one wave instruction.
//!
//! A wave of 64 writes rows of 96 halves in packs of 8, 12 a row. Its steps begin at pack 0, 4 or 8 of a row; where rows
//! are one stride apart, those that begin alike differ by whole rows:
//!
//! ```text
//!   step            0    1    2    3    4   ..   11        12 packs a row, 64 lanes
//!   first pack      0   64  128  192  256   ..  704
//!   within a row    0    4    8    0    4   ..    8        3 are asked, each stands for 4
//! ```
//!
//! A step whose addresses are those of an earlier one, all moved by the same multiple of a dword and of the alignment,
//! meets other banks and as many, and is refused where that one is. So one of each kind is counted. Where lanes may leave the
//! tile or the instruction has two addresses, all are counted.
//!
//! | layout | an index, or the element's number, adds as a number does |
//! |---|---|
//! | strides | from 1 on |
//! | digits: xors, padded or not | from some bit of the index on |
//! | digits of the number: a swizzle of the dense offset, a pad at intervals | from some bit of the number on |
//!
//! | pattern | steps of one kind |
//! |---|---|
//! | lanes counted over all steps | those whose numbers differ by a multiple of the starts within a row |
//! | blocks and distributions | those that differ in digits of the step that move all lanes by whole units |
//!
//! What kinds save is in DESIGN, "What the compiler pays for".

use crate::access::placed::Placed;
use crate::distribution::{Counter, Digit, Walk, gcd};
use tiledesc_transforms::{List, range};

/// The steps that stand for all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds {
    instructions: u64,
    apart: Apart,
}

/// The difference between steps of one kind.
#[derive(Clone, Copy, Debug)]
enum Apart {
    /// By multiples of a period.
    Period(u64),
    /// By digits of the walk, a bit each in `moving`: each kind has `times` steps, in the first of which these
    /// digits are 0.
    Digits { moving: u32, times: u64, end: u64 },
}

impl Kinds {
    /// The number of steps of the kind of `step`; 0 if that is not the first of its kind.
    pub(crate) const fn steps_of(&self, walk: &Walk, step: u64) -> u64 {
        match self.apart {
            Apart::Period(period) if step < period => (self.instructions - step).div_ceil(period),
            Apart::Period(_) => 0,
            Apart::Digits { moving, times, .. } => {
                if walk.without(moving, step as u32) as u64 == step { times } else { 0 }
            }
        }
    }

    /// The first step from which on all are of earlier kinds.
    pub(crate) const fn end(&self) -> u64 {
        match self.apart {
            Apart::Period(end) | Apart::Digits { end, .. } => end,
        }
    }
}

impl Placed<'_, '_> {
    /// Steps that a verdict counts lane by lane: about a millisecond each in a constant. Those of a table are compared
    /// one by one, which takes up to four.
    pub(crate) const fn steps_to_count(&self) -> u64 {
        if self.columns().is_some() {
            return 1;
        }
        if self.is_listed() {
            return 4 * self.instructions();
        }
        let (kinds, mut count) = (self.kinds(), 0);
        range!(step, 0..kinds.end(), {
            if kinds.steps_of(&self.walk, step) > 0 {
                count += 1;
            }
        });
        count
    }

    /// Returns those of its steps that stand for all.
    pub(crate) const fn kinds(&self) -> Kinds {
        self.kinds_by(&self.strides())
    }

    /// [`kinds`](Self::kinds) where the [strides](Self::strides) are known, if the layout is one of strides.
    pub(crate) const fn kinds_by(&self, strides: &Option<List>) -> Kinds {
        let instructions = self.instructions();
        // The first step is known to be in the tile and in memory. The others are only where every lane is.
        let may_differ = !self.walk.is_within()
            || self.instruction.parts() > 1
            || self.limit < self.space
            || self.digits.is_none() && self.numbered.is_none();
        let apart = if instructions <= 1 || may_differ {
            Apart::Period(instructions)
        } else {
            let moves = Moves::new(self, strides);
            if self.walk.is_counted() {
                Apart::Period(moves.period(&self.walk, instructions))
            } else {
                moves.digits(&self.walk)
            }
        };
        Kinds { instructions, apart }
    }
}

/// By how much an index of each dimension must grow at least, so that all addresses grow alike, by a multiple of the unit.
struct Moves {
    least: [u64; List::CAPACITY],
}

impl Moves {
    const fn new(placed: &Placed<'_, '_>, strides: &Option<List>) -> Self {
        let unit = 8 * placed.instruction.moved_unit() as u64;
        let mut least = [1; List::CAPACITY];
        range!(dimension, 0..placed.reach.tile.len(), {
            // A number that grows `times` as much as the index, and by how much the offset grows with each period of it.
            let (period, adds, times) = match (strides, &placed.digits, &placed.numbered) {
                (Some(strides), ..) => (1, 1, strides.at(dimension)),
                (None, Some(digits), _) => {
                    let (bit, adds) = digits.period(dimension);
                    (1 << bit, adds, 1)
                }
                (None, None, Some(numbered)) => {
                    (numbered.period(), numbered.gain(), numbered.strides().at(dimension))
                }
                (None, None, None) => (1, 0, 1),
            };
            let whole = period * (unit / gcd(unit, adds as u64 * placed.bits as u64));
            least[dimension] = whole / gcd(whole, times as u64);
        });
        Self { least }
    }

    /// After how many steps of counted lanes all digits are as before, or further by what moves lanes alike.
    const fn period(&self, walk: &Walk, instructions: u64) -> u64 {
        let mut period = 1u64;
        range!(i, 0..walk.count(), {
            let digit = walk.digit_at(i);
            let length = match digit.length as u64 {
                0 => {
                    let least = self.least[digit.dimension as usize];
                    least / gcd(least, digit.stride as u64)
                }
                length => length,
            };
            let further = match (digit.below as u64).checked_mul(length) {
                Some(further) => further,
                None => return instructions,
            };
            period = match (period / gcd(period, further)).checked_mul(further) {
                Some(period) => period,
                None => return instructions,
            };
        });
        let period = period / gcd(period, walk.counted_apart());
        if period < instructions { period } else { instructions }
    }

    /// The digits of a step's number that move all lanes alike, and how many steps differ in them,
    /// or in nothing.
    const fn digits(&self, walk: &Walk) -> Apart {
        let (mut moving, mut left, mut end) = (0, 1u64, 1);
        range!(i, 0..walk.count(), {
            let Digit { of, below, length, dimension, stride } = walk.digit_at(i);
            if let Counter::Step = of {
                // The slowest has no end but that of the instructions.
                let length = match length {
                    0 => walk.instructions().div_ceil(below as u64),
                    length => length as u64,
                };
                if (stride as u64).is_multiple_of(self.least[dimension as usize]) {
                    moving |= 1 << i;
                } else {
                    left *= length;
                    end += (length - 1) * below as u64;
                }
            }
        });
        Apart::Digits { moving, times: walk.instructions() / left, end }
    }
}
