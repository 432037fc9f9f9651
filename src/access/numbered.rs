//! NumberClasses of instructions: those that do the same to the banks, where not all do.
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

use super::addresses::Addresses;
use super::columns::BYTE;
use super::placed::Placed;
use super::refusal::refusal;
use crate::chip::phases::Phases;
use crate::distribution::{StepDigit, Stepping};
use tiledesc_transforms::{Digits, List, Numbered};

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

    /// The number of a lane in the first instruction of a class.
    pub(crate) const fn number(&self, class: usize, lane: usize) -> u32 {
        self.lanes[lane] + self.adds[class]
    }
}

/// Classes as they are gathered: two instructions are of one class if what they add leaves the same remainder by the
/// period. Of up to 128 classes each is found at its first slot mostly.
struct Gathered {
    classes: NumberClasses,
    period: u64,
    remainders: [u32; NumberClasses::MOST],
    /// Of each slot the number of a class, counted from 1; 0 where it is empty.
    slots: [u8; Self::SLOTS],
}

impl Gathered {
    /// Twice as many as classes, so that half of them stay empty.
    const SLOTS: usize = 2 * NumberClasses::MOST;

    /// None yet.
    const fn none(period: u64) -> Self {
        Self {
            classes: NumberClasses::NONE,
            period,
            remainders: [0; NumberClasses::MOST],
            slots: [0; Self::SLOTS],
        }
    }

    /// The same lanes, and no class yet.
    const fn emptied(self) -> Self {
        let NumberClasses { lanes, are_apart, .. } = self.classes;
        let classes = NumberClasses { lanes, are_apart, ..NumberClasses::NONE };
        Self { classes, ..Self::none(self.period) }
    }

    /// Adds `times` instructions, the first of which adds `adds` to the numbers; false if there are too many classes.
    const fn add(&mut self, adds: u32, first: u32, times: u32) -> bool {
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
    /// turns, and no further one. False if there are too many classes, `None` if the last turn of a digit is not whole.
    const fn by_digits(&mut self, stepping: &Stepping, instructions: u64) -> Option<bool> {
        self.add(0, 0, 1);
        let mut digit = 0;
        while digit < stepping.count() {
            let StepDigit { place, end, adds } = stepping.at(digit);
            if place as u64 >= instructions {
                break;
            }
            let end = if end == 0 || end as u64 > instructions { instructions } else { end as u64 };
            if !end.is_multiple_of(place as u64) {
                return None;
            }
            let turns = (end / place as u64) as u32;
            if (adds as u64).is_multiple_of(self.period) {
                let mut class = 0;
                while class < self.classes.count {
                    self.classes.times[class] *= turns;
                    class += 1;
                }
            } else if !self.turn([place, turns], adds) {
                return Some(false);
            }
            digit += 1;
        }
        Some(true)
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

/// What a layout flips of a number beside its own bits: by a few neighbouring bits, which others of it may be.
pub(crate) struct Flips {
    /// By the value of the bits from `from` on.
    pub(crate) table: [u32; 1 << Self::BITS],
    pub(crate) from: u32,
}

impl Flips {
    const BITS: usize = 6;
    /// The largest value of these bits.
    pub(crate) const LAST: u32 = (1 << Self::BITS) - 1;

    const fn of(digits: &Digits) -> Option<Self> {
        if !digits.is_linear() {
            return None;
        }
        let (mut table, mut from, mut count, mut bit) =
            ([digits.constant(0); 1 << Self::BITS], 0, 0, 0);
        while bit < digits.bits(0) {
            let flip = digits.column(0, 0, bit) ^ 1 << bit;
            if flip != 0 && count == 0 {
                from = bit;
            }
            if flip != 0 || count > 0 && count < Self::BITS {
                count = bit + 1 - from;
                if count > Self::BITS {
                    return None;
                }
                let (half, mut i) = (1 << (count - 1), 0);
                while i < half {
                    table[half + i] = table[i] ^ flip;
                    i += 1;
                }
            }
            bit += 1;
        }
        // What the number does not reach flips nothing.
        let (reached, mut i) = (1 << count, 1 << count);
        while i < table.len() {
            table[i] = table[i - reached];
            i += 1;
        }
        Some(Self { table, from: from as u32 })
    }
}

impl Placed<'_, '_> {
    /// The layout as digits of a coordinate's number, if it is asked by those.
    pub(crate) const fn numbered(&self) -> Option<&Numbered> {
        self.numbered.as_ref()
    }

    /// The classes of all instructions of a layout that is [numbered](crate::Numbered); `None` of any other layout, and
    /// where some lane of an instruction may be refused.
    pub(crate) const fn number_classes(&self) -> Option<NumberClasses> {
        let Some(numbered) = &self.numbered else { return None };
        if self.instruction.parts() > 1 && self.instructions() > 1 {
            return None;
        }
        // As many periods further on an access is as aligned, and in other banks of as many dwords.
        let unit = if self.instruction.alignment() > 4 { self.instruction.alignment() } else { 4 };
        let (mut period, mut bits) = (numbered.period(), numbered.gain() as u64 * self.bits as u64);
        while !bits.is_multiple_of(unit as u64 * 8) {
            (period, bits) = (period * 2, bits * 2);
        }
        self.number_classes_by(&numbered.strides(), period)
    }

    /// The same by other periods, of elements with these strides in the number: where it is a sum of what the
    /// lane adds and of what the instruction adds, of lanes that are all within the tile.
    pub(crate) const fn number_classes_by(
        &self,
        strides: &List,
        period: u64,
    ) -> Option<NumberClasses> {
        if !self.whole || !self.table.is_empty() || !self.walk.is_sum(strides, self.reach.pack) {
            return None;
        }
        let mut found = Gathered::none(period);
        if !self.number_lanes(strides, &mut found.classes) {
            return None;
        }
        if found.classes.lanes[0] == 0
            && let Some(stepping) = self.walk.stepping(strides)
        {
            match found.by_digits(&stepping, self.instructions()) {
                Some(true) => return Some(found.classes),
                Some(false) => return None,
                None => found = found.emptied(),
            }
        }
        let (origin, mut step) = (found.classes.lanes[0], 0);
        while step < self.instructions() {
            let Some(here) = self.number(strides, step, 0) else { return None };
            if !found.add(here.wrapping_sub(origin), step as u32, 1) {
                return None;
            }
            step += 1;
        }
        Some(found.classes)
    }

    /// Numbers the lanes of instruction 0; false if one of them holds nothing. Where each bit of a lane's number
    /// adds bits of its own to the coordinate, that takes one coordinate a bit.
    const fn number_lanes(&self, strides: &List, found: &mut NumberClasses) -> bool {
        let is_linear = self.walk.is_linear(self.reach.pack);
        let (mut lane, mut are_apart) = (0, is_linear);
        while lane < self.reach.lanes {
            let below = lane & lane.wrapping_sub(1);
            found.lanes[lane as usize] = if is_linear && below != 0 {
                let bit = found.lanes[(lane ^ below) as usize];
                found.lanes[below as usize].wrapping_add(bit).wrapping_sub(found.lanes[0])
            } else {
                let Some(here) = self.number(strides, 0, lane) else { return false };
                let adds = here.wrapping_sub(found.lanes[0]);
                are_apart &= lane == 0 || adds != 0 && adds.is_multiple_of(self.reach.pack);
                here
            };
            lane += 1;
        }
        found.are_apart = are_apart && counts_once(strides, &self.reach.tile);
        true
    }

    /// Whether each instruction can be, of which one stands for all of its class.
    pub(super) const fn are_numbers_accepted(&self) -> bool {
        let Some(classes) = self.number_classes() else { return false };
        let (flips, mut class) = (self.flips(), 0);
        while class < classes.count() {
            match self.addresses_of(&classes, &flips, class) {
                Some(addresses) if refusal(&addresses, self.instruction).is_none() => class += 1,
                _ => return false,
            }
        }
        true
    }

    /// Whether all instructions are within the memory: one address a lane, and the whole tile.
    pub(crate) const fn ends_within(&self) -> bool {
        self.instruction.parts() == 1 && self.limit == self.space
    }

    /// Bits of an element, and bytes of the alignment.
    pub(crate) const fn bits_and_alignment(&self) -> [u32; 2] {
        [self.bits, self.instruction.alignment()]
    }

    /// What the layout flips of a number, if it is a few neighbouring bits that flip others.
    pub(crate) const fn flips(&self) -> Option<Flips> {
        match &self.numbered {
            Some(numbered) => Flips::of(numbered.digits()),
            None => None,
        }
    }

    /// The addresses of the first instruction of a class, all aligned; `None` if one of them is refused.
    pub(crate) const fn addresses_of(
        &self,
        classes: &NumberClasses,
        flips: &Option<Flips>,
        class: usize,
    ) -> Option<Addresses> {
        let Some(numbered) = &self.numbered else { return None };
        let (digits, lanes) = (numbered.digits(), self.reach.lanes as usize);
        let (numbers, adds) = (&classes.lanes, classes.adds[class]);
        let (mut bytes, mut all, mut lane) = ([0; Phases::LANES], 0, 0);
        while lane < lanes {
            let number = numbers[lane] + adds;
            let offset = match flips {
                Some(flips) => number ^ flips.table[(number >> flips.from & Flips::LAST) as usize],
                None => match digits.offset(&List::new(&[number])) {
                    Some(offset) => offset,
                    None => return None,
                },
            };
            let bit = offset as u64 * self.bits as u64;
            all |= bit;
            bytes[lane] = (bit >> BYTE) as u32;
            lane += 1;
        }
        let alignment = self.instruction.alignment() as u64;
        if all & ((alignment << BYTE) - 1) != 0 || !self.end_within(&bytes, all >> BYTE) {
            return None;
        }
        Some(Addresses { bytes, active: u64::MAX >> (Phases::LANES - lanes) })
    }

    /// Whether all lanes end within the memory, whose addresses have these bits.
    const fn end_within(&self, bytes: &[u32; Phases::LANES], bits: u64) -> bool {
        let Some(last) = self.limit.checked_sub(self.end) else { return false };
        let mut lane = if bits <= last { Phases::LANES } else { 0 };
        while lane < Phases::LANES && bytes[lane] as u64 <= last {
            lane += 1;
        }
        lane == Phases::LANES
    }

    /// The number of the element that a lane touches first; `None` of a lane that holds nothing.
    const fn number(&self, strides: &List, step: u64, lane: u32) -> Option<u32> {
        let Some(index) = self.walk.coordinate(step as u32, lane) else { return None };
        let (mut number, mut d) = (0u32, 0);
        while d < index.len() {
            number = number.wrapping_add(index.at(d).wrapping_mul(strides.at(d)));
            d += 1;
        }
        Some(number)
    }
}

/// Whether no two coordinates of a tile have the same number: each stride is beyond all that the smaller ones reach.
pub(super) const fn counts_once(strides: &List, tile: &List) -> bool {
    let mut d = 0;
    while d < strides.len() {
        let (stride, mut reach, mut other) = (strides.at(d) as u64, 0, 0);
        while other < strides.len() {
            let next = strides.at(other) as u64;
            if other != d
                && (next < stride || next == stride && tile.at(other) > 1 && tile.at(d) > 1)
            {
                reach += next * (tile.at(other) as u64 - 1);
            }
            other += 1;
        }
        if reach >= stride && tile.at(d) > 1 {
            return false;
        }
        d += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Reach;
    use crate::pattern::Lanes;

    /// As the coordinates of lane 0 say it, instruction by instruction.
    #[test]
    fn steps_are_as_coordinates_say() {
        let patterns = [
            Lanes::row_major(),
            Lanes::column(),
            Lanes::rows(16),
            Lanes::rows(32),
            Lanes::repeated_rows(16),
        ];
        let (mut known, mut unknown) = (0, 0);
        for (rows, columns, pack) in [
            (128, 64, 8),
            (128, 96, 8),
            (64, 24, 4),
            (96, 40, 8),
            (256, 12, 1),
            (48, 32, 2),
            (64, 192, 8),
        ] {
            let tile = List::pair(rows, columns);
            for strides in [List::pair(columns, 1), List::pair(1, rows), List::pair(columns + 8, 1)]
            {
                for lanes in patterns {
                    let reach = Reach { tile, along: 1, pack, lanes: 64 };
                    let walk = lanes.walk(&reach);
                    let Some(stepping) = walk.stepping(&strides) else {
                        unknown += u32::from(walk.is_within());
                        continue;
                    };
                    let (mut numbers, mut digit, mut step) = ([0u32; 1024], 0, 1);
                    let count = walk.instructions() as usize;
                    while step < count as u32 {
                        let StepDigit { place, end, adds } = stepping.at(digit);
                        if step == end {
                            digit += 1;
                            continue;
                        }
                        numbers[step as usize] = numbers[(step - place) as usize] + adds;
                        step += 1;
                    }
                    for (step, number) in numbers[..count].iter().enumerate() {
                        let at = walk.coordinate(step as u32, 0).unwrap();
                        let told = at.at(0) * strides.at(0) + at.at(1) * strides.at(1);
                        assert_eq!(*number, told, "{rows}x{columns} {lanes:?} {step}");
                    }
                    known += u32::from(count > 1);
                }
            }
        }
        assert!(known > 60 && unknown < 30, "{known} {unknown}");
    }

    /// As the coordinates of the lanes say it, also where a stride counts down.
    #[test]
    fn lanes_are_as_coordinates_say() {
        let patterns = [
            Lanes::row_major(),
            Lanes::column(),
            Lanes::rows(16),
            Lanes::rows(32),
            Lanes::repeated_rows(16),
            Lanes::strided(3),
            Lanes::row_major().first(),
        ];
        let (mut known, mut inside, mut outside) = (0, 0, 0);
        for (rows, columns, pack) in
            [(128, 64, 8), (64, 96, 8), (64, 24, 4), (96, 40, 8), (256, 12, 1), (48, 104, 8)]
        {
            for (lanes, wave) in patterns.into_iter().flat_map(|lanes| [(lanes, 64), (lanes, 32)]) {
                let tile = List::pair(rows, columns);
                let reach = Reach { tile, along: 1, pack, lanes: wave };
                let walk = lanes.walk(&reach);
                for step in 0..walk.instructions() as u32 {
                    let is_in = |lane| {
                        let at = walk.coordinate(step, lane).unwrap();
                        at.at(0) < rows && at.at(1) + pack <= columns
                    };
                    let (told, all) = (walk.is_inside(step, &reach), (0..wave).all(is_in));
                    assert!(all || !told, "{lanes:?} {step} {tile:?}");
                    inside += u32::from(told && !walk.is_within());
                    outside += u32::from(!all);
                }
                for (strides, origin) in [
                    (List::pair(columns + 8, 1), 0),
                    (List::pair(columns.wrapping_neg(), 1), (rows - 1) * columns),
                ] {
                    for step in 0..walk.instructions() as u32 {
                        let numbers = walk.lane_numbers(&strides, origin, step).unwrap();
                        for lane in 0..wave {
                            let at = walk.coordinate(step, lane).unwrap();
                            let row = at.at(0).wrapping_mul(strides.at(0));
                            let told = origin.wrapping_add(row).wrapping_add(at.at(1));
                            assert_eq!(numbers[lane as usize], told, "{lanes:?} {step} {lane}");
                            known += 1;
                        }
                    }
                }
            }
        }
        assert!(known > 100_000 && inside > 10 && outside > 10, "{known} {inside} {outside}");
    }
}
