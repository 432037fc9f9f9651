//! What each further instruction adds to the number of an element.
//!
//! The number of lane 0's element is a sum over the digits of the instruction's number. So those of all
//! instructions need no coordinate each: from the first instruction that turns a digit on, each is an earlier
//! one and what one turn of that digit adds.
//!
//! ```text
//!   128x64 halves, read by 16 rows       digit   place   end   adds
//!   16 instructions: 8 down, 2 along     down        1     8   16 * 64 = 1024
//!                                        along       8     -   32
//!
//!   instruction   0     1     2 ..    7    8     9    10
//!   number        0  1024  2048 .. 7168   32  1056  2080      of 9: that of 1, and 32
//! ```

use super::encoding::Encoding;
use super::walk::{Counter, Digit, Reach, Walk};
use crate::chip::phases::Phases;
use tiledesc_transforms::List;

/// A digit of the instruction's number: it counts `place` instructions, up to those before `end` (0 if it has
/// none), and each turn adds so much to the number of an element.
#[derive(Clone, Copy)]
pub(crate) struct StepDigit {
    pub(crate) place: u32,
    pub(crate) end: u32,
    pub(crate) adds: u32,
}

impl StepDigit {
    const NONE: Self = Self { place: 1, end: 0, adds: 0 };
}

/// The digits of the instruction's number, each of which begins where the one before it ends.
#[derive(Clone, Copy)]
pub(crate) struct Stepping {
    digits: [StepDigit; Self::MOST],
    count: usize,
}

impl Stepping {
    /// The factors, and as many gaps.
    const MOST: usize = 2 * Encoding::MOST_FACTORS + 1;

    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    pub(crate) const fn at(&self, digit: usize) -> StepDigit {
        self.digits[digit]
    }

    const fn push(&mut self, digit: StepDigit) {
        self.digits[self.count] = digit;
        self.count += 1;
    }
}

/// Adds one digit to the number of each lane: of a number that is `begin` in lane 0, and `times` more in each further one.
/// What has no end ends nowhere that a number comes to.
const fn turn(
    (numbers, lanes): (&mut [u32; Phases::LANES], usize),
    digit: &Digit,
    [begin, times]: [u32; 2],
    adds: u32,
) {
    let Digit { below, length, .. } = *digit;
    let length = if length == 0 { u32::MAX } else { length };
    let (turns, further) = (times / below, times % below);
    let (mut turn, mut within) = (begin / below % length, begin % below);
    let (adds, mut lane) = (adds as u64, 0);
    while lane < lanes {
        let number = numbers[lane] as u64 + ((turn as u64 * adds) & u32::MAX as u64);
        numbers[lane] = number as u32;
        within += further;
        turn += turns;
        if within >= below {
            within -= below;
            turn += 1;
        }
        if turn >= length {
            turn %= length;
        }
        lane += 1;
    }
}

/// The greatest common divisor; of nothing 1.
pub(crate) const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { 1 } else { a }
}

impl Walk {
    /// The number of the element that each lane touches first in an instruction, of elements with these strides in
    /// their number, from `origin` on, as 32 bits count: digit by digit for all lanes, without a coordinate. `None`
    /// where some lane may hold nothing.
    pub(crate) const fn lane_numbers(
        &self,
        strides: &List,
        origin: u32,
        step: u32,
    ) -> Option<[u32; Phases::LANES]> {
        if self.is_by_more_than_digits() { None } else { self.by_digits(strides, origin, step) }
    }

    /// The same of the coordinates that the digits count, of which some may be beyond the tile.
    const fn by_digits(
        &self,
        strides: &List,
        origin: u32,
        step: u32,
    ) -> Option<[u32; Phases::LANES]> {
        let apart = self.counted_apart();
        if (step as u64 + 1) * apart > u32::MAX as u64 {
            return None;
        }
        let (mut numbers, mut i) = ([self.first_number(strides, origin, step); Phases::LANES], 0);
        while i < self.count {
            let digit = self.digits[i];
            let [begin, times] = match digit.of {
                Counter::Step => [0, 0],
                Counter::Lane => [0, 1],
                Counter::Counted => [step * apart as u32, self.times],
            };
            let adds = digit.stride.wrapping_mul(strides.at(digit.dimension as usize));
            if times > 0 && adds > 0 {
                turn((&mut numbers, self.lanes as usize), &digit, [begin, times], adds);
            }
            i += 1;
        }
        Some(numbers)
    }

    /// The two indices of what each lane touches first in an instruction, of a tile of two dimensions of which some lanes
    /// may hold nothing, and the lanes that hold something, as bits: digit by digit for all lanes, without a coordinate.
    /// `None` where more than digits says where lanes are.
    pub(crate) const fn lane_pairs(&self, step: u32) -> Option<([[u32; Phases::LANES]; 2], u64)> {
        let Some(cover) = &self.cover else { return None };
        if self.rank != 2 || self.crossing.is_some() || !self.counts_within_words(step) {
            return None;
        }
        let [row, column] = [List::pair(1, 0), List::pair(0, 1)];
        let (Some(rows), Some(columns)) =
            (self.by_digits(&row, 0, step), self.by_digits(&column, 0, step))
        else {
            return None;
        };
        let ([mut rows, mut columns], [height, width]) =
            ([rows, columns], [cover.lengths[0], cover.lengths[1]]);
        let (mut active, mut lane) = (0u64, 0);
        while lane < self.lanes as usize {
            if cover.carries(1) {
                (rows[lane], columns[lane]) = (columns[lane] / width, columns[lane] % width);
            }
            if rows[lane] < height && columns[lane] < width {
                active |= 1 << lane;
            }
            lane += 1;
        }
        Some(([rows, columns], active))
    }

    /// Whether all that the digits count in an instruction are numbers of 32 bits.
    const fn counts_within_words(&self, step: u32) -> bool {
        let ends = self.ends(step);
        let mut dimension = 0;
        while dimension < ends.len() && ends[dimension] <= u32::MAX as u64 {
            dimension += 1;
        }
        dimension == ends.len()
    }

    /// Whether all lanes of an instruction are known to take packs within a tile, those of the last lanes by their
    /// digits: what [`is_within`](Self::is_within) knows of all instructions.
    pub(crate) const fn is_inside(&self, step: u32, reach: &Reach) -> bool {
        let apart = self.counted_apart();
        // A refused walk has no indices.
        if self.rank != reach.tile.len()
            || self.is_by_more_than_digits()
            || (step as u64 + 1) * apart > u32::MAX as u64
        {
            return false;
        }
        let mut ends = self.ends(step);
        ends[reach.along] += reach.pack as u64 - 1;
        let mut dimension = 0;
        while dimension < reach.tile.len() && ends[dimension] <= reach.tile.at(dimension) as u64 {
            dimension += 1;
        }
        dimension == reach.tile.len()
    }

    /// Whether all indices along a dimension are known to be multiples of `pack`.
    pub(crate) const fn is_in_packs(&self, dimension: usize, pack: u32) -> bool {
        let mut i = 0;
        while i < self.count {
            let digit = &self.digits[i];
            let apart = self.apart_in(digit) as u64 * digit.stride as u64;
            if digit.dimension as usize == dimension && !apart.is_multiple_of(pack as u64) {
                return false;
            }
            i += 1;
        }
        !self.is_by_more_than_digits()
    }

    /// What all values of a digit are multiples of, as far as is known.
    const fn apart_in(&self, digit: &Digit) -> u32 {
        match digit.of {
            Counter::Counted if self.times.is_multiple_of(digit.below) => {
                gcd((self.times / digit.below) as u64, digit.length as u64) as u32
            }
            _ => 1,
        }
    }

    /// Behind the largest index that lanes take of each dimension in an instruction.
    const fn ends(&self, step: u32) -> [u64; List::CAPACITY] {
        let (mut ends, mut i) = ([1u64; List::CAPACITY], 0);
        while i < self.count {
            let Digit { of, below, length, dimension, stride } = self.digits[i];
            let most = match of {
                Counter::Step if length == 0 => step / below,
                Counter::Step => step / below % length,
                Counter::Lane => (self.lanes - 1) / below,
                Counter::Counted => (step * self.lanes + self.lanes - 1) * self.times / below,
            };
            let most = if length != 0 && most >= length {
                // Every eighth element of rows of 48 is 40 at most, not 47.
                length - self.apart_in(&self.digits[i])
            } else {
                most
            };
            ends[dimension as usize] += most as u64 * stride as u64;
            i += 1;
        }
        ends
    }

    /// What an instruction adds to the numbers of all lanes, from `origin` on, as 32 bits count.
    pub(crate) const fn first_number(&self, strides: &List, origin: u32, step: u32) -> u32 {
        let (mut first, mut i) = (origin, 0);
        while i < self.count {
            let Digit { of, below, length, dimension, stride } = self.digits[i];
            if let Counter::Step = of
                && step >= below
            {
                let turns = if length == 0 { step / below } else { step / below % length };
                let adds = stride.wrapping_mul(strides.at(dimension as usize));
                first = first.wrapping_add(turns.wrapping_mul(adds));
            }
            i += 1;
        }
        first
    }

    /// The digits of the instruction's number, of elements with these strides in their number; `None` where the
    /// digits overlap, or some lane may hold nothing.
    pub(crate) const fn stepping(&self, strides: &List) -> Option<Stepping> {
        if !self.is_within() {
            return None;
        }
        let Some((found, count)) = self.step_digits(strides) else { return None };
        let mut stepping = Stepping { digits: [StepDigit::NONE; Stepping::MOST], count: 0 };
        let (mut place, mut left) = (1, count);
        while left > 0 {
            // What begins here, all together, or else where the next one begins.
            let (mut here, mut met, mut next, mut i) = (StepDigit::NONE, 0, 0, 0);
            while i < count {
                let StepDigit { place: begins, end, adds } = found[i];
                if begins == place {
                    if met > 0 && end != here.end {
                        return None;
                    }
                    here = StepDigit { place, end, adds: here.adds.wrapping_add(adds) };
                    met += 1;
                } else if begins > place && (next == 0 || begins < next) {
                    next = begins;
                }
                i += 1;
            }
            let end = match met {
                0 => next,
                _ => here.end,
            };
            let goes_on = end != 0 && end % place == 0 && (next == 0 || end <= next);
            left -= met;
            if left > 0 && !goes_on {
                return None;
            }
            stepping.push(StepDigit { place, end, adds: here.adds });
            place = end;
        }
        // Above the last digit nothing is added.
        if stepping.count == 0 || place != 0 {
            let place = if stepping.count == 0 { 1 } else { place };
            stepping.push(StepDigit { place, end: 0, adds: 0 });
        }
        Some(stepping)
    }

    /// The digits in the order of the walk, and how many they are: of lane 0, which counted over all
    /// instructions is in each as many further on. `None` where an instruction begins within a counted digit.
    const fn step_digits(
        &self,
        strides: &List,
    ) -> Option<([StepDigit; Encoding::MOST_FACTORS], usize)> {
        let (mut found, mut count) = ([StepDigit::NONE; Encoding::MOST_FACTORS], 0);
        let apart = self.counted_apart();
        // Lanes that count the elements add as much with each, however many digits say so.
        let counted = self.counted_sum(strides);
        if let Some(adds) = counted
            && adds != 0
        {
            found[0] = StepDigit { place: 1, end: 0, adds: (adds * apart) as u32 };
            count = 1;
        }
        let mut i = 0;
        while i < self.digits().len() {
            let Digit { of, below, length, dimension, stride } = self.digits()[i];
            i += 1;
            let mut adds = stride.wrapping_mul(strides.at(dimension as usize));
            let (place, length) = match of {
                Counter::Lane => continue,
                Counter::Step => (below, length),
                Counter::Counted if counted.is_some() => continue,
                Counter::Counted if (below as u64).is_multiple_of(apart) => {
                    ((below as u64 / apart) as u32, length)
                }
                Counter::Counted if apart.is_multiple_of(below as u64) => {
                    let turns = (apart / below as u64) as u32;
                    if length != 0 && turns.is_multiple_of(length) {
                        continue;
                    }
                    if length != 0 && !length.is_multiple_of(turns) {
                        return None;
                    }
                    adds = adds.wrapping_mul(turns);
                    (1, length / turns)
                }
                Counter::Counted => return None,
            };
            let Some(end) = place.checked_mul(length) else { return None };
            found[count] = StepDigit { place, end, adds };
            count += 1;
        }
        Some((found, count))
    }
}
