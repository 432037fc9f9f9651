//! Layouts that repeat themselves after a round of a number: swizzles of the dense offset, pads at intervals, rotated rows.
//!
//! The offset of an element in such a layout is a sum of strides and a function of one number, which a single round determines:
//!
//! | layout | number | round | the function in a round | each round adds |
//! |---|---|---|---|---|
//! | swizzle of the dense offset, rows of 96 | 96 m + k | 512 | digits of the number | 512 |
//! | 8 elements after every 256 | 96 m + k | 256 | the number | 264 |
//! | rows of 96, packs of 8 rotated by the row | k + 8 m | 96 | the number | 0 |
//!
//! An access adds the same to the number of every lane, so how far two accesses are apart depends on where in a round a
//! lane is: on at most as many places as a round has packs, whatever the number of lanes and waves. `Accesses` of 18
//! vectors in two waves, of a 192x96 tile whose rows are rotated, cost the compiler 32,800 million instructions
//! coordinate by coordinate, 4,400 with all lanes of an instruction at once, and 490 so.

use crate::access::placed::Placed;
use crate::chip::phases::Phases;
use crate::distribution::gcd;
use tiledesc_transforms::{List, Turned, any, ones, range};

/// The operation by which a constant takes one address to another.
#[derive(Clone, Copy)]
pub(in crate::access) enum Relation {
    Sum,
    Xor,
}

impl Relation {
    pub(in crate::access) const fn apart(self, from: u32, to: u32) -> u32 {
        match self {
            Self::Sum => to.wrapping_sub(from),
            Self::Xor => to ^ from,
        }
    }
}

/// The places of the lanes of all accesses, of a distribution on a layout that repeats itself.
#[derive(Clone, Copy)]
pub(in crate::access) struct Rounds {
    form: Form,
    /// By what all numbers can be divided, the round too.
    unit: u32,
    /// The function at each multiple of the unit in a round.
    offsets: [u32; Self::MOST],
    /// The units of a round at which some lane of some wave is in its access 0, a bit each.
    reached: u128,
    /// The number and the sum of each lane, without what its access adds.
    lanes: [[u32; Phases::LANES]; 2],
}

/// A sum of strides, a number, and its round.
#[derive(Clone, Copy)]
struct Form {
    strides: List,
    numbers: List,
    first: u32,
    period: u64,
    gain: u32,
}

/// The amounts that an access of a wave adds to every lane: to the number, and to the sum.
#[derive(Clone, Copy)]
pub(in crate::access) struct Further {
    number: u32,
    sum: u32,
}

impl Rounds {
    /// Units of a round.
    const MOST: usize = u128::BITS as usize;
    const HALF: usize = Self::MOST / 2;

    const fn units(&self) -> u32 {
        (self.form.period / self.unit as u64) as u32
    }

    /// The function of a number, in units.
    const fn at(&self, units: u32) -> u32 {
        let (round, place) = (units / self.units(), units % self.units());
        self.offsets[place as usize].wrapping_add(round.wrapping_mul(self.form.gain))
    }

    /// The difference in elements between every lane of an access and another one, in all waves, if it is the same for all.
    const fn sum_between(&self, from: &Further, to: &Further) -> Option<i64> {
        let [one, other] = [from.number / self.unit, to.number / self.unit];
        let mut common = None;
        ones!(place, self.reached, {
            let apart = self.at(place as u32 + other) as i64 - self.at(place as u32 + one) as i64;
            match common {
                Some(common) if common != apart => return None,
                _ => common = Some(apart),
            }
        });
        match common {
            Some(apart) => Some(apart + to.sum as i64 - from.sum as i64),
            None => None,
        }
    }

    /// The offset of a lane, in elements.
    const fn offset(&self, lane: usize, further: &[Further; 2]) -> u32 {
        let [numbers, sums] = &self.lanes;
        let [wave, access] = further;
        let units = (numbers[lane] + wave.number + access.number) / self.unit;
        let sum = sums[lane].wrapping_add(wave.sum).wrapping_add(access.sum);
        self.at(units).wrapping_add(sum)
    }
}

impl Placed<'_, '_> {
    /// The lanes of all accesses by rounds, if the layout repeats itself and all of them are aligned and within the tile.
    pub(in crate::access) const fn rounds(&self) -> Option<Rounds> {
        let is_known = !self.is_listed() && self.has_whole_packs && self.walk.is_within();
        if !is_known
            || self.digits.is_some()
            || self.walk.is_counted()
            || self.instruction.parts() > 1
            || self.limit < self.space
        {
            return None;
        }
        let turned = if self.numbered.is_none() { self.plan.turned() } else { None };
        let Some(form) = self.form(&turned) else { return None };
        let unit = self.unit_of(&form.numbers, gcd(form.first as u64, form.period));
        if unit == 0 || form.period / unit > Rounds::MOST as u64 || !self.counts_within_words(&form)
        {
            return None;
        }
        let (offsets, reached) = (self.offsets_of_round(&turned, unit), 0);
        let numbers = self.walk.lane_numbers(&form.numbers, 0, 0);
        let sums = self.walk.lane_numbers(&form.strides, 0, 0);
        let (Some(numbers), Some(sums)) = (numbers, sums) else { return None };
        let lanes = [numbers, sums];
        let mut rounds = Rounds { form, unit: unit as u32, offsets, reached, lanes };
        rounds.reached = self.reached(&rounds);
        if self.is_aligned(&rounds) { Some(rounds) } else { None }
    }

    /// The layout as a sum and a number.
    const fn form(&self, turned: &Option<Turned>) -> Option<Form> {
        let rank = self.reach.tile.len();
        match (&self.numbered, turned) {
            (Some(numbered), _) => Some(Form {
                strides: List::of_first([0; List::CAPACITY], rank),
                numbers: numbered.strides(),
                first: 0,
                period: numbered.period(),
                gain: numbered.gain(),
            }),
            (None, Some(turned)) => {
                let Turned { strides, numbers, first, modulus, .. } = *turned;
                Some(Form { strides, numbers, first, period: modulus as u64, gain: 0 })
            }
            (None, None) => None,
        }
    }

    /// The greatest common divisor of what the walk's digits add to a number, and of another one.
    const fn unit_of(&self, numbers: &List, other: u64) -> u64 {
        let mut unit = other;
        range!(i, 0..self.walk.count(), {
            let digit = self.walk.digit_at(i);
            let adds = digit.stride as u64 * numbers.at(digit.dimension as usize) as u64;
            unit = gcd(unit, adds);
        });
        unit
    }

    /// Returns whether no number of an element of the tile, and no sum, is beyond 32 bits.
    const fn counts_within_words(&self, form: &Form) -> bool {
        let (tile, mut most) = (&self.reach.tile, form.first as u64 + form.period);
        let mut sum = 0u64;
        range!(d, 0..tile.len(), {
            most = most.saturating_add(form.numbers.at(d) as u64 * tile.at(d) as u64);
            sum = sum.saturating_add(form.strides.at(d) as u64 * tile.at(d) as u64);
        });
        most <= u32::MAX as u64 && sum <= u32::MAX as u64
    }

    /// The function at each unit of a round.
    const fn offsets_of_round(&self, turned: &Option<Turned>, unit: u64) -> [u32; Rounds::MOST] {
        let mut offsets = [0; Rounds::MOST];
        match (&self.numbered, turned) {
            (Some(numbered), _) => {
                let units = numbered.period() / unit;
                range!(half, 0..units.div_ceil(Rounds::HALF as u64) as usize, {
                    let mut places = [[0; Rounds::HALF]; List::CAPACITY];
                    range!(place, 0..Rounds::HALF, {
                        let number = (half * Rounds::HALF + place) as u64 * unit;
                        // Digits know no number beyond the last bit of the tile's.
                        places[0][place] = (number % numbered.period()) as u32;
                    });
                    let found = numbered.digits().offsets(&places);
                    range!(place, 0..Rounds::HALF, {
                        offsets[half * Rounds::HALF + place] = found[place];
                    });
                });
            }
            (None, Some(turned)) => range!(place, 0..(turned.modulus as u64 / unit) as usize, {
                let number = place as u32 * unit as u32;
                offsets[place] = number.wrapping_mul(turned.times).wrapping_add(turned.origin);
            }),
            (None, None) => {}
        }
        offsets
    }

    /// The amounts that instruction `step` adds, counted over all waves.
    pub(in crate::access) const fn further(&self, rounds: &Rounds, step: u64) -> Further {
        let Form { strides, numbers, first, .. } = &rounds.form;
        let at = self.first_coordinate(step, 0);
        let (mut number, mut sum) = (*first, 0u32);
        range!(d, 0..at.len(), {
            number += at.at(d) * numbers.at(d);
            sum = sum.wrapping_add(at.at(d).wrapping_mul(strides.at(d)));
        });
        Further { number, sum }
    }

    /// The amounts that a wave adds to those of an access.
    const fn of_wave(&self, rounds: &Rounds, wave: u64) -> Further {
        let Further { number, sum } = self.further(rounds, wave * self.accesses());
        Further { number: number - rounds.form.first, sum }
    }

    /// The units of a round at which some lane of some wave is in access 0, a bit each; without what all have in common.
    const fn reached(&self, rounds: &Rounds) -> u128 {
        let (units, mut lanes, mut all) = (rounds.units(), 0u128, 0);
        range!(lane, 0..self.reach.lanes as usize, {
            lanes |= 1 << (rounds.lanes[0][lane] / rounds.unit % units);
        });
        range!(wave, 0..self.waves(), {
            let turn = self.of_wave(rounds, wave).number / rounds.unit % units;
            ones!(place, lanes, { all |= 1 << ((place as u32 + turn) % units) });
        });
        all
    }

    /// Returns whether every address is aligned and begins with a byte: each part of it is.
    const fn is_aligned(&self, rounds: &Rounds) -> bool {
        let Form { strides, gain, .. } = &rounds.form;
        let of = 8 * self.instruction.alignment() as u64;
        let sums = self.unit_of(strides, *gain as u64) * self.bits as u64;
        let units = rounds.units() as usize;
        let is_torn = any!(place, 0..units, {
            !(rounds.offsets[place] as u64 * self.bits as u64).is_multiple_of(of)
        });
        sums.is_multiple_of(of) && !is_torn
    }

    /// The constant in bytes that takes every lane of one access to another one, if it is the same in all lanes of all waves.
    pub(in crate::access) const fn between_rounds(
        &self,
        rounds: &Rounds,
        [from, to]: [&Further; 2],
        relation: Relation,
    ) -> Option<u32> {
        match relation {
            Relation::Sum => match rounds.sum_between(from, to) {
                Some(apart) => Some((apart * self.bits as i64 / 8) as u32),
                None => None,
            },
            Relation::Xor => self.xor_between(rounds, [from, to]),
        }
    }

    /// Lane by lane, up to the first that contradicts: nearly always the second.
    const fn xor_between(&self, rounds: &Rounds, [from, to]: [&Further; 2]) -> Option<u32> {
        let mut common = None;
        range!(wave, 0..self.waves(), {
            let of_wave = self.of_wave(rounds, wave);
            range!(lane, 0..self.reach.lanes as usize, {
                let one = self.byte_of(rounds.offset(lane, &[of_wave, *from]));
                let flips = one ^ self.byte_of(rounds.offset(lane, &[of_wave, *to]));
                match common {
                    Some(common) if common != flips => return None,
                    _ => common = Some(flips),
                }
            });
        });
        common
    }

    const fn byte_of(&self, offset: u32) -> u32 {
        (offset as u64 * self.bits as u64 / 8) as u32
    }
}
