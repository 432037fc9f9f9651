//! The byte address of each lane of one instruction.

use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;
use tiledesc_transforms::{all, range, say};

/// The byte address of each lane, or that it is inactive.
///
/// ```
/// use tiledesc::access::Addresses;
///
/// let rows = Addresses::from_fn(|lane| (lane < 48).then_some(128 * lane));
/// assert_eq!((rows.get(3), rows.get(50)), (Some(384), None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    pub(crate) bytes: [u32; Phases::LANES],
    pub(crate) active: u64,
}

impl Addresses {
    /// The addresses of no active lane.
    pub const NONE: Self = Self { bytes: [0; Phases::LANES], active: 0 };

    /// The address of each lane, by a function; `None` for an inactive one.
    #[must_use]
    pub fn from_fn(address: impl Fn(u32) -> Option<u32>) -> Self {
        let mut all = Self::NONE;
        for lane in 0..Phases::LANES {
            if let Some(address) = address(lane as u32) {
                all.set(lane, address);
            }
        }
        all
    }

    /// The addresses with `lane` active at byte `address`: of few lanes, and in constants.
    ///
    /// ```
    /// use tiledesc::{access::Addresses, bank::conflicts};
    /// use tiledesc::chip::gfx942::ds_read_b32;
    ///
    /// const TWO: Addresses = Addresses::NONE.with(0, 0).with(5, 128);
    /// assert_eq!(TWO.active(), 0b10_0001);
    /// // 128 bytes are all 32 banks: both lanes meet in bank 0.
    /// assert_eq!(conflicts(&TWO, &ds_read_b32).unwrap().degree(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// With a lane above 63.
    #[must_use]
    #[track_caller]
    pub const fn with(mut self, lane: usize, address: u32) -> Self {
        if lane >= Phases::LANES {
            say!(Text::new(): "lane ", lane, " does not exist: a wave has at most ", Phases::LANES, " lanes").refuse()
        }
        self.set(lane, address);
        self
    }

    pub(crate) const fn set(&mut self, lane: usize, address: u32) {
        self.bytes[lane] = address;
        self.active |= 1 << lane;
    }

    /// The address of a lane; `None` if it is inactive.
    #[must_use]
    pub const fn get(&self, lane: usize) -> Option<u32> {
        if lane < Phases::LANES && self.is_active(lane) { Some(self.bytes[lane]) } else { None }
    }

    /// The active lanes, lane 0 in bit 0.
    #[must_use]
    pub const fn active(&self) -> u64 {
        self.active
    }

    /// Returns the addresses of these lanes, all moved so that lane 0 is at byte `first`.
    pub(crate) const fn from(&self, first: u32) -> Self {
        let mut moved = *self;
        range!(lane, 0..Phases::LANES, {
            moved.bytes[lane] = self.bytes[lane].wrapping_add(first).wrapping_sub(self.bytes[0]);
        });
        moved
    }

    /// Returns whether these are others, all moved by the same whole units.
    pub(crate) const fn is_moved(&self, other: &Self, unit: u32) -> bool {
        if self.active != other.active || self.active == 0 {
            return false;
        }
        let first = self.active.trailing_zeros() as usize;
        let by = self.bytes[first] as i64 - other.bytes[first] as i64;
        let is_alike = all!(lane, first..Phases::LANES, {
            self.active >> lane & 1 == 0 || self.bytes[lane] as i64 - other.bytes[lane] as i64 == by
        });
        is_alike && by % unit as i64 == 0
    }

    /// Returns whether lanes agree in pairs, so that an instruction serves them by its [merged](Instruction::merged) phases.
    pub(crate) const fn are_merged(&self, instruction: &Instruction) -> bool {
        let lanes = instruction.service().phases.addressed();
        instruction.merged().is_some() && (self.agree(1, lanes) || self.agree(2, lanes))
    }

    pub(crate) const fn is_active(&self, lane: usize) -> bool {
        self.active >> lane & 1 == 1
    }

    /// Returns whether every active lane has its neighbour, at `distance` by xor, inactive
    /// or at the same address. Only the first `lanes` supply one: what the others hold is not
    /// looked at.
    const fn agree(&self, distance: usize, lanes: usize) -> bool {
        all!(lane, 0..lanes, {
            let other = lane ^ distance;
            let both = other < lanes && self.is_active(lane) && self.is_active(other);
            !both || self.bytes[lane] == self.bytes[other]
        })
    }
}

/// A bit for each of the first `count` lanes.
pub(crate) const fn first_lanes(count: usize) -> u64 {
    u64::MAX >> (Phases::LANES - count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Others moved by whole units, and not by a part of one, by different numbers, or in other lanes.
    #[test]
    fn moved() {
        let at = |begin: u32, lanes: usize| {
            Addresses::from_fn(|lane| (lane < lanes as u32).then(|| begin + 2 * lane))
        };
        assert!(at(4, 64).is_moved(&at(0, 64), 4) && at(0, 64).is_moved(&at(8, 64), 4));
        assert!(!at(2, 64).is_moved(&at(0, 64), 4));
        assert!(!at(4, 63).is_moved(&at(0, 64), 4));
        assert!(!at(4, 64).with(9, 0).is_moved(&at(0, 64), 4));
        assert!(!at(0, 0).is_moved(&at(0, 0), 4));
    }
}
