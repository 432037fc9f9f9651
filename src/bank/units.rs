//! Counting by units: whether two lanes of a phase share a group of banks, and if so, how many different
//! units each group has.
//!
//! A lane of a `ds_read_b128` touches four dwords, which are always in four neighbouring banks. So its 16
//! bytes are counted as one unit, and the 32 banks as 8 groups of 4:
//!
//! ```text
//!   64 lanes 128 bytes apart, ds_read_b128 on gfx942
//!
//!   lanes of phase 0    0   1   2   3   20   21   22   23
//!   unit                0   8  16  24  160  168  176  184
//!   group, unit mod 8   0   0   0   0    0    0    0    0     eight units in a group: 8-way
//! ```
//!
//! Lanes that touch the same unit count once.

use super::crowd::Crowd;
use crate::access::addresses::Addresses;
use crate::chip::instruction::{Instruction, Service};
use crate::chip::phases::Phases;

/// Memory in units: the largest pieces that an access always touches as a whole. Two
/// dwords of one bank are in different units, so units can be counted instead of
/// dwords: 1 per lane of a `ds_read_b128`, not 4. Each unit is in one of `1 << groups`
/// groups of banks.
#[derive(Clone, Copy)]
pub(super) struct UnitGrid {
    /// A unit is `1 << shift` bytes.
    shift: u32,
    groups: u32,
    /// Units that a lane touches: 1, 3 for 12 bytes, or up to 4 of an access that is aligned to less.
    units: u32,
}

impl UnitGrid {
    pub(super) const fn of(instruction: &Instruction, service: &Service) -> Self {
        let (bytes, alignment) = (instruction.bytes(), instruction.alignment());
        let shift = if alignment < 4 { 2 } else { alignment.trailing_zeros() };
        let units = if bytes > alignment { bytes / alignment } else { 1 };
        let groups = (service.banks * 4).trailing_zeros() - shift;
        Self { shift, groups, units }
    }

    /// The group of banks that holds a unit.
    const fn group(self, unit: u32) -> usize {
        (unit & ((1 << self.groups) - 1)) as usize
    }

    /// The dwords, and therefore banks, of a unit.
    const fn dwords(self) -> u32 {
        1 << (self.shift - 2)
    }

    /// The groups of banks.
    pub(super) const fn groups(self) -> usize {
        1 << self.groups
    }

    /// `1 << shift` bytes are a unit.
    pub(super) const fn shift(self) -> u32 {
        self.shift
    }

    /// Units that a lane touches.
    pub(super) const fn units(self) -> u32 {
        self.units
    }

    /// Whether a number of bytes is a whole number of units.
    pub(super) const fn divides(self, bytes: u32) -> bool {
        bytes.trailing_zeros() >= self.shift
    }
}

/// A set of numbers in groups, each number with the first lane that has it.
pub(super) struct Distinct {
    /// The newest entry of each group, counted from 1; 0 for none.
    newest: [u16; Self::GROUPS],
    count: [u8; Self::GROUPS],
    numbers: [u32; Self::ENTRIES],
    lanes: [u8; Self::ENTRIES],
    older: [u16; Self::ENTRIES],
}

impl Distinct {
    /// As many as there are banks.
    pub(super) const GROUPS: usize = 64;
    /// 64 lanes of 16 bytes touch 256 dwords.
    const ENTRIES: usize = 4 * Phases::LANES;
    pub(super) const NONE: Self = Self {
        newest: [0; Self::GROUPS],
        count: [0; Self::GROUPS],
        numbers: [0; Self::ENTRIES],
        lanes: [0; Self::ENTRIES],
        older: [0; Self::ENTRIES],
    };

    /// Collects the different units of a phase, group by group, where nothing was collected yet.
    pub(super) const fn gather(
        &mut self,
        addresses: &Addresses,
        lanes: &[u8],
        grid: UnitGrid,
        offset: u32,
    ) {
        let (mut i, mut entry) = (0, 0);
        while i < lanes.len() {
            let lane = lanes[i] as usize % Phases::LANES;
            let first = (addresses.bytes[lane] + offset) >> grid.shift;
            let end = if addresses.is_active(lane) { first + grid.units } else { first };
            let mut unit = first;
            while unit < end {
                self.insert(entry, grid.group(unit), unit, lane);
                entry += 1;
                unit += 1;
            }
            i += 1;
        }
    }

    /// Adds a number as `entry`; if it is already there, returns the lane that has it.
    pub(super) const fn insert(
        &mut self,
        entry: usize,
        group: usize,
        number: u32,
        lane: usize,
    ) -> Option<usize> {
        let mut known = self.newest[group] as usize;
        while known > 0 {
            if self.numbers[known - 1] == number {
                return Some(self.lanes[known - 1] as usize);
            }
            known = self.older[known - 1] as usize;
        }
        self.numbers[entry] = number;
        self.lanes[entry] = lane as u8;
        self.older[entry] = self.newest[group];
        self.newest[group] = entry as u16 + 1;
        self.count[group] += 1;
        None
    }

    /// The most numbers in a group.
    pub(super) const fn degree(&self, grid: UnitGrid) -> u32 {
        let (mut most, mut group) = (0, 0);
        while group < 1 << grid.groups {
            most = if self.count[group] > most { self.count[group] } else { most };
            group += 1;
        }
        most as u32
    }

    /// What happens in the first group with the most numbers.
    pub(super) const fn crowd(&self, grid: UnitGrid) -> Crowd {
        let degree = self.degree(grid);
        let (mut fullest, mut groups, mut group) = (0, 0, 1usize << grid.groups);
        while group > 0 && degree > 0 {
            group -= 1;
            if self.count[group] as u32 == degree {
                fullest = group;
                groups += 1;
            }
        }
        Crowd {
            degree,
            bank: fullest as u32 * grid.dwords(),
            banks: groups * grid.dwords(),
            lanes: if degree > 1 { self.owners(fullest) } else { 0 },
        }
    }

    const fn owners(&self, group: usize) -> u64 {
        let mut lanes = 0;
        let mut entry = self.newest[group] as usize;
        while entry > 0 {
            lanes |= 1 << self.lanes[entry - 1];
            entry = self.older[entry - 1] as usize;
        }
        lanes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::gfx942::ds_read_b128;

    /// The example of the module.
    #[test]
    fn eight_units_in_a_group() {
        let (grid, service) =
            (UnitGrid::of(&ds_read_b128, ds_read_b128.service()), ds_read_b128.service());
        assert_eq!((grid.shift(), grid.groups(), grid.units()), (4, 8, 1));
        let lanes = &service.phases.order()[..service.phases.lanes_in(0)];
        assert_eq!(lanes, [0, 1, 2, 3, 20, 21, 22, 23]);
        let addresses = Addresses::from_fn(|lane| Some(128 * lane));
        let mut distinct = Distinct::NONE;
        distinct.gather(&addresses, lanes, grid, 0);
        assert_eq!(distinct.numbers[..8], [0, 8, 16, 24, 160, 168, 176, 184]);
        assert_eq!((distinct.count[0], distinct.degree(grid)), (8, 8));
    }
}
