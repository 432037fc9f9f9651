//! Walks: which coordinate each lane touches in each instruction, as digits of its numbers.
//!
//! A pattern and a distribution are the same digits. 16 rows of 4 packs of 8, down the rows of a tile of 128x64 and then along
//! them, are these digits of the instruction's number and the lane's:
//!
//! ```text
//!   index   number        digit               in a distribution
//!   m       instruction   % 8       * 16      m [again 8, row 16]
//!   m       lane          % 16      * 1
//!   k       instruction   / 8       * 32      k [deep 2, part 4, pack 8]
//!   k       lane          / 16      * 8       lane (part, row), thread (deep, again, pack)
//!
//!   instruction 9, lane 17   ->   m = 1 * 16 + 1 = 17,  k = 1 * 32 + 1 * 8 = 40
//! ```
//!
//! The slowest digit of a number has no end, so that a lane outside the tile is seen to be. A third
//! number counts the lanes over all instructions: the packs of rows that are not a multiple of the lanes.

use super::cover::Cover;
use super::crossing::{Crossing, Run};
use super::encoding::Encoding;
use tiledesc_transforms::{Digits, List, any, range};

/// A tile, and what one instruction takes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(crate) tile: List,
    /// The dimension along which a lane takes its elements.
    pub(crate) along: usize,
    /// Elements that a lane takes along it.
    pub(crate) pack: u32,
    /// Lanes that supply an address.
    pub(crate) lanes: u32,
}

/// The number that has a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Counter {
    /// The lane, counted over all instructions.
    Counted,
    /// The instruction.
    Step,
    /// The lane.
    Lane,
}

/// A digit of a number, and what it adds to which index. Of an index, the stride of each digit is
/// a multiple of what the faster ones reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digit {
    pub(crate) of: Counter,
    pub(crate) below: u32,
    /// 0 if it has no end.
    pub(crate) length: u32,
    pub(crate) dimension: u32,
    pub(crate) stride: u32,
}

impl Digit {
    pub(super) const NONE: Self =
        Self { of: Counter::Lane, below: 1, length: 0, dimension: 0, stride: 0 };
}

/// 0 of a power of two.
const fn rest(number: u32) -> u32 {
    if number == 0 { 1 } else { number & (number - 1) }
}

/// The coordinates of all lanes in all instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(super) digits: [Digit; Encoding::MOST_FACTORS],
    pub(super) count: usize,
    pub(super) rank: usize,
    pub(super) lanes: u32,
    /// By what the counted lanes are multiplied.
    pub(super) times: u32,
    pub(super) waves: u32,
    pub(super) instructions: u64,
    /// Whether all lanes take whole packs of the tile.
    within: bool,
    /// The tile of a distribution, where its factors do not divide it.
    pub(super) cover: Option<Cover>,
    /// The digit whose parts lanes take in orders of their own.
    pub(super) crossing: Option<Crossing>,
}

impl Walk {
    /// One instruction in which all lanes touch the first element.
    pub(crate) const fn new(rank: usize, lanes: u32) -> Self {
        Self {
            digits: [Digit::NONE; Encoding::MOST_FACTORS],
            count: 0,
            rank,
            lanes,
            times: 1,
            waves: 1,
            instructions: 1,
            within: false,
            cover: None,
            crossing: None,
        }
    }

    /// Returns the walk of lanes at a fixed distance.
    pub(crate) const fn apart(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// Returns whether some lanes hold nothing in some instructions; some of these may have no active lane.
    pub(crate) const fn has_idle_lanes(&self) -> bool {
        match &self.cover {
            Some(cover) => cover.has_idle(),
            None => false,
        }
    }

    /// So many instructions; `within` if all lanes take whole packs of the tile.
    pub(crate) const fn with_instructions(mut self, instructions: u64, within: bool) -> Self {
        (self.instructions, self.within) = (instructions, within);
        self
    }

    /// The first instruction alone.
    pub(crate) const fn first(mut self) -> Self {
        (self.instructions, self.waves) = (1, 1);
        self
    }

    /// A further digit: `number / below`, up to `length` unless that is 0, `stride` elements apart.
    pub(crate) const fn digit(
        &mut self,
        of: Counter,
        [below, length]: [u32; 2],
        dimension: usize,
        stride: u32,
    ) {
        if length != 1 {
            self.digits[self.count] =
                Digit { of, below, length, dimension: dimension as u32, stride };
            self.count += 1;
        }
    }

    /// The number of instructions, of all waves.
    pub(crate) const fn instructions(&self) -> u64 {
        self.instructions
    }

    /// The number of waves whose instructions these are; 1 of what counts none.
    pub(crate) const fn waves(&self) -> u32 {
        self.waves
    }

    /// The number of digits.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// One of them. Not by a slice, which is expensive in a constant: see DESIGN, "What the compiler pays for".
    pub(crate) const fn digit_at(&self, i: usize) -> Digit {
        self.digits[i]
    }

    /// The distance between lanes that are counted over all instructions, by lanes and times.
    pub(crate) const fn counted_apart(&self) -> u64 {
        self.lanes as u64 * self.times as u64
    }

    /// Returns whether lanes are counted over all instructions.
    pub(crate) const fn is_counted(&self) -> bool {
        any!(i, 0..self.count, matches!(self.digits[i].of, Counter::Counted))
    }

    /// Returns whether all lanes of all instructions are known to take whole packs of the tile, with their places given by its
    /// digits.
    pub(crate) const fn is_within(&self) -> bool {
        self.within && self.crossing.is_none()
    }

    /// Returns whether more than digits determines where lanes are: some hold nothing, or take parts in orders of their own.
    pub(crate) const fn is_by_more_than_digits(&self) -> bool {
        self.cover.is_some() || self.crossing.is_some()
    }

    /// Returns the number of an instruction without these digits, which are given as bits, and without those that move no index.
    pub(crate) const fn without(&self, digits: u32, step: u32) -> u32 {
        let mut rest = 0;
        range!(i, 0..self.count, {
            let Digit { of, below, length, .. } = self.digits[i];
            if let Counter::Step = of
                && digits >> i & 1 == 0
            {
                let digit = if length == 0 { step / below } else { step / below % length };
                rest += digit * below;
            }
        });
        rest
    }

    /// The coordinate that a lane touches first in an instruction; outside the tile if that is
    /// too small. `None` of a lane that holds nothing there.
    pub(crate) const fn coordinate(&self, step: u32, lane: u32) -> Option<List> {
        let numbers = [self.counted(step, lane), step, lane];
        let mut index = [0u32; List::CAPACITY];
        range!(i, 0..self.count, {
            let Digit { of, below, length, dimension, stride } = self.digits[i];
            let number = numbers[of as usize];
            // Most patterns ask for the first instruction alone, and of lanes with one bit, so most
            // digits are 0 and are skipped: see DESIGN, "What the compiler pays for".
            if number >= below {
                let digit = if length == 0 { number / below } else { number / below % length };
                let at = &mut index[dimension as usize];
                *at = at.saturating_add(digit.saturating_mul(stride));
            }
        });
        if let Some(crossing) = &self.crossing {
            crossing.turn(&mut index, step, lane);
        }
        match &self.cover {
            None => Some(List::of_first(index, self.rank)),
            Some(cover) => cover.coordinate(index, self.rank),
        }
    }

    /// The flips of each bit of a lane's number in a digit of an offset, beside what lane 0 has, in the first instruction, where
    /// lane 0 touches the first element: of a [linear](Self::is_linear) walk.
    pub(crate) const fn flips<const BITS: usize>(
        &self,
        bits: usize,
        digits: &Digits,
        digit: usize,
    ) -> [u32; BITS] {
        let mut flips = [0; BITS];
        range!(i, 0..self.count, {
            let run = self.run(i, bits);
            if run.count > 0 {
                let from = (digit, self.digits[i].dimension as usize, run.index);
                digits.flip(&mut flips, run.lane, run.count, from);
            }
        });
        if let Some(crossing) = &self.crossing {
            let run = crossing.run(bits);
            if run.count > 0 {
                let from = (digit, crossing.dimension, run.index);
                digits.flip(&mut flips, run.lane, run.count, from);
            }
        }
        flips
    }

    /// The bits of a lane's number that a digit counts, and the bits of its index that these are.
    const fn run(&self, i: usize, bits: usize) -> Run {
        let Digit { of, below, length, stride, .. } = self.digits[i];
        let unit = match of {
            Counter::Step => return Run::NONE,
            Counter::Lane => 0,
            Counter::Counted => self.times.trailing_zeros() as usize,
        };
        let below = below.trailing_zeros() as usize;
        let index = stride.trailing_zeros() as usize;
        let all = bits + unit;
        let end = match length {
            0 => all,
            length => below + length.trailing_zeros() as usize,
        };
        let end = if end < all { end } else { all };
        let first = if below > unit { below } else { unit };
        if first >= end {
            return Run::NONE;
        }
        Run { lane: first - unit, index: first - below + index, count: end - first }
    }

    /// The lane, counted over all instructions.
    const fn counted(&self, step: u32, lane: u32) -> u32 {
        let counted =
            if step == 0 { lane } else { step.saturating_mul(self.lanes).saturating_add(lane) };
        if self.times == 1 { counted } else { counted.saturating_mul(self.times) }
    }

    /// Returns whether each bit of a lane's number adds bits of its own to the coordinate, and each
    /// instruction further ones, all within the tile. So it is where the digits of lanes are of
    /// powers of two: whatever an instruction adds is then a multiple of what they reach.
    pub(crate) const fn is_linear(&self, pack: u32) -> bool {
        if !self.within {
            return false;
        }
        let mut odd = rest(self.lanes) | rest(pack);
        if self.times != 1 {
            odd |= rest(self.times);
        }
        if let Some(crossing) = &self.crossing {
            odd |= rest(crossing.stride);
        }
        range!(i, 0..self.count, {
            let Digit { of, below, length, stride, .. } = self.digits[i];
            if let Counter::Step = of {
                continue;
            }
            // Most are 1, and the comparison is cheaper for the compiler than the call.
            if below != 1 {
                odd |= rest(below);
            }
            if stride != 1 {
                odd |= rest(stride);
            }
            if length != 0 {
                odd |= rest(length);
            }
        });
        odd == 0
    }
}
