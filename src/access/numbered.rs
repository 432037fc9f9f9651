//! Layouts that number the elements of a tile: which instructions of an access are of one class, and the addresses of each.
//!
//! 24 reads of 128x96 halves that are swizzled by their number fall into three [classes](super::classes). Where a lane is,
//! is a sum of strides, and what is flipped of it is in a [table](super::flips): so the addresses of a class cost a sum and
//! a look for each lane, where a plan is asked for an offset.

use super::addresses::Addresses;
use super::classes::{Gathered, NumberClasses, NumberedLanes};
use super::columns::BYTE;
use super::flips::Flips;
use super::placed::Placed;
use super::refusal::refusal;
use crate::chip::phases::Phases;
use tiledesc_transforms::{List, Numbered};

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
        let Some(lanes) = self.number_lanes(strides) else { return None };
        if lanes.lanes[0] == 0
            && let Some(stepping) = self.walk.stepping(strides)
        {
            let mut found = Gathered::none(&lanes, period);
            let is_known = found.by_digits(&stepping, self.instructions());
            return if is_known { Some(found.classes()) } else { None };
        }
        let (mut found, mut step) = (Gathered::none(&lanes, period), 0);
        while step < self.instructions() {
            let Some(here) = self.number(strides, step, 0) else { return None };
            if !found.add(here.wrapping_sub(lanes.lanes[0]), step as u32, 1) {
                return None;
            }
            step += 1;
        }
        Some(found.classes())
    }

    /// Numbers the lanes of instruction 0; `None` if one of them holds nothing. Where each bit of a lane's number
    /// adds bits of its own to the coordinate, that takes one coordinate a bit.
    const fn number_lanes(&self, strides: &List) -> Option<NumberedLanes> {
        let is_linear = self.walk.is_linear(self.reach.pack);
        let (mut lanes, mut lane, mut are_apart) = ([0u32; Phases::LANES], 0, is_linear);
        while lane < self.reach.lanes {
            let below = lane & lane.wrapping_sub(1);
            lanes[lane as usize] = if is_linear && below != 0 {
                let bit = lanes[(lane ^ below) as usize];
                lanes[below as usize].wrapping_add(bit).wrapping_sub(lanes[0])
            } else {
                let Some(here) = self.number(strides, 0, lane) else { return None };
                let adds = here.wrapping_sub(lanes[0]);
                are_apart &= lane == 0 || adds != 0 && adds.is_multiple_of(self.reach.pack);
                here
            };
            lane += 1;
        }
        Some(NumberedLanes {
            lanes,
            are_apart: are_apart && counts_once(strides, &self.reach.tile),
        })
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

    /// Whether the whole tile is within the memory, and so is every lane that has one address.
    pub(crate) const fn ends_within(&self) -> bool {
        self.limit == self.space
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
        let (numbers, adds) = (classes.lanes(), classes.adds(class));
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
    use crate::distribution::{Reach, StepDigit};
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
