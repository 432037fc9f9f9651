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
use tiledesc_transforms::range;

/// Memory in units: the largest pieces that an access always touches as a whole. Two
/// dwords of one bank are in different units, so units can be counted instead of
/// dwords: 1 per lane of a `ds_read_b128`, not 4. Each unit is in one of `1 << groups`
/// groups of banks.
#[derive(Clone, Copy)]
pub(super) struct UnitGrid {
    /// A unit is `1 << shift` bytes.
    pub(super) shift: u32,
    groups: u32,
    /// Units that a lane touches: 1, 3 for 12 bytes, or up to 4 of an access that is aligned to less.
    pub(super) units: u32,
}

impl UnitGrid {
    /// The most groups: 64 banks.
    const MOST: usize = 64;

    pub(super) const fn new(instruction: &Instruction, service: &Service) -> Self {
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

    /// A bit for each group of what a lane touches from a unit on; after the last group comes the first.
    pub(super) const fn groups_from(self, unit: u32) -> u64 {
        let (units, group, groups) =
            ((1 << self.units) - 1, self.group(unit) as u32, 1 << self.groups);
        if group + self.units <= groups {
            return units << group;
        }
        let all = u64::MAX >> (u64::BITS - groups);
        units << group & all | units >> (groups - group)
    }

    /// The groups of banks.
    pub(super) const fn groups(self) -> usize {
        1 << self.groups
    }

    /// Aligned pieces of accesses, whatever the banks, in as many groups as there may be: of two accesses in one all bytes
    /// are the same.
    pub(super) const fn of_pieces(instruction: &Instruction) -> Self {
        let (bytes, alignment) = (instruction.bytes(), instruction.alignment());
        let groups = Self::MOST.trailing_zeros();
        Self { shift: alignment.trailing_zeros(), groups, units: bytes / alignment }
    }
}

/// A set of numbers in groups, each number with the first lane that has it.
pub(super) struct Distinct {
    /// The groups that have numbers; what the arrays hold of others is of an earlier set.
    taken: u64,
    /// The newest entry of each group, and how many it has.
    newest: [u8; Self::GROUPS],
    count: [u8; Self::GROUPS],
    /// The most numbers in a group.
    most: u8,
    entries: usize,
    numbers: [u32; Self::ENTRIES],
    lanes: [u8; Self::ENTRIES],
    older: [u8; Self::ENTRIES],
}

impl Distinct {
    /// The largest number of groups: the number of banks.
    const GROUPS: usize = UnitGrid::MOST;
    /// 64 lanes of 16 bytes touch 256 dwords.
    const ENTRIES: usize = 4 * Phases::LANES;
    pub(super) const NONE: Self = Self {
        taken: 0,
        newest: [0; Self::GROUPS],
        count: [0; Self::GROUPS],
        most: 0,
        entries: 0,
        numbers: [0; Self::ENTRIES],
        lanes: [0; Self::ENTRIES],
        older: [0; Self::ENTRIES],
    };

    /// Collects the different units of some lanes, group by group; two lanes that touch the same unit, if any do. Only
    /// the first of them is kept.
    pub(super) const fn gather(
        &mut self,
        addresses: &Addresses,
        lanes: &[u8],
        grid: UnitGrid,
        offset: u32,
    ) -> Option<[usize; 2]> {
        let (mut shared, count) = (None, lanes.len());
        let (shift, last, units) = (grid.shift % 32, (1 << grid.groups) - 1, grid.units);
        let (mut entry, mut taken) = (self.entries, self.taken);
        range!(i, 0..count, {
            let lane = lanes[i] as usize % Phases::LANES;
            // Counted from the first: the last byte of 32 bits has none after it.
            let (first, mut done) = ((addresses.bytes[lane] + offset) >> shift, 0);
            let is_active = addresses.active >> lane & 1 == 1;
            while is_active && done < units {
                let unit = first + done;
                let group = (unit & last) as usize;
                let (bit, mut of_group) = (1 << group, 0);
                done += 1;
                if taken & bit != 0 {
                    of_group = self.count[group];
                    self.older[entry] = self.newest[group];
                    let (mut known, mut left) = (self.newest[group] as usize, of_group);
                    while left > 0 && self.numbers[known] != unit {
                        known = self.older[known] as usize;
                        left -= 1;
                    }
                    if left > 0 {
                        if shared.is_none() && self.lanes[known] as usize != lane {
                            shared = Some([self.lanes[known] as usize, lane]);
                        }
                        continue;
                    }
                }
                taken |= bit;
                self.numbers[entry] = unit;
                self.lanes[entry] = lane as u8;
                self.newest[group] = entry as u8;
                self.count[group] = of_group + 1;
                if of_group >= self.most {
                    self.most = of_group + 1;
                }
                entry += 1;
            }
        });
        (self.entries, self.taken) = (entry, taken);
        shared
    }

    /// The most numbers in a group.
    pub(super) const fn degree(&self) -> u32 {
        self.most as u32
    }

    /// Returns the lanes that meet in the first group with the most numbers.
    pub(super) const fn crowd(&self, grid: UnitGrid) -> Crowd {
        let (mut fullest, mut groups, mut group) = (0, 0, 1usize << grid.groups);
        while group > 0 {
            group -= 1;
            if self.taken >> group & 1 == 1 && self.count[group] == self.most {
                fullest = group;
                groups += 1;
            }
        }
        Crowd {
            degree: self.degree(),
            bank: fullest as u32 * grid.dwords(),
            banks: groups * grid.dwords(),
            lanes: if self.most > 1 { self.owners(fullest) } else { 0 },
        }
    }

    const fn owners(&self, group: usize) -> u64 {
        let (mut lanes, mut entry, mut left) = (0, self.newest[group] as usize, self.count[group]);
        while left > 0 {
            lanes |= 1 << self.lanes[entry];
            entry = self.older[entry] as usize;
            left -= 1;
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
            (UnitGrid::new(&ds_read_b128, ds_read_b128.service()), ds_read_b128.service());
        assert_eq!((grid.shift, grid.groups(), grid.units), (4, 8, 1));
        let lanes = &service.phases.order()[..service.phases.end(0)];
        assert_eq!(lanes, [0, 1, 2, 3, 20, 21, 22, 23]);
        let addresses = Addresses::from_fn(|lane| Some(128 * lane));
        let mut distinct = Distinct::NONE;
        assert_eq!(distinct.gather(&addresses, lanes, grid, 0), None);
        assert_eq!(distinct.numbers[..8], [0, 8, 16, 24, 160, 168, 176, 184]);
        assert_eq!((distinct.count[0], distinct.degree()), (8, 8));
    }
}
