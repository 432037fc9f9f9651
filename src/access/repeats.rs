//! Instructions that repeat earlier ones: the same lanes, moved by whole dwords.
//!
//! A wave of 64 writes rows of 96 halves in packs of 8, 12 a row. Its instructions begin at pack 0, 4 or 8 of a row;
//! where rows lie one stride apart, those that begin alike differ by whole rows:
//!
//! ```text
//!   instruction     0    1    2    3    4   ..   11        12 packs a row, 64 lanes
//!   first pack      0   64  128  192  256   ..  704
//!   within a row    0    4    8    0    4   ..    8        3 are asked, each stands for 4
//! ```
//!
//! An instruction whose addresses are those of an earlier one, all moved by the same multiple of a dword and of the
//! alignment, meets other banks and as many, and is refused where that one is. So one of each kind is asked. It
//! holds of layouts by strides, along each dimension from some bit of its index on, and of padded ones; where lanes
//! may leave the tile or the instruction has two addresses, all are asked.
//!
//! | pattern | instructions that repeat |
//! |---|---|
//! | lanes counted over all instructions | those whose numbers differ by a multiple of the starts within a row |
//! | blocks and distributions | those that differ in digits of the instruction that move all lanes by whole dwords |

use super::placed::Placed;
use crate::distribution::{Counter, Digit, Walk, gcd};
use tiledesc_transforms::{Digits, List};

/// Which instructions stand for all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeats {
    instructions: u64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Each one repeats the one a period before it.
    Period(u64),
    /// Each one repeats the one whose number lacks these binary digits; `times` are the same.
    Digits { moving: u32, times: u64, end: u64 },
}

impl Repeats {
    /// How many instructions instruction `step` stands for, itself among them; 0 where it repeats an earlier one.
    pub(crate) const fn of(&self, walk: &Walk, step: u64) -> u64 {
        match self.kind {
            Kind::Period(period) if step < period => (self.instructions - step).div_ceil(period),
            Kind::Period(_) => 0,
            Kind::Digits { moving, times, .. } => {
                if walk.without(moving, step as u32) as u64 == step { times } else { 0 }
            }
        }
    }

    /// The first instruction from which on all repeat earlier ones.
    pub(crate) const fn end(&self) -> u64 {
        match self.kind {
            Kind::Period(end) | Kind::Digits { end, .. } => end,
        }
    }
}

impl Placed<'_, '_> {
    /// Instructions that a verdict counts lane by lane, the others being these, moved: about a millisecond each in a
    /// constant. Those of a table are compared one by one, which takes up to four; classes by number are found first.
    pub(crate) const fn counted(&self) -> u64 {
        if self.alike().is_some() {
            return 1;
        }
        if self.listed().is_some() {
            return 4 * self.instructions();
        }
        if let Some(classes) = self.number_classes() {
            return 2 * classes.count() as u64 + self.instructions() / 4;
        }
        let (repeats, mut kinds, mut step) = (self.repeats(), 0, 0);
        while step < repeats.end() {
            if repeats.of(&self.walk, step) > 0 {
                kinds += 1;
            }
            step += 1;
        }
        kinds
    }

    /// Which of its instructions stand for all.
    pub(crate) const fn repeats(&self) -> Repeats {
        self.repeats_by(&self.strides())
    }

    /// The same where the [strides](Self::strides) are known, if the layout is one of strides.
    pub(crate) const fn repeats_by(&self, strides: &Option<List>) -> Repeats {
        let instructions = self.instructions();
        let none = Repeats { instructions, kind: Kind::Period(instructions) };
        let Some(digits) = &self.digits else { return none };
        // In the tile and in memory is the first, and so are the others only where all are known to be.
        if instructions <= 1
            || !self.walk.is_within()
            || self.instruction.parts() > 1
            || self.limit < self.space
        {
            return none;
        }
        let moves = Moves::of(self, digits, strides);
        if self.walk.is_counted() {
            Repeats { instructions, kind: Kind::Period(moves.period(&self.walk, instructions)) }
        } else {
            Repeats { instructions, kind: moves.digits(&self.walk) }
        }
    }
}

/// By how much an index of each dimension must grow, so that all addresses grow alike, by a multiple of the unit.
struct Moves {
    /// The smallest such number, or 0 if no number moves all lanes alike.
    least: [u64; List::CAPACITY],
}

impl Moves {
    const fn of(placed: &Placed<'_, '_>, digits: &Digits, strides: &Option<List>) -> Self {
        let alignment = placed.instruction.alignment();
        let unit = 8 * if alignment > 4 { alignment } else { 4 } as u64;
        let mut moves = Self { least: [0; List::CAPACITY] };
        let mut dimension = 0;
        while dimension < digits.rank() {
            let adds = match strides {
                // An index adds as a number does from 1 on.
                Some(strides) => Some((1, strides.at(dimension) as u64)),
                None => plain(digits, dimension),
            };
            if let Some((period, elements)) = adds {
                let apart = unit / gcd(unit, elements * placed.bits as u64);
                moves.least[dimension] = apart * period;
            }
            dimension += 1;
        }
        moves
    }

    /// Whether lanes that are so much further along a dimension are moved alike.
    const fn keeps(&self, dimension: usize, further: u64) -> bool {
        let least = self.least[dimension];
        least != 0 && further.is_multiple_of(least)
    }

    /// After how many instructions of counted lanes all digits are as before, or further by what moves lanes alike.
    const fn period(&self, walk: &Walk, instructions: u64) -> u64 {
        let (mut period, mut i) = (1u64, 0);
        while i < walk.count() {
            let Digit { below, length, dimension, stride, .. } = walk.digit_at(i);
            i += 1;
            let further = if length == 0 {
                let least = self.least[dimension as usize];
                if least == 0 {
                    return instructions;
                }
                below as u64 * (least / gcd(least, stride as u64))
            } else {
                below as u64 * length as u64
            };
            period = match (period / gcd(period, further)).checked_mul(further) {
                Some(period) => period,
                None => return instructions,
            };
        }
        let period = period / gcd(period, walk.counted_apart());
        if period < instructions { period } else { instructions }
    }

    /// The digits of an instruction's number that move all lanes alike, and how many instructions differ in them,
    /// or in nothing.
    const fn digits(&self, walk: &Walk) -> Kind {
        let (mut moving, mut left, mut end, mut i) = (0, 1u64, 1, 0);
        while i < walk.count() {
            let Digit { of, below, length, dimension, stride } = walk.digit_at(i);
            if let Counter::Step = of {
                // The slowest has no end but that of the instructions.
                let length = if length == 0 {
                    walk.instructions().div_ceil(below as u64)
                } else {
                    length as u64
                };
                if self.keeps(dimension as usize, stride as u64) {
                    moving |= 1 << i;
                } else {
                    left *= length;
                    end += (length - 1) * below as u64;
                }
            }
            i += 1;
        }
        Kind::Digits { moving, times: walk.instructions() / left, end }
    }
}

/// The power of two from which on an index adds to an offset as a number does, and what that power adds. `None` if
/// no bit does.
const fn plain(digits: &Digits, dimension: usize) -> Option<(u64, u64)> {
    let bits = digits.bits(dimension);
    if bits == 0 {
        return None;
    }
    // The digit that the highest bit counts in.
    let mut d = 0;
    while d < digits.count() && digits.column(d, dimension, bits - 1) == 0 {
        d += 1;
    }
    if d == digits.count() {
        return None;
    }
    // Down while each bit flips half of what the bit above does, and nothing else flips that.
    let (mut from, mut flip) = (bits, digits.column(d, dimension, bits - 1));
    while from > 0 && flip.is_power_of_two() && is_alone(digits, dimension, from - 1, d, flip) {
        from -= 1;
        flip >>= 1;
    }
    if from == bits {
        return None;
    }
    Some((1 << from, digits.column(d, dimension, from) as u64 * digits.stride(d) as u64))
}

/// Whether a bit of an index flips just this bit of this digit, which nothing else flips.
const fn is_alone(digits: &Digits, dimension: usize, bit: usize, digit: usize, flip: u32) -> bool {
    let mut d = 0;
    while d < digits.count() {
        let wanted = if d == digit { flip } else { 0 };
        if digits.column(d, dimension, bit) != wanted {
            return false;
        }
        d += 1;
    }
    if digits.constant(digit) & flip != 0 {
        return false;
    }
    let mut other = 0;
    while other < digits.rank() {
        let (bits, mut b) = (digits.bits(other), 0);
        while b < bits {
            let same = other == dimension && b == bit;
            if !same && digits.column(digit, other, b) & flip != 0 {
                return false;
            }
            b += 1;
        }
        other += 1;
    }
    true
}
