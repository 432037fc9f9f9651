//! Counting by bit planes: how many lanes of a phase meet in each bank, all banks at once.
//!
//! ```text
//!   lanes touch banks 3, 5, 3        plane 0 (ones)   plane 1 (twos)
//!   add 1 << 3                       . . . 1 . .      . . . . . .
//!   add 1 << 5                       . . . 1 . 1      . . . . . .
//!   add 1 << 3                       . . . . . 1      . . . 1 . .     bank 3: two, bank 5: one
//! ```
//!
//! An addition is a carry through a few words, without a branch and without a table of banks.
//! What it counts is lanes; lanes that share a unit must not count twice, so a phase in which
//! two do is left to [`Distinct`](super::units::Distinct). And phases whose addresses are those
//! of another, moved by whole units, have its degree: of a padded tile on gfx942, 6 of 8.

use super::units::Grid;
use crate::access::addresses::Addresses;
use crate::chip::instruction::Service;
use crate::chip::phases::Phases;

/// The first unit of each lane, phase by phase.
pub(super) struct Wave {
    units: [u32; Phases::LANES],
}

impl Wave {
    /// Of the lanes that supply an address, all of them active.
    #[inline]
    pub(super) const fn of(
        addresses: &Addresses,
        service: &Service,
        grid: Grid,
        offset: u32,
    ) -> Self {
        let (mut units, mut i) = ([0; Phases::LANES], 0);
        let (order, lanes) = (service.phases.order(), service.phases.addressed());
        while i < lanes {
            units[i] =
                (addresses.bytes[order[i] as usize % Phases::LANES] + offset) >> grid.shift();
            i += 1;
        }
        Self { units }
    }

    /// Whether the lanes from `one` on are those from `other` on, each as much further.
    #[inline]
    pub(super) const fn is_moved(&self, one: usize, other: usize, lanes: usize) -> bool {
        if lanes == 8 {
            return is_moved(self.of_phase::<8>(one), self.of_phase::<8>(other));
        }
        let distance = self.units[one].wrapping_sub(self.units[other]);
        let mut i = 1;
        while i < lanes && self.units[one + i].wrapping_sub(self.units[other + i]) == distance {
            i += 1;
        }
        i == lanes
    }

    /// The degree of the phase of the lanes from `first` on; `None` if two lanes share a unit
    /// and that may be why it exceeds 1.
    #[inline]
    pub(super) const fn degree(&self, first: usize, lanes: usize, grid: Grid) -> Option<u32> {
        let degree = match lanes {
            8 => few(self.of_phase::<8>(first), grid),
            ..15 => {
                let mut planes = [0; 4];
                self.add_all(&mut planes, first, lanes, grid);
                most(&planes)
            }
            _ => {
                let mut planes = [0; 7];
                self.add_all(&mut planes, first, lanes, grid);
                most(&planes)
            }
        };
        if degree <= 1 {
            return Some(degree);
        }
        let shared = match lanes {
            8 => share(self.of_phase::<8>(first), grid),
            16 => share(self.of_phase::<16>(first), grid),
            32 => share(self.of_phase::<32>(first), grid),
            64 => share(&self.units, grid),
            _ => true,
        };
        if shared { None } else { Some(degree) }
    }

    const fn of_phase<const N: usize>(&self, first: usize) -> &[u32; N] {
        match self.units.split_at(first).1.first_chunk() {
            Some(lanes) => lanes,
            None => panic!("a phase ends with the wave"),
        }
    }

    #[inline]
    const fn add_all<const P: usize>(
        &self,
        planes: &mut [u64; P],
        first: usize,
        lanes: usize,
        grid: Grid,
    ) {
        let mut i = first;
        while i < first + lanes {
            add(planes, grid.banks(self.units[i]));
            i += 1;
        }
    }
}

#[inline]
const fn is_moved(one: &[u32; 8], other: &[u32; 8]) -> bool {
    let (distance, mut differs, mut i) = (one[0].wrapping_sub(other[0]), 0, 1);
    while i < 8 {
        differs |= one[i].wrapping_sub(other[i]) ^ distance;
        i += 1;
    }
    differs == 0
}

/// Eight lanes: the most common phase.
#[inline]
const fn few(units: &[u32; 8], grid: Grid) -> u32 {
    let (mut planes, mut i) = ([0; 4], 0);
    while i < 8 {
        add(&mut planes, grid.banks(units[i]));
        i += 1;
    }
    most(&planes)
}

#[inline]
const fn add<const P: usize>(planes: &mut [u64; P], banks: u64) {
    let (mut carry, mut p) = (banks, 0);
    while p < P {
        let sum = planes[p] ^ carry;
        carry &= planes[p];
        planes[p] = sum;
        p += 1;
    }
}

/// The largest count of any bank.
#[inline]
const fn most<const P: usize>(planes: &[u64; P]) -> u32 {
    let (mut banks, mut most, mut p) = (u64::MAX, 0, P);
    while p > 0 {
        p -= 1;
        if planes[p] & banks != 0 {
            banks &= planes[p];
            most |= 1 << p;
        }
    }
    most
}

/// Whether two lanes have a unit in common.
#[inline]
const fn share<const N: usize>(units: &[u32; N], grid: Grid) -> bool {
    if grid.units() > 1 {
        return are_near(units, grid.units() - 1);
    }
    let (mut equal, mut apart) = (0, 1);
    while apart < N {
        let mut i = 0;
        while i < N - apart {
            equal |= (units[i] == units[i + apart]) as u32;
            i += 1;
        }
        apart += 1;
    }
    equal != 0
}

/// Whether two are within `reach` of each other, on either side.
const fn are_near<const N: usize>(units: &[u32; N], reach: u32) -> bool {
    let (mut near, mut apart) = (0, 1);
    while apart < N {
        let mut i = 0;
        while i < N - apart {
            let distance = units[i].wrapping_sub(units[i + apart]).wrapping_add(reach);
            near |= (distance <= 2 * reach) as u32;
            i += 1;
        }
        apart += 1;
    }
    near != 0
}
