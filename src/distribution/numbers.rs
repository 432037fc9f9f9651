//! The numbers of all lanes' elements, digit by digit.
//!
//! The number of an element is a sum over the digits of a walk. So those of 64 lanes need no coordinate each: an instruction
//! adds the same to all, and from lane to lane a digit turns by as much, or stays until it is full.
//!
//! ```text
//!   128x64 halves in order, read by 16 rows; instruction 9 adds 1 * 1024 + 1 * 32
//!
//!   lane        0     1     2  ..   15    16    17  ..   63
//!   % 16 * 64   0    64   128  ..  960     0    64  ..  960
//!   / 16 * 8    0     0     0  ..    0     8     8  ..   24
//!   number   1056  1120  1184  .. 2016  1064  1128  .. 2040
//! ```

use super::typed::MOST_LANES;
use super::walk::{Counter, Digit, Walk};
use tiledesc_transforms::{List, range};

/// Adds one digit to the number of each lane: of a number that is `begin` in lane 0, and `times` more in each further one.
/// A digit without an end is longer than any number.
const fn turn(
    (numbers, lanes): (&mut [u32; MOST_LANES], usize),
    digit: &Digit,
    [begin, times]: [u32; 2],
    adds: u32,
) {
    let Digit { below, length, .. } = *digit;
    let length = if length == 0 { u32::MAX } else { length };
    let (turns, further) = (times / below, times % below);
    let (mut turn, mut within) = (begin / below % length, begin % below);
    let adds = adds as u64;
    range!(lane, 0..lanes, {
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
    });
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
    ) -> Option<[u32; MOST_LANES]> {
        if self.is_by_more_than_digits() { None } else { self.by_digits(strides, origin, step) }
    }

    /// The numbers of the coordinates that the digits count; some may be beyond the tile.
    const fn by_digits(&self, strides: &List, origin: u32, step: u32) -> Option<[u32; MOST_LANES]> {
        let apart = self.counted_apart();
        if (step as u64 + 1) * apart > u32::MAX as u64 {
            return None;
        }
        let mut numbers = [self.first_number(strides, origin, step); MOST_LANES];
        range!(i, 0..self.count, {
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
        });
        Some(numbers)
    }

    /// The two indices that each lane touches first in an instruction, of a tile of two dimensions where some lanes may hold
    /// nothing, and the lanes that hold something, as bits: digit by digit for all lanes, without a coordinate. `None` where more
    /// than digits determines where lanes are. What the factors of a distribution count is a number of 32 bits.
    pub(crate) const fn lane_pairs(&self, step: u32) -> Option<([[u32; MOST_LANES]; 2], u64)> {
        let Some(cover) = &self.cover else { return None };
        if self.rank != 2 || self.crossing.is_some() {
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
        let mut active = 0u64;
        range!(lane, 0..self.lanes as usize, {
            if cover.carries(1) {
                (rows[lane], columns[lane]) = (columns[lane] / width, columns[lane] % width);
            }
            if rows[lane] < height && columns[lane] < width {
                active |= 1 << lane;
            }
        });
        Some(([rows, columns], active))
    }

    /// The amount that an instruction adds to the numbers of all lanes, from `origin` on, as 32 bits count.
    pub(crate) const fn first_number(&self, strides: &List, origin: u32, step: u32) -> u32 {
        let mut first = origin;
        range!(i, 0..self.count, {
            let Digit { of, below, length, dimension, stride } = self.digits[i];
            if let Counter::Step = of
                && step >= below
            {
                let turns = if length == 0 { step / below } else { step / below % length };
                let adds = stride.wrapping_mul(strides.at(dimension as usize));
                first = first.wrapping_add(turns.wrapping_mul(adds));
            }
        });
        first
    }
}
