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
use super::placed::Placed;
use super::refusal::refusal;
use crate::chip::phases::Phases;
use tiledesc_transforms::List;

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
}

impl NumberClasses {
    /// As many as packs of 16 bytes that four bits of the number of a line of 128 bytes count.
    const MOST: usize = 128;

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

    /// The number of a lane in the first instruction of a class.
    pub(crate) const fn number(&self, class: usize, lane: usize) -> u32 {
        self.lanes[lane] + self.adds[class]
    }
}

impl Placed<'_, '_> {
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
        let Some(origin) = self.number(strides, 0, 0) else { return None };
        let mut found = NumberClasses {
            lanes: [0; Phases::LANES],
            adds: [0; NumberClasses::MOST],
            first: [0; NumberClasses::MOST],
            times: [0; NumberClasses::MOST],
            count: 0,
        };
        let mut lane = 0;
        while lane < self.reach.lanes {
            let Some(here) = self.number(strides, 0, lane) else { return None };
            found.lanes[lane as usize] = here;
            lane += 1;
        }
        let mut step = 0;
        while step < self.instructions() {
            let Some(here) = self.number(strides, step, 0) else { return None };
            let adds = here.wrapping_sub(origin);
            let mut class = 0;
            while class < found.count
                && !(adds.abs_diff(found.adds[class]) as u64).is_multiple_of(period)
            {
                class += 1;
            }
            if class == NumberClasses::MOST {
                return None;
            }
            if class == found.count {
                (found.adds[class], found.first[class]) = (adds, step as u32);
                found.count += 1;
            }
            found.times[class] += 1;
            step += 1;
        }
        Some(found)
    }

    /// Whether each instruction can be, of which one stands for all of its class.
    pub(super) const fn are_numbers_accepted(&self) -> bool {
        let Some(classes) = self.number_classes() else { return false };
        let mut class = 0;
        while class < classes.count() {
            match self.addresses_of(&classes, class) {
                Some(addresses) if refusal(&addresses, self.instruction).is_none() => class += 1,
                _ => return false,
            }
        }
        true
    }

    /// The addresses of the first instruction of a class; `None` if one of them is refused.
    pub(crate) const fn addresses_of(
        &self,
        classes: &NumberClasses,
        class: usize,
    ) -> Option<Addresses> {
        let Some(numbered) = &self.numbered else { return None };
        let (mut addresses, mut lane) = (Addresses::NONE, 0);
        while lane < self.reach.lanes as usize {
            let at = List::new(&[classes.number(class, lane)]);
            let Some(offset) = numbered.digits().offset(&at) else { return None };
            let bit = offset as u64 * self.bits as u64;
            if !bit.is_multiple_of(8) || bit / 8 + self.end > self.limit {
                return None;
            }
            addresses.set(lane, (bit / 8) as u32);
            lane += 1;
        }
        Some(addresses)
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
