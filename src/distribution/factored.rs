//! A walk that is a distribution: its digits are the factors of the tile, each with its owner.
//!
//! ```text
//!   m = lane % 16 + 16 * (instruction % 8)           m [again 8, row 16]
//!   k = 8 * (lane / 16) + 32 * (instruction / 8)     k [deep 2, part 4, pack 8]
//!
//!   lane = part, row    instruction = deep, again    thread (deep, again, pack)
//! ```
//!
//! What a lane's number counts and no index does is a repetition: lanes 16 to 31 of a gfx11 WMMA. An
//! instruction's may not, for then a lane would hold an element twice.

use super::draft::{Draft, GONE, Misfit, misfit};
use super::encoding::Encoding;
use super::fault::Owner;
use super::walk::{Counter, Digit, Reach, Walk};
use tiledesc_transforms::{attempt, range};

/// The dimension of a digit that adds to no index: the lanes that differ by it touch the same.
const REPEATED: u32 = u32::MAX;

/// The digits of lanes and instructions with their lengths, and which factor each is.
struct Factors {
    digits: [Digit; Encoding::MOST_FACTORS],
    places: [usize; Encoding::MOST_FACTORS],
    count: usize,
    lanes: u32,
    steps: u32,
}

impl Walk {
    /// The distribution whose accesses these are, instruction by instruction. `None` if there is
    /// none: lanes outside the tile, elements that no instruction touches, or several do.
    pub(crate) const fn encoding(&self, reach: &Reach) -> Option<Encoding> {
        if let Ok(encoding) = self.factors(reach) { Some(encoding) } else { None }
    }

    const fn factors(&self, reach: &Reach) -> Result<Encoding, Misfit> {
        let numbers = self.instructions * self.lanes as u64;
        if self.times > 1 && numbers > 1 || numbers > u32::MAX as u64 {
            return Err(Misfit);
        }
        let mut factors = Factors::none(self.lanes, self.instructions as u32);
        // 0 times any number is the first element.
        range!(i, 0..if self.times > 0 { self.count } else { 0 }, {
            attempt!(factors.split(self.digits[i]));
        });
        attempt!(factors.repeat());
        factors.drafted(reach)
    }
}

impl Factors {
    const fn none(lanes: u32, steps: u32) -> Self {
        let digits = [Digit::NONE; Encoding::MOST_FACTORS];
        Self { digits, places: [GONE; Encoding::MOST_FACTORS], count: 0, lanes, steps }
    }

    const fn numbers(&self, of: Counter) -> u32 {
        match of {
            Counter::Counted => self.lanes * self.steps,
            Counter::Step => self.steps,
            Counter::Lane => self.lanes,
        }
    }

    const fn push(&mut self, digit: Digit) -> Result<(), Misfit> {
        if digit.length > 1 {
            if self.count == Encoding::MOST_FACTORS {
                return Err(Misfit);
            }
            self.digits[self.count] = digit;
            self.count += 1;
        }
        Ok(())
    }

    /// A digit with the length that its number gives it; of counted lanes, that of the lane and
    /// that of the instruction.
    const fn split(&mut self, digit: Digit) -> Result<(), Misfit> {
        let (numbers, lanes) = (self.numbers(digit.of), self.lanes);
        let Digit { of, below, stride, .. } = digit;
        if below >= numbers {
            return Ok(());
        }
        let mut length = digit.length;
        if length == 0 || below as u64 * length as u64 > numbers as u64 {
            if !numbers.is_multiple_of(below) {
                return Err(Misfit);
            }
            length = numbers / below;
        }
        if !matches!(of, Counter::Counted) {
            return self.push(Digit { length, ..digit });
        }
        if below >= lanes {
            if !below.is_multiple_of(lanes) {
                return Err(Misfit);
            }
            return self.push(Digit { of: Counter::Step, below: below / lanes, length, ..digit });
        }
        if below * length <= lanes {
            return self.push(Digit { of: Counter::Lane, length, ..digit });
        }
        let own = lanes / below;
        if !lanes.is_multiple_of(below) || !length.is_multiple_of(own) {
            return Err(Misfit);
        }
        attempt!(self.push(Digit { of: Counter::Lane, length: own, ..digit }));
        let (length, stride) = (length / own, stride * own);
        self.push(Digit { of: Counter::Step, below: 1, length, stride, ..digit })
    }

    /// The digit of a number that ends at `top`.
    const fn below(&self, of: Counter, top: u32) -> Option<usize> {
        range!(i, 0..self.count, {
            let Digit { of: other, below, length, .. } = self.digits[i];
            if other as u32 == of as u32 && below as u64 * length as u64 == top as u64 {
                return Some(i);
            }
        });
        None
    }

    /// The digit of an index that ends at `top`.
    const fn within(&self, dimension: u32, top: u32) -> Option<usize> {
        range!(i, 0..self.count, {
            let Digit { dimension: other, length, stride, .. } = self.digits[i];
            if other == dimension && stride as u64 * length as u64 == top as u64 {
                return Some(i);
            }
        });
        None
    }

    /// The digits of lanes that add to no index: those between the digits that do.
    const fn repeat(&mut self) -> Result<(), Misfit> {
        let mut top = self.lanes;
        while top > 1 {
            top = match self.below(Counter::Lane, top) {
                Some(i) => self.digits[i].below,
                None => {
                    let below = self.last_end(top);
                    if !top.is_multiple_of(below) {
                        return Err(Misfit);
                    }
                    let length = top / below;
                    let (of, dimension) = (Counter::Lane, REPEATED);
                    attempt!(self.push(Digit { of, below, length, dimension, stride: 1 }));
                    below
                }
            };
        }
        Ok(())
    }

    /// The end of the last digit of a lane before `top`.
    const fn last_end(&self, top: u32) -> u32 {
        let mut last = 1;
        range!(i, 0..self.count, {
            let Digit { of, below, length, .. } = self.digits[i];
            let end = below * length;
            if matches!(of, Counter::Lane) && end < top && end > last {
                last = end;
            }
        });
        last
    }

    /// Repetitions, then each dimension from its slowest digit down to the pack; then who owns which.
    const fn drafted(&mut self, reach: &Reach) -> Result<Encoding, Misfit> {
        let mut draft = Draft::new();
        range!(i, 0..self.count, {
            if self.digits[i].dimension == REPEATED {
                self.places[i] = draft.count();
                attempt!(draft.factor("", Ok(self.digits[i].length)) => misfit);
            }
        });
        let mut pack = None;
        range!(dimension, 0..reach.tile.len(), {
            attempt!(draft.dimension("") => misfit);
            let first = draft.count();
            let last = if dimension == reach.along { reach.pack } else { 1 };
            let mut top = reach.tile.at(dimension);
            while top > last {
                let Some(i) = self.within(dimension as u32, top) else { return Err(Misfit) };
                (self.places[i], top) = (draft.count(), self.digits[i].stride);
                attempt!(draft.factor("", Ok(self.digits[i].length)) => misfit);
            }
            if top != last {
                return Err(Misfit);
            }
            if last > 1 || draft.count() == first {
                pack = if last > 1 { Some(draft.count()) } else { pack };
                attempt!(draft.factor("", Ok(last)) => misfit);
            }
        });
        let claimed = attempt!(self.claim(&mut draft, Owner::Lane, Counter::Lane))
            + attempt!(self.claim(&mut draft, Owner::Thread, Counter::Step));
        if let Some(pack) = pack {
            attempt!(draft.claim(Owner::Thread, pack) => misfit);
        }
        // A digit left over is a second one of the same lanes or instructions.
        if claimed != self.count {
            return Err(Misfit);
        }
        Ok(attempt!(draft.finish() => misfit))
    }

    /// An owner lists the digits of a number, slowest first; how many they are.
    const fn claim(&self, draft: &mut Draft, owner: Owner, of: Counter) -> Result<usize, Misfit> {
        let (mut top, mut claimed) = (self.numbers(of), 0);
        while top > 1 {
            match self.below(of, top) {
                Some(i) if self.places[i] != GONE => {
                    attempt!(draft.claim(owner, self.places[i]) => misfit);
                    (top, claimed) = (self.digits[i].below, claimed + 1);
                }
                _ => return Err(Misfit),
            }
        }
        Ok(claimed)
    }
}
