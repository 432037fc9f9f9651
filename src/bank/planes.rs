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
        let (mut units, order, mut i) = ([0; Phases::LANES], service.phases.order(), 0);
        // After the lanes that have an address the order is 0, and nobody looks.
        while i < Phases::LANES {
            units[i] = addresses.bytes[order[i] as usize % Phases::LANES];
            i += 1;
        }
        let shift = grid.shift() % 32;
        i = 0;
        while i < Phases::LANES {
            units[i] = units[i].wrapping_add(offset) >> shift;
            i += 1;
        }
        Self { units }
    }

    /// Whether the lanes from `one` on are those from `other` on, each as much further.
    #[inline]
    pub(super) const fn is_moved(&self, one: usize, other: usize, lanes: usize) -> bool {
        let distance = self.units[one].wrapping_sub(self.units[other]);
        if !lanes.is_multiple_of(8) {
            return false;
        }
        let mut i = 0;
        while i < lanes {
            let (a, b) = (self.of_phase::<8>(one + i), self.of_phase::<8>(other + i));
            if !is_moved(a, b, distance) {
                return false;
            }
            i += 8;
        }
        true
    }

    /// The degree of the phase of the lanes from `first` on; `None` if two lanes share a unit
    /// and that may be why it exceeds 1.
    #[inline]
    pub(super) const fn degree(&self, first: usize, lanes: usize, grid: Grid) -> Option<u32> {
        let degree = if lanes == 8 {
            few(self.of_phase(first), grid)
        } else {
            let (mut planes, mut i) = ([0; 7], first);
            while i < first + lanes {
                add(&mut planes, grid.banks(self.units[i]));
                i += 1;
            }
            most(&planes)
        };
        if degree <= 1 {
            return Some(degree);
        }
        let shared = match lanes {
            8 => share_few(self.of_phase::<8>(first), grid),
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
}

#[inline]
const fn is_moved(one: &[u32; 8], other: &[u32; 8], distance: u32) -> bool {
    let (mut differs, mut i) = (0, 0);
    while i < 8 {
        differs |= one[i].wrapping_sub(other[i]) ^ distance;
        i += 1;
    }
    differs == 0
}

/// The degree of eight lanes, the most common phase: four planes, without a branch.
#[inline]
const fn few(units: &[u32; 8], grid: Grid) -> u32 {
    let (mut planes, mut i) = ([0; 4], 0);
    while i < 8 {
        let (mut carry, mut p) = (grid.banks(units[i]), 0);
        while p < 4 {
            let sum = planes[p] ^ carry;
            carry &= planes[p];
            planes[p] = sum;
            p += 1;
        }
        i += 1;
    }
    most(&planes)
}

/// Three planes without a branch: seven lanes of a bank are rare.
#[inline]
const fn add(planes: &mut [u64; 7], banks: u64) {
    let (ones, twos) = (planes[0] & banks, planes[1] & planes[0] & banks);
    let mut carry = planes[2] & twos;
    planes[0] ^= banks;
    planes[1] ^= ones;
    planes[2] ^= twos;
    let mut p = 3;
    while carry != 0 {
        let sum = planes[p] ^ carry;
        carry &= planes[p];
        planes[p] = sum;
        p += 1;
    }
}

/// The largest count of any bank.
#[inline]
const fn most<const P: usize>(planes: &[u64; P]) -> u32 {
    let (mut banks, mut most, mut p) = (u64::MAX, 0, planes.len());
    while p > 0 {
        p -= 1;
        if planes[p] & banks != 0 {
            banks &= planes[p];
            most |= 1 << p;
        }
    }
    most
}

/// Whether two of eight lanes have a unit in common: 28 comparisons, unrolled.
#[inline]
const fn share_few(units: &[u32; 8], grid: Grid) -> bool {
    let reach = grid.units() - 1;
    let (mut equal, mut near, mut apart) = (0, 0, 1);
    while apart < 8 {
        let mut i = 0;
        while i < 8 - apart {
            let distance = units[i].wrapping_sub(units[i + apart]);
            equal |= (distance == 0) as u32;
            if reach > 0 {
                near |= (distance.wrapping_add(reach) <= 2 * reach) as u32;
            }
            i += 1;
        }
        apart += 1;
    }
    equal | near != 0
}

/// Whether two lanes have a unit in common.
///
/// Each is compared with the half of the others that follows it, around the end: as many
/// rounds of N, which is a vector's work, and not a triangle.
#[inline]
const fn share<const N: usize>(units: &[u32; N], grid: Grid) -> bool {
    let (mut around, mut i) = ([0; 2 * Phases::LANES], 0);
    while i < N {
        around[i] = units[i];
        around[N + i] = units[i];
        i += 1;
    }
    if grid.units() > 1 {
        return are_near(units, &around, grid.units() - 1);
    }
    let (mut equal, mut apart) = (0, 1);
    while apart <= N / 2 {
        i = 0;
        while i < N {
            equal |= (units[i] == around[i + apart]) as u32;
            i += 1;
        }
        apart += 1;
    }
    equal != 0
}

/// Whether two are within `reach` of each other, on either side.
#[inline]
const fn are_near<const N: usize>(
    units: &[u32; N],
    around: &[u32; 2 * Phases::LANES],
    reach: u32,
) -> bool {
    let (mut near, mut apart) = (0, 1);
    while apart <= N / 2 {
        let mut i = 0;
        while i < N {
            let distance = units[i].wrapping_sub(around[i + apart]).wrapping_add(reach);
            near |= (distance <= 2 * reach) as u32;
            i += 1;
        }
        apart += 1;
    }
    near != 0
}
